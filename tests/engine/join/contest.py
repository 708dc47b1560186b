"""A small server of the Texas Hold'em AI Game on the loopback interface, by the protocol's rules, and its wire."""

import json
import random
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import md5
from types import TracebackType
from typing import Any, Self

from phevaluator import evaluate_cards
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

SECONDS = 60
"""After which a test that waits for the other side fails."""

Data = dict[str, Any]


def hashed(name: str) -> str:
    return md5(name.encode()).hexdigest()


def message(event: str, data: object) -> str:
    return json.dumps({"eventName": event, "data": data})


class Peer:
    """The server's side of one connection; sends messages whole, or in continuation frames."""

    def __init__(self, connection: ServerConnection, seed: int) -> None:
        self._connection = connection
        self._random = random.Random(seed)
        self.answers: list[Data] = []

    def send(self, text: str) -> None:
        if self._random.random() < 0.5:
            self._connection.send(text)
        else:
            self._connection.send(list(self._pieces(text)))

    def _pieces(self, text: str) -> Iterable[str]:
        while text:
            size = self._random.choice((1, 10, 100, len(text)))
            yield text[:size]
            text = text[size:]

    def receive(self) -> Data:
        answer: Data = json.loads(self._connection.recv(timeout=SECONDS))
        self.answers.append(answer)
        return answer

    def ask(self, text: str) -> Data:
        """Send a question and give the answer's data."""
        self.send(text)
        answer = self.receive()
        assert answer["eventName"] == "__action"
        data: Data = answer["data"]
        return data

    def welcome(self, name: str) -> None:
        assert self.receive() == {"eventName": "__join", "data": {"playerName": name}}

    def drop(self) -> None:
        """Break the connection without a word."""
        with suppress(OSError):
            self._connection.socket.shutdown(socket.SHUT_RDWR)


class Server:
    """Runs the next of `plays` for each connection, behind a proxy that cuts what is sent into random pieces.

    Used as a context: when the block ends, all plays have ended; what one raises, the test raises.
    """

    def __init__(self, *plays: Callable[[Peer], None], seed: int = 0, port: int = 0) -> None:
        self._plays = list(plays)
        self._seed = seed
        self._error: BaseException | None = None
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._server = serve(self._serve, "127.0.0.1", 0, close_timeout=1)
        self._listener = socket.create_server(("127.0.0.1", port))
        self._run(self._server.serve_forever)
        self._run(self._accept)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._listener.getsockname()[1]}"

    def _run(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self, connection: ServerConnection) -> None:
        try:
            self._plays.pop(0)(Peer(connection, self._seed))
        except ConnectionClosed as error:
            self._error = AssertionError(f"the client has gone: {error}")
        except BaseException as error:
            self._error = error

    def _accept(self) -> None:
        with suppress(OSError):
            for number in range(len(self._plays)):
                client, _ = self._listener.accept()
                there = socket.create_connection(self._server.socket.getsockname())
                self._sockets += (client, there)
                for one in (client, there):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._run(self._pump, there, client, random.Random(self._seed + number))
                self._run(self._pump, client, there, None)
        self._listener.close()

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket, cuts: random.Random | None) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                while data:
                    size = len(data) if cuts is None else cuts.choice((1, 5, 50, 500, 5000))
                    target.sendall(data[:size])
                    data = data[size:]
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._server.shutdown()
        for thread in self._threads:
            thread.join(SECONDS)
            assert not thread.is_alive(), "the server still waits"
        for one in self._sockets:
            one.close()
        if self._error is not None and error is None:
            raise self._error
        if self._error is not None and error is not None:
            error.add_note(f"The server's side: {self._error!r}")


