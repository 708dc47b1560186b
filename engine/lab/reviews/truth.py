"""Whether a predicted loss is the true one: decisions of styles by rules, each played on thousands of times.

Styles that play by rules are known: what they would have done with any hole cards can be asked. So the probability
of every combo of every opponent, given what they did, follows by Bayes' rule from the styles themselves, and from
there each action is played on to the end by compiled hands (`engine.kernels.bulk`), everybody as they are, the
player too. That gives the true value of each action for a player who sees what the player saw, and the true loss.
The review knows nothing of the styles but what its reader has learned of them in the hands before.

`python -m engine.lab.reviews.truth STYLE STYLE ...` prints what docs/review.md says of it.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread.play import moment_of, move_of
from engine.agents.styles import UnknownStyleError, make_agent, style_name
from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, unblocked
from engine.commands import write
from engine.equity.combos import combo_equities
from engine.game.events import Action, ActionKind, ActionTaken, Seat
from engine.game.history import HandState, moments
from engine.game.observation import Observation
from engine.game.rules import Betting
from engine.kernels import playing
from engine.kernels.bulk import hands as bulk
from engine.kernels.bulk import styles as bulk_styles
from engine.lab.matches.compiled import compiled
from engine.lab.matches.counted.hand_equities import hand_equities
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.matches.playing import PlayedHand, match
from engine.review.decision import ReviewedDecision, reviewed
from engine.review.hands import decisions_of, learn_hand

Numbers = NDArray[np.float64]

_DRAWS = 6
"""Times that a style is asked what it does with a combo; its rules draw at random now and then."""

_UNSEEN = 0.02
"""Counted for a combo with which a style never did what it did."""

_TRIES = 100
_LEAST_POINTS = 2


class TruePoint(Struct, frozen=True, kw_only=True):
    """One decision, as it was reviewed and as it truly was.

    Attributes
    ----------
    actions : tuple of Action
        Those that the review compared, and the one taken.
    halves : tuple of two tuples of float
        Big blinds that each of them truly won against folding, on one half of the hands and on the other.
    stderr : float
        Of the true difference between what the review took for the best and the action taken, in big blinds.
    """

    decision: ReviewedDecision
    actions: tuple[Action, ...]
    halves: tuple[tuple[float, ...], tuple[float, ...]]
    stderr: float

    @property
    def loss_bb(self) -> float:
        """The true loss: the best of one half, on the other, less the action taken."""
        taken = self.actions.index(self.decision.action)
        one, other = self.halves
        first, second = one.index(max(one)), other.index(max(other))
        return (other[first] - other[taken] + one[second] - one[taken]) / 2

    @property
    def lead_bb(self) -> float:
        """What the action that the review took for the best was truly worth more than the one taken."""
        best, taken = map(self.actions.index, (self.decision.best, self.decision.action))
        return sum(half[best] - half[taken] for half in self.halves) / 2


def true_points(plan: MatchPlan, *, every: int, after: int, hands: int) -> Iterator[TruePoint]:
    """Play a match of styles by rules and yield decisions of its first style, reviewed and played on.

    Parameters
    ----------
    plan : MatchPlan
        Of a cash game.
    every : int
        One decision of so many is taken.
    after : int
        Hands that the reader learns first.
    hands : int
        Times that each action is played on.

    Raises
    ------
    MatchError
        If one of the styles is not compiled.
    """
    stacks = [plan.starting_stack] * plan.seats
    start = Betting(plan.game.rules_at(0, sum(stacks)), stacks, plan.seats - 1)
    styles = compiled([make_agent(style) for style in plan.styles], start)
    if styles is None:
        raise MatchError("What is played on thousands of times has to be styles by rules, which are compiled.")
    names = {style_name(style): at for at, style in enumerate(plan.styles)}
    reader, count, played = LearnedReader(strangers=OF_PROGRAMS), 0, list[PlayedHand]()
    for _ in match(plan, watch=played.append):
        for one in played:
            hand = one.hand
            hero = hand.players.index(style_name(plan.styles[0]))
            state = HandState.after(hand.events)
            seen = state.observe(hero, hand.hole_cards[hero])
            for moment, action in decisions_of(seen) if after <= 0 else ():
                count += 1
                if count % every == 0:
                    seated = np.array([names[player] for player in hand.players])
                    yield _true_point(moment, action, reader, _Truth(moment, seated, styles, count), hands)
            learn_hand(reader, seen)
            after -= 1
        played.clear()


def _true_point(seen: Observation, action: Action, reader: LearnedReader, truth: "_Truth", hands: int) -> TruePoint:
    decision = reviewed(seen, action, reader.read(seen), reader, seed=0)
    actions = tuple(dict.fromkeys((*(one.action for one in decision.values.actions), action)))
    values = truth.values(actions, hands) / seen.big_blind
    lead = values[actions.index(decision.best)] - values[actions.index(action)]
    first, second = (tuple(values[:, at::2].mean(axis=1).tolist()) for at in (0, 1))
    return TruePoint(
        decision=decision,
        actions=actions,
        halves=(first, second),
        stderr=float(lead.std() / np.sqrt(len(lead))),
    )


class _Places(NamedTuple):
    """Places are counted from the left of the button in bulk, and by seats elsewhere."""

    of_seats: NDArray[np.int64]

    def moment(self, observation: Observation) -> playing.Moment:
        """Return a moment with places from the left of the button."""
        seats, hand, sizes, stakes = moment_of(observation)
        place_of = np.append(np.argsort(self.of_seats), -1)
        hand[[playing.TO_ACT, *range(playing.RAISER, playing.HAND_NUMBERS)]] = place_of[
            hand[[playing.TO_ACT, *range(playing.RAISER, playing.HAND_NUMBERS)]]
        ]
        stakes[[playing.HERO, playing.BUTTON]] = place_of[stakes[[playing.HERO, playing.BUTTON]]]
        return playing.Moment(seats[self.of_seats], hand, sizes, stakes)


class _Truth:
    """A decision of one who sits among known styles.

    Parameters
    ----------
    seen : Observation
        Seats are numbered from 0.
    seated : ndarray of int64, shape (seats,)
        The style of each seat.
    styles : Styles
    seed : int
    """

    def __init__(self, seen: Observation, seated: NDArray[np.int64], styles: bulk_styles.Styles, seed: int) -> None:
        count = len(seen.seats)
        self._seen, self._styles, self._seed = seen, styles, seed
        self._places = _Places((seen.button + 1 + np.arange(count)) % count)
        self._seated = seated[self._places.of_seats]
        self._place_of = {int(seat): place for place, seat in enumerate(self._places.of_seats)}
        self._rng = np.random.default_rng([seed, 77])
        self._spot = bulk_styles.new_spot(seed, count)

    def values(self, actions: Sequence[Action], hands: int) -> Numbers:
        """Return the chips won from here on against folding, by action and hand, all on the same cards."""
        decks = self._decks(hands)
        return np.array([self._played_on(action, decks) for action in actions])

    def _played_on(self, action: Action, decks: NDArray[np.uint8]) -> Numbers:
        if action.kind is ActionKind.FOLD:
            return np.zeros(len(decks))
        moment, places = self._places.moment(self._seen), len(self._seen.seats)
        place = self._place_of[self._seen.seat]
        before = int(moment.seats[place, playing.STACK])
        playing.act(moment, place, *move_of(action))
        seated = np.broadcast_to(self._seated, (len(decks), 1, places)).copy()
        outcome = bulk.new_outcome(seated, len(self._styles.kinds))
        hands = bulk.Hands(decks, seated, np.full((len(decks), 3, places), np.nan), 1)
        room = bulk.new_room(moment)
        while outcome.waits.any():
            bulk.play_hands(moment, hands, self._styles, self._spot, room, outcome)
            for street in range(3):
                waiting = np.flatnonzero(outcome.waits[:, street])
                cards = decks[waiting, : 2 * places].reshape(len(waiting), 2, places)
                board = decks[waiting, 2 * places : 2 * places + 3 + street]
                hands.equities[waiting, street] = hand_equities(cards.transpose(0, 2, 1).copy(), board.copy())
        return np.asarray(outcome.stacks[:, 0, place] - before, np.float64)

    def _decks(self, count: int) -> NDArray[np.uint8]:
        """Return decks with what the player has seen in its place, and opponents' cards as likely as they are."""
        seen = self._seen
        ranges = {view.seat: self._range(view.seat) for view in seen.opponents}
        combos = {seat: self._rng.choice(COMBO_COUNT, (count, _TRIES), p=of) for seat, of in ranges.items()}
        decks = np.zeros((count, CARD_COUNT), np.uint8)
        for at in range(count):
            held = next(
                drawn
                for drawn in ([COMBO_CARDS[of[at, attempt]] for of in combos.values()] for attempt in range(_TRIES))
                if len({int(card) for cards in drawn for card in cards}) == 2 * len(drawn)
            )
            cards_of = dict(zip(combos, held, strict=True)) | {seen.seat: seen.hole_cards}
            used = [int(card) for cards in cards_of.values() for card in cards] + [int(card) for card in seen.board]
            rest = self._rng.permutation(np.setdiff1d(np.arange(CARD_COUNT), used)).tolist()
            hole_cards = [
                cards_of[seat] if seat in cards_of else (rest.pop(), rest.pop())
                for seat in self._places.of_seats.tolist()
            ]
            board = [*seen.board, *(rest.pop() for _ in range(5 - len(seen.board)))]
            dealt = [cards[0] for cards in hole_cards] + [cards[1] for cards in hole_cards] + board
            decks[at] = [*dealt, *rest]
        return decks

    def _range(self, seat: Seat) -> Numbers:
        """Return the probability of each combo of an opponent, by what their style would have done with it."""
        seen = self._seen
        likely = unblocked((*seen.board, *seen.hole_cards)).astype(np.float64)
        for event, state in moments(seen.events):
            if isinstance(event, ActionTaken) and event.seat == seat:
                likely *= self._asked(event, state, likely > 0)
        return np.asarray(likely / likely.sum(), np.float64)

    def _asked(self, event: ActionTaken, state: HandState, live: NDArray[np.bool_]) -> Numbers:
        """Return how often a style does what it did with each combo."""
        place, places = self._place_of[event.seat], len(self._seen.seats)
        combo = COMBO_CARDS[np.flatnonzero(live)[0]]
        then = state.observe(event.seat, (combo[1], combo[0]))
        then = structs.replace(then, to_act=event.seat, legal=state.legal_actions_of(event))
        moment, spot, done = self._places.moment(then), self._spot, np.zeros(COMBO_COUNT)
        spot.cards[2 * places : 2 * places + len(then.board)] = then.board
        equities = combo_equities(then.board) if then.board else None
        wanted = (playing.FOLDS, 0) if event.action.kind is ActionKind.FOLD else move_of(event.action)
        for held in np.flatnonzero(live).tolist():
            spot.cards[place], spot.cards[places + place] = COMBO_CARDS[held]
            if equities is not None:
                spot.equities[then.street - 1, place] = equities[held]
            for draw in range(_DRAWS):
                spot.key[1] = np.uint64(draw + 1)
                kind, total = bulk_styles.decide(moment, place, self._styles, self._seated[place], spot)
                done[held] += (kind, total if kind == playing.SMALL else 0) == wanted
        return np.maximum(done / _DRAWS, _UNSEEN)


