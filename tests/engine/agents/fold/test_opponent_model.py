from itertools import pairwise

import msgspec
import numpy as np
import pytest

from engine.agents.agent import ActionClass, KnownPlayer, PositionGroup
from engine.agents.fold.opponent_model import (
    FACING_BET,
    FREE,
    Domain,
    OpponentModel,
    action_likelihoods,
    counts_of,
    default_domains,
    domain_shares,
    fair_odds,
    multiway_cut,
    multiway_domains,
    preflop_strengths,
    ranked_strengths,
    recut,
    relative_values,
    shrink,
    situation_domains,
    win_probabilities,
)
from engine.agents.fold.parameters import (
    Parameters,
    Temper,
    TunedNumbers,
    default_parameters,
    parse_numbers,
    tuned_numbers,
    with_numbers,
    with_options,
)
from engine.agents.fold.understand import POSTFLOP_RAISES, understand
from engine.cards import CLASS_COUNT, COMBO_COUNT, Street, class_name, combo_of, parse_cards, unblocked
from engine.codec import pack
from engine.equity.combos import combo_equities
from engine.game.events import ActionKind, PublicEvent
from engine.resources import ResourceError, read_text
from tests.engine.agents.hands import board, deal, play, random_table

CALL = Domain(ActionClass.CALL, 0.57, 0.68, 0.61)
AXIS = np.linspace(0, 1, 10_001)


def parameters() -> Parameters:
    return default_parameters()


# The numbers' file


def test_every_number_of_the_resource_stands_beside_its_provenance() -> None:
    lines = read_text("fold_parameters.toml").splitlines()
    section_says = False
    for at, line in enumerate(lines):
        if line.startswith("["):
            before = next((said for said in reversed(lines[:at]) if said.strip()), "")
            section_says = "#" in line or before.startswith("#") or before.startswith("[")
        elif "=" in line and not line.startswith("#"):
            assert section_says or "#" in line, f"line {at + 1} says not where it comes from: {line}"


@pytest.mark.parametrize("text", ["", "x = 1", "[behaviour]\ntheta = 'many'", "theta ="])
def test_a_broken_resource_is_refused(text: str) -> None:
    with pytest.raises(ResourceError, match=r"resources/fold_parameters\.toml is broken"):
        parse_numbers(text, Parameters)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("theta = 50.0 ", "theta = nan"),
        ("theta = 50.0 ", "theta = inf"),
        ("theta = 50.0 ", "theta = -1"),
        ("theta = 50.0 ", "theta = '50'"),
        ("call = 0.57 ", "call = 0.77 "),
        ("flop = [0.0, 0.28", "flop = [0.28"),
        ("flop = [0.0, 0.28", "flop = [0.0, 0.99"),
        ("early = 0.175", "early = 5"),
        ("deals = 4000", "deals = 0"),
    ],
)
def test_a_number_outside_its_bounds_is_refused(right: str, wrong: str) -> None:
    text = read_text("fold_parameters.toml")
    assert text.count(right) == 1
    with pytest.raises(
        ResourceError, match=r"fold_parameters\.toml is broken: .*; install the app anew\."
    ) as caught:
        parse_numbers(text.replace(right, wrong), Parameters)
    assert "\n" not in str(caught.value)


def test_a_half_written_resource_is_refused() -> None:
    text = read_text("fold_parameters.toml")
    for part in (0.1, 0.5, 0.9, 0.99):
        with pytest.raises(ResourceError, match="is broken"):
            parse_numbers(text[: int(part * len(text))], Parameters)


# DFModel


def test_the_paper_gives_these_numbers() -> None:
    # Li et al. 2017, fig. 2 and eq. 6.
    behaviour = parameters().behaviour
    domains = {domain.action_class: domain for domain in default_domains(behaviour)}
    assert behaviour.theta == 50
    assert domains[ActionClass.CHECK].baseline == 0.513
    assert domains[ActionClass.CALL] == CALL
    assert domains[ActionClass.HALF_POT].low == 0.68
    assert domains[ActionClass.HALF_POT].baseline == 0.75