class Table:
    """Players, chips and cards of one game, and its messages.

    Parameters
    ----------
    names : sequence of str
        Clockwise, hashed already or not: they are what the messages call players.
    chips : sequence of int, optional
    """

    def __init__(self, names: Sequence[str], chips: Sequence[int] | None = None) -> None:
        self.players: list[Data] = [
            {
                "playerName": name,
                "chips": 1000 if chips is None else chips[seat],
                "folded": False,
                "allIn": False,
                "isSurvive": True,
                "reloadCount": 0,
                "roundBet": 0,
                "bet": 0,
                "isOnline": True,
                "isHuman": False,
            }
            for seat, name in enumerate(names)
        ]
        self.cards: dict[str, list[str]] = {}
        self.board: list[str] = []
        self.number = 0
        self.blinds = (names[0], 10, names[1], 20)
        self.bet_count = self.raise_count = 0
        self.extra: Data = {}

    def __getitem__(self, name: str) -> Data:
        return next(player for player in self.players if player["playerName"] == name)

    @property
    def highest(self) -> int:
        most: int = max(player["bet"] for player in self.players)
        return most

    @property
    def total(self) -> int:
        return sum(player["bet"] + player["roundBet"] for player in self.players)

    def _table(self) -> Data:
        small, small_amount, big, big_amount = self.blinds
        return {
            "tableNumber": "1",
            "roundName": ["Deal", "", "", "Flop", "Turn", "River"][len(self.board)],
            "board": list(self.board),
            "roundCount": self.number,
            "raiseCount": self.raise_count,
            "betCount": self.bet_count,
            "totalBet": self.total,
            "initChips": 1000,
            "maxReloadCount": 2,
            "smallBlind": {"playerName": small, "amount": small_amount},
            "bigBlind": {"playerName": big, "amount": big_amount},
        } | self.extra

    def _public(self, viewer: str) -> list[Data]:
        return [
            player | ({"cards": self.cards[viewer]} if player["playerName"] == viewer else {})
            for player in self.players
        ]

    def put_in(self, name: str, amount: int) -> None:
        player = self[name]
        amount = min(amount, player["chips"])
        player["chips"] -= amount
        player["bet"] += amount
        player["allIn"] = player["chips"] == 0

    def new_round(self, viewer: str, cards: dict[str, list[str]], small: str, big: str, blind: int = 10) -> str:
        self.number += 1
        self.cards, self.board = cards, []
        self.bet_count = self.raise_count = 0
        for player in self.players:
            player |= {"bet": 0, "roundBet": 0, "folded": False, "allIn": False}
            player["isSurvive"] = player["chips"] > 0
        self.blinds = (small, blind, big, 2 * blind)
        self.put_in(small, blind)
        self.put_in(big, 2 * blind)
        return message("__new_round", {"players": self._public(viewer), "table": self._table()})

    def question(self, viewer: str, too_high: int = 0) -> str:
        owed = self.highest - self[viewer]["bet"]
        least = (owed if self.highest else self.blinds[3]) + too_high
        me = self[viewer] | {"cards": self.cards[viewer], "minBet": least}
        table = self._table() | {"players": self._public(viewer)}
        del table["totalBet"]
        event = "__action" if self.highest else "__bet"
        return message(event, {"tableNumber": "1", "self": me, "game": table})

    def shown(self, viewer: str, name: str, word: str, amount: int | None = None) -> str:
        """Give the message of an action that has been made."""
        action = {"action": word, "playerName": name, "chips": self[name]["chips"]}
        if amount is not None:
            action["amount"] = amount
        return message("__show_action", {"players": self._public(viewer), "table": self._table(), "action": action})

    def acts(self, viewer: str, name: str, word: str, amount: int = 0) -> str:
        """Make an action that puts in `amount`, and give its message."""
        if word == "fold":
            self[name]["folded"] = True
        self.put_in(name, amount)
        return self.shown(viewer, name, word, amount or None)

    def deal(self, viewer: str, *cards: str) -> str:
        for player in self.players:
            player["roundBet"] += player["bet"]
            player["bet"] = 0
        self.board += cards
        self.bet_count = self.raise_count = 0
        return message("__deal", {"players": self._public(viewer), "table": self._table()})

    def end(self, won: dict[str, int]) -> tuple[str, str]:
        """Give the chips out, reload who has none, and give both messages of a hand's end."""
        for player in self.players:
            player |= {"bet": 0, "roundBet": 0}
            player["chips"] += won.get(player["playerName"], 0)
            if player["chips"] == 0 and player["isSurvive"]:
                if player["reloadCount"] < 2:
                    player["chips"] += 1000
                    player["reloadCount"] += 1
                else:
                    player["isSurvive"] = False
        offer = [
            {key: player[key] for key in ("playerName", "chips", "folded", "allIn", "isSurvive", "reloadCount")}
            for player in self.players
        ]
        ended = [
            player
            | {
                "cards": self.cards.get(player["playerName"], []),
                "winMoney": won.get(player["playerName"], 0),
                "hand": {"cards": [], "rank": 1.5, "message": "High card"},
            }
            for player in self.players
        ]
        table = self._table() | {"roundName": "Showdown", "totalBet": 0}
        return (
            message("__start_reload", {"players": offer, "tableNumber": "1"}),
            message("__round_end", {"players": ended, "table": table}),
        )

    def game_over(self) -> str:
        players = [
            player | {"chips": player["chips"] + 1000 * (2 - player["reloadCount"])} for player in self.players
        ]
        return message("__game_over", {"players": players, "table": self._table(), "winners": []})


