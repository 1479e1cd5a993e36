"""What does this model expect where a token is masked?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

from explorer.api.question import (
    BESIDE,
    MODEL,
    Choice,
    Entry,
    LeftOut,
    Listing,
    MaskPredictions,
    ModelCard,
    ModelStamp,
    Predictions,
    Predictor,
    Question,
    ReadsEntities,
    Said,
    Sentence,
    Token,
    Topic,
    WordList,
    a_mask,
    a_text,
    asked,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.exact_answers.asking import exactly_at_masks
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

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
    fits=lambda card: bool(card.languages),
    key="masked_tokens.languages",
)
INDEPENDENT = N_("Each mask is predicted independently of the others.")
OF_ONE_WORD = N_("Some are pieces of one word: Joint decoding puts whole words there.")


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


def parts(result: MaskedTokensResult) -> tuple[Sentence, Said, Predictions]:
    """How the model saw the text, and what is predicted at every mask."""
    return (
        Sentence(result.tokens, left_out=result.left_out, only_alone=True),
        Said(known_of(result)),
        Predictions(result.tokens, result.masks),
    )


def known_of(result: MaskedTokensResult) -> Phrase:
    """How masks were predicted beside each other, or how the model saw the text."""
    if result.note or len(result.masks) < 2:
        return result.note
    side_by_side = (
        before.masked and after.masked and after.joined for before, after in pairwise(result.tokens)
    )
    return Phrase.joined((INDEPENDENT, OF_ONE_WORD) if any(side_by_side) else (INDEPENDENT,))


QUESTION = Question(
    name="masked_tokens",
    title=N_("Masked tokens"),
    asks=N_("What does this model expect where a token is masked?"),
    listing=Listing(Topic.PREDICT, 1, "card-search-outline", "Alt+1", in_overview=1),
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
    parts=parts,
    options=(TOP_K, LANGUAGES, BESIDE),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(N_("Click a word to mask it, or drag over several. M masks the token in focus.")),
    ),
    roles={MODEL: (Predictor,)},
    beside=exactly_at_masks,
    upgrades=(spaces_stay_visible,),
    formerly=("fill_mask",),
)
