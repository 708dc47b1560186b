"""The policies and the library that ship with the app; resources/evolved_policies.md says how they were made."""

from functools import cache

from engine.agents.evolved.ensemble import Ensemble, MixingRule
from engine.agents.evolved.library import StyleLibrary, parse_library
from engine.agents.evolved.own_policies import BASE, LIBRARY_FILE
from engine.agents.evolved.policy import POLICY_ENDING, StoredPolicy, parse_policy
from engine.agents.style_file import StyleFileError
from engine.resources import ResourceError, read_bytes

_FOLDER = "evolved"
_LIBRARY = f"{_FOLDER}/{LIBRARY_FILE}"


@cache
def shipped_policy(style: str) -> StoredPolicy:
    """Return the policy that exploits a style of the pool, `o1` to `o8`, or the one against all, `BASE`.

    Raises
    ------
    ResourceError
        If its file is missing or damaged.
    """
    name = f"{_FOLDER}/{style}{POLICY_ENDING}"
    try:
        return parse_policy(read_bytes(name), f"The app's file resources/{name}")
    except StyleFileError as error:
        raise ResourceError(str(error)) from error


@cache
def shipped_library() -> StyleLibrary:
    """Return the library of the pool's eight styles; a `ResourceError` if its file is missing or damaged."""
    try:
        return parse_library(read_bytes(_LIBRARY), f"The app's file resources/{_LIBRARY}")
    except StyleFileError as error:
        raise ResourceError(str(error)) from error


@cache
def shipped_ensemble(rule: MixingRule) -> Ensemble:
    """Return all shipped policies, deciding together by a rule; a `ResourceError` as of the others."""
    library = shipped_library()
    try:
        return Ensemble(
            {style: shipped_policy(style) for style in library.trees}, shipped_policy(BASE), library, rule
        )
    except StyleFileError as error:
        raise ResourceError(f"The app's policies and styles do not fit: {error}") from error
