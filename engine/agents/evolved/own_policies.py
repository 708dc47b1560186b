"""Policies of somebody's own: the files of `soulread evolve all --out DIR`, and the names of who plays them.

`a*:DIR`, `a-int:DIR` and `a-ave:DIR` are all policies of a folder together, as of `engine.agents.evolved.ensemble`;
the path of a policy's file is that policy alone.
"""

from pathlib import Path
from typing import Final

from engine.agents.evolved.ensemble import Ensemble, MixingRule
from engine.agents.evolved.library import LIBRARY_ENDING, read_library
from engine.agents.evolved.policy import POLICY_ENDING, PolicyFileError, read_policy
from engine.agents.rule_based.pool import POOL

BASE: Final = "base"
"""What the policy against all styles is called."""

LIBRARY_FILE: Final = f"styles{LIBRARY_ENDING}"

RULES: Final = {"a*": MixingRule.SAFE, "a-int": MixingRule.MIXED, "a-ave": MixingRule.AVERAGE}
"""How policies decide together, by the name of who plays so."""

_FOLDER_SIGN = ":"


def exploiter_name(style: str) -> str:
    """Return what the policy against a style is called.

    >>> exploiter_name("o3")
    'exploiter-o3'
    """
    return f"exploiter-{style}"


_NAMES: Final = (*map(exploiter_name, POOL), BASE)


def ensemble_of(style: str) -> tuple[str, Path] | None:
    """Return who plays all policies of a folder, and the folder; None of another style.

    >>> name, folder = ensemble_of("A*:evolved")
    >>> name, str(folder)
    ('a*', 'evolved')
    >>> ensemble_of("a*"), ensemble_of("fold:uniform"), ensemble_of("evolved/base.policy")
    (None, None, None)
    """
    name, _, folder = style.partition(_FOLDER_SIGN)
    return (name.lower(), Path(folder)) if folder and name.lower() in RULES else None


def read_ensemble(folder: Path, rule: MixingRule) -> Ensemble:
    """Read all policies of a folder and its library, which decide together.

    Raises
    ------
    PolicyFileError, LibraryFileError
        If a file is missing or none of that kind, or they do not fit.
    """
    policies = {name: read_policy(folder / f"{name}{POLICY_ENDING}") for name in _NAMES}
    library = read_library(folder / LIBRARY_FILE)
    exploiters = {style: policies[exploiter_name(style)] for style in POOL}
    try:
        return Ensemble(exploiters, policies[BASE], library, rule)
    except PolicyFileError as error:
        raise PolicyFileError(f"The policies of {folder} cannot play together: {error}") from error


def files_of(style: str) -> tuple[Path, ...]:
    """Return the files that a style is made of; of one that has none, nothing."""
    if (found := ensemble_of(style)) is not None:
        return (*(found[1] / f"{name}{POLICY_ENDING}" for name in _NAMES), found[1] / LIBRARY_FILE)
    return (Path(style),) if style.endswith(POLICY_ENDING) else ()


def styles_in(folder: Path) -> tuple[str, ...]:
    """Return the styles that a folder has all files of, by their names and not by what is in them."""
    together = [f"{name}{_FOLDER_SIGN}{folder}" for name in RULES]
    alone = [str(folder / f"{name}{POLICY_ENDING}") for name in (BASE, *map(exploiter_name, POOL))]
    return tuple(style for style in (*together, *alone) if all(file.is_file() for file in files_of(style)))


def title_of(style: str) -> str:
    """Write for people who plays policies of somebody's own, with the name of their folder.

    >>> title_of("a*:/home/ann/evolved"), title_of("evolved/exploiter-o3.policy"), title_of("mine.policy")
    ('A* (evolved)', 'A-tar O3 (evolved)', 'mine')
    """
    if (found := ensemble_of(style)) is not None:
        name, folder = found[0].capitalize(), found[1]
    else:
        stem, folder = Path(style).stem, Path(style).parent
        of_style = {exploiter_name(one): f"A-tar {one.upper()}" for one in POOL}
        name = of_style.get(stem, "A-base" if stem == BASE else stem)
    return f"{name} ({folder.name})" if folder.name else name
