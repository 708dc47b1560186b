"""The axis of a plot that counts hands; imported where a plot is made, since pyqtgraph takes most of a second."""

import pyqtgraph


class HandAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis below a plot that marks whole hands, however few are in sight."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        spacings: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        return [(spacing, offset) for spacing, offset in spacings if spacing >= 1] or [(1.0, 0.0)]
