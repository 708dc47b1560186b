"""A step from one value to another, for the undo stack of a model."""

from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar
from weakref import finalize, ref

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Applies(Protocol[T_contra]):
    """What has an undo stack: it takes the value that a step leads to."""

    def apply(self, value: T_contra, /) -> None:
        """Put a value in force."""


def undo_stack_of(model: QObject) -> QUndoStack:
    """Return a new stack for the steps of a model, which ends with the model."""
    stack = QUndoStack(model)
    # Python, collecting a cycle with the model, may delete a step before its stack, which then deletes it again.
    finalize(model, stack.clear).atexit = False
    return stack


class Change(QUndoCommand, Generic[T]):
    """A step of a model from one value to another; steps in a row with the same key, not None, become one."""

    def __init__(self, model: Applies[T], text: str, before: T, after: T, key: Hashable = None) -> None:
        super().__init__(text)
        self._model = ref(model)  # what clears the stack once the model has gone must not keep the model
        self._key = key
        self.before, self.after = before, after

    def id(self) -> int:
        return -1 if self._key is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Change) or other._key != self._key:
            return False
        self.after = other.after
        return True

    def redo(self) -> None:
        self._apply(self.after)

    def undo(self) -> None:
        self._apply(self.before)

    def _apply(self, value: T) -> None:
        model = self._model()
        assert model is not None, "the stack goes with its model"
        model.apply(value)
