"""What the values of actions say for the one taken, or for the best: one plain sentence per reason.

Differences are those on the same deals, and one of less than `CLEAR` of its standard errors is none. `explain`
makes the claims of a trace from these sentences; a hint begins with `advice`.
"""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt

from msgspec import Struct

from engine.agents.agent import ActionValue, Answer, Answers, Responses, Values
from engine.agents.reading import pot_odds_of
from engine.cards import Street
from engine.game.events import Action, ActionKind, ActionTaken, Chips, Seat
from engine.game.observation import Observation
from engine.game.sizing import pot_fraction
from engine.words import listed

CLEAR = 2.0
"""Standard errors from which on a difference is one."""

_OFTEN = 0.02
"""Actions at which all fold less often than this are not explained by it."""

_LATER = 0.1
"""Actions after which less often than this something is decided later are not explained by how."""

_RARE = 0.05
"""Bets and raises that are made less often than this are hardly ever made."""

_NOTICEABLE = 1.5
"""Standard deviations by which a count differs from the usual one before a sentence says so."""

_BLUNT = 0.6
"""`Responses.sharpness` below which a sentence says so."""

_MOST_COUNTS = _MOST_NAMED = 3
_WORTH_NAMING = 0.02
"""Of a range, a part that is less is not taken apart, or not said."""

_ALL = 1 - 1e-5
"""From here on a share is all: a sum of many does not come to 1 exactly."""

_FEW = 0.1
_UNIT = " bb"
"""Behind amounts in big blinds; of a value and its error the second has it."""
_NAMED_SHARES = ((1 / 3, "1/3 pot"), (1 / 2, "1/2 pot"), (2 / 3, "2/3 pot"), (1.0, "pot"), (1.5, "1.5 pot"))

OWN_NAME = "You"
"""What the player at the table is called unless they choose a name."""

Amount = Callable[[Chips], str]

_COUNTED = {
    ("folds", "unopened"): ("folded", "unopened hands"),
    ("raises", "unopened"): ("raised", "unopened hands"),
    ("folds", "facing a raise after limping"): ("folded to", "raises after limping"),
    ("raises", "facing a raise after limping"): ("re-raised", "raises after limping"),
    ("folds", "facing a raise after the flop"): ("folded to", "raises after the flop"),
    ("raises", "facing a raise after the flop"): ("re-raised", "raises after the flop"),
    ("folds", "facing a bet after a checked street"): ("folded to", "bets after a checked street"),
    ("raises", "facing a bet after a checked street"): ("raised", "bets after a checked street"),
    ("folds", "facing a raise"): ("folded to", "raises before the flop"),
    ("raises", "facing a raise"): ("re-raised", "raises before the flop"),
    ("folds", "facing a 3-bet cold"): ("folded to", "3-bets facing them cold"),
    ("raises", "facing a 3-bet cold"): ("4-bet", "3-bets facing them cold"),
    ("folds", "facing a 3-bet"): ("folded to", "3-bets"),
    ("raises", "facing a 3-bet"): ("4-bet", "3-bets"),
    ("raises", "may check"): ("raised", "free checks before the flop"),
    ("raises", "betting as the last raiser"): ("bet", "streets as the last raiser"),
    ("raises", "betting into the last raiser"): ("bet", "streets into the last raiser"),
    ("raises", "betting"): ("bet", "{street}s that nobody had bet"),
    ("folds", "facing a bet"): ("folded to", "{street} bets"),
    ("raises", "facing a bet"): ("raised", "{street} bets"),
}
"""What was done, and of what, by what is counted and the kind of spot (`Responses.spot`)."""


class Reason(Struct, frozen=True):
    """One sentence, and the path of its number in the trace."""

    text: str
    evidence: str


def rounded(chips: float, big_blind: Chips) -> Chips:
    """Return chips to the nearest tenth of a big blind: values are estimates.

    >>> rounded(193.2, 100), rounded(-4.9, 100), rounded(7.4, 2)
    (190, 0, 7)
    """
    step = told_to(big_blind)
    return Chips(round(round(chips / step) * step))


