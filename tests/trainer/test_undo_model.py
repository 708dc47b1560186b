"""The undo stack of a model ends with the model, whatever Python collects first."""

import subprocess
import sys

# In a process of its own: what fails here is a segmentation fault. The step is made before its model, so that a
# collection meets it first.
_COLLECTED = """
import gc
from PySide6.QtCore import QCoreApplication, QObject
from trainer.undo_model import Change, undo_stack_of

class Model(QObject):
    def __init__(self):
        super().__init__()
        self.undo_stack = undo_stack_of(self)
        self.itself = self
        self.applied = []
    def apply(self, value):
        self.applied.append(value)

app = QCoreApplication([])
gc.disable()
for _ in range(50):
    step = Change.__new__(Change)
    model = Model()
    step.__init__(model, "step", 0, 1)
    model.undo_stack.push(step)
    assert model.applied == [1]
    del step, model
    gc.collect()
left = sum(isinstance(kept, Model | Change) for kept in gc.get_objects())
print("left", left)
"""


def test_steps_in_a_cycle_with_their_model_are_collected() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _COLLECTED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "left 0"), done.stderr