def test_domains_cover_the_axis_in_order_and_hold_their_baselines() -> None:
    domains = default_domains(parameters().behaviour)
    assert domains[0].low == 0.0
    assert domains[-1].high == 1.0
    for domain, following in pairwise(domains):
        assert domain.high == following.low
    assert all(domain.low < domain.baseline < domain.high for domain in domains)


def test_eq_6_at_the_papers_own_point() -> None:
    # "P_win = 0.55, baseline 0.61 gives about 10": 0.61 / (0.61 - 0.55) = 10.1667.
    assert relative_values(np.array([0.55]), [CALL], 50.0)[0][0] == pytest.approx(0.61 / 0.06)


def test_eq_6_above_the_baseline() -> None:
    assert relative_values(np.array([0.76]), [CALL], 50.0)[0][0] == pytest.approx(0.39 / 0.15)


def test_eq_6_is_capped_at_theta_and_falls_away_from_the_domain() -> None:
    values = relative_values(AXIS, [CALL], 50.0)[0]
    assert values.max() == 50.0
    assert (values[(AXIS >= 0.57) & (AXIS < 0.68)] == 50.0).all()
    below, above = values[AXIS < 0.57], values[AXIS >= 0.68]
    assert (np.diff(below) > 0).all()
    assert (np.diff(above) < 0).all()
    # The formula exceeds theta just below a narrow domain: 0.61 / (0.61 - 0.605) = 122.
    narrow = Domain(ActionClass.CALL, 0.608, 0.612, 0.61)
    assert relative_values(np.array([0.605]), [narrow], 50.0)[0][0] == 50.0
    assert relative_values(np.array([0.605]), [narrow], 50.0, is_capped=False)[0][0] == pytest.approx(0.61 / 0.005)


@pytest.mark.parametrize("classes", [FACING_BET, FREE, FACING_BET[:2], FREE[:1], FACING_BET[:4]])
def test_likelihoods_sum_to_one_over_the_possible_actions(classes: tuple[ActionClass, ...]) -> None:
    domains = situation_domains(default_domains(parameters().behaviour), classes)
    shares = action_likelihoods(AXIS, domains, 50.0)
    assert tuple(shares) == classes
    assert np.allclose(sum(shares.values()), 1.0)
    assert all((share >= 0).all() for share in shares.values())


def test_the_domain_of_an_impossible_action_goes_to_the_next_weaker_one() -> None:
    domains = default_domains(parameters().behaviour)
    facing = situation_domains(domains, FACING_BET)
    assert [(domain.action_class, domain.low) for domain in facing[:3]] == [
        (ActionClass.FOLD, 0.0),
        (ActionClass.CALL, 0.57),
        (ActionClass.HALF_POT, 0.68),
    ]
    free = situation_domains(domains, FREE)
    assert (free[0].action_class, free[0].low, free[0].high) == (ActionClass.CHECK, 0.0, 0.68)
    short = situation_domains(domains, FACING_BET[:2])
    assert (short[-1].action_class, short[-1].low, short[-1].high) == (ActionClass.CALL, 0.57, 1.0)


# Strength


def test_a_flops_p_win_is_the_exact_equity_against_a_uniform_hand() -> None:
    flop = board("Ks7d2h")
    direct = np.array(combo_equities(flop))
    live = unblocked(flop)
    assert np.allclose(win_probabilities(flop)[live], direct[live], atol=2e-6)
    assert (win_probabilities(flop)[~live] == 0).all()
    # Exact counts made independently of this code: 2c2s on Ks7d2h and then 3c, 9s.
    deuces = combo_of(*parse_cards("2c2s"))
    assert win_probabilities(flop)[deuces] == pytest.approx(0.96655734, abs=1e-6)
    assert win_probabilities(board("Ks7d2h3c9s"))[deuces] == pytest.approx(0.98787879, abs=1e-6)