def told_to(big_blind: Chips) -> float:
    """Return the chips to which values are told: a tenth of a big blind, or a chip if that is more."""
    return max(big_blind / 10, 1)


def size_text(action: Action, observation: Observation) -> str:
    """Name the size of a bet or raise as a share of the pot: `2/3 pot`, `18% pot`, `all-in`; "" for anything else.

    What all others could call only with all that they have is `their all-in`. Before the flop nothing else has a
    size: there they are named in big blinds.
    """
    legal = observation.legal
    if action.kind is not ActionKind.RAISE or legal is None:
        return ""
    if action.raise_to == observation.me.stack + observation.me.bet:
        return "all-in"
    if action.raise_to >= observation.reach_of_opponents:
        return "their all-in"
    if observation.street is Street.PREFLOP:
        return ""
    fraction, pot = pot_fraction(observation, action.raise_to), observation.pot + legal.call_amount
    percent = f"{fraction:.0%}"
    for share, name in _NAMED_SHARES:
        if abs(fraction - share) * pot <= 1 or percent == f"{share:.0%}":
            return name
    return f"{percent} pot"


def doing(action: Action, observation: Observation, amount: Amount) -> str:
    """Write an action as it begins a sentence, with its size in pots and chips.

    >>> from engine.game.events import CHECK
    >>> doing(CHECK, None, str)
    'checking'
    """
    if action.kind is ActionKind.CALL:
        assert observation.legal is not None
        return f"calling {amount(observation.legal.call_amount)}"
    if action.kind is not ActionKind.RAISE:
        return f"{action.kind.value}ing"
    size, chips = size_text(action, observation), amount(action.raise_to)
    if size == "all-in":
        return f"going all-in ({chips})"
    if size == "their all-in":
        names = [view.name for view in observation.opponents if not view.is_all_in]
        who = "all others" if len(names) > 1 else "you" if names == [OWN_NAME] else names[0]
        return f"putting {who} all-in ({chips})"
    if observation.street is Street.PREFLOP or (observation.legal is not None and not observation.legal.can_check):
        return f"raising to {chips}{f' ({size})' if size else ''}"
    return f"betting {size} ({chips})"


