"""A small server of the Huawei contest by its own rules, with opponents that act at random; none of our code.

It tells one client what the recorded matches show that the real server tells: questions at the client's turn, a
notification in its place when it cannot act, and one at the end of a street sometimes: the real one is irregular.
At a wild table the players do whatever the server lets through, and it asks who has nobody to play against, too.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from treys import Card as TreysCard
from treys import Evaluator

SUITS = {"CLUBS": "c", "DIAMONDS": "d", "HEARTS": "h", "SPADES": "s"}
RANKS = {name: "23456789TJQKA"[at] for at, name in enumerate([*map(str, range(2, 11)), *"JQKA"])}
DECK = [(suit, rank) for suit in SUITS for rank in RANKS]
_EVALUATOR = Evaluator()


@dataclass
class Player:
    """A contestant, with what it has done in the running hand."""

    id: str
    chips: int
    coins: int
    bet: int = 0
    latest: str = ""
    is_answered: bool = False
    cards: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_live(self) -> bool:
        return self.latest != "fold"

    @property
    def row(self) -> str:
        return f"{self.id} {self.chips} {self.coins} {self.bet} {self.latest}"


@dataclass
class Truth:
    """What really happened in a hand: (id, word, total put in) with words check, call, raise and fold."""

    actions: list[tuple[str, str, int]] = field(default_factory=list)
    stacks: dict[str, int] = field(default_factory=dict)


class ContestTable:
    """A match. `ask` gets the question's text and gives the client's answer; `tell` gets all other text."""

    def __init__(
        self,
        ids: list[str],
        own_id: str,
        tell: Callable[[str], None],
        ask: Callable[[str], str],
        *,
        seed: int = 0,
        chips: int = 2000,
        coins: int = 2000,
        small_blind: int = 20,
        folds_freely: bool = False,
        is_wild: bool = False,
    ) -> None:
        self.players = [Player(player, chips, coins) for player in ids]
        self.own_id, self._tell_text, self._ask_text = own_id, tell, ask
        self._random = random.Random(seed)
        self._full, self._small, self._big = chips, small_blind, 2 * small_blind
        self._folds_freely, self._is_wild = folds_freely, is_wild
        self._button = 0
        self.truths: list[Truth] = []
        self.answers: list[tuple[str, bool]] = []

    def play(self, hands: int) -> None:
        for _ in range(hands):
            self._rebuy()
            if len(self.players) < 2 or all(player.id != self.own_id for player in self.players):
                break
            self._hand()
            self._button += 1
        self._tell("game-over")

    def _rebuy(self) -> None:
        button = self.players[self._button % len(self.players)]
        for player in self.players:
            if player.chips < self._big:
                bought = min(self._full - player.chips, player.coins)
                player.chips, player.coins = player.chips + bought, player.coins - bought
        staying = [player for player in self.players if player.chips >= self._big]
        while staying and button not in staying:
            button = self.players[(self.players.index(button) + 1) % len(self.players)]
        self.players = staying
        self._button = staying.index(button) if staying else 0

    def _tell(self, *lines: str) -> None:
        self._tell_text("".join(f"{line} \n" for line in lines))

    def _block(self, name: str, *lines: str) -> None:
        self._tell(f"{name}/", *lines, f"/{name}")

    # A hand

    def _hand(self) -> None:
        ring = self.players[self._button :] + self.players[: self._button]
        self._ring, self._truth = ring, Truth()
        for player in ring:
            player.bet, player.latest = 0, ""
        labels = ["button", "small blind"] + ["big blind"] * (len(ring) > 2)
        self._block(
            "seat",
            *(
                f"{f'{labels[at]}: ' if at < len(labels) else ''}{player.id} {player.chips} {player.coins}"
                for at, player in enumerate(ring)
            ),
        )
        blinds = list(zip(ring[1:], [self._small, self._big][: len(labels) - 1], strict=False))
        for player, amount in blinds:
            self._put(player, amount, "blind")
        self._block("blind", *(f"{player.id}: {amount}" for player, amount in blinds))
        deck = self._random.sample(DECK, len(DECK))
        for player in ring:
            player.cards = [deck.pop(), deck.pop()]
        self._block("hold", *(" ".join(card) for card in self._own.cards))
        board: list[tuple[str, str]] = []
        self._street(len(blinds) + 1)
        for name, count in (("flop", 3), ("turn", 1), ("river", 1)):
            if len(self._live) < 2:
                break  # nothing is dealt to who is alone
            cards = [deck.pop() for _ in range(count)]
            board += cards
            self._block(name, *(" ".join(card) for card in cards))
            self._street(1)
        self._pay(board)
        self.truths.append(self._truth)

    @property
    def _own(self) -> Player:
        return next(player for player in self._ring if player.id == self.own_id)

    @property
    def _live(self) -> list[Player]:
        return [player for player in self._ring if player.is_live]

    def _put(self, player: Player, chips: int, word: str) -> None:
        chips = min(chips, player.chips)
        player.chips, player.bet = player.chips - chips, player.bet + chips
        # A wild table calls somebody's last chips what was said, be it a raise that is none.
        player.latest = "all_in" if not player.chips and (not self._is_wild or word == "blind") else word

    def _street(self, first: int) -> None:
        ring = self._ring
        for player in ring:
            player.is_answered = False
        self._least = self._big
        self._asks_alone = self._is_wild and self._random.random() < 0.8
        at, own_at, acted_since_own, had_bet = first % len(ring), ring.index(self._own), False, False
        while self._has_turns():
            player = ring[at]
            if self._needs_turn(player):
                before = max(other.bet for other in ring)
                self._turn(player)
                had_bet |= max(other.bet for other in ring) > before
                acted_since_own = at != own_at
            elif at == own_at and (not player.is_live or not player.chips):
                self._rows("notify")
                acted_since_own = False
            at = (at + 1) % len(ring)
        if acted_since_own and had_bet and self._own.is_live and self._random.random() < 0.7:
            self._rows("notify")

    def _has_turns(self) -> bool:
        return (self._asks_alone or len(self._live) > 1) and any(map(self._needs_turn, self._ring))

    def _needs_turn(self, player: Player) -> bool:
        if not player.is_live or not player.chips:
            return False
        if len(self._live) < 2:
            return not player.is_answered
        owes = player.bet < max(other.bet for other in self._ring)
        is_alone = sum(other.chips > 0 for other in self._live) < 2
        return owes or (not player.is_answered and (self._asks_alone or not is_alone))

    def _rows(self, name: str) -> str:
        """Tell the rows as a notification, or give them as a question."""
        own = self._ring.index(self._own)
        count = len(self._ring)
        rows = [self._ring[(own - step) % count] for step in range(1, count + 1)]
        lines = [player.row for player in rows if player.latest]
        lines.append(f"total pot: {sum(player.bet for player in self._ring)}")
        if name == "notify":
            self._block(name, *lines)
            return ""
        return "".join(f"{line} \n" for line in (f"{name}/", *lines, f"/{name}"))

    def _turn(self, player: Player) -> None:
        level = max(other.bet for other in self._ring)
        if player.id == self.own_id:
            words = self._ask_text(self._rows("inquire"))
            self.answers.append((words, self._is_legal(player, words, level)))
        else:
            words = self._wild_words(player) if self._is_wild else self._random_words(player, level)
        player.is_answered = True
        word, _, number = words.strip().partition(" ")
        owed, total = level - player.bet, player.bet
        if word in ("check", "call"):
            total = min(level, player.bet + player.chips)
        elif word == "raise":
            total = min(level + max(int(number), self._least), player.bet + player.chips)
        elif word == "all_in":
            total = player.bet + player.chips
        else:
            player.latest = "fold"
            self._truth.actions.append((player.id, "fold", player.bet))
            return
        kind = "check" if not owed and total == player.bet else "raise" if total > level else "call"
        if total > level:
            self._least = max(self._least, total - level)
        self._put(
            player, total - player.bet, word if self._is_wild and total == player.bet + player.chips else kind
        )
        self._truth.actions.append((player.id, kind, total))

    def _is_legal(self, player: Player, words: str, level: int) -> bool:
        owed = level - player.bet
        if words.startswith("raise "):
            number = int(words.split()[1])
            return self._least <= number < player.chips - owed
        return words.strip() in ("fold", "all_in") or words.strip() == ("call" if owed else "check")

    def _wild_words(self, player: Player) -> str:
        """Say anything: folds for nothing, bets that nobody can call, raises of more than there is, nonsense."""
        chance = self._random.random()
        if chance < 0.2:
            return self._random.choice(("fold", "fold", "nonsense"))
        if chance < 0.75:
            return self._random.choice(("check", "call"))
        if chance < 0.97:
            return f"raise {self._random.choice((0, 1, self._least, 3 * self._least, player.chips, 9999))}"
        return "all_in"

    def _random_words(self, player: Player, level: int) -> str:
        owed = level - player.bet
        chance = self._random.random()
        able = (
            any(other.bet + other.chips > level for other in self._live if other is not player)
            and player.chips > owed
        )
        if chance < 0.18 and (owed or self._folds_freely):
            return "fold"
        if able and chance < 0.4:
            return f"raise {self._least + self._random.choice((0, 0, 7, 33, 200))}"
        if able and chance > 0.96:
            return "all_in"
        return "call" if owed else "check"

    # The end

    def _pay(self, board: list[tuple[str, str]]) -> None:
        live = self._live
        if not live:
            self._truth.stacks = {player.id: player.chips for player in self._ring}
            self._block("pot-win")
            return
        if len(live) > 1:
            shown = [
                f"1: {player.id} {' '.join(' '.join(card) for card in player.cards)} HIGH_CARD" for player in live
            ]
            common = [" ".join(card) for card in board]
            self._block("showdown", "common/", *common, "/common", *shown)
        won: dict[str, int] = {}
        below, tops = 0, sorted({player.bet for player in live})
        for top in tops:
            most = max(player.bet for player in self._ring) if top == tops[-1] else top
            pot = sum(min(player.bet, most) - min(player.bet, below) for player in live)
            pot += sum(player.bet for player in self._ring if not player.is_live) if not below else 0
            rivals = [player for player in live if player.bet >= top]
            rank = self._rank_of(board, alone=len(rivals) == 1)
            best = min(map(rank, rivals))
            winners = [
                player for player in self._ring[1:] + self._ring[:1] if player in rivals and rank(player) == best
            ]
            for number, player in enumerate(winners):
                won[player.id] = won.get(player.id, 0) + pot // len(winners) + (number < pot % len(winners))
            below = top
        for player in self._ring:
            player.chips += won.get(player.id, 0)
        self._truth.stacks = {player.id: player.chips for player in self._ring}
        self._block("pot-win", *(f"{player}: {amount}" for player, amount in won.items()))

    def _rank_of(self, board: list[tuple[str, str]], *, alone: bool) -> Callable[[Player], int]:
        def rank(player: Player) -> int:
            if alone:
                return 0
            cards = [TreysCard.new(RANKS[rank] + SUITS[suit]) for suit, rank in (*player.cards, *board)]
            value: int = _EVALUATOR.evaluate(cards[:2], cards[2:])
            return value

        return rank