class Contest:
    """A whole game by the contest's rules: random opponents, and one client whose answers are taken as they come.

    Parameters
    ----------
    names : sequence of str
        The client's first.
    seed : int
    hands : int
        After which the game is over.
    too_high : int
        How much `minBet` is wrong.
    asks_alone : bool
        Whether a player is still asked when all others in the hand are all-in.
    bets_raise : bool
        Whether a `bet` where somebody has bet is a raise; otherwise it is a call.
    """

    def __init__(
        self,
        names: Sequence[str],
        seed: int,
        *,
        hands: int = 12,
        too_high: int = 0,
        asks_alone: bool = False,
        bets_raise: bool = True,
    ) -> None:
        self.name = names[0]
        self.me = hashed(names[0])
        self._random = random.Random(seed)
        order = [hashed(name) for name in names]
        self._random.shuffle(order)
        self.table = Table(order)
        self._hands, self._too_high = hands, too_high
        self._asks_alone, self._bets_raise = asks_alone, bets_raise
        self.answers: list[tuple[Data, Data]] = []
        """Each question's data with the answer's."""
        self.ended: list[Data] = []
        """Of each hand: chips won or lost by name, the board and the hole cards."""

    def play(self, peer: Peer) -> None:
        self._peer = peer
        peer.welcome(self.name)
        table = self.table
        names = [player["playerName"] for player in table.players]
        peer.send(message("__new_peer", names))
        peer.send(message("__game_start", {"msg": "started", "tableNumber": "1"}))
        blind, dealer, started = 10, -1, len(names)
        for _ in range(self._hands):
            before = dealer
            while True:
                dealer = (dealer + 1) % len(names)
                if table.players[dealer]["chips"]:
                    break
            if dealer <= before:
                blind *= 2
            self._play_hand(dealer, blind)
            alive = sum(player["chips"] > 0 for player in table.players)
            if alive <= started // 2 or alive < min(3, started):
                break
        peer.send(table.game_over())

    def _play_hand(self, dealer: int, blind: int) -> None:
        table = self.table
        alive = [player["playerName"] for player in table.players[dealer:] + table.players[:dealer]]
        alive = [name for name in alive if table[name]["chips"]]
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "HSCD"]
        self._random.shuffle(deck)
        cards = {name: [deck.pop(), deck.pop()] for name in alive}
        board = [deck.pop() for _ in range(5)]
        chips = {name: table[name]["chips"] for name in alive}
        self._peer.send(table.new_round(self.me, cards | {self.me: cards.get(self.me, [])}, *alive[:2], blind))
        won = self._play_streets(alive, board)
        me = table[self.me]
        reloads = {name: table[name]["reloadCount"] for name in alive}
        offer, end = table.end(won)
        reloaded = {name: 1000 * (table[name]["reloadCount"] - reloads[name]) for name in alive}
        net = {name: table[name]["chips"] - reloaded[name] - chips[name] for name in alive}
        self.ended.append({"net": net, "board": list(table.board), "cards": cards})
        is_short = 0 < me["chips"] < table.blinds[3] and me["reloadCount"] < 2
        self._peer.send(offer)
        self._peer.send(end)
        if is_short:
            assert self._peer.receive() == {"eventName": "__reload"}
            me["chips"] += 1000
            me["reloadCount"] += 1

    def _play_streets(self, alive: Sequence[str], board: Sequence[str]) -> dict[str, int]:
        """Play a hand that is dealt, to the end; return what each wins."""
        table = self.table
        for street, size in enumerate((0, 3, 4, 5)):
            if street:
                if len(self._able(alive)) < (1 if self._asks_alone else 2) or len(self._live(alive)) < 2:
                    break
                self._peer.send(table.deal(self.me, *board[len(table.board) : size]))
            self._play_street(alive if street else [*alive[2:], *alive[:2]])
        live = self._live(alive)
        if len(live) > 1:
            table.board = list(board)
        return self._won(alive, live, board)

    def _live(self, alive: Sequence[str]) -> list[str]:
        return [name for name in alive if not self.table[name]["folded"]]

    def _able(self, alive: Sequence[str]) -> list[str]:
        return [name for name in self._live(alive) if self.table[name]["chips"]]

    def _play_street(self, order: Sequence[str]) -> None:
        table = self.table
        waiting, self._order = list(order), order
        while waiting:
            name = waiting.pop(0)
            player = table[name]
            if player["folded"] or not player["chips"] or len(self._live(order)) < 2:
                continue
            owed = table.highest - player["bet"]
            if not owed and len(self._able(order)) < 2 and not self._asks_alone:
                continue
            answer = self._ask() if name == self.me else self._choose(name)
            before = table.highest
            self._take(name, answer)
            if table.highest > before:
                at = order.index(name)
                waiting = [*order[at + 1 :], *order[:at]]

    def _ask(self) -> Data:
        text = self.table.question(self.me, self._too_high)
        answer = self._peer.ask(text)
        self.answers.append((json.loads(text)["data"], answer))
        return answer

    def _choose(self, name: str) -> Data:
        action = self._random.choices(
            ("fold", "check", "call", "raise", "bet", "allin"), weights=(2, 3, 8, 2, 2, 0.5)
        )[0]
        if action == "allin" and self.table.bet_count + self.table.raise_count >= 4:
            action = "call"  # whether all-in counts as the fifth raise is not known
        full = max(self.table.highest, self.table.blinds[3])
        amount = self.table.highest - self.table[name]["bet"] + full + self._random.randrange(3 * full)
        return {"action": action, "amount": amount}

    def _take(self, name: str, answer: Data) -> None:
        """Do what an answer means by the rules, and tell it."""
        table, player = self.table, self.table[name]
        owed, highest, big = table.highest - player["bet"], table.highest, table.blinds[3]
        word, amount = answer["action"], 0
        if not owed and word != "fold" and not any(one != name for one in self._able(self._order)):
            word = "check"  # nobody is left who could call
        if word in ("bet", "raise") and table.bet_count + table.raise_count >= 4:
            word = "call"
        if word == "bet" and highest and not self._bets_raise:
            word = "call"
        if word in ("raise", "call") and not highest:
            word, amount = "bet", big
        elif word == "check" and owed:
            word = "call"
        elif word == "raise":
            amount = 2 * highest - player["bet"]
        elif word == "bet":
            amount = max(answer["amount"], owed or big)
        if word == "call":
            amount = owed
        if word == "allin" or (amount and amount >= player["chips"]):
            word, amount = "allin", player["chips"]
        if word == "fold":
            player["folded"] = True
        table.put_in(name, amount)
        if table.highest > highest:
            table.raise_count += bool(highest)
            table.bet_count += not highest
        self._peer.send(
            table.shown(self.me, name, word, amount if word in ("call", "bet", "raise", "allin") else None)
        )

    def _won(self, alive: Sequence[str], live: Sequence[str], board: Sequence[str]) -> dict[str, int]:
        """Divide the pots, level by level."""
        table = self.table
        put_in = {name: table[name]["bet"] + table[name]["roundBet"] for name in alive}
        won = dict.fromkeys(alive, 0)
        below = 0
        for level in sorted({put_in[name] for name in live}):
            amount = sum(max(min(chips, level) - below, 0) for chips in put_in.values())
            if level == max(put_in[name] for name in live):
                amount = sum(max(chips - below, 0) for chips in put_in.values())
            able = [name for name in live if put_in[name] >= level]
            ranks = {
                name: evaluate_cards(*(card[0] + card[1].lower() for card in [*table.cards[name], *board]))
                for name in able
            }
            best = [name for name in able if ranks[name] == min(ranks.values())]
            for place, name in enumerate(best):
                won[name] += amount // len(best) + (place < amount % len(best))
            below = level
        return won