class _Teller:
    """Writes the sentences about one set of values."""

    def __init__(self, values: Values, chosen: Action, observation: Observation, amount: Amount) -> None:
        self.values, self.observation, self._amount = values, observation, amount
        self.best = values.best
        found = values.of(chosen)
        self.chosen = found if found is not None else self.best

    def doing(self, one: ActionValue) -> str:
        return doing(one.action, self.observation, self._amount)

    def chips(self, value: float) -> str:
        return self._amount(rounded(value, self.observation.big_blind))

    def path(self, one: ActionValue, field: str) -> str:
        return f"values.actions[{self.values.actions.index(one)}].{field}"

    def is_nothing(self, value: float) -> bool:
        """Return whether a difference is none in the digits that are shown."""
        return rounded(value, self.observation.big_blind) == 0

    def ahead(self, one: ActionValue, other: ActionValue) -> tuple[float, float]:
        """Return by how much one action is worth more than another, and the error of that."""
        return other.behind - one.behind, self.values.error_between(one, other)

    def is_level(self, one: ActionValue, other: ActionValue) -> bool:
        """Return whether two actions differ by no more than errs or than is shown."""
        lead, error = self.ahead(one, other)
        return abs(lead) < CLEAR * error or self.is_nothing(lead)

    def is_clear(self, one: ActionValue, other: ActionValue) -> bool:
        """Return whether one action is clearly worth more than another."""
        return self.ahead(one, other)[0] > 0 and not self.is_level(one, other)

    def alternative(self) -> ActionValue | None:
        """Return the action of another kind than the one chosen that is worth most, guard and risk counted.

        A bet or raise that hardly anybody would make is named only if there is no other and it is clearly worth
        less: that it is worth about as much is no advice.
        """
        others = [one for one in self.values.actions if _kind(one.action) != _kind(self.chosen.action)]
        usual = [one for one in others if one.usual >= _RARE or one.action.kind is not ActionKind.RAISE]
        other = max(usual or others, key=lambda one: one.counted, default=None)
        return other if usual or (other is not None and self.is_clear(self.chosen, other)) else None

    def compared(self) -> tuple[str, ActionValue] | None:
        """Return how the choice compares with the best of another kind, and that."""
        other = self.alternative()
        if other is None:
            return None
        lead = self.ahead(self.chosen, other)[0]
        what, against = self.doing(self.chosen), self.doing(other)
        if self.is_level(self.chosen, other):
            return f"{what} is worth about as much as {against}", other
        if lead < 0:
            return f"{what} wins {self.chips(-lead)} less than {against}", other
        if self.chosen.action.kind is ActionKind.FOLD:
            return f"folding saves {self.chips(lead)}, which {against} would lose", other
        return f"{what} wins {self.chips(lead)} more than {against}", other

    def lead(self) -> Iterator[str]:
        """Say by how much the choice is worth more than the best of another kind."""
        other = self.alternative()
        if other is None:
            return
        lead = self.ahead(self.chosen, other)[0]
        if self.is_level(self.chosen, other):
            yield f"about as much as {self.doing(other)}: the difference is within its error"
        else:
            yield f"{self.chips(abs(lead))} {'more' if lead > 0 else 'less'} than {self.doing(other)}"

    def rarely_done(self) -> Iterator[str]:
        """Say that hardly anybody would call, or bet or raise by any size, where that is the choice."""
        kind = self.chosen.action.kind
        usual = max(one.usual for one in self.values.actions if one.action.kind is kind)
        if kind in (ActionKind.CALL, ActionKind.RAISE) and usual < _RARE:
            yield f"Few would do it with such a hand ({_one_in(usual)})."

    def advised_fold(self) -> str:
        """Say why to fold."""
        other = self.alternative()
        if other is not None and self.is_clear(self.chosen, other):
            lost = self.chips(self.ahead(self.chosen, other)[0])
            return f"Folding loses nothing more, where {self.doing(other)} loses {lost}"
        if self.chosen.usual > 1 - _RARE:
            return "Fold: hardly anybody goes on with such a hand here"
        return " ".join(["Folding is worth", *self.lead()])

    def why(self) -> str:
        """Say what the choice lives on: folds, and the share of the pot at a showdown."""
        one, parts = self.chosen, []
        if one.action.kind is ActionKind.FOLD:
            return ""
        is_raise = one.action.kind is ActionKind.RAISE
        if is_raise and one.all_fold >= _OFTEN:
            parts.append(f"{self._who()} {percent(one.all_fold)} of the time")
        has_side_pot = self._has_side_pot()
        if one.called_equity is not None:
            pot = "main pot" if has_side_pot else "pot"
            share = f"{percent(one.called_equity)} of the {pot} is ours at a showdown"
            parts.append(f"when called {share}" if is_raise else share)
        if one.action.kind is ActionKind.CALL and parts and not has_side_pot:
            parts.append(f"the call costs {percent(pot_odds_of(self.observation))} of it")
        return f": {', and '.join(parts)}" if parts else ""

    def _has_side_pot(self) -> bool:
        """Whether the choice plays for chips that one of several opponents, who is all-in, cannot win."""
        me, action, legal = self.observation.me, self.chosen.action, self.observation.legal
        assert legal is not None
        paid = {ActionKind.CALL: legal.call_amount, ActionKind.RAISE: action.raise_to - me.bet}.get(action.kind, 0)
        others = self.observation.opponents
        return len(others) > 1 and any(view.is_all_in and view.committed < me.committed + paid for view in others)

    def _who(self) -> str:
        able = [view for view in self.observation.opponents if not view.is_all_in]
        if len(able) != 1:
            return "they all fold"
        return "you fold" if able[0].name == OWN_NAME else f"{able[0].name} folds"

    def way(self) -> Iterator[Reason]:
        """Say how the player goes on later, if it is in another way than soundly and there is a later."""
        if self.chosen.action.kind is not ActionKind.FOLD and self.chosen.later >= _LATER and self.values.way:
            text = f"Valued with {self.values.way} later: of the ways to go on that wins most here."
            yield Reason(text, "values.way")

    # What made the choice another one than the best

    def drawn_from(self) -> list[ActionValue]:
        """Return the actions of which one was drawn, the choice among them."""
        near = list(self.values.nearly_best(self.observation.pot))
        return near if self.chosen in near else []

    def held_back(self, *, is_drawn: bool = True) -> Iterator[Reason]:
        """Say what kept what is worth more from being taken; a draw of near ties that it was in could have."""
        if not (is_drawn and self.worth_more() in self.drawn_from()):
            yield from self.guard()
            yield from self.risk()

    def worth_more(self) -> ActionValue:
        """Return what guard and risk speak of: what the choice is compared with if it wins more, else the best."""
        other = self.alternative()
        return other if other is not None and self.is_clear(other, self.chosen) else self.best

    def guard(self) -> Iterator[Reason]:
        """Say what the guard did, where it kept what is worth more from being taken."""
        usual = self.worth_more().usual
        few = f"{'few' if usual < _FEW else 'fewer'} would do it with such a hand"
        yield from self._held_back("guard", f"{few} ({_one_in(usual)}): that")

    def risk(self) -> Iterator[Reason]:
        """Say what the risk did, where it kept what is worth more from being taken."""
        yield from self._held_back("risk", "in a tournament its risk")

    def _held_back(self, field: str, why: str) -> Iterator[Reason]:
        """Say what counts more against what is worth more than against the choice."""
        better, chosen = self.worth_more(), self.chosen
        most, least = getattr(better, field), getattr(chosen, field)
        if chosen is better or most < least or self.is_nothing(most - least):
            return
        lead = self.chips(self.ahead(better, chosen)[0])
        worth = f"{lead} more" if self.is_clear(better, chosen) else "about as much"
        against = f"{self.chips(most)} against it"
        if not self.is_nothing(least):
            against += f", and {self.chips(least)} against {self.doing(chosen)}"
        text = f"{capital(self.doing(better))} is worth {worth}, but {why} counts {against}."
        yield Reason(text, self.path(better, field))

    def ties(self) -> Iterator[Reason]:
        """Name the others that could have been drawn as well."""
        others = [one for one in self.drawn_from() if one is not self.chosen]
        if not others:
            return
        names = listed([self.doing(one) for one in others])
        is_plural, of = len(others) > 1, "two" if len(others) == 1 else str(len(others) + 1)
        chosen = self.chosen
        counts = ["how few would do it"] * any(not self.is_nothing(one.guard - chosen.guard) for one in others)
        counts += ["the risk"] * any(not self.is_nothing(one.risk - chosen.risk) for one in others)
        if counts:
            comes = "come" if is_plural else "comes"
            said = f"Counting {' and '.join(counts)}, {names} {comes} to about the same"
        else:
            said = f"{capital(names)} {'are' if is_plural else 'is'} worth about as much"
        yield Reason(f"{said}: one of the {of} was drawn by how usual each is.", self.path(others[0], "behind"))

    # What is counted of the opponents

    def counts(self) -> Iterator[Reason]:
        """Say what is counted of opponents in the spots that the choice puts them in, if it is out of the usual."""
        found: list[tuple[float, str, str]] = []
        for index, one in enumerate(self.values.responses):
            if one.spot != self._spot(one.seat):
                continue
            for done, usual, field in (
                (one.folds, one.usual_folds, "folds"),
                (one.raises, one.usual_raises, "raises"),
            ):
                share = min(usual / one.chances, 1)
                spread = sqrt(max(one.chances * share * (1 - share), 0.5))
                words = counted_words(one, field)
                if words is not None and abs(done - usual) >= max(_NOTICEABLE * spread, 1):
                    verb, spot = words
                    text = (
                        f"{self.observation.view(one.seat).name} {verb} {done} of {one.chances} {spot}, "
                        f"where most would have {verb} {usual_text(usual)}."
                    )
                    found.append((abs(done - usual) / spread, text, f"values.responses[{index}].{field}"))
        for _, text, path in sorted(found, reverse=True)[:_MOST_COUNTS]:
            yield Reason(text, path)
        yield from self._blunt()

    def _blunt(self) -> Iterator[Reason]:
        """Say of whom showdowns taught that their hole cards matter much less than usual to how they answer."""
        for index, one in enumerate(self.values.responses):
            if self.observation.board and one.spot == self._spot(one.seat) and one.sharpness < _BLUNT:
                name = self.observation.view(one.seat).name
                does, whose = ("you do", "your") if name == OWN_NAME else (f"{name} does", "their")
                text = (
                    f"By the hands shown, what {does} after the flop hangs on {whose} cards "
                    f"{one.sharpness:.1f} times as much as with most."
                )
                yield Reason(text, f"values.responses[{index}].sharpness")

    def _spot(self, seat: Seat) -> str:
        """Return the spot that an opponent is in after the choice; "" if they have nothing to answer."""
        observation, legal, kind = self.observation, self.observation.legal, self.chosen.action.kind
        assert legal is not None
        street, is_raise = observation.street, kind is ActionKind.RAISE
        taken = [event for event in observation.events if isinstance(event, ActionTaken)]
        has_acted = any(event.seat == seat and event.street is street for event in taken)
        level = max(observation.me.bet + legal.call_amount, *(view.bet for view in observation.opponents))
        may_check = not is_raise and observation.view(seat).bet >= level
        if kind is ActionKind.FOLD or (may_check and has_acted):
            return ""
        if street is not Street.PREFLOP:
            return self._spot_after_the_flop(seat, taken)
        if may_check:  # a big blind or straddle
            return "may check before the flop"
        raises = min(sum(event.action.kind is ActionKind.RAISE for event in taken) + is_raise, 2)
        going_in = (ActionKind.CALL, ActionKind.RAISE)
        if not any(event.seat == seat and event.action.kind in going_in for event in taken):
            return ("unopened", "facing a raise", "facing a 3-bet cold")[raises]
        return ("", "facing a raise after limping", "facing a 3-bet")[raises]

    def _spot_after_the_flop(self, seat: Seat, taken: Sequence[ActionTaken]) -> str:
        observation = self.observation
        street = observation.street.name.lower()
        here = [event.action for event in taken if event.street is observation.street]
        raises = sum(action.kind is ActionKind.RAISE for action in (*here, self.chosen.action))
        if raises > 1:
            return "facing a raise after the flop"
        earlier = [event for event in taken if event.street == observation.street - 1]
        if raises:
            last = [event.action.kind for event in earlier if event.seat == seat][-1:]
            has_checked = last == [ActionKind.CHECK]
            return "facing a bet after a checked street" if has_checked else f"facing a bet on the {street}"
        before = [event.seat for event in earlier if event.action.kind is ActionKind.RAISE]
        if not before:
            return f"betting the {street}"
        if before[-1] == seat:
            return "betting as the last raiser"
        raiser, actor = ((one <= observation.button, one) for one in (before[-1], seat))  # the order after the flop
        return "betting into the last raiser" if raiser > actor else f"betting the {street}"


