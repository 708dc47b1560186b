"""A figure with its title, its numbers and what it says in words."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from engine.lab.experiments.picture import Picture
from trainer.lab.figure_view import FigureView
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.tabs import Tabs


class FigurePanel(QWidget):
    """A figure and its numbers in tabs, between a title and a paragraph."""

    def __init__(self, theme: ThemeSource, empty: str) -> None:
        super().__init__()
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.figure = FigureView(theme, empty)
        self.table = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.paragraph = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.tabs = Tabs(is_document=True)
        self.table.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.table.setAccessibleName("Numbers with standard errors")
        self.table.setTabChangesFocus(True)
        self.title.setAccessibleName("What is shown")
        self.paragraph.setAccessibleName("What it says")
        self.paragraph.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.tabs.setAccessibleName("Figure and numbers")
        self.tabs.addTab(self.figure, "Figure")
        self.tabs.addTab(self.table, "Numbers")
        whole = tight(QVBoxLayout(self), self.title)
        whole.addWidget(self.tabs, 1)
        whole.addWidget(self.paragraph)

    def show_figure(self, title: str, picture: Picture, table: str, paragraph: str) -> None:
        """Show a figure; the numbers stay scrolled to where they are."""
        self.title.setText(title)
        self.figure.show_picture(picture, paragraph)
        scrolled = self.table.verticalScrollBar().value()
        self.table.setPlainText(table)
        self.table.verticalScrollBar().setValue(scrolled)
        self.paragraph.setText(paragraph)

    def say(self, sentence: str) -> None:
        """Show a sentence, and nothing else."""
        self.figure.say(sentence)
        self.title.clear()
        self.table.clear()
        self.paragraph.clear()
