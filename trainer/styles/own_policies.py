"""The policies that the player has evolved and seats: copies, so that evolving on changes no session."""

from pathlib import Path
from shutil import rmtree
from typing import Final

from engine.agents.evolved.own_policies import files_of, styles_in
from engine.agents.style_file import StyleFileError
from engine.atomic_file import folders_from, make_private_folder, write_whole

POLICIES_FOLDER: Final = "policies"
EVOLVED_FOLDER: Final = "evolved"
"""Beside the settings; the second one is where the lab evolves, if no other folder is chosen."""

_MOST_FOLDERS: Final = 50


class OwnPoliciesError(ValueError):
    """Why policies cannot be added, in one sentence."""


class OwnPolicies:
    """A folder of folders, one for each that was added; it is read again for each question."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def offered(self) -> tuple[str, ...]:
        """Return the styles that can be seated, by the files that there are."""
        try:
            folders = sorted(path for path in self.folder.iterdir() if path.is_dir())
        except OSError:  # there are none yet, or none that can be read
            return ()
        return tuple(style for folder in folders[:_MOST_FOLDERS] for style in styles_in(folder))

    def add(self, folder: Path) -> tuple[str, ...]:
        """Copy the policies of a folder, unless that was done, and return their styles; for a lane.

        Raises
        ------
        OwnPoliciesError
            If there are none, some are damaged or do not fit, or they cannot be copied; nothing is added then.
        """
        from engine.agents.styles import make_agent

        styles = styles_in(folder)
        if not styles:
            raise OwnPoliciesError(
                f"There is no policy in {folder}: choose a folder of soulread evolve or the Lab."
            )
        try:
            for style in styles:
                make_agent(style)
            files = {file.name: file.read_bytes() for style in styles for file in files_of(style)}
            place = next(
                place
                for place in folders_from(self.folder / folder.resolve().name)
                if not place.exists() or _has(place, files)
            )
            if not place.exists():
                self._write(place, files)
        except StyleFileError as error:
            raise OwnPoliciesError(str(error)) from error
        except OSError as error:
            raise OwnPoliciesError(
                f"The policies of {folder} cannot be copied: {error.strerror or error}."
            ) from error
        return styles_in(place)

    def _write(self, place: Path, files: dict[str, bytes]) -> None:
        """Write a folder of files, or nothing."""
        make_private_folder(place)
        try:
            for name, data in files.items():
                write_whole(place / name, data)
        except OSError:
            rmtree(place, ignore_errors=True)
            raise


def _has(place: Path, files: dict[str, bytes]) -> bool:
    """Tell whether a folder has just these files."""
    found = {path.name: path for path in place.iterdir()}
    return found.keys() == files.keys() and all(path.read_bytes() == files[name] for name, path in found.items())