def counted_words(responses: Responses, field: str) -> tuple[str, str] | None:
    """Return what an opponent did and of what, of their `folds` or `raises`; None where they could not.

    >>> kept = dict(seat=1, spot="facing a bet on the flop", chances=27, folds=14, raises=1)
    >>> usual = dict(usual_folds=9.1, usual_raises=2.0, odds_of_folding=1.3, odds_of_raising=0.8)
    >>> counted_words(Responses(**kept, **usual), "folds")
    ('folded to', 'flop bets')
    """
    words = _COUNTED.get((field, _spot_kind(responses.spot)))
    return None if words is None else (words[0], words[1].format(street=responses.spot.split()[-1]))


def usual_text(usual: float) -> str:
    """Write how often something would usually have happened.

    >>> usual_text(12.43), usual_text(1.56), usual_text(0.63)
    ('12', '1.6', 'fewer than 1')
    """
    return "fewer than 1" if usual < 0.95 else f"{usual:.{int(usual < 9.95)}f}"


def reasons(values: Values, action: Action, observation: Observation, amount: Amount) -> Iterator[Reason]:
    """Say why an action was taken: compared with the best of another kind, by counts, and before a better one."""
    teller = _Teller(values, action, observation, amount)
    compared, guards = teller.compared(), list(teller.held_back())
    # Against folding guard and risk say all there is to say of what they speak of.
    is_said = bool(guards) and action.kind is ActionKind.FOLD and teller.alternative() is teller.worth_more()
    if compared is not None and not is_said:
        text, other = compared
        evidence = teller.path(teller.chosen if teller.chosen.behind > other.behind else other, "behind")
        yield Reason(f"{capital(text)}{teller.why()}.", evidence)
    yield from teller.way()
    yield from teller.counts()
    yield from guards
    yield from teller.ties()


