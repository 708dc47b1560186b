"""A policy as it is stored: the settings of its network, and all weights in one vector.

A file, `NAME.policy`, is a NumPy archive of three arrays: `version`, `settings` (JSON, as bytes) and `weights`. The
order of the weights is that of `engine.kernels.evolved.network`.
"""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.style_file import StyleFileError
from engine.codec import ARCHIVE_ERRORS, StoredDataError, decode, encode

if TYPE_CHECKING:
    from engine.kernels.evolved.hands import Policy

POLICY_ENDING = ".policy"
"""Of the name of a policy's file."""

VERSION = 1
"""Counts up whenever the same weights would play otherwise."""

MOST_WEIGHTS = 10_000_000
_MOST_BYTES = 4 * MOST_WEIGHTS + 100_000
_LONGEST_TEXT = 10_000
_MOST_STEPS, _MOST_LAYERS, _MOST_WIDTH, _MOST_HEAD, _MOST_SCALE = 20, 8, 1000, 4, 100.0

_ARRAYS = ("version", "settings", "weights")


class PolicyFileError(StyleFileError):
    """A policy that cannot be used; the message names the file, the value and the rule in one sentence."""


class NetworkSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a policy's network; the paper's has 5 layers, widths of 200 and 300, and a head of 300 and 300.

    Attributes
    ----------
    steps : int
        How many decisions of the hand, the last ones, both stacks see, 1 to 20.
    layers : int
        LSTM layers in each stack, 1 to 8.
    opponent_width, game_width : int
        Cells of each layer of the two stacks, 1 to 1000.
    head : tuple of int
        Widths of the hidden layers behind them, up to four of 1 to 1000.
    feature_scale, logit_scale : float
        What a feature's distance from 1/2 is multiplied with before the network, and logits after it; above 0, at
        most 100.
    """

    steps: int = 5
    layers: int = 1
    opponent_width: int = 16
    game_width: int = 24
    head: tuple[int, ...] = (32, 32)
    feature_scale: float = 3.0
    logit_scale: float = 4.0

    def verify(self) -> None:
        """Raise `PolicyFileError` if a number is out of its bounds or there are too many weights."""
        bounds = {"steps": _MOST_STEPS, "layers": _MOST_LAYERS, "opponent_width": _MOST_WIDTH}
        bounds["game_width"] = _MOST_WIDTH
        for name, most in bounds.items():
            if not 1 <= getattr(self, name) <= most:
                raise PolicyFileError(f"{name} of a network is 1 to {most}, not {getattr(self, name)}.")
        if len(self.head) > _MOST_HEAD or not all(1 <= width <= _MOST_WIDTH for width in self.head):
            raise PolicyFileError(f"head of a network is up to {_MOST_HEAD} widths of 1 to {_MOST_WIDTH}.")
        for name in ("feature_scale", "logit_scale"):
            if not 0 < getattr(self, name) <= _MOST_SCALE:
                raise PolicyFileError(f"{name} of a network is above 0 and at most {_MOST_SCALE:g}.")
        if self.weights > MOST_WEIGHTS:
            raise PolicyFileError(f"A network has at most {MOST_WEIGHTS:,} weights, not {self.weights:,}.")

    @property
    def shape(self) -> NDArray[np.int64]:
        """The same numbers as the kernels take them."""
        return np.array([self.steps, self.layers, self.opponent_width, self.game_width, *self.head], np.int64)

    @property
    def weights(self) -> int:
        """How many weights such a network has.

        >>> NetworkSettings().weights
        7018
        >>> NetworkSettings(layers=5, opponent_width=200, game_width=300, head=(300, 300)).weights
        4944010
        """
        from engine.kernels.evolved.network import weight_count

        return weight_count(self.shape)


class StoredPolicy(Struct, frozen=True):
    """A policy: settings, float32 weights of shape (`settings.weights`,), and where it is from, in words."""

    settings: NetworkSettings
    weights: NDArray[np.float32]
    origin: str = ""

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles that an opponent is compared with: none."""
        return ()

    def compiled(self) -> "Policy":
        """Return the policy as the kernels take it."""
        from engine.kernels.evolved.hands import Policy
        from engine.kernels.evolved.likeness import alone

        settings = self.settings
        scale = np.float32(settings.feature_scale)
        return Policy(self.weights[None], settings.shape, scale, settings.logit_scale, alone())


class _Settings(Struct, frozen=True, forbid_unknown_fields=True):
    network: NetworkSettings
    origin: str


def policy_bytes(policy: StoredPolicy) -> bytes:
    """Return what a policy's file holds; the same policy gives the same bytes."""
    settings = np.frombuffer(encode(_Settings(policy.settings, policy.origin)), np.uint8)
    archive = BytesIO()
    np.savez(archive, version=np.int64(VERSION), settings=settings, weights=policy.weights.astype("<f4"))
    return archive.getvalue()


def read_policy(path: str | Path) -> StoredPolicy:
    """Read a policy's file.

    Raises
    ------
    PolicyFileError
        If it cannot be read, is no policy, or one of another version.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise PolicyFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    return parse_policy(data, str(path))


def parse_policy(data: bytes, name: str) -> StoredPolicy:
    """Return the policy that bytes hold; errors, as of `read_policy`, call it by the name."""
    if len(data) > _MOST_BYTES:
        raise PolicyFileError(f"{name} is larger than any policy, which has at most {MOST_WEIGHTS:,} weights.")
    try:
        with ZipFile(BytesIO(data)) as archive:
            # A few bytes can unpack to any number of them.
            if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                raise PolicyFileError(f"{name} is no policy: it unpacks to more than {_MOST_BYTES:,} bytes.")
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            version, settings, weights = (arrays[array] for array in _ARRAYS)
    except PolicyFileError:
        raise
    except (OSError, *ARCHIVE_ERRORS) as error:
        raise PolicyFileError(f"{name} is no policy: it lacks what a policy's file has, or is damaged.") from error
    if version.shape or version.dtype.kind not in "iu" or int(version) != VERSION:
        raise PolicyFileError(
            f"{name} is a policy of another version of Soulread; this one reads version {VERSION}."
        )
    if settings.dtype != np.uint8 or settings.size > _LONGEST_TEXT:
        raise PolicyFileError(f"{name} is no policy: its settings are no text.")
    try:
        read = decode(settings.tobytes(), _Settings)
        read.network.verify()
    except (StoredDataError, PolicyFileError) as error:
        raise PolicyFileError(f"{name} is no policy: {error}") from error
    if weights.dtype != np.float32 or weights.shape != (read.network.weights,):
        raise PolicyFileError(f"{name} is no policy: its network has {read.network.weights:,} weights, not these.")
    if not np.isfinite(weights).all():
        raise PolicyFileError(f"{name} is no policy: some of its weights are no finite numbers.")
    return StoredPolicy(read.network, np.ascontiguousarray(weights, np.float32), read.origin)