def test_preflop_strength_is_a_share_of_weaker_hands() -> None:
    strengths = preflop_strengths(1)
    aces = combo_of(*parse_cards("AhAs"))
    assert strengths[aces] == strengths.max() == pytest.approx(1 - 3 / COMBO_COUNT)
    assert strengths.mean() == pytest.approx(0.5)
    assert strengths[combo_of(*parse_cards("3c2d"))] == strengths.min()


# More players


def test_thresholds_and_cut_points_move_by_the_odds_against_a_fair_share() -> None:
    assert fair_odds(0.7, 1) == pytest.approx(0.7)
    # The fair share stays the fair share, certainty stays certain.
    for opponents in range(1, 10):
        assert fair_odds(0.5, opponents) == pytest.approx(1 / (opponents + 1))
        assert fair_odds(1.0, opponents) == 1.0
    # 70% two-handed becomes 55% three-handed (Li et al. 2017, sec. 4.5), within two points.
    assert fair_odds(0.7, 2) == pytest.approx(0.55, abs=0.02)


def test_cut_points_rise_with_the_players_and_stay_in_order() -> None:
    domains = default_domains(parameters().behaviour)
    for opponents in range(2, 10):
        moved = multiway_domains(domains, opponents)
        fewer = multiway_domains(domains, opponents - 1)
        assert all(new.low > old.low for new, old in zip(moved[1:], fewer[1:], strict=True))
        assert all(domain.low < domain.baseline < domain.high for domain in moved)
        assert (moved[0].low, moved[-1].high) == (0.0, 1.0)
    assert multiway_domains(domains, 1) == domains
    assert multiway_cut(0.57, 2) == pytest.approx((0.57 / (0.57 + 0.43 * 2)) ** 0.5)


# Adaptation


def test_shrinkage_starts_at_the_prior_and_ends_at_the_counts() -> None:
    assert shrink(0.3, 20, 0, 0) == pytest.approx(0.3)
    assert shrink(0.3, 20, 20, 20) == pytest.approx(0.65)
    assert shrink(0.3, 20, 90_000, 100_000) == pytest.approx(0.9, abs=1e-3)


def test_recutting_with_the_default_shares_gives_the_default_domains() -> None:
    behaviour = parameters().behaviour
    for row in (behaviour.quantiles.flop, behaviour.quantiles.turn, behaviour.quantiles.river):
        domains = situation_domains(default_domains(behaviour), FACING_BET)
        again = recut(domains, domain_shares(domains, row), row)
        for old, new in zip(domains, again, strict=True):
            assert (new.low, new.high, new.baseline) == pytest.approx((old.low, old.high, old.baseline))


def postflop_hand(words: str, name: str, hands: int) -> list[tuple[PublicEvent, ...]]:
    table = play(deal(names=("Hero", name)), words)
    return [table.events] * hands


def learned(words: str, hands: int) -> OpponentModel:
    """Give a model that saw a hand heads-up so often; seat 1, "V", is the big blind."""
    model = OpponentModel(parameters())
    for events in postflop_hand(words, "V", hands):
        model.learn(events)
    return model


def flop_domains(model: OpponentModel, is_facing_bet: bool = True) -> dict[ActionClass, Domain]:
    domains, _ = model.adapted_domains("V", Street.FLOP, is_facing_bet, PositionGroup.BLINDS)
    return {domain.action_class: domain for domain in domains}


def test_a_stranger_has_exactly_the_default_domains() -> None:
    model = OpponentModel(parameters())
    for classes, is_facing_bet in ((FACING_BET, True), (FREE, False)):
        domains, figures = model.adapted_domains("V", Street.TURN, is_facing_bet, PositionGroup.LATE)
        assert domains == situation_domains(default_domains(parameters().behaviour), classes)
        assert all(figure.value == pytest.approx(figure.default) for figure in figures)
        assert all(figure.count == 0 for figure in figures)