class Truth(Struct, frozen=True, kw_only=True):
    """How predicted losses compare with true ones, in big blinds.

    What is predicted is how much more the action advised is worth than the one taken, so the true loss is that of
    the same two actions; all but the first three and the last are of decisions where another action was advised.

    Attributes
    ----------
    decisions, advised : int
        All, and those where another action was advised.
    best : float
        What the truly best action would have been worth more than the one taken, in the mean of all decisions.
    predicted, true : float
        The losses in the mean.
    apart, stderr : float
        Predicted less true in the mean, and the standard error of that.
    correlation : float
    within_one, within_two : float
        Shares of decisions within one and two standard errors, 0-1; 0.68 and 0.95 of a normal distribution.
    flagged, better : int
        Decisions graded an inaccuracy or worse, and those of them where what was advised was truly better.
    lead, lead_stderr : float
        By how much that was better in all that are flagged, in the mean, and the standard error.
    """

    decisions: int
    best: float
    advised: int
    predicted: float
    true: float
    apart: float
    stderr: float
    correlation: float
    within_one: float
    within_two: float
    flagged: int
    better: int
    lead: float
    lead_stderr: float


def truth_of(points: Sequence[TruePoint]) -> Truth:
    """Return how predicted losses compare with true ones.

    Raises
    ------
    MatchError
        If another action was advised in fewer than two decisions, or fewer than two are flagged.
    """
    advised = [point for point in points if point.decision.best != point.decision.action]
    flagged = np.array([point.lead_bb for point in advised if not point.decision.grade.is_good])
    if len(advised) < _LEAST_POINTS or len(flagged) < _LEAST_POINTS:
        raise MatchError(f"{len(points):,} decisions with {len(flagged):,} mistakes are too few: play more hands.")
    predicted = np.array([point.decision.loss_bb for point in advised])
    true = np.array([point.lead_bb for point in advised])
    error = np.array([np.hypot(point.decision.stderr, point.stderr) for point in advised])
    apart = predicted - true
    return Truth(
        decisions=len(points),
        best=float(np.mean([point.loss_bb for point in points])),
        advised=len(advised),
        predicted=float(predicted.mean()),
        true=float(true.mean()),
        apart=float(apart.mean()),
        stderr=_stderr(apart),
        correlation=float(np.corrcoef(predicted, true)[0, 1]),
        within_one=float(np.mean(np.abs(apart) <= error)),
        within_two=float(np.mean(np.abs(apart) <= 2 * error)),
        flagged=len(flagged),
        better=int((flagged > 0).sum()),
        lead=float(flagged.mean()),
        lead_stderr=_stderr(flagged),
    )


