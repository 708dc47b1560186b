"""Named ranges in one plain text file that anybody may edit: `name = range`, a line each, in groups.

======================  =================================================================================
`UTG open = 77+,AQ+`    a name and its range, in the notation of `engine.ranges`; the last `=` divides
`QQ+,AK`                a range without a name is named by its own text, of a long one by how it begins
`[Cash games]`          the group of all lines that follow; `[]` is none
`# open by position`    a remark; kept where it stands
======================  =================================================================================

The file is UTF-8. Whatever cannot be read is reported with the number of its line and stays in the file untouched.
Every change reads the file again, alters the lines it must, and puts the new file in the old one's place at once,
so neither a crash nor a second window loses anything. Percentages are of the order against one random hand.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.atomic_file import make_private_folder, write_whole
from engine.foreign_text import shortened
from engine.ranges import Range, RangeTextError, format_range, parse_range

BUILT_IN: Final = "Built in"
LARGEST_FILE: Final = 4_000_000
"""Bytes; a larger file is no list of ranges."""

MOST_LINES: Final = 10_000
"""Lines with ranges that are read; a range takes 5 kB."""

LONGEST_NAME: Final = 100
"""Characters of the name of a range or a group."""

PLAIN_RANGES: Final = (
    ("Pairs", "22+"),
    ("Broadway", "TT+,AT+,KT+,QT+,JT"),
    ("Broadway suited", "ATs+,KTs+,QTs+,JTs"),
    ("Suited connectors", "AKs-32s"),
    ("Suited one-gappers", "AQs-42s"),
    ("Suited aces", "A2s+"),
    ("Suited kings", "K2s+"),
    ("Offsuit aces", "A2o+"),
    ("All suited", "A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s"),
)
"""Ranges that a few words define, by name; no charts."""

_TOP_PERCENT = (5, 10, 15, 20, 30, 50)
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_UNDECODED = re.compile("[\ud800-\udfff]")
_LONGEST_OWN_NAME = 60  # of ranges that are named by their own text


class RangeLibraryError(ValueError):
    """What cannot be done with the library, in one sentence."""


@dataclass(frozen=True, slots=True)
class NamedRange:
    """A range of the library, unique by group and name; `text` is the range as the file has it."""

    group: str
    name: str
    hands: Range
    text: str
    is_built_in: bool = False


class Contents(NamedTuple):
    """What a text holds: its ranges, the index of each one's line, and a sentence for each unreadable line."""

    entries: tuple[NamedRange, ...]
    lines: tuple[int, ...]
    problems: tuple[str, ...]


class Imported(NamedTuple):
    """What became of a file's ranges; `problems` has a sentence for each line that cannot be read."""

    added: tuple[NamedRange, ...]
    already_there: int
    problems: tuple[str, ...]


def read_ranges(text: str) -> Contents:
    r"""Read named ranges; nothing in the text is an error, what cannot be read is reported.

    Parameters
    ----------
    text : str
        As in the module's docstring; undecodable bytes as lone surrogates.

    Examples
    --------
    >>> contents = read_ranges("[Cash]\nOpen = 22+\nBad = 1x")
    >>> contents.entries[0].name, contents.entries[0].hands.combo_count
    ('Open', 78.0)
    >>> contents.problems
    ("Line 3: '1x' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%.",)
    """
    entries: list[NamedRange] = []
    lines: list[int] = []
    problems: list[str] = []
    seen: set[tuple[str, str]] = set()
    own_names: Counter[tuple[str, str]] = Counter()
    group = ""
    for number, line in enumerate(text.split("\n")):
        words = line.removeprefix("\ufeff").strip()
        if not words or words.startswith("#"):
            continue
        if len(entries) + len(problems) == MOST_LINES:
            problems.append(f"Line {number + 1}: Only {MOST_LINES:,} lines are read.")
            break
        header = _GROUP.fullmatch(words)
        try:
            if _UNDECODED.search(words):
                raise RangeLibraryError("This line is not in UTF-8.")
            if header is not None:
                group = _checked_group(header[1])
                continue
            entry = _read_line(words, group, own_names)
            if (group, entry.name) in seen:
                raise RangeLibraryError(f"There is a range '{shortened(entry.name)}' in this group already.")
        except (RangeTextError, RangeLibraryError) as error:
            problems.append(f"Line {number + 1}: {error}")
            continue
        seen.add((group, entry.name))
        entries.append(entry)
        lines.append(number)
    return Contents(tuple(entries), tuple(lines), tuple(problems))


