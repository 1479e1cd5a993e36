"""What does this model expect where a token is masked?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from explorer.api import (
    BESIDE,
    MODEL,
    TOKENS,
    Cell,
    Choice,
    Distribution,
    Entry,
    Headline,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Operation,
    Prediction,
    Predictor,
    ReadsEntities,
    Table,
    Token,
    UserMistake,
    WordList,
    a_mask,
    a_text,
    column,
    computed,
    spaces_stay_visible,
)
from explorer.api.question.asks import asked
from explorer.api.question.standing_out import CERTAIN, FLAT, lead
from explorer.document import Mask
from explorer.questions.masking.exact_answers.question import exactly_at_masks
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn, visible

TOLD = 4
"""Masks of a sentence that its row in a table over many sentences has room for."""


TOP_K = Choice(
    N_("Top"),
    10,
    N_("How many predictions each mask gets"),
    entries=tuple(Entry(count, str(count)) for count in (5, 10, 20, 50)),
    beside=True,
    key="top_k",
)
LANGUAGES = WordList(
    N_("Languages"),
    (),
    tip=N_(
        "The languages of the text and the second text, as codes with a comma between them, such "
        "as en,en. Empty: they are guessed from the letters."
    ),
    placeholder=N_("Languages: en, ko …"),
    key="masked_tokens.languages",
)


@dataclass(frozen=True)
class MaskedTokensRequest(ReadsEntities):
    """Ask for the predictions of every mask; every token that one touches is masked."""

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10
    languages: tuple[str, ...] = asked(LANGUAGES)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """Only a model that is told languages is told them: others have no widget for them."""
        told = any(card.languages for card in cards)
        return self if told or not self.languages else replace(self, languages=())


@dataclass(frozen=True)
class MaskPredictions:
    """What the model expects at one mask.

    Attributes:
        position: Index of the masked token in the input.
        predictions: The top k, most probable first.
        original: The token that was there before it was masked, with its rank and probability;
            None for a mask that was typed.
        entropy: Of the whole distribution, in nats.
        distribution: Over the whole vocabulary, for comparing answers; None where there are too
            many masks to keep it, for spans, and in what comes out of a log.
    """

    position: int
    predictions: tuple[Prediction, ...]
    original: Prediction | None
    entropy: float
    distribution: Distribution | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class MaskedTokensResult:
    """Predictions for every mask, each made independently of the others unless the note says so.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it.
        masks: In the order of the input.
        left_out: What did not fit, or None.
        note: What must be known of how the model saw the text ("It saw only what stands left of
            each mask."); "" where there is nothing to say.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    masks: tuple[MaskPredictions, ...]
    left_out: LeftOut | None = None
    note: Phrase = NOTHING


def check_masked(encoded: Any) -> None:
    """Refuse an input (explorer.api.Encoded) without a mask in it.

    Raises:
        UserMistake: Nothing in the text is masked, or nothing in the part that fits.
    """
    if not encoded.mask_positions:
        raise UserMistake(
            N_("Nothing is masked.")
            if encoded.left_out is None or not encoded.left_out.masks
            else N_("Every mask lies in the part of the text that does not fit into the model."),
            N_("Click a word, press M on it, or type [MASK]."),
        )


@dataclass(frozen=True)
class PredictionRow:
    """A word that a mask may hide."""

    mask: int = column(N_("position"), key=True, place=TOKENS)
    rank: int | None = column(N_("rank"))
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int = column(N_("id"), compared=False)
    probability: float | None = column(N_("probability"), written=in_digits)
    is_original: bool = column(N_("original"), compared=False)
    entropy: float = column(N_("entropy"), unit=N_("nats"), digits=3)


def table(result: MaskedTokensResult) -> Table:
    """One row a prediction; the original token's row has its true rank."""
    return Table.of(PredictionRow, (row_of(*both) for both in told_of(result)))


def told_of(result: MaskedTokensResult) -> Iterator[tuple[MaskPredictions, Prediction]]:
    """The predictions of each mask, and its original token where that is not among them."""
    for mask in result.masks:
        yield from ((mask, one) for one in mask.predictions)
        if mask.original is not None and mask.original.rank > len(mask.predictions):
            yield mask, mask.original


def row_of(mask: MaskPredictions, prediction: Prediction) -> PredictionRow:
    """A prediction in its row."""
    return PredictionRow(
        mask.position,
        prediction.rank,
        prediction.word,
        prediction.token,
        prediction.id,
        prediction.probability,
        prediction.is_same(mask.original),
        mask.entropy,
    )


COLUMN_TITLES = {
    "masks": N_("masks"),
    "mask *": N_("mask {which}"),
    "probability *": N_("probability {which}"),
    "entropy *": N_("entropy {which}"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: MaskedTokensResult) -> dict[str, Cell]:
    """The best word at each of the first masks, and how unsure the model is there."""
    cells: dict[str, Cell] = {"masks": len(result.masks)}
    for number, mask in enumerate(result.masks[:TOLD], start=1):
        best = mask.predictions[0]
        cells[f"mask {number}"] = best.word
        cells[f"probability {number}"] = best.probability
        cells[f"entropy {number}"] = mask.entropy
    return cells


def headline(result: MaskedTokensResult) -> Headline:
    """How sure the model is of the surest mask, and of the least sure one."""
    if not result.masks:
        return Headline()
    chances = [mask.predictions[0].probability for mask in result.masks]
    surest = result.masks[chances.index(max(chances))].predictions[0]
    least = result.masks[chances.index(min(chances))]
    words = [(drawn(one), one.probability) for one in least.predictions[:2]]
    if len(chances) == 1:
        return Headline(lead(words), least.position)
    if max(chances) < FLAT:
        return Headline()
    values = {"word": drawn(surest), "share": in_percent(max(chances))}
    values |= {"position": str(least.position), "its": in_percent(min(chances))}
    values |= {"first": words[0][0], "other": words[0][0], "second": words[-1][0]}
    if min(chances) >= CERTAIN:
        code = N_(
            "The model is all but certain at every mask: “{word}” has {share}, and the least "
            "sure, “{other}”, still {its}."
        )
    elif len(words) == 1:
        code = N_(
            "The model is surest of “{word}” ({share}), and least sure of “{first}” at "
            "position {position} ({its})."
        )
    elif max(chances) >= CERTAIN:
        code = N_(
            "“{word}” is all but certain ({share}), while the model is least sure at "
            "position {position}, between “{first}” and “{second}”."
        )
    else:
        code = N_(
            "The model is surest of “{word}” ({share}), and least sure at position "
            "{position}, between “{first}” and “{second}”."
        )
    return Headline(Phrase(code, **values), least.position)


OPERATION = Operation(
    name="masked_tokens",
    title=N_("Masked tokens"),
    question=N_("What does this model expect where a token is masked?"),
    listing=Listing(N_("Masking"), 10, "card-search-outline", "Alt+1"),
    found_by=(
        "MLM",
        "masked language model",
        "fill-mask",
        "fill in the blank",
        "cloze",
        "top-k",
        "predict a word",
        "entropy",
        "마스크 언어 모델",
        "빈칸 채우기",
        "단어 예측",
        "엔트로피",
    ),
    request=MaskedTokensRequest,
    result=MaskedTokensResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    options=(TOP_K, LANGUAGES, BESIDE),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(N_("Click a word to mask it, or drag over several. M masks the token in focus.")),
    ),
    roles={MODEL: (Predictor,)},
    headline=headline,
    beside=exactly_at_masks,
    upgrades=(spaces_stay_visible,),
    formerly=("fill_mask",),
)
