import zlib

import pytest
from msgspec import structs

from engine.agents.agent import Remembers, Trace
from engine.agents.explain import explain
from engine.agents.packed_traces import pack_traces, unpack_traces
from engine.agents.styles import STYLES, make_agent
from engine.codec import StoredDataError, encode, frozen_vector
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.play import Dealer
from tests.engine.agents.stored import of_schema_1, replay
from tests.engine.agents.test_styles import session


def hands(styles: list[str], count: int) -> list[tuple[Trace, ...]]:
    _, traces, _ = session(styles, count)
    numbers = sorted({trace.observation.hand_number for trace in traces})
    return [tuple(trace for trace in traces if trace.observation.hand_number == number) for number in numbers]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "styles",
    [
        *(list(STYLES)[at : at + 8] for at in range(0, len(STYLES), 8)),
        ["fold", "calling station"],
        ["fold"] * 6,
        [
            "fold:markov",
            "fold:uniform",
            "fold:paper-tuned",
            "fold:learned-fixed",
            "calling station",
        ],
    ],
    ids=lambda styles: f"{styles[0]}, {len(styles)} seats",
)
def test_traces_come_back_bit_for_bit(styles: list[str]) -> None:
    for traces in hands(styles, 6):
        again = unpack_traces(pack_traces(traces))
        assert [encode(trace) for trace in again] == [encode(trace) for trace in traces]


def test_a_packed_trace_replays_and_explains_itself() -> None:
    for traces in hands(["fold", "fold-2017", "calling station", "fold"], 4):
        for before, after in zip(traces, unpack_traces(pack_traces(traces)), strict=True):
            if after.reading is not None:
                assert replay(after) == before.action
            assert explain(after) == explain(before)
            for vector in (p.posterior for p in after.reading.predictions) if after.reading else ():
                assert not vector.flags.writeable


def test_traces_of_when_fold_was_called_soulread_name_it_fold() -> None:
    """Those since then keep the name."""
    (traces,) = hands(["fold", "fold:uniform", "random"], 1)
    earlier = unpack_traces(of_schema_1(pack_traces(traces)))
    assert {trace.style for trace in traces} == {"fold", "fold:uniform", "random"}
    assert [encode(structs.replace(trace, schema=2)) for trace in earlier] == [encode(trace) for trace in traces]
    again = unpack_traces(pack_traces(earlier))
    assert [trace.style for trace in again] == [trace.style for trace in traces]
    (traces,) = hands(["soulread", "random"], 1)
    assert "soulread" in {trace.style for trace in unpack_traces(pack_traces(traces))}


def test_a_hand_at_ten_seats_takes_less_than_a_sixth_of_its_json() -> None:
    """What a hand took before was zlib-compressed JSON of each trace: 70 kB of these."""
    played = hands(["fold", "calling station"] * 5, 5)
    before = sum(len(zlib.compress(encode(trace), 1)) for traces in played for trace in traces)
    after = sum(len(pack_traces(traces)) for traces in played)
    assert after < before / 6


def test_what_does_not_follow_is_kept_as_it_is() -> None:
    (traces,) = hands(["fold"] * 3, 1)
    first, last = traces[0], traces[-1]
    assert last.reading is not None
    prediction = last.reading.predictions[0]
    strange = structs.replace(prediction, posterior=frozen_vector(prediction.posterior[::-1]))
    posterior = structs.replace(last, reading=structs.replace(last.reading, predictions=(strange,)))
    other_hand = structs.replace(first, observation=structs.replace(first.observation, hand_number=77))
    odd_board = structs.replace(prediction.updates[0], board=(1, 2, 3)) if prediction.updates else None
    assert odd_board is not None
    strange = structs.replace(prediction, updates=(odd_board, *prediction.updates[1:]))
    board = structs.replace(last, reading=structs.replace(last.reading, predictions=(strange,)))
    made = (other_hand, posterior, board)
    assert [encode(trace) for trace in unpack_traces(pack_traces(made))] == [encode(trace) for trace in made]
    assert unpack_traces(pack_traces(())) == ()


def test_damaged_traces_are_told() -> None:
    (traces,) = hands(["fold"] * 2, 1)
    data = pack_traces(traces)
    for damaged in (b"", b"rubbish", data[:-9], data[:40] + bytes([data[40] ^ 1]) + data[41:]):
        with pytest.raises(StoredDataError):
            unpack_traces(damaged)


@pytest.mark.parametrize("at", range(2))
def test_an_agent_with_anothers_memory_decides_as_the_other(at: int) -> None:
    """Six hands, then one dealer goes on and another is restored from state and memories; all that learn."""
    styles = [style for style in STYLES if isinstance(make_agent(style), Remembers)]
    styles += ["fold:paper-tuned", "fold:learned-fixed", "tight-passive", "maniac"]
    styles = styles[at::2]
    config = cash_game(tuple(SeatConfig(f"{style} {at}", style) for at, style in enumerate(styles)), seed=8)
    whole = Dealer(config, {at: make_agent(style) for at, style in enumerate(styles)})
    play(whole, 6)
    agents = {at: make_agent(style) for at, style in enumerate(styles)}
    strangers = {at: make_agent(style) for at, style in enumerate(styles)}
    moved = 0
    for seat, agent in whole.agents.items():
        memory = memory_of(agent)
        moved += memory != memory_of(strangers[seat])
        recall(agents[seat], memory)
        assert memory_of(agents[seat]) == memory
    assert moved >= 3, "some have learned"
    again = Dealer.restore(config, whole.state, agents)
    naive = Dealer.restore(config, whole.state, strangers)
    expected = play(whole, 3)
    assert play(again, 3) == expected
    assert play(naive, 3) != expected, "without their memories they would decide otherwise"


def memory_of(agent: object) -> bytes:
    return agent.memory() if isinstance(agent, Remembers) else b""


def recall(agent: object, memory: bytes) -> None:
    if isinstance(agent, Remembers):
        agent.recall(memory)


def play(dealer: Dealer, hands: int) -> list[bytes]:
    traces = []
    for _ in range(hands):
        dealer.start_hand()
        while dealer.to_act is not None:
            decision = dealer.decide()
            dealer.apply(decision.action, decision)
        traces += [encode(trace) for trace in dealer.open_traces()]
    return traces


@pytest.mark.parametrize("style", ["fold", "fold-2017"])
def test_a_damaged_memory_is_refused_and_changes_nothing(style: str) -> None:
    dealer = Dealer(
        cash_game((SeatConfig("a", style), SeatConfig("b", style))), {0: make_agent(style), 1: make_agent(style)}
    )
    play(dealer, 2)
    agent = dealer.agents[0]
    memory = memory_of(agent)
    for damaged in (b"", memory[:-5], b"x" + memory):
        with pytest.raises(StoredDataError):
            recall(agent, damaged)
        assert memory_of(agent) == memory