def test_who_calls_more_has_a_lower_bound_of_his_calls() -> None:
    before = flop_domains(OpponentModel(parameters()))[ActionClass.CALL]
    bounds = [before.low]
    for hands in (5, 20, 80):
        call = flop_domains(learned("c x | x 100 c | x x | x x", hands))[ActionClass.CALL]
        bounds.append(call.low)
        assert call.low < call.baseline < call.high
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 4


def test_who_folds_more_has_a_higher_bound_of_his_calls() -> None:
    before = flop_domains(OpponentModel(parameters()))[ActionClass.CALL].low
    few, many = (flop_domains(learned("c x | x 100 f", hands))[ActionClass.CALL].low for hands in (5, 80))
    assert before < few < many


def test_who_raises_more_has_a_lower_bound_of_his_raises() -> None:
    words = "c x | x 100 300 f"
    before = flop_domains(OpponentModel(parameters()))[ActionClass.HALF_POT].low
    after = flop_domains(learned(words, 40))
    assert after[ActionClass.HALF_POT].low < before
    assert flop_domains(learned("c x | 200 f", 40), False)[ActionClass.THREE_QUARTER_POT].low < 0.7


def test_the_shares_converge_to_the_players_frequencies() -> None:
    model = OpponentModel(parameters())
    # Folds 3 of 10, calls 5, raises half a pot 2: a player who is nothing like DFModel.
    for _ in range(400):
        for words, times in (("c x | x 100 f", 3), ("c x | x 100 c", 5), ("c x | x 100 300", 2)):
            for events in postflop_hand(words, "V", times):
                model.learn(events)
    domains, figures = model.adapted_domains("V", Street.FLOP, True, PositionGroup.BLINDS)
    shares = {figure.name: figure.value for figure in figures}
    assert shares["share of fold"] == pytest.approx(0.3, abs=0.01)
    assert shares["share of call"] == pytest.approx(0.5, abs=0.01)
    assert shares["share of half pot"] == pytest.approx(0.2, abs=0.01)
    row = parameters().behaviour.quantiles.flop
    assert domain_shares(domains, row)[:3] == pytest.approx([0.3, 0.5, 0.2], abs=0.01)


def test_positions_share_a_street_until_they_have_counts_of_their_own() -> None:
    model = learned("c x | x 100 f", 30)
    default = flop_domains(OpponentModel(parameters()))[ActionClass.CALL].low
    elsewhere, _ = model.adapted_domains("V", Street.FLOP, True, PositionGroup.LATE)
    other_street, _ = model.adapted_domains("V", Street.TURN, True, PositionGroup.BLINDS)
    other_player, _ = model.adapted_domains("W", Street.FLOP, True, PositionGroup.BLINDS)
    here = flop_domains(model)[ActionClass.CALL].low
    assert default < elsewhere[1].low < here
    assert other_street[1].low == other_player[1].low == default


def test_entry_rates_start_at_the_strangers_and_move_with_every_hand() -> None:
    model = OpponentModel(parameters())
    stranger = model.entry_rate("V", PositionGroup.BLINDS, 2)
    assert (stranger.value, stranger.count) == (parameters().ranges.heads_up.entry.blinds, 0)
    model.learn(play(deal(names=("Hero", "V")), "300 f").events)
    folded = model.entry_rate("V", PositionGroup.BLINDS, 2)
    assert (folded.count, folded.value < stranger.value) == (1, True)
    for _ in range(3):
        model.learn(play(deal(names=("Hero", "V")), "300 c").events)
    assert model.entry_rate("V", PositionGroup.BLINDS, 2).value > folded.value
    # A raise that takes the blinds is an entry too.
    model.learn(play(deal(names=("V", "Hero")), "300 f").events)
    assert model.counts("V").entries(PositionGroup.LATE) == (1, 1)
    assert model.counts("Hero").hands == 5