def _stderr(values: Numbers) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def as_text(truth: Truth) -> str:
    """Return in lines how predicted losses compare with true ones."""
    return "\n".join(
        (
            f"{truth.decisions:,} decisions, in big blinds; the truly best action: {truth.best:+.1f} each",
            f"another advised in {truth.advised:,}: predicted {truth.predicted:+.1f}, true {truth.true:+.1f}",
            f"  predicted less true {truth.apart:+.1f} ± {truth.stderr:.1f}, correlation {truth.correlation:.2f}",
            f"  within one standard error {truth.within_one:.0%}, within two {truth.within_two:.0%}",
            f"graded an inaccuracy or worse: {truth.flagged:,}, what was advised truly better in {truth.better:,}, "
            f"by {truth.lead:+.1f} ± {truth.lead_stderr:.1f} in all",
        )
    )


def main() -> None:
    """Play styles by rules and print how true the review of the first one's decisions is."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("styles", nargs="+", metavar="STYLE")
    parser.add_argument("--hands", type=int, default=400, help="of the match (default: 400)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=4, help="one decision of so many (default: 4)")
    parser.add_argument("--after", type=int, default=100, help="hands that are learned first (default: 100)")
    parser.add_argument("--times", type=int, default=3000, help="that each action is played on (default: 3000)")
    options = parser.parse_args()
    try:
        plan = MatchPlan(tuple(options.styles), seats=len(options.styles), hands=options.hands, seed=options.seed)
        points = list(true_points(plan, every=options.every, after=options.after, hands=options.times))
        write(as_text(truth_of(points)))
    except (MatchError, UnknownStyleError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
