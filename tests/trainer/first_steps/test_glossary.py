"""The glossary: every term whole and right where it can be checked, found by search, and opened from each panel."""

import re

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.cards import COMBO_COUNT, parse_cards
from engine.equity.outs import OutFigures, figures_of_outs
from engine.equity.question import EquityQuestion
from engine.equity.solve import solve
from engine.ranges import parse_range
from tests.trainer.gestures import PATIENCE, strike, type_into
from trainer.app import App
from trainer.first_steps.glossary import GlossaryWindow
from trainer.first_steps.glossary_model import PANELS, Term, glossary, terms_found
from trainer.history.panel_title import PanelTitle

# The appendix of the paper, the figures of the HUD and what the panels say (each under a name or another name).
WANTED = """
street, betting round, tight, loose, aggressive, passive, range, UTG, dealer, gap concept, open,
3-bet, speculative hand, balance, pot odds, implied odds, drawing dead, outs, bluff, semi-bluff,
nuts, stack depth, value bet, VPIP, PFR, AF, WTSD, W$SD, SPR, equity, required equity, fold equity,
combo, posterior, prior, likelihood, Bayes' rule, c-bet, blocker, hand class, effective stack, bluff
catcher, standard error, bb/100, F3B, FCB, win rate, guard, calibration, commitment, salt, EV,
kicker, hint, HUD, reader, run-out
"""


def named(name: str) -> Term:
    return next(term for term in glossary() if name in (term.name, *term.also))


@pytest.mark.parametrize("name", [" ".join(name.split()) for name in WANTED.split(",")])
def test_the_term_is_there(name: str) -> None:
    names = re.split(r"; |, |\n", "; ".join("; ".join((term.name, *term.also)) for term in glossary()))
    assert name.casefold() in [one.casefold() for one in names]


@pytest.mark.parametrize("term", glossary(), ids=lambda term: term.name)
def test_each_term_is_short_and_whole(term: Term) -> None:
    assert set(term.panels) <= set(PANELS)
    assert 40 < len(term.text) < 400
    assert term.text.endswith(".")
    assert term.example.endswith(".")
    assert term.name not in term.also


def test_no_two_terms_share_a_name() -> None:
    names = [name.casefold() for term in glossary() for name in (term.name, *term.also)]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_every_panel_has_terms() -> None:
    assert all(len(terms_found(glossary(), "", panel)) >= 4 for panel in PANELS)


# Figures that the engine can count


def test_the_equity_is_that_of_the_engine() -> None:
    question = EquityQuestion((parse_range("AhKh"), parse_range("QsQd")))
    *_, answer = solve(question, seed=0)
    assert f"{answer.value[0].equity:.0%}" in named("Equity").example


@pytest.mark.parametrize(("name", "hand", "chance"), [("Draw", "As 5s", "35%"), ("Outs", "8h 7d", "31.5%")])
def test_the_chances_of_draws_are_those_of_the_engine(name: str, hand: str, chance: str) -> None:
    board = {"Draw": "Ks 9s 2d", "Outs": "9c 6s 2d"}[name]
    outs: OutFigures | None = figures_of_outs(parse_cards(hand), parse_cards(board))
    unseen = 52 - 5
    count = {"Draw": 9, "Outs": 8}[name]
    by_river = 1 - (unseen - count) * (unseen - 1 - count) / (unseen * (unseen - 1))
    assert by_river == pytest.approx(float(chance.rstrip("%")) / 100, abs=0.005)
    assert chance in named(name).example
    assert outs is not None


def test_the_counts_are_right() -> None:
    assert f"{COMBO_COUNT:,}" in named("Combo").text
    share = parse_range("22+, A2s+, KTs+, AJo+").weights.sum() / COMBO_COUNT
    assert f"{share:.0%}" in named("Range").example
    assert f"{1 / 1225:.2%}" in named("Prior").example
    assert f"{0.005 * 1 / 0.2:.1%}" in named("Bayes' rule").example


# Searching


def test_names_come_before_what_is_only_mentioned() -> None:
    found = [term.name for term in terms_found(glossary(), "  pot ODDS ")]
    assert found[0] == "Pot odds"
    assert {"Call", "Implied odds", "Required equity"} & set(found)
    assert terms_found(glossary(), "preflop raise")[0].name == "PFR"
    assert terms_found(glossary(), "xyzzy") == ()
    assert len(terms_found(glossary(), "")) == len(glossary())


def test_a_search_is_gone_through_by_keys(qtbot: QtBot, app: App) -> None:
    qtbot.keyClick(app.window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    window = app.window.findChild(GlossaryWindow)
    assert window.isVisible()
    assert window.names.count() == len(glossary())
    type_into(window.search, "odds")
    assert 3 < window.names.count() < len(glossary())
    first = window.names.currentItem().text()
    qtbot.keyClick(window.search, Qt.Key.Key_Down)
    second = window.names.currentItem().text()
    assert second != first
    assert second in window.text.toPlainText()
    qtbot.keyClick(window.search, Qt.Key.Key_Up)
    assert window.names.currentItem().text() == first
    type_into(window.search, "xyzzy")
    assert window.text.toPlainText() == "No term is called so. A shorter word may find one."
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.parametrize("panel", ["ranges", "reasoning", "log", "meters"])
def test_each_panel_opens_its_terms(qtbot: QtBot, app: App, panel: str) -> None:
    dock = app.window.docks.by_name[panel]
    dock.raise_()
    title = dock.titleBarWidget()
    assert isinstance(title, PanelTitle)
    qtbot.mouseClick(title.terms, Qt.MouseButton.LeftButton)
    window = app.window.findChild(GlossaryWindow)
    assert window.panel.currentData() == panel
    shown = [window.names.item(row).text() for row in range(window.names.count())]
    assert shown == [term.name for term in glossary() if panel in term.panels]


SHIFTED = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize(
    ("keys", "panel"),
    [
        ("Ctrl+O", "odds"),
        ("Ctrl+L", "lab"),
        ("Ctrl+F", "results"),
        ("Ctrl+Shift+P", "results"),
        ("Ctrl+Shift+R", "review"),
        ("Ctrl+E", "drills"),
        ("Ctrl+G", "drills"),
    ],
)
def test_each_window_opens_its_terms(qtbot: QtBot, app: App, keys: str, panel: str) -> None:
    window = app.window
    strike(app, keys[-1], SHIFTED if "Shift" in keys else Qt.KeyboardModifier.ControlModifier)
    opened = {
        "Ctrl+O": window.odds.window,
        "Ctrl+L": window.lab.window,
        "Ctrl+F": window.figures.window,
        "Ctrl+Shift+P": window.prizes.window,
        "Ctrl+Shift+R": window.review.window,
        "Ctrl+E": window.drills.window,
        "Ctrl+G": window.drills.guesses,
    }[keys]
    assert opened is not None
    qtbot.mouseClick(opened.terms, Qt.MouseButton.LeftButton)
    terms = window.findChild(GlossaryWindow)
    assert terms.isVisible()
    assert terms.panel.currentData() == panel
    terms.close()
    opened.activateWindow()
    qtbot.keyClick(opened, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert terms.isVisible()
    opened.close()


def test_the_terms_are_at_hand_beside_an_earlier_hand_too(qtbot: QtBot, app: App) -> None:
    app.window.start_tour()
    qtbot.waitUntil(lambda: app.window.replaying.is_on, timeout=PATIENCE)
    title = app.window.docks.by_name["ranges"].titleBarWidget()
    assert isinstance(title, PanelTitle)
    assert title.terms.isVisible()
