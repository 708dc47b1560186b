"""The docks of the main window: where they are, and that they keep their share of it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabWidget, QWidget

from trainer.settings import Settings

_SHARE = 0.42  # of the width; of their height the meters take the share below
_METERS_SHARE = 0.26
_STATE_VERSION = 1
_WHOLE = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


class Docks(QObject):
    """Lays the panels out in docks, by whose names Qt keeps their places; `title_bar` makes their title bars."""

    def __init__(
        self, window: QMainWindow, panels: Mapping[str, QWidget], title_bar: Callable[[QDockWidget], QWidget]
    ) -> None:
        super().__init__(window)
        self._window = window
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.by_name: dict[str, QDockWidget] = {}
        for name, panel in panels.items():
            dock = QDockWidget(name.capitalize(), window)
            dock.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # for the action bar to take back
            dock.setObjectName(name)
            dock.setWidget(panel)
            self.by_name[name] = dock
        self.arrange()
        for dock in self.by_name.values():
            dock.setTitleBarWidget(title_bar(dock))
        self._meters = self.by_name["meters"]
        self._meters_size = self._meters.size()
        self._settled_size = QSize()
        self._opens_maximised = False
        self._meters.installEventFilter(self)

    def arrange(self) -> None:
        """Put all docks where they are at first."""
        right, window, docks = Qt.DockWidgetArea.RightDockWidgetArea, self._window, self.by_name
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        QApplication.sendPostedEvents(window, QEvent.Type.LayoutRequest)  # or their old tabs would stay
        window.addDockWidget(right, docks["ranges"])
        window.tabifyDockWidget(docks["ranges"], docks["reasoning"])
        window.tabifyDockWidget(docks["reasoning"], docks["log"])
        window.addDockWidget(right, docks["meters"], Qt.Orientation.Vertical)
        for dock in docks.values():
            dock.show()
        docks["ranges"].raise_()
        pair = [docks["ranges"], docks["meters"]]
        width, meters = round(_SHARE * window.width()), round(_METERS_SHARE * window.height())
        window.resizeDocks(pair, [width, width], Qt.Orientation.Horizontal)
        window.resizeDocks(pair, [window.height() - meters, meters], Qt.Orientation.Vertical)

    def restore(self, chosen: Settings) -> None:
        """Put window and docks where they were at last."""
        window = self._window
        if not (chosen.window_geometry and window.restoreGeometry(QByteArray(chosen.window_geometry))):
            window.resize(window.sizeHint())
        self._opens_maximised = bool(window.windowState() & _WHOLE)
        if not (chosen.window_state and window.restoreState(QByteArray(chosen.window_state), _STATE_VERSION)):
            self.arrange()

    def record(self) -> dict[str, object]:
        """Return the settings for `restore`."""
        state = self._window.saveState(_STATE_VERSION).data()
        return {"window_geometry": self._window.saveGeometry().data(), "window_state": state}

    def bring_up(self, name: str, *, with_focus: bool = False) -> None:
        """Show a dock before all others."""
        dock = self.by_name[name]
        dock.show()
        dock.raise_()
        if with_focus:
            dock.widget().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keep_shares(self) -> None:
        """Keep the docks' share of a window that was resized, which Qt would give to the table alone.

        The meters stand for their column: of the docks above them all but one are hidden behind its tab.
        """
        window, meters = self._window, self._meters
        before, self._settled_size = self._settled_size, window.size()
        if self._opens_maximised and not before.isEmpty():
            # It opens at its usual size and grows then, to that for which the docks have been remembered.
            self._opens_maximised = False
            return
        if not before.isEmpty() and meters.isVisible() and not meters.isFloating():
            width = round(self._meters_size.width() * window.width() / before.width())
            height = round(self._meters_size.height() * window.height() / before.height())
            window.resizeDocks([meters], [width], Qt.Orientation.Horizontal)
            window.resizeDocks([meters], [height], Qt.Orientation.Vertical)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember the share of the window that the player leaves to the docks."""
        if event.type() == QEvent.Type.Resize and self._window.size() == self._settled_size:
            self._meters_size = self._meters.size()
        return super().eventFilter(watched, event)