def _read_line(words: str, group: str, own_names: "Counter[tuple[str, str]]") -> NamedRange:
    """Read a range; `own_names` counts those named by how their text begins, since many begin alike."""
    name, is_named, text = words.rpartition("=")
    hands = _range_of(text.strip())
    if not is_named:
        name = shortened(text, _LONGEST_OWN_NAME)
        if name != text:
            own_names[group, name] += 1
            count = own_names[group, name]
            name += f" ({count})" if count > 1 else ""
    return NamedRange(group, _checked_name(name), hands, text.strip())


@lru_cache(maxsize=4096)
def _range_of(text: str) -> Range:
    """Read a range; a file is read again at every change, and most lines are as before."""
    return parse_range(text)


def _checked_name(name: str) -> str:
    """Return a name with single spaces, or a sentence why it cannot be one."""
    words = " ".join(name.split())
    if not words:
        raise RangeLibraryError("A range needs a name.")
    if not words.isprintable():
        raise RangeLibraryError("A name has characters that cannot be shown.")
    if len(words) > LONGEST_NAME:
        raise RangeLibraryError(f"A name has {LONGEST_NAME} characters at most, and '{shortened(words)}' has more.")
    if words.startswith("#"):
        raise RangeLibraryError(f"The name '{shortened(words)}' begins with #, as remarks do.")
    return words


def _checked_group(group: str) -> str:
    words = " ".join(group.split())
    if not words.isprintable():
        raise RangeLibraryError("A group's name has characters that cannot be shown.")
    if len(words) > LONGEST_NAME:
        raise RangeLibraryError(f"A name has {LONGEST_NAME} characters at most, and '{shortened(words)}' has more.")
    if "[" in words or "]" in words:
        raise RangeLibraryError(f"The group '{shortened(words)}' has a bracket in its name.")
    return words


def write_ranges(entries: Iterable[NamedRange]) -> str:
    """Write ranges so that `read_ranges` gives the same names, groups and weights.

    Examples
    --------
    >>> print(write_ranges([NamedRange("Cash", "Open", parse_range("22+"), "22+")]), end="")
    [Cash]
    Open = 22+
    """
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(_line(entry))
    blocks = []
    for group in sorted(groups, key=lambda name: (name != "", name.casefold(), name)):
        blocks.append("".join(f"{line}\n" for line in ([f"[{group}]"] if group else []) + groups[group]))
    return "\n".join(blocks)


def _line(entry: NamedRange) -> str:
    return f"{entry.name} = {entry.text}".rstrip()


@cache
def built_in_ranges() -> tuple[NamedRange, ...]:
    """Return the ranges that come with the app: plain definitions, no charts."""
    plain = [("Any two", "random"), *PLAIN_RANGES]
    plain += [(f"Best {percent}% against one random hand", f"{percent}%") for percent in _TOP_PERCENT]
    return tuple(NamedRange(BUILT_IN, name, parse_range(text), text, is_built_in=True) for name, text in plain)