def test_a_player_is_read_in_the_next_session_as_in_the_one_before() -> None:
    before, after = learned("c x | x 100 f", 30), OpponentModel(parameters())
    after.meet(before.known_players())
    assert flop_domains(after) == flop_domains(before)
    assert after.known_players() == before.known_players()
    known = after.known_players()["V"]
    assert (known.choices, known.model, known.counted) == (0, b"", 3 * 30)
    assert counts_of(known).bets_faced() == (30, 30)
    # And goes on from there.
    after.learn(play(deal(names=("Hero", "V")), "c x | x 100 f").events)
    assert after.counts("V").hands == 31


def test_what_is_kept_of_a_player_is_of_bounded_size() -> None:
    model, random = OpponentModel(parameters()), np.random.default_rng(1)
    for _ in range(300):
        table = random_table(random)
        while not table.is_over:
            legal = table.legal_actions()
            assert legal is not None
            most = random.choice([legal.min_raise_to, legal.max_raise_to])
            passive = "x" if legal.can_check else "c"
            play(table, str(most) if legal.can_raise and random.random() < 0.3 else passive)
        model.learn(table.events)
    assert len(model.known_players()["P0"].counts) < 6000


@pytest.mark.parametrize("counts", [b"nonsense", b"\x95", pack([1, [], [], [[ActionKind.FOLD, -1]], []])])
def test_counts_that_cannot_be_read_leave_a_stranger(counts: bytes, caplog: pytest.LogCaptureFixture) -> None:
    model = OpponentModel(parameters())
    model.meet({"V": KnownPlayer(0, b"", 5, counts), "W": KnownPlayer(5, b"of the learned reader")})
    assert model.known_players() == {}
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "What was counted of a player is left out"
    ]


def test_without_adaptation_nobody_is_known() -> None:
    model = OpponentModel(with_options(parameters(), ["adaptation=off"]))
    model.meet(learned("c x | x 100 f", 30).known_players())
    assert model.counts("V").hands == 0


def likelihood_of(model: OpponentModel, words: str, count: int = 2) -> tuple[np.ndarray, dict[str, float]]:
    table = play(deal([10_000] * count), words)
    actions = understand(table.events)
    earlier = [action for action in actions[:-1] if action.seat == actions[-1].seat]
    name = "ABCDEFGHIJ"[actions[-1].seat]
    values, figures = model.likelihood(name, actions[-1], table.events, (), earlier)
    return values, {figure.name: figure.value for figure in figures}


def test_an_entry_rate_makes_the_top_of_the_hands_likely_with_a_smooth_edge() -> None:
    # Six-handed, the cutoff opens: its rate of entries and raises gives the share in the domain.
    values, figures = likelihood_of(OpponentModel(parameters()), "f f 300", 6)
    share = figures["share continuing"] * figures["share raising of these"]
    strengths = preflop_strengths(3)
    inside = strengths >= 1 - share
    assert inside.mean() == pytest.approx(share, abs=0.02)
    assert values[inside].min() > 0.5 > values[~inside].max()
    # Outside it the likelihood falls away towards the weakest hands, and never to 0.
    weakest, middling = strengths < 0.1, (strengths > 0.5) & (strengths < 0.6)
    assert 0 < values[weakest].max() < values[middling].min()


def test_a_second_raise_divides_the_range_that_the_first_has_shown() -> None:
    model = OpponentModel(parameters())
    _, opened = likelihood_of(model, "f f 300", 6)
    _, four_bet = likelihood_of(model, "f f 300 900 f f 2400", 6)
    shown = opened["share continuing"] * opened["share raising of these"]
    assert four_bet["range shown before"] == pytest.approx(shown)
    assert 1 - four_bet["domain low"] == pytest.approx(shown * parameters().again.raising)