def conclusion(values: Values, action: Action, observation: Observation) -> Reason:
    """Say by what an action was chosen, without its name."""
    teller = _Teller(values, action, observation, str)
    if len(teller.drawn_from()) > 1:
        text = "It was drawn from those worth about as much"
    elif any(teller.risk()):
        text = "With its risk counted it is worth the most"
    elif teller.chosen is not teller.best:
        text = "Of what players do with such a hand it is worth the most"
    elif any(0 < one.behind < CLEAR * one.behind_stderr for one in values.actions):
        text = "No other is clearly worth more"
    else:
        text = "Of all actions it is worth the most"
    return Reason(text, teller.path(teller.chosen, "value"))


def answer_texts(answers: Answers, observation: Observation, own: str, *, is_brief: bool = False) -> Iterator[str]:
    """Say who folds to a bet how often, what the rest consists of, and of how much of it one is ahead.

    Of many opponents those are named who go on most often; `own` is the observer, "we" or "you".
    """
    most = sorted(range(len(answers)), key=lambda at: answers[at].folds)[:_MOST_NAMED]
    for at in sorted(most):
        name = observation.view(answers[at].seat).name
        said = _deeds(answers[at], "you" if name == OWN_NAME else name)
        said = f"If all before fold, {said}" if at else capital(said) if name == OWN_NAME else said
        yield said if is_brief else " ".join([said, *_made_of(answers[at], observation, own)])
    others = len(answers) - len(most)
    if others:
        yield "The other one folds more often." if others == 1 else f"The other {others} fold more often."