class RangeLibrary:
    """The user's named ranges and those that come with the app.

    The file is read when first asked for and before every change, and made by the first; without a path all is in
    memory. Changes raise RangeLibraryError if the file cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._text = ""
        self._contents: Contents | None = None
        self._read_problem = ""
        self._done: list[tuple[str, str]] = []
        self._undone: list[tuple[str, str]] = []

    @property
    def entries(self) -> tuple[NamedRange, ...]:
        """The user's ranges in the order of the file, then those that come with the app."""
        return (*self._read().entries, *built_in_ranges())

    @property
    def own(self) -> tuple[NamedRange, ...]:
        """The user's ranges."""
        return self._read().entries

    @property
    def groups(self) -> tuple[str, ...]:
        """The user's groups, sorted."""
        return tuple(sorted({entry.group for entry in self.own} - {""}, key=str.casefold))

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each line that cannot be read, or one about the file."""
        contents = self._read()
        return (self._read_problem,) if self._read_problem else contents.problems

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a change that was taken back can be made again."""
        return bool(self._undone)

    def find(self, group: str, name: str) -> NamedRange | None:
        """Return the user's range of this name, if there is one."""
        wanted = " ".join(group.split()), " ".join(name.split())
        return next((entry for entry in self.own if (entry.group, entry.name) == wanted), None)

    def reload(self) -> None:
        """Read the file again, which another window or the user may have changed."""
        self._contents = None

    def save(self, group: str, name: str, hands: Range) -> NamedRange:
        """Keep a range, replacing the one of this name in this group; RangeLibraryError for a bad name or group."""
        entry = NamedRange(_checked_group(group), _checked_name(name), hands, format_range(hands))
        self._check_group_is_own(entry.group)
        self._change(lambda lines, contents: _with_entries(lines, contents, (entry,)))
        return entry

    def rename(self, entry: NamedRange, group: str, name: str) -> NamedRange:
        """Change a range's name or group; RangeLibraryError if it is built in or gone, or the name is taken."""
        renamed = NamedRange(_checked_group(group), _checked_name(name), entry.hands, entry.text)
        self._check_group_is_own(renamed.group)

        def change(lines: list[str], contents: Contents) -> list[str]:
            number = _line_of(entry, contents)
            if (renamed.group, renamed.name) == (entry.group, entry.name):
                return lines
            if any((other.group, other.name) == (renamed.group, renamed.name) for other in contents.entries):
                raise RangeLibraryError(f"There is a range '{shortened(renamed.name)}' in this group already.")
            if renamed.group == entry.group:
                return [*lines[:number], _line(renamed), *lines[number + 1 :]]
            rest = [*lines[:number], *lines[number + 1 :]]
            return _with_entries(rest, read_ranges("\n".join(rest)), (renamed,))

        self._change(change)
        return renamed

    def delete(self, entry: NamedRange) -> None:
        """Delete a range, until `undo`; RangeLibraryError if it is built in or gone."""

        def change(lines: list[str], contents: Contents) -> list[str]:
            number = _line_of(entry, contents)
            return [*lines[:number], *lines[number + 1 :]]

        self._change(change)

    def import_file(self, path: Path) -> Imported:
        """Add the ranges of a file, of this format or one plain range a line; a taken name gets a number behind it.

        Raises RangeLibraryError if the file cannot be read or is too large.
        """
        try:
            found = read_ranges(_text_of(path))
        except FileNotFoundError as error:
            raise RangeLibraryError(f"'{shortened(path.name)}' cannot be read: {error.strerror}.") from error
        self.reload()
        own = {(entry.group, entry.name): entry.hands for entry in self.own}
        added = []
        for entry in found.entries:
            # What was exported from another group of this name belongs to the user from now on.
            group = "" if entry.group == BUILT_IN else entry.group
            name, number = entry.name, 1
            while own.get((group, name), entry.hands) != entry.hands:
                number += 1
                name = f"{entry.name[: LONGEST_NAME - 10]} ({number})"
            if (group, name) not in own:
                own[group, name] = entry.hands
                added.append(NamedRange(group, name, entry.hands, entry.text))
        if added:
            self._change(lambda lines, contents: _with_entries(lines, contents, added))
        return Imported(tuple(added), len(found.entries) - len(added), found.problems)

    def export_file(self, path: Path) -> int:
        """Write the user's ranges to a file of this format and return their number; may raise RangeLibraryError."""
        _write(path, write_ranges(self.own))
        return len(self.own)

    def undo(self) -> None:
        """Undo the last change; RangeLibraryError if there is none or the file was changed elsewhere since."""
        self._step(self._done, self._undone)

    def redo(self) -> None:
        """Make the change again that was taken back last; raises what `undo` raises."""
        self._step(self._undone, self._done)

    def _step(self, source: list[tuple[str, str]], target: list[tuple[str, str]]) -> None:
        if not source:
            raise RangeLibraryError("There is no change to go back to.")
        to, now = source[-1]
        self.reload()
        self._read()
        if self._text != now or self._read_problem:
            self._done.clear()
            self._undone.clear()
            raise RangeLibraryError("The library was changed elsewhere since, so this step cannot be taken back.")
        self._put(to)
        source.pop()
        target.append((now, to))

    def _check_group_is_own(self, group: str) -> None:
        if group == BUILT_IN:
            raise RangeLibraryError(f"The group '{BUILT_IN}' belongs to the app; choose another.")

    def _read(self) -> Contents:
        if self._contents is None:
            self._read_problem = ""
            if self.path is not None:
                try:
                    self._text = _text_of(self.path)
                except FileNotFoundError:
                    self._text = ""
                except RangeLibraryError as error:
                    self._text = ""
                    self._read_problem = str(error)
            self._contents = read_ranges(self._text)
        return self._contents

    def _change(self, change: Callable[[list[str], Contents], list[str]]) -> None:
        self.reload()
        contents = self._read()
        if self._read_problem:
            raise RangeLibraryError(self._read_problem)  # writing would put an end to what is there
        before = self._text
        after = "\n".join(change(before.split("\n"), contents))
        if after != before:
            self._put(after)
            self._done.append((before, after))
            self._undone.clear()

    def _put(self, text: str) -> None:
        if self.path is not None:
            _write(self.path, text)
        self._text = text
        self._contents = read_ranges(text)


