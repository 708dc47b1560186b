"""Lists and numbers of things as a sentence has them."""

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """Write one word or more one after the other.

    >>> listed(["fold", "call", "raise"])
    'fold, call and raise'
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def counted(count: int, one: str, many: str = "") -> str:
    """Write how many things there are; without another word for many an s is put after that for one.

    >>> counted(1, "hand"), counted(1200, "hand"), counted(0, "policy", "policies")
    ('1 hand', '1,200 hands', '0 policies')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
