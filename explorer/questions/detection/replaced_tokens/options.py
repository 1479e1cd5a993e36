"""What can be set of a corruption: the draw, words put in by hand, how verdicts are shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    EVERY,
    Choice,
    Entry,
    Number,
    Option,
    Optioned,
    Switch,
    Whole,
)
from explorer.document import Document, Mask, is_same
from explorer.questions.detection.casting import ALONE
from explorer.questions.detection.drawing import GREEDY, RATE, TEMPERATURE, THRESHOLD
from explorer.text import N_

CORRUPTION = "replaced_tokens.corruption"

PAPER_WEIGHT = 50.0
"""Clark et al. 2020, appendix A: lambda."""


@dataclass(frozen=True)
class Replacement:
    """A word that the user puts in the place of another.

    Attributes:
        start: First character that is replaced.
        end: One past the last.
        word: What stands there instead.
        part: 0 for the text, 1 for the second text.
        piece: A piece of the vocabulary to put there as it is, for a range that is one token;
            "" cuts the word with the tokenizer.
        nth: Of the tokens that have these characters the only one that is replaced, as a mask's;
            the word is then one piece, because the characters are not that token's alone.
    """

    start: int
    end: int
    word: str
    part: int = 0
    piece: str = ""
    nth: int = EVERY

    def __post_init__(self) -> None:
        """Leave the default to the class, so that most are written as they always were."""
        if self.nth == EVERY:
            self.__dict__.pop("nth", None)

    @property
    def place(self) -> Mask:
        """What is replaced."""
        return Mask(self.start, self.end, self.part, self.nth)


@dataclass(frozen=True)
class WordReplacement:
    """A word of the user's, and what it replaces.

    Attributes:
        put: Where and what.
        was: The characters it replaces: where the text no longer has them, it is forgotten.
    """

    put: Replacement
    was: str


@dataclass(frozen=True)
class Corruption:
    """A draw and the words that stand in its place; changed together, undone together.

    Attributes:
        seed: Of the draw.
        words: The user's.
    """

    seed: int = 0
    words: tuple[WordReplacement, ...] = ()

    @staticmethod
    def of(document: Document | Optioned) -> "Corruption":
        """What a document keeps, as far as it fits its text."""
        kept = document.option(CORRUPTION, {})
        if not isinstance(kept, Mapping):
            return Corruption()
        words = (_read(one, document) for one in _listed(kept.get("words")))
        seed = kept.get("seed", 0)
        return Corruption(
            seed if isinstance(seed, int) and seed >= 0 else 0,
            tuple(word for word in words if word is not None),
        )

    def option(self) -> dict[str, Any] | None:
        """As JSON; None for nothing set."""
        if self == Corruption():
            return None
        return {
            "seed": self.seed,
            "words": [
                {
                    "start": word.put.start,
                    "end": word.put.end,
                    "part": word.put.part,
                    "word": word.put.word,
                    "piece": word.put.piece,
                    "was": word.was,
                }
                | ({} if word.put.nth == EVERY else {"nth": word.put.nth})
                for word in self.words
            ],
        }

    def with_word(self, document: Document, put: Replacement) -> "Corruption":
        """Put in a word; one that stood at the same place makes room."""
        was = document.part(put.part)[put.start : put.end]
        kept = self.without(put.place).words
        words = sorted(
            (*kept, WordReplacement(put, was)), key=lambda one: (one.put.part, one.put.place)
        )
        return replace(self, words=tuple(words))

    def without(self, place: Mask) -> "Corruption":
        """Take back what stands at a place."""
        words = tuple(word for word in self.words if not is_same(word.put.place, place))
        return replace(self, words=words)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _read(one: object, document: Any) -> WordReplacement | None:
    """A word as it was kept; None where the text has changed under it."""
    if not isinstance(one, Mapping):
        return None
    try:
        put = Replacement(
            int(one["start"]),
            int(one["end"]),
            str(one["word"]),
            int(one.get("part", 0)),
            str(one.get("piece", "")),
            int(one.get("nth", EVERY)),
        )
        was = str(one["was"])
    except (KeyError, TypeError, ValueError):
        return None
    fits = put.start < put.end and document.part(put.part)[put.start : put.end] == was
    return WordReplacement(put, was) if fits and put.word.strip() else None


@dataclass(frozen=True)
class DrawSeed(Whole):
    """The number of a draw; words of the user's stay where they were put."""

    @property
    def name(self) -> str:
        """As the command line has it."""
        return "seed"

    def held(self, document: Optioned) -> Any:
        """What the corruption holds."""
        kept = document.option(self.key, {})
        return kept.get("seed", self.default) if isinstance(kept, Mapping) else self.default

    def written(self, value: int) -> Any:
        """A corruption without words."""
        return Corruption(value).option()

    def written_in(self, document: Optioned, value: int) -> Any:
        """A corruption with the words that the document has."""
        return replace(Corruption.of(document), seed=value).option()


SEED = DrawSeed(
    N_("Seed"),
    0,
    N_("The same seed draws the same. Words that you put in yourself stay where they are."),
    low=0,
    high=999_999,
    idle=lambda document: (
        N_("The most probable token is taken, whatever the seed.")
        if GREEDY.of(document) and document.masks
        else ""
    ),
    next_said=N_("Resample"),
    next_glyph="dice-multiple-outline",
    key=CORRUPTION,
)
WHO = Choice(
    N_("Replaced by"),
    False,
    N_("Who replaces tokens: a generator, or you alone."),
    entries=(
        Entry(False, N_("Generator"), N_("A masked language model draws what is there.")),
        Entry(True, N_("My own words"), N_("Only the words that you type replace others.")),
    ),
    key=ALONE,
)
WEIGHT = Number(
    "λ",
    PAPER_WEIGHT,
    N_("The weight of the discriminator's loss in the total: 50 in the paper."),
    redraws=True,
    high=1000.0,
    decimals=0,
    step=1.0,
    slider=False,
    key="replaced_tokens.weight",
)
CURVES = Switch(
    N_("How it learned"),
    False,
    N_("How it learned: ways to share embeddings, and RTD against masked LM."),
    redraws=True,
    glyph="chart-line",
    key="replaced_tokens.curves",
)
OPTIONS: tuple[Option[Any], ...] = (
    WHO,
    SEED,
    TEMPERATURE,
    GREEDY,
    RATE,
    THRESHOLD,
    WEIGHT,
    CURVES,
)