def test_preflop_likelihoods_sum_to_one_over_the_possible_classes() -> None:
    model = OpponentModel(parameters())
    for prefix in ("", "f f c", "f 250", "f f f f"):
        sums = np.zeros(COMBO_COUNT)
        table = play(deal([10_000] * 6), prefix)
        legal = table.legal_actions()
        assert legal is not None
        for word in ("x" if legal.can_check else "c", str(legal.min_raise_to), "f"):
            if word != "f" or not legal.can_check:
                sums += likelihood_of(model, f"{prefix} {word}", 6)[0]
        assert np.allclose(sums, 1.0)


def test_postflop_likelihoods_sum_to_one_over_the_possible_classes() -> None:
    model = learned("c x | x 100 f", 7)
    flop = parse_cards("Ks7d2h")
    total = np.zeros(COMBO_COUNT)
    for word in ("x", "100", "200", "300"):
        table = play(deal(names=("Hero", "V"), board="Ks7d2h9c4d"), f"c x | {word}")
        action = understand(table.events)[-1]
        assert action.possible == (ActionClass.CHECK, *POSTFLOP_RAISES)
        total += model.likelihood("V", action, table.events, flop, [])[0]
    assert np.allclose(total, 1.0)


# What the tuned reader has otherwise


def changed(**changes: object) -> OpponentModel:
    behaviour = msgspec.structs.replace(parameters().behaviour, **changes)
    return OpponentModel(msgspec.structs.replace(parameters(), behaviour=behaviour))


def flop_bet(model: OpponentModel) -> tuple[np.ndarray, dict[str, float]]:
    table = play(deal(board="AcTd4hQc5c"), "300 c | x 400")
    bet = understand(table.events)[-1]
    values, figures = model.likelihood("A", bet, table.events, board("AcTd4h"))
    return values, {figure.name: figure.value for figure in figures}


def test_a_temper_is_a_power_and_tells_its_number() -> None:
    plain, figures = flop_bet(OpponentModel(parameters()))
    assert "temper" not in figures
    tempered, figures = flop_bet(changed(temper=Temper(1.0, 0.3, 1.0, 1.0)))
    assert figures["temper"] == 0.3
    assert np.allclose(tempered, plain**0.3)
    unread, _ = flop_bet(changed(temper=Temper(1.0, 0.0, 1.0, 1.0)))
    assert (unread == 1).all()
    other_street, _ = flop_bet(changed(temper=Temper(0.5, 1.0, 0.5, 0.5)))
    assert (other_street == plain).all()


def test_theta_before_the_flop_is_another() -> None:
    model = changed(theta_preflop=5.0)
    assert (flop_bet(model)[0] == flop_bet(OpponentModel(parameters()))[0]).all()
    flat, sharp = (likelihood_of(one, "f f 300", 6)[0] for one in (model, OpponentModel(parameters())))
    assert flat.max() < sharp.max()


def test_a_ranking_of_classes_gives_the_share_of_weaker_hands() -> None:
    names = [class_name(one) for one in range(CLASS_COUNT)]
    ranking = " ".join(["32o", *(name for name in names if name != "32o")])
    strengths = ranked_strengths(ranking)
    best = strengths[[combo_of(*parse_cards(text)) for text in ("3c2d", "3s2h")]]
    assert (best == strengths.max()).all()
    assert best[0] == pytest.approx(1 - 6 / COMBO_COUNT)  # twelve combos in the middle of their places
    aces = strengths[combo_of(*parse_cards("AhAs"))]  # second: six combos below twelve
    assert aces == pytest.approx(1 - 15 / COMBO_COUNT)
    assert strengths.mean() == pytest.approx(0.5)
    assert len(np.unique(strengths)) == CLASS_COUNT
    weakest = likelihood_of(changed(ranking=ranking), "f f 300", 6)[0][combo_of(*parse_cards("3c2d"))]
    assert weakest > 0.5