class ServersContest(Contest):
    """A game as the server itself runs it, whatever its rules say; its players answer anything.

    - Four bets and four raises on a street, counted apart, and any number of all-ins. A bet adds a big blind at
      least; where that is no more than the highest bet it is a call.
    - A check is only one where nobody has bet on the street, else a call. A call or bet of all chips is all-in.
    - Who is left alone, all others folded or all-in, is asked only what the others' chips make necessary; else a
      call is shown in their name. Then the board is completed without a word, even if all others have folded.
    - The best hands split what everybody has put in up to the least that one of them has; what is not divided by
      their number is lost, and so is what only players who have folded have put in.
    """

    def _play_streets(self, alive: Sequence[str], board: Sequence[str]) -> dict[str, int]:
        table = self.table
        self._talked = {name for name in alive[:2] if not table[name]["chips"]}
        self._street([*alive[2:], *alive[:2]])
        for size in (3, 4, 5):
            if len(self._able(alive)) < 2:
                break
            self._talked = set()
            self._peer.send(table.deal(self.me, *board[len(table.board) : size]))
            self._street(alive)
        table.deal(self.me, *board[len(table.board) :])
        return self._servers_prizes(alive)

    def _street(self, order: Sequence[str]) -> None:
        table, at = self.table, 0
        self._is_bet = bool(table.board)
        for _ in range(1000):
            waiting = [
                name
                for name in (*order[at:], *order[:at])
                if name in self._able(order) and (name not in self._talked or table[name]["bet"] < table.highest)
            ]
            if not waiting:
                return
            name = waiting[0]
            at = (order.index(name) + 1) % len(order)
            if len(self._able(order)) == 1 and table[name]["bet"] >= table.highest:
                self._call(name)
            else:
                self._take(name, self._ask() if name == self.me else self._choose(name))
        raise AssertionError("the street never ends")

    def _choose(self, name: str) -> Data:
        action = self._random.choices(
            ("fold", "check", "call", "raise", "bet", "allin"), weights=(2, 3, 5, 5, 5, 0.7)
        )[0]
        return {"action": action, "amount": self._random.choice((1, 20, 25, 60, 150, 333, 5000))}

    def _take(self, name: str, answer: Data) -> None:
        table, player, action = self.table, self.table[name], answer["action"]
        if action in ("call", "raise") and self._is_bet:
            action, answer = "bet", {"amount": table.blinds[3]}
        if action == "check" and not table.highest:
            self._talked.add(name)
            self._peer.send(table.acts(self.me, name, "check"))
        elif action == "fold":
            self._peer.send(table.acts(self.me, name, "fold"))
        elif action == "bet":
            amount = max(answer["amount"], table.blinds[3])
            self._is_bet = False
            if player["chips"] <= amount:
                self._all_in(name)
            elif player["bet"] + amount > table.highest and table.bet_count < 4:
                table.bet_count += 1
                self._opened(name, "bet", amount)
            else:
                self._call(name)
        elif action == "raise" and table.raise_count < 4:
            if player["chips"] + player["bet"] > 2 * table.highest:
                table.raise_count += 1
                self._opened(name, "raise", 2 * table.highest - player["bet"])
            else:
                self._all_in(name)
        elif action == "allin":
            self._is_bet = False
            self._all_in(name)
        else:
            self._call(name)

    def _opened(self, name: str, word: str, amount: int) -> None:
        self._talked = {name}
        self._peer.send(self.table.acts(self.me, name, word, amount))

    def _call(self, name: str) -> None:
        owed = self.table.highest - self.table[name]["bet"]
        if self.table[name]["chips"] <= owed:
            self._all_in(name)
            return
        self._talked.add(name)
        self._peer.send(self.table.acts(self.me, name, "call", owed))

    def _all_in(self, name: str) -> None:
        self._talked.add(name)
        self._peer.send(self.table.acts(self.me, name, "allin", self.table[name]["chips"]))

    def _servers_prizes(self, alive: Sequence[str]) -> dict[str, int]:
        table = self.table
        left = {name: table[name]["roundBet"] for name in alive}
        ranks = {
            name: evaluate_cards(*(card[0] + card[1].lower() for card in [*table.cards[name], *table.board]))
            for name in self._live(alive)
        }
        prizes = dict.fromkeys(alive, 0)
        while any(left.values()) and ranks:
            winners = [name for name in ranks if ranks[name] == min(ranks.values())]
            part = min(left[name] for name in winners)
            prize = sum(min(chips, part) for chips in left.values())
            left = {name: chips - min(chips, part) for name, chips in left.items()}
            for name in winners:
                prizes[name] += prize // len(winners)
                if not left[name]:
                    del ranks[name]
        return prizes
