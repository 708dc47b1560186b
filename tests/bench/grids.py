"""What drawing costs: nine range grids updated and painted, meters and a tile each, in CPU milliseconds per frame.

Callable from the bench runner: `measure_grids()` gives named figures. Offscreen by default; on a real screen the
window system adds its own part.
"""

import os
import time
from collections.abc import Callable

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from tests.bench.yardstick import Row
from tests.trainer import samples
from trainer.play.meters import MetersPanel
from trainer.reading.range_grid import RangeGrid
from trainer.reading.read_panel import ReadPanel
from trainer.theme import ThemeSource


def measure_grids(repeats: int = 200) -> dict[str, float]:
    """Measure CPU milliseconds per frame.

    Returns
    -------
    dict of str to float
        `update` shows nine new readings in a `ReadPanel` (view models and images, no painting); `paint`
        repaints the nine grids; `tiles` the whole area with its texts; `panel` an update with everything painted;
        `meters` an update of the meters, painted.
    """
    application = QApplication.instance() or QApplication([])
    points = samples.readings(9)[-8:]
    theme = ThemeSource()
    theme.choose("light")
    panel = ReadPanel(theme)
    panel.resize(1000, 900)
    panel.show()
    meters = MetersPanel(theme)
    meters.resize(500, 170)
    meters.show()
    for point in points:
        panel.show_point(point)
    application.processEvents()
    grids = [grid for grid in panel.findChildren(RangeGrid) if grid.isVisible()]
    assert len(grids) == 9
    canvas = QPixmap(panel.size())

    def render(widget: QWidget) -> None:
        widget.render(canvas)

    def update(index: int) -> None:
        panel.model._show(points[index % len(points)])

    def paint(index: int) -> None:
        for grid in grids:
            render(grid)

    def whole(index: int) -> None:
        update(index)
        render(panel)

    def show_meters(index: int) -> None:
        meters.look_at(points[index % len(points)].event_count)
        render(meters)

    for point in points:
        meters.show_point(point)
    work: dict[str, Callable[[int], None]] = {
        "update": update,
        "paint": paint,
        "tiles": lambda _: render(panel._area),
        "panel": whole,
        "meters": show_meters,
    }
    return {name: _milliseconds(one, repeats) for name, one in work.items()}


def _milliseconds(one: Callable[[int], None], repeats: int) -> float:
    """Give CPU milliseconds per call, the first few left out."""
    for index in range(10):
        one(index)
    start = time.process_time()
    for index in range(repeats):
        one(index)
    return 1000 * (time.process_time() - start) / repeats


def run(short: bool) -> list[Row]:
    """Give one row per figure of `measure_grids`."""
    figures = measure_grids(40 if short else 200)
    return [Row(work=f"nine grids: {name}", ours=milliseconds) for name, milliseconds in figures.items()]


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for row in run(short=False):
        print(f"{row.work:24} {row.ours:6.2f} ms")