def _deeds(answer: Answer, name: str) -> str:
    ending = "" if name == "you" else "s"
    folds, calls, raises = percents((answer.folds, answer.calls.share, answer.raises.share))
    deeds = [f"fold{ending} {folds}", f"call{ending} {calls}"]
    deeds += [f"raise{ending} {raises}"] * (answer.raises.share > 0)
    return f"{name} {listed(deeds)}."


def _made_of(answer: Answer, observation: Observation, own: str) -> Iterator[str]:
    for part, verb in ((answer.calls, "Calls"), (answer.raises, "Raises")):
        if part.share >= _WORTH_NAMING:
            hands = ", ".join(f"{percent(share)} {hand}" for hand, share in part.hands if share >= _WORTH_NAMING)
            against = "ahead of" if observation.board else "the favourite against"
            if not observation.board and len(part.hands) == 1:
                hands, verb = part.hands[0][0], f"{verb} mostly"
            yield f"{verb} with {hands}: {own} are {against} {percent(part.ahead)}."


def advised(values: Values) -> ActionValue:
    """Return the action of most value with guard and risk counted."""
    return max(values.actions, key=lambda one: one.counted)


def advice(values: Values, observation: Observation, amount: Amount) -> str:
    """Say what the best action is worth, with its error, and by how much more than the best of another kind.

    Guard and risk count, and where they keep the action of most value from being advised, more sentences say so,
    but of one that may be worth no more than folding: nobody need be told why not to raise the worst hands.
    """
    chosen = advised(values)
    teller = _Teller(values, chosen.action, observation, amount)
    # An error below what values are rounded to is that of rounding.
    least = round(told_to(observation.big_blind)) if chosen.stderr > 0 else 0
    error = amount(max(rounded(chosen.stderr, observation.big_blind), least))
    guards = [reason.text for reason in teller.held_back(is_drawn=False)]
    # The second says of the same action how much more it is worth.
    guards[1:] = [f"Besides, {text.partition(', but ')[2]}" for text in guards[1:]]
    if chosen.action.kind is ActionKind.FOLD:
        if guards and teller.is_clear(teller.worth_more(), chosen):
            return " ".join([f"Fold: {guards[0][:1].lower()}{guards[0][1:]}", *guards[1:]])
        return f"{teller.advised_fold()}."
    value = teller.chips(chosen.value)
    if error.endswith(_UNIT):
        value = value.removesuffix(_UNIT)
    worth = f"{capital(teller.doing(chosen))} is worth {value} ± {error}"
    # Of what is worth more guard and risk speak.
    lead = () if guards and teller.alternative() is teller.worth_more() else tuple(teller.lead())
    if chosen.action.kind is ActionKind.CHECK and rounded(chosen.value, observation.big_blind) < 0:
        # Who checks can still fold: it is how they would go on that loses more than folding at once.
        worth, lead = "Checking is free", tuple(f"and worth {one}" for one in lead)
        lead = lead or (() if guards else ("and no bet is worth more",))
    return " ".join([f"{', '.join([worth, *lead])}.", *teller.rarely_done(), *guards])


