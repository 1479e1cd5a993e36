"""What do two models expect at the same masks, word by word?"""

from dataclasses import dataclass

from explorer.api import (
    FIRST,
    SECOND,
    ModelStamp,
    Operation,
    Predictor,
    Table,
    Token,
    a_mask,
    a_text,
    computed,
)
from explorer.document import Document, Mask


@dataclass(frozen=True)
class CompareFillings:
    """Ask two models for the same masks.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters; each becomes one mask for both models.
        top_k: Words of each model that are compared.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10

    @staticmethod
    def of(document: Document) -> "CompareFillings":
        """The question a document asks."""
        return CompareFillings(document.text, document.pair, document.masks, document.top_k)


@dataclass(frozen=True)
class ComparedWord:
    """A word at a mask.

    Attributes:
        word: As a person writes it; a part of a word with "…" where the rest would be.
        first: Its probability in the model that was asked; None where its vocabulary lacks it.
        first_rank: Its place among that model's words; None where it lacks it.
        second: Its probability in the other model.
        second_rank: Its place among the other model's words.
    """

    word: str
    first: float | None
    first_rank: int | None
    second: float | None
    second_rank: int | None


@dataclass(frozen=True)
class ComparedMask:
    """One mask.

    Attributes:
        position: Index of the mask in the first model's input.
        words: The most probable words of either, by the larger of both probabilities.
        first_covered: Share of the first model's belief that lies on words both have.
        second_covered: The same of the second model.
        kl: KL(first || second) in nats over the words both have and one bucket for all others;
            None where the first has belief on others and the second has none.
        kl_back: KL(second || first), as `kl`.
        total_variation: Half the sum of the differences over the same words and bucket, 0 to 1.
        agree: Both have the same most probable word.
    """

    position: int
    words: tuple[ComparedWord, ...]
    first_covered: float
    second_covered: float
    kl: float | None
    kl_back: float | None
    total_variation: float
    agree: bool


@dataclass(frozen=True)
class CompareFillingsResult:
    """Two models at the same masks.

    Attributes:
        model: Who was asked.
        other: The second model.
        tokens: The input as the first model saw it, one mask for each masked range.
        masks: In the order of the input.
        first_words: Number of words in the first model's vocabulary, special tokens not counted;
            pieces that differ only in capital letters are one word if either model folds them.
        second_words: The same of the second model.
        shared_words: How many both have.
        same_vocabulary: Both have the same pieces with the same numbers.
        folded: Words were matched without regard to capital letters.
        note: What must be known besides; "" where there is nothing to say.
    """

    model: ModelStamp
    other: ModelStamp
    tokens: tuple[Token, ...]
    masks: tuple[ComparedMask, ...]
    first_words: int
    second_words: int
    shared_words: int
    same_vocabulary: bool
    folded: bool
    note: str = ""


def table(result: CompareFillingsResult) -> Table:
    """One row a word of a mask."""
    return Table(
        (
            *("mask", "position", "word", "first", "first_rank", "second", "second_rank"),
            *("difference", "kl", "kl_back", "total_variation", "first_covered"),
            "second_covered",
        ),
        tuple(
            (
                number,
                mask.position,
                one.word,
                one.first,
                one.first_rank,
                one.second,
                one.second_rank,
                None if one.first is None or one.second is None else one.second - one.first,
                mask.kl,
                mask.kl_back,
                mask.total_variation,
                mask.first_covered,
                mask.second_covered,
            )
            for number, mask in enumerate(result.masks)
            for one in mask.words
        ),
    )


def summary(result: CompareFillingsResult) -> dict[str, str | int | float | bool | None]:
    """The first mask in one row."""
    mask = result.masks[0]
    return {
        "first": min(mask.words, key=lambda one: one.first_rank or 10**9).word,
        "second": min(mask.words, key=lambda one: one.second_rank or 10**9).word,
        "kl": mask.kl,
        "total_variation": mask.total_variation,
        "agree": mask.agree,
    }


OPERATION = Operation(
    name="two_models",
    title="Two models",
    question="Where do two models expect different words at the same mask?",
    request=CompareFillings,
    result=CompareFillingsResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    conditions=(
        a_text("Type a sentence, then click a word to mask it."),
        a_mask("Click a word to mask it, to see what each of the two models expects there."),
    ),
    roles={FIRST: (Predictor,), SECOND: (Predictor,)},
    formerly=("compare_fillings",),
)
