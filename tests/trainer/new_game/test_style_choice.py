"""The drop-down of a seat: styles of the app and the player's own, of which none is lost while it is chosen."""

from msgspec import structs
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import description, nearest_style, style_text
from engine.agents.styles import STYLES
from engine.game.formats import HUMAN
from trainer.new_game.style_choice import StyleChoice

LEO = nearest_style("Uncle Leo", TEMPERS["maniac"][0])
MIA = nearest_style("Aunt Mia", TEMPERS["nit"][0])


def shown(choice: StyleChoice) -> list[str]:
    return [choice.itemText(at) for at in range(choice.count())]


def test_own_styles_stand_behind_those_of_the_app(qtbot: QtBot) -> None:
    choice = StyleChoice("Style")
    qtbot.addWidget(choice)
    assert choice.style_chosen == HUMAN
    assert "Your own" not in shown(choice)
    choice.offer([LEO, MIA])
    assert shown(choice)[-3:] == ["Your own", "Uncle Leo", "Aunt Mia"]
    choice.choose(style_text(MIA))
    assert choice.currentText() == "Aunt Mia"
    assert choice.itemData(choice.currentIndex(), Qt.ItemDataRole.ToolTipRole) == description(MIA)
    assert choice.toolTip() == description(MIA)
    choice.choose("fold-paper")
    assert choice.style_chosen == "fold-2017"
    assert choice.toolTip() == STYLES["fold-2017"].description
    choice.choose("a stranger")
    assert choice.style_chosen == HUMAN


def test_a_style_that_has_changed_is_chosen_as_it_is_saved_now(qtbot: QtBot) -> None:
    choice = StyleChoice("Style")
    qtbot.addWidget(choice)
    choice.offer([LEO])
    choice.choose(style_text(LEO))
    looser = structs.replace(LEO, early=90.0)
    choice.offer([looser, MIA])
    assert choice.style_chosen == style_text(looser)


def test_a_style_that_is_saved_no_more_stays_while_it_is_chosen(qtbot: QtBot) -> None:
    choice = StyleChoice("Style")
    qtbot.addWidget(choice)
    choice.choose(style_text(LEO))
    assert choice.currentText() == "Uncle Leo"
    assert choice.toolTip().endswith("It is not saved among your styles.")
    choice.offer([MIA])
    assert choice.style_chosen == style_text(LEO)
    assert shown(choice)[-3:] == ["Your own", "Aunt Mia", "Uncle Leo"]
    choice.choose("nit")
    choice.offer([MIA])
    assert shown(choice)[-2:] == ["Your own", "Aunt Mia"]
    choice.choose(style_text(LEO).replace("early", "erly"))
    assert choice.style_chosen == HUMAN