@pytest.mark.parametrize("ranking", ["AA", "AA AA", "AA KK XX"])
def test_a_ranking_that_is_none_is_refused(ranking: str) -> None:
    text = read_text("fold_parameters.toml").replace('ranking = ""', f'ranking = "{ranking}"')
    with pytest.raises(ResourceError, match="ranking must name each of the 169 hand classes once"):
        parse_numbers(text, Parameters)


def test_a_call_may_reach_up_to_the_best_hands() -> None:
    aces = combo_of(*parse_cards("AhAs"))
    below, figures = likelihood_of(OpponentModel(parameters()), "f f 300 c", 6)
    reaching, wide = likelihood_of(changed(call_reaches_top=True), "f f 300 c", 6)
    assert figures["domain high"] < 1.0 == wide["domain high"]
    assert figures["domain low"] == wide["domain low"]
    assert reaching[aces] > 3 * below[aces]
    # Of two domains that hold a hand each action has half.
    assert reaching[aces] == pytest.approx(0.5, abs=0.03)


def test_how_far_cut_points_move_with_more_players() -> None:
    domains = default_domains(parameters().behaviour)
    assert multiway_domains(domains, 4, 0.0) == domains
    assert multiway_domains(domains, 3, 0.5) == multiway_domains(domains, 2)
    lows = [multiway_domains(domains, 5, share)[3].low for share in (0.0, 0.3, 0.6, 1.0)]
    assert lows == sorted(set(lows))


@pytest.mark.parametrize("text", ["", "[behaviour]", "theta ="])
def test_a_broken_resource_of_tuned_numbers_is_refused(text: str) -> None:
    with pytest.raises(ResourceError, match=r"resources/paper_tuned\.toml is broken: .*; install the app anew"):
        parse_numbers(text, TunedNumbers)
    with pytest.raises(ResourceError):
        parse_numbers(read_text("fold_parameters.toml"), TunedNumbers)


def test_tuned_numbers_leave_the_rest_of_the_parameters() -> None:
    tuned = with_numbers(parameters(), tuned_numbers())
    assert (tuned.behaviour, tuned.memory) == (tuned_numbers().behaviour, tuned_numbers().memory)
    assert (tuned.ranges, tuned.again, tuned.prediction) == (
        parameters().ranges,
        parameters().again,
        parameters().prediction,
    )


# Options


def model_with(*words: str, hands: str = "", times: int = 0) -> OpponentModel:
    """Return a model with options, which has seen V, in the big blind, play hands like these."""
    model = OpponentModel(with_options(parameters(), words))
    for _ in range(times):
        model.learn(play(deal(names=("Hero", "V"), board="Ks7d2h9c4d"), hands).events)
    return model


def domains_on_the_flop(
    model: OpponentModel, is_facing_bet: bool = True, position: str = "blinds"
) -> dict[str, Domain]:
    found, _ = model.adapted_domains("V", Street.FLOP, is_facing_bet, PositionGroup(position))
    return {domain.action_class.value: domain for domain in found}


def test_the_entry_rate_alone_is_the_papers_range_model() -> None:
    model = OpponentModel(with_options(parameters(), ["ranges_by_raises=off"]))
    for words, position in (
        ("f f 300", "late"),
        ("f f c", "late"),
        ("300 900", "middle"),
        ("f 300 900 2400", "late"),
    ):
        values, figures = likelihood_of(model, words, 6)
        entry = figures[f"entry rate {position}"]
        assert (figures["domain low"], figures["domain high"]) == (pytest.approx(1 - entry), 1.0)
        inside = preflop_strengths(3) >= 1 - entry
        assert values[inside].min() > values[~inside].max()
    raised, called = (likelihood_of(model, words, 6)[0] for words in ("f f 300", "f f c"))
    assert np.array_equal(raised, called)
    checked, _ = likelihood_of(model, "f f f f c x", 6)
    assert checked[preflop_strengths(3) < 0.2].min() > 0.9  # any hand may check behind a limp