def _kind(action: Action) -> ActionKind:
    return ActionKind.CALL if action.kind is ActionKind.CHECK else action.kind


def _spot_kind(spot: str) -> str:
    return next(kind for _, kind in _COUNTED if spot.startswith(kind))


def percent(share: float, under: str = "under ", over: str = "over ") -> str:
    """Write a share in whole percents, of which neither a little reads as none nor nearly all as all.

    >>> percent(0.31), percent(0.003), percent(0.997, over=">"), percent(1.0)
    ('31%', 'under 1%', '>99%', '100%')
    """
    if 0 < share < 0.005:
        return f"{under}1%"
    return f"{over}99%" if 0.995 <= share < _ALL else f"{share:.0%}"


def rounded_parts(shares: Sequence[float], digits: int = 0) -> list[float]:
    """Round the parts of a whole, in percent, so that they add up: the largest remainders are rounded up.

    >>> rounded_parts((0.405, 0.375, 0.22)), rounded_parts((0.4166, 0.2916, 0.2918), 1)
    ([41.0, 37.0, 22.0], [41.7, 29.1, 29.2])
    """
    exact = [share * 10 ** (2 + digits) for share in shares]
    parts = [int(part) for part in exact]
    rounded_up = sorted(range(len(exact)), key=lambda at: parts[at] - exact[at])[: round(sum(exact)) - sum(parts)]
    for at in rounded_up:
        parts[at] += 1
    return [part / 10**digits for part in parts]


def percents(shares: Sequence[float], under: str = "under ", over: str = "over ") -> list[str]:
    """Write the parts of a whole as `percent` does, but so that they add up.

    >>> percents((0.333, 0.333, 0.334)), percents((0.996, 0.004)), percents((0.996, 0.004), "<", ">")
    (['33%', '33%', '34%'], ['over 99%', 'under 1%'], ['>99%', '<1%'])
    """
    return [
        f"{under}1%"
        if part == 0 < share
        else f"{part:.0f}%"
        if 0.005 <= share < 0.995
        else percent(share, under, over)
        for part, share in zip(rounded_parts(shares), shares, strict=True)
    ]


def _one_in(share: float) -> str:
    """Write how rare something is.

    >>> _one_in(1 / 45), _one_in(1 / 4882), _one_in(0.31), _one_in(1e-6)
    ('1 in 45', '1 in 4,900', '31% of the time', 'fewer than 1 in 10,000')
    """
    if share < 1e-4:
        return "fewer than 1 in 10,000"
    return f"1 in {float(f'{1 / share:.2g}'):,.0f}" if share < _FEW else f"{share:.0%} of the time"


def capital(text: str) -> str:
    """Write a text with a capital first letter, and leave the others as they are."""
    return text[:1].upper() + text[1:]
