"""Pictures of experiments on the screen: all that they say is painted, in both looks, and saved."""

from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QGraphicsTextItem
from pytestqt.qtbot import QtBot

from engine.agents.styles import FOLD_2017, SOULREAD
from engine.lab.experiments.experiment import Setting
from engine.lab.experiments.picture import Axis, Cells, Curve, Marker, Named, Panel, Picture, Stroke
from engine.lab.experiments.running import EXPERIMENTS
from tests.engine.lab.experiments.made import made
from tests.trainer.gestures import opened
from trainer.lab.figure_view import FigureView
from trainer.theme import ThemeSource

SETTING = Setting((FOLD_2017, SOULREAD), matches=3)


def picture_of(name: str) -> Picture:
    records = made(EXPERIMENTS[name], SETTING, lambda task, player: (1.0 + task.players.index(player), task.number))
    return EXPERIMENTS[name].outcome(SETTING, records).picture


def view_of(qtbot: QtBot, theme: ThemeSource) -> FigureView:
    view = FigureView(theme, "Nothing yet.")
    view.resize(900, 600)
    return opened(qtbot, view)


def plots_of(view: FigureView) -> list[object]:
    import pyqtgraph

    return [item for item in view.plots.ci.items if isinstance(item, pyqtgraph.PlotItem)]


@pytest.mark.parametrize("name", ["fig5", "fig8", "table3", "fig9", "fig10", "fig11", "fig12"])
def test_every_figure_is_painted_in_both_looks(qtbot: QtBot, theme: ThemeSource, name: str) -> None:
    view = view_of(qtbot, theme)
    assert view.is_empty
    assert view.message.isVisible()
    picture = picture_of(name)
    view.show_picture(picture, "In words.")
    assert not view.is_empty
    assert view.plots.accessibleDescription() == "In words."
    assert len(plots_of(view)) == sum(len(line) for line in picture.lines)
    light = view.pixmap().toImage()
    assert light.pixelColor(1, 1) == QColor(theme.theme.panel)
    theme.choose("dark")
    dark = view.pixmap().toImage()
    assert dark.pixelColor(1, 1) == QColor(theme.theme.panel)
    assert dark != light
    assert ElementTree.fromstring(view.svg()).tag.endswith("svg")
    view.say("Another is on its way.")
    assert view.is_empty
    assert view.message.text() == "Another is on its way."


def test_points_stand_where_they_are(qtbot: QtBot, theme: ThemeSource) -> None:
    """Of a curve on axes of logarithms, with errors; the paper's in the colour of text, dashed."""
    import pyqtgraph

    x, y, errors = (1.0, 10.0, 100.0), (2.0, 20.0, 50.0), (1.0, 5.0, 10.0)
    axis = Axis("deals", ((1.0, "1"), (100.0, "100")), is_log=True)
    paper = Curve(x, y, "the paper", Named.PAPER, Stroke.DASHED, Marker.DIAMOND, y_errors=errors)
    view = view_of(qtbot, theme)
    view.show_picture(Picture(((Panel((paper,), axis, axis),),), 5, 4), "")
    (plot,) = plots_of(view)
    assert isinstance(plot, pyqtgraph.PlotItem)
    (line,) = plot.listDataItems()
    shown = line.getData()
    np.testing.assert_allclose(shown, [np.log10(x), np.log10(y)])
    pen = line.opts["pen"]
    assert (pen.color(), pen.dashPattern() != []) == (QColor(theme.theme.text), True)
    (bars,) = [item for item in plot.items if isinstance(item, pyqtgraph.ErrorBarItem)]
    np.testing.assert_allclose(10 ** (np.log10(y) + bars.opts["top"]), np.add(y, errors))
    np.testing.assert_allclose(10 ** (np.log10(y) - bars.opts["bottom"]), np.subtract(y, errors))


def test_a_legend_dashes_the_lines_that_are_dashed(qtbot: QtBot, theme: ThemeSource) -> None:
    import pyqtgraph

    names = "abcdefghi"
    curves = tuple(
        Curve((0.0, 1.0), (0.0, float(at)), name, at, marker=Marker.NONE) for at, name in enumerate(names)
    )
    view = view_of(qtbot, theme)
    view.show_picture(Picture(((Panel(curves),),), 5, 4), "")
    texts = [item.toPlainText() for item in view.plots.scene().items() if isinstance(item, QGraphicsTextItem)]
    (legend,) = [text.split() for text in texts if set(names) <= set(text.split())]
    signs = dict(zip(legend[1::2], legend[::2], strict=True))
    (plot,) = plots_of(view)
    assert isinstance(plot, pyqtgraph.PlotItem)
    drawn = [line.opts["pen"].style() for line in plot.listDataItems()]
    assert len({Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine} & set(drawn)) == 2
    for name, style in zip(names, drawn, strict=True):
        assert signs[name] == ("╌╌" if style is Qt.PenStyle.DashLine else "──")


def test_names_across_in_two_lines_have_room(qtbot: QtBot, theme: ThemeSource) -> None:
    import pyqtgraph

    across = Axis("", ((0.0, "near-equilibrium"), (1.0, "O random")), low=-0.5, high=1.5)
    view = view_of(qtbot, theme)
    view.show_picture(Picture(((Panel((Curve((0.0, 1.0), (0.0, 1.0)),), across),),), 5, 4), "")
    view.pixmap()
    (plot,) = plots_of(view)
    assert isinstance(plot, pyqtgraph.PlotItem)
    axis = plot.getAxis("bottom")
    assert axis.height() >= 2 * QFontMetricsF(axis.style["tickFont"]).height()


@pytest.mark.parametrize("name", ["fig5", "fig8", "fig9", "fig10", "fig11", "fig12"])
def test_what_stands_below_an_axis_is_not_cut(qtbot: QtBot, theme: ThemeSource, name: str) -> None:
    view = view_of(qtbot, theme)
    view.show_picture(picture_of(name), "In words.")
    view.pixmap()
    seen = view.plots.viewRect()
    for plot in plots_of(view):
        words = plot.getAxis("bottom").label  # type: ignore[attr-defined]
        if words.isVisible():
            placed = words.mapRectToScene(words.boundingRect())
            assert seen.left() <= placed.left() <= placed.right() <= seen.right(), words.toPlainText()


def test_every_cell_of_a_table_has_its_words(qtbot: QtBot, theme: ThemeSource) -> None:
    import pyqtgraph

    cells = Cells(((None, 0.25), (0.75, None)), (("", "a quarter"), ("three\nquarters", "")))
    view = view_of(qtbot, theme)
    view.show_picture(Picture(((Panel((cells,), Axis(), Axis(is_reversed=True)),),), 5, 4), "")
    (plot,) = plots_of(view)
    assert isinstance(plot, pyqtgraph.PlotItem)
    words = [item for item in plot.items if isinstance(item, pyqtgraph.TextItem)]
    assert [(item.toPlainText(), item.pos().toTuple()) for item in words] == [
        ("a quarter", (1.0, 0.0)),
        ("three\nquarters", (0.0, 1.0)),
    ]


def test_a_picture_after_another_leaves_nothing_of_it(qtbot: QtBot, theme: ThemeSource) -> None:
    view = view_of(qtbot, theme)
    fresh = view_of(qtbot, theme)
    view.show_picture(picture_of("fig11"), "")
    for one in (view, fresh):
        one.show_picture(picture_of("fig8"), "")
    widths = [plots_of(one)[0].width() for one in (view, fresh)]  # type: ignore[attr-defined]
    assert widths[0] == pytest.approx(widths[1], abs=30)