def test_the_domain_between_two_possible_actions_is_left_to_both_where_none_is_filled() -> None:
    filled, whole = domains_on_the_flop(model_with()), domains_on_the_flop(model_with("fill_domains=off"))
    cuts = parameters().behaviour.cut_points
    assert (filled["fold"].high, filled["call"].low) == (cuts.call, cuts.call)
    assert (whole["fold"].high, whole["call"].low) == (cuts.check, cuts.call)
    # A hand that would check folds or calls, whichever is nearer; filled, it folds.
    middling = np.array([cuts.call - 0.005])
    chances = {
        name: action_likelihoods(middling, list(domains.values()), 50.0)
        for name, domains in (("filled", filled), ("whole", whole))
    }
    assert chances["filled"][ActionClass.FOLD] > 0.4
    assert chances["whole"][ActionClass.FOLD] < 0.2 < chances["whole"][ActionClass.CALL]


def test_the_cut_points_of_two_players_may_hold_for_more() -> None:
    table = play(deal([10_000] * 3, board="Ks7d2h9c4d"), "300 c c | x x 300 c")
    call = understand(table.events)[-1]
    assert call.players == 3
    cuts = parameters().behaviour.cut_points
    lows = {}
    for word in ("multiway=on", "multiway=off"):
        domains, _ = model_with(word).domains("V", call, table.events)
        lows[word] = next(domain.low for domain in domains if domain.action_class is ActionClass.CALL)
    assert lows["multiway=off"] == cuts.call < lows["multiway=on"]


def test_as_printed_counts_move_the_lower_bound_of_a_call_alone() -> None:
    stranger = domains_on_the_flop(model_with("adapt_raises=off"))
    folds = domains_on_the_flop(model_with("adapt_raises=off", hands="c x | x 100 f", times=40))
    calls = domains_on_the_flop(model_with("adapt_raises=off", hands="c x | x 100 c | x x | x x", times=40))
    assert calls["call"].low < stranger["call"].low < folds["call"].low <= folds["call"].high
    for found in (folds, calls):
        assert found["fold"].high == found["call"].low
        assert found["call"].high == stranger["call"].high
        assert all(found[name] == stranger[name] for name in ("half pot", "three-quarter pot", "pot or overbet"))
        assert all(domain.low <= domain.baseline <= domain.high for domain in found.values())
    # Who bets again and again is believed as much as before; by default less.
    for words, is_same in ((("adapt_raises=off",), True), ((), False)):
        bets, alone = model_with(*words, hands="c x | 200 f", times=40), model_with(*words)
        assert (domains_on_the_flop(bets, False) == domains_on_the_flop(alone, False)) is is_same
    printed = model_with("printed", hands="c x | x 100 f", times=40)
    assert domains_on_the_flop(printed)["call"].low > stranger["call"].low
    assert domains_on_the_flop(printed)["fold"].high == parameters().behaviour.cut_points.check


def test_as_printed_raises_before_the_flop_are_not_counted() -> None:
    for words, moves in (("adapt_raises=on", True), ("adapt_raises=off", False)):
        model = model_with(words)
        for _ in range(40):
            model.learn(play(deal([10_000] * 6, board="Ks7d2h9c4d"), "f f 300 f f f").events)
        shares = [likelihood_of(one, "f f 300", 6)[1]["share raising of these"] for one in (model, model_with())]
        assert (shares[0] > shares[1]) is moves


def test_counts_of_a_street_may_be_of_all_positions_alike() -> None:
    def lows(*words: str) -> list[float]:
        model = model_with(*words, hands="c x | x 100 f", times=40)
        return [domains_on_the_flop(model, position=where)["call"].low for where in ("blinds", "late")]

    in_the_blinds, elsewhere = lows()
    assert in_the_blinds > elsewhere
    in_the_blinds, elsewhere = lows("adapt_positions=off")
    assert in_the_blinds == elsewhere > domains_on_the_flop(model_with())["call"].low
