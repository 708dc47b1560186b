"""Chips in words: as chips or as big blinds, the same everywhere in the window."""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from engine.game.events import Chips
from engine.game.observation import HandView
from engine.hand_histories.told import SIGNS
from trainer.session.types import ChipSentence

# Groups of three digits or none: the decimal comma of "3,5" is no separator, or 3.5 would be read as 35.
_NUMBER = re.compile(r"(?:[0-9]+|[0-9]{1,3}(?:[, ][0-9]{3})+)?(?:\.[0-9]*)?")
_MOST_DIGITS = 24


class AmountTextError(ValueError):
    """Text that is no amount of chips."""


@dataclass(frozen=True, slots=True)
class Units:
    """How amounts are written and read."""

    big_blind: Chips  # chips of one big blind; at least 1
    in_big_blinds: bool = False  # write `6.5 bb` rather than `130`
    currency: str = ""  # ISO code of the money of which a chip is a hundredth: write `$1.30`

    @classmethod
    def of(cls, observation: HandView, in_big_blinds: bool) -> "Units":
        """Return how amounts of a hand are written."""
        return cls(observation.big_blind, in_big_blinds, observation.currency)

    @property
    def suffix(self) -> str:
        """What stands behind a number: ` bb`, a currency without a sign of its own, or nothing."""
        if self.in_big_blinds:
            return " bb"
        return f" {self.currency}" if self.currency and self.currency not in SIGNS else ""

    def text(self, chips: Chips) -> str:
        """Write an amount.

        In big blinds it is rounded to two decimals below ten and to one above.

        >>> Units(20).text(12345), Units(20, True).text(130), Units(20, True).text(-12345)
        ('12,345', '6.5 bb', '−617.3 bb')
        >>> Units(20, currency="USD").text(-12345), Units(20, currency="SEK").text(100)
        ('−$123.45', '1.00 SEK')
        """
        sign = "" if self.in_big_blinds else SIGNS.get(self.currency, "")
        number = self.number(chips)
        return f"−{sign}{number[1:]}{self.suffix}" if number.startswith("−") else f"{sign}{number}{self.suffix}"

    def number(self, chips: Chips) -> str:
        """Write an amount without its unit."""
        sign = "−" if chips < 0 else ""
        if not self.in_big_blinds:
            return f"{sign}{abs(chips):,}" if not self.currency else f"{sign}{Decimal(abs(chips)) / 100:,.2f}"
        blinds = Fraction(abs(chips), self.big_blind)
        digits = 2 if blinds < 10 else 1
        # Half away from zero as at school, where format() would round half to even.
        scaled = int(blinds * 10**digits + Fraction(1, 2))
        whole, rest = divmod(scaled, 10**digits)
        decimals = f".{rest:0{digits}d}".rstrip("0").rstrip(".")
        return f"{sign}{whole:,}{decimals}"

    def blinds(self, small_blind: Chips, big_blind: Chips) -> str:
        """Write two blinds, with a unit behind them once.

        >>> Units(20, True).blinds(10, 20), Units(2, currency="USD").blinds(1, 2)
        ('0.5/1 bb', '$0.01/$0.02')
        """
        return f"{self.text(small_blind).removesuffix(self.suffix)}/{self.text(big_blind)}"

    def signed(self, chips: Chips) -> str:
        """Write a gain or loss with its sign; nothing won or lost is `0`."""
        return ("+" if chips > 0 else "") + self.text(chips)

    def sentence(self, sentence: str | ChipSentence) -> str:
        """Write a sentence with the amounts in it, if any.

        >>> Units(20, True).sentence(ChipSentence("You bought {0}.", (3000,)))
        'You bought 150 bb.'
        """
        return sentence if isinstance(sentence, str) else sentence.text.format(*map(self.text, sentence.amounts))

    def parse(self, text: str) -> Chips:
        """Read an amount, in chips, as `text` writes it, or shorter; `bb` behind it means big blinds in chips, too.

        Rounded to the nearest chip, halves up. Raise AmountTextError if the text is no number at least 0.

        >>> Units(20).parse("1,250"), Units(20, True).parse("6.5 bb")
        (1250, 130)
        """
        bare = text.strip().lower()
        is_blinds = self.in_big_blinds or bare.endswith("bb")
        bare = bare.removesuffix("bb").strip()
        if len(bare) > _MOST_DIGITS or not _NUMBER.fullmatch(bare) or not re.search("[0-9]", bare):
            example = self.number(self.big_blind * 13 // 2)
            raise AmountTextError(f"'{text}' is no amount: write a number such as {example}.")
        number = Fraction(re.sub("[, ]", "", bare))
        return int(number * (self.big_blind if is_blinds else 1) + Fraction(1, 2))
