"""`soulread verify`: checks a session's proof of fair deals, from a file or from the stored hands."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.codec import StoredDataError, decode
from engine.commands import BAD_INPUT, FAILED, InputError, Parser, tell, write
from engine.fair_deals import CheckedProof, SessionProof, check_proof
from engine.foreign_text import shortened
from trainer.history.fair_deals_model import found_words
from trainer.stored_command import add_data_argument, stored_hands

_LARGEST_FILE = 200_000_000


def main(arguments: Sequence[str], settings: Path, database: Path) -> int:
    """Check a proof and return the exit code: 0 if it is right, 1 if not, 2 if there is nothing to be checked.

    Arguments are those of `trainer.backup.backup`.
    """
    try:
        options = _parser().parse_args(arguments)
        if _is_file(options.session):
            proof = _from_file(options.session)
        else:
            proof = _stored(options.session, options.data, settings, database)
        checked = check_proof(proof)
        if options.noted:
            checked = _with_noted(checked, proof, options.noted.strip().lower())
        write(_json(proof, checked) if options.json else _text(proof, checked))
    except InputError as error:
        tell(str(error))
        return BAD_INPUT
    return FAILED if checked.problems else 0


def _parser() -> Parser:
    parser = Parser(
        prog="soulread verify",
        description="Check that every hand of a session was dealt from the deck that was committed to before it, "
        "and every deck shuffled from the table's seed and your salt. The exit code is 1 if something is wrong.",
    )
    parser.add_argument(
        "session",
        nargs="?",
        default="",
        metavar="SESSION",
        help="the file of a proof (Game > Fair deals > Save the proof), or the number of a stored session; "
        "default: the newest that is stored",
    )
    add_data_argument(parser)
    parser.add_argument("--noted", metavar="HEX", help="a commitment you wrote down: it must be one of the proof's")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _is_file(name: str) -> bool:
    return bool(name) and not (name.isascii() and name.isdigit())


def _from_file(name: str) -> SessionProof:
    try:
        with Path(name).open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise InputError(f"{shortened(name)} cannot be read: {why}.") from error
    if len(data) > _LARGEST_FILE:
        raise InputError(f"{shortened(name)} is too large for a proof.")
    try:
        return decode(data, SessionProof)
    except StoredDataError as error:
        raise InputError(f"{shortened(name)} is no proof of fair deals, or a damaged one.") from error


def _stored(number: str, data: Path | None, settings: Path, database: Path) -> SessionProof:
    """Read the proof of a stored session, by default the newest with hands."""
    from trainer.storage.stored import StoreError  # whose folder needs a part of Qt, as a proof in a file does not

    hint = "Its window saves a proof that can be checked (Game > Fair deals)."
    try:
        with stored_hands(data, settings, database, "The stored hands cannot be read.", hint) as store:
            own = [one.session_id for one in store.sessions() if one.hands and one.venue is None]
            if not own:
                raise InputError("No session with hands is stored.")
            return store.proof(int(number[:18]) if number else own[0])
    except (StoreError, StoredDataError) as error:
        raise InputError(str(error)) from error


def _with_noted(checked: CheckedProof, proof: SessionProof, noted: str) -> CheckedProof:
    if noted in {proof.commitment, *(hand.commitment for hand in proof.hands)} - {""}:
        return checked
    problem = "The commitment that you noted is none of this proof."
    return msgspec.structs.replace(checked, problems=(problem, *checked.problems))


def _text(proof: SessionProof, checked: CheckedProof) -> str:
    return "\n".join(
        (
            f"Session of {shortened(proof.started)}",
            f"Table {shortened(proof.commitment, 64)}",
            *(shortened(sentence, 200) for sentence in found_words(checked)),
        )
    )


def _json(proof: SessionProof, checked: CheckedProof) -> str:
    found = {"started": proof.started, "commitment": proof.commitment, **msgspec.structs.asdict(checked)}
    return msgspec.json.encode({"is_right": not checked.problems, **found}).decode()