def _line_of(entry: NamedRange, contents: Contents) -> int:
    if entry.is_built_in:
        raise RangeLibraryError(f"'{shortened(entry.name)}' comes with the app and stays as it is.")
    for other, number in zip(contents.entries, contents.lines, strict=True):
        if (other.group, other.name) == (entry.group, entry.name):
            return number
    raise RangeLibraryError(f"There is no range '{shortened(entry.name)}' any more.")


def _with_entries(lines: Sequence[str], contents: Contents, entries: Iterable[NamedRange]) -> list[str]:
    """Put ranges in the place of those with their names, others at the end of their groups."""
    places = {
        (entry.group, entry.name): number for entry, number in zip(contents.entries, contents.lines, strict=True)
    }
    changed = list(lines)
    new: dict[str, list[str]] = {}
    for entry in entries:
        line = _line(entry)
        if (entry.group, entry.name) in places:
            changed[places[entry.group, entry.name]] = line
        else:
            new.setdefault(entry.group, []).append(line)
    return _with_groups(changed, new)


def _with_groups(lines: Sequence[str], new: dict[str, list[str]]) -> list[str]:
    """Put lines at the end of the last part of their groups, those of new groups at the end."""
    ends, current = {"": 0}, ""
    for number, line in enumerate(lines):
        words = line.removeprefix("\ufeff").strip()
        header = _GROUP.fullmatch(words)
        if header is not None:
            try:
                current = _checked_group(header[1])
            except RangeLibraryError:
                continue  # a damaged header opens no group
        if words:
            ends[current] = number + 1
    changed = list(lines)
    for group in sorted(new.keys() & ends.keys(), key=ends.__getitem__, reverse=True):
        end = ends[group]
        changed[end:end] = new[group] if end < len(lines) else [*new[group], ""]
    for group, added in new.items():
        if group not in ends:
            while changed and not changed[-1].strip():
                changed.pop()
            changed += [*([""] if changed else []), f"[{group}]", *added, ""]
    return changed


def _text_of(path: Path) -> str:
    """Read a file of ranges; one that is not there is a `FileNotFoundError`, all else a `RangeLibraryError`."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        what = (isinstance(error, OSError) and error.strerror) or str(error)
        raise RangeLibraryError(f"'{shortened(path.name)}' cannot be read: {what}.") from error
    if len(data) > LARGEST_FILE:
        raise RangeLibraryError(f"'{shortened(path.name)}' is too large for a list of ranges.")
    return data.decode(errors="surrogateescape")


def _write(path: Path, text: str) -> None:
    try:
        make_private_folder(path.parent)
        write_whole(path, text.encode(errors="surrogateescape"), is_private=True)
    except OSError as error:
        raise RangeLibraryError(
            f"'{shortened(path.name)}' cannot be written: {error.strerror or error}."
        ) from error
