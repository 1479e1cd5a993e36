"""Which tokens would training mask in this sentence, and what would the model learn from?"""

import enum
import math
from dataclasses import dataclass

from explorer.api.question import (
    MODEL,
    TOKENS,
    Answered,
    BidirectionalPredictor,
    Cell,
    Choice,
    Entry,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Prediction,
    Question,
    ReadsEntities,
    Share,
    Table,
    Token,
    Topic,
    UserMistake,
    Whole,
    a_text,
    asked,
    check_text,
    column,
)
from explorer.document import Document
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

MOST_EPOCHS = 40


class Policy(enum.StrEnum):
    """Which tokens are chosen together.

    TOKENS: each by itself (Devlin et al. 2019, section 3.1). WHOLE_WORDS: all pieces of a word
    (the whole-word masking that BERT's authors published later). SPANS: runs of 1 to 10 words,
    shorter ones more often (Joshi et al. 2020, SpanBERT, section 3.1). NGRAMS: runs of 1 to 3
    words (Lan et al. 2020, ALBERT, section 4.1).
    """

    TOKENS = "tokens"
    WHOLE_WORDS = "whole_words"
    SPANS = "spans"
    NGRAMS = "ngrams"


class TokenFate(enum.StrEnum):
    """What becomes of a chosen token."""

    MASKED = "masked"
    RANDOM = "random"
    UNCHANGED = "unchanged"


POLICY = Choice(
    N_("Chosen together"),
    Policy.TOKENS.value,
    entries=(
        Entry(
            Policy.TOKENS.value,
            N_("Single tokens"),
            N_(
                "Tokens are chosen one by one, wherever they are (BERT: Devlin et al. 2019, "
                "section 3.1; RoBERTa chooses likewise)."
            ),
        ),
        Entry(
            Policy.WHOLE_WORDS.value,
            N_("Whole words"),
            N_(
                "Words are chosen, and all pieces of a word with it, so that no piece gives away "
                "the others (whole-word masking, released by BERT's authors in May 2019). Each "
                "piece has its own fate."
            ),
        ),
        Entry(
            Policy.SPANS.value,
            N_("Spans"),
            N_(
                "Runs of whole words are chosen: lengths are drawn from a geometric distribution "
                "with p = 0.2, cut off at 10 words, 3.8 on average; a whole span has one fate "
                "(SpanBERT: Joshi et al. 2020, section 3.1)."
            ),
        ),
        Entry(
            Policy.NGRAMS.value,
            "N-grams",
            N_(
                "Runs of 1 to 3 whole words are chosen, a run of n with a probability "
                "proportional to 1/n (ALBERT: Lan et al. 2020, section 4.1). Each piece has its "
                "own fate."
            ),
        ),
    ),
)
MASKED = Share(N_("Masked"), 0.8)
COPIES = Whole(
    N_("Static draws"),
    1,
    N_("How many masks static masking draws of each text; BERT drew 10."),
    redraws=True,
    low=1,
    high=MOST_EPOCHS,
    key="masking_policy.copies",
)
DRAW = Whole(
    N_("Draw shown in full"), 0, redraws=True, in_bar=False, high=999_999, key="masking_policy.draw"
)


@dataclass(frozen=True)
class MaskingPolicyRequest(ReadsEntities):
    """Ask for the masks that training would draw, and for their losses.

    Of the text's tokens `selected` are chosen; of these `masked` become the mask token and `random`
    a random one, and the others stay as they are. The same seed draws the same masks.
    """

    text: str
    pair: str | None = None
    policy: Policy = asked(POLICY, made=Policy)
    selected: float = asked(Share(N_("Chosen"), 0.15, low=0.01))
    masked: float = asked(MASKED)
    random: float = asked(Share(N_("Random"), 0.1, most=lambda d: 1.0 - MASKED.of(d)))
    epochs: int = asked(Whole(N_("Epochs"), 10, low=1, high=MOST_EPOCHS))
    seed: int = asked(
        Whole(
            N_("Seed"),
            0,
            high=999_999,
            next_said=N_("Resample"),
            next_glyph="dice-5-outline",
        )
    )


@dataclass(frozen=True)
class SelectedToken:
    """A token that gives a loss.

    Attributes:
        position: Index in the input.
        fate: What became of it. A random token that happens to be the same one is unchanged.
        seen: What the model sees in its place.
        loss: Minus the log probability of the token that stood there, in nats.
        rank: Of that token, 1 for the most probable.
        prediction: What the model expects there.
    """

    position: int
    fate: TokenFate
    seen: Prediction
    loss: float
    rank: int
    prediction: Prediction


@dataclass(frozen=True)
class Draw:
    """The masks of one epoch.

    Attributes:
        chosen: In the order of the input.
        loss: The mean over the chosen tokens: the masked language model's training loss.
    """

    chosen: tuple[SelectedToken, ...]
    loss: float


@dataclass(frozen=True)
class MaskingPolicyResult:
    """One draw an epoch.

    Static masking meets the first draws again and again; dynamic masking meets a new one in every
    epoch (Liu et al. 2019, section 4.1).

    Attributes:
        model: Whose loss it is.
        tokens: The input before anything is masked.
        candidates: Positions that may be chosen: the text's own tokens.
        draws: One an epoch.
        left_out: What did not fit, or None.
        note: What else must be known; "" for nothing.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    candidates: tuple[int, ...]
    draws: tuple[Draw, ...]
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    def trained(self, epochs: int, copies: int | None = None) -> int:
        """How many different tokens gave a loss in the first epochs.

        Args:
            epochs: How many epochs.
            copies: Of static masking, how many draws there are; None for dynamic masking.
        """
        met = range(epochs) if copies is None else {epoch % copies for epoch in range(epochs)}
        return len({one.position for epoch in met for one in self.draws[epoch].chosen})


def check(request: MaskingPolicyRequest) -> None:
    """Refuse what can't be drawn.

    Raises:
        UserMistake: There is no text, or the shares make no sense.
    """
    check_text(request.text)
    if request.masked + request.random > 1 + 1e-9:
        raise UserMistake(
            N_("The shares of masked and random tokens must add up to 1 at most."),
            N_("Choose 0.8 and 0.1, as BERT did."),
        )


@dataclass(frozen=True)
class ChosenRow:
    """A token that was chosen in an epoch."""

    epoch: int = column(N_("epoch"), key=True)
    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible, compared=False)
    fate: str = column(N_("fate"))
    seen: str = column(N_("seen"), written=visible, compared=False)
    loss: float = column(N_("loss"), unit=N_("nats"), digits=3)
    probability: float = column(N_("probability"), written=in_digits)
    rank: int = column(N_("rank"))
    prediction: str = column(N_("likeliest word"), written=visible)
    prediction_probability: float = column(N_("its probability"), written=in_digits)


def table(result: MaskingPolicyResult) -> Table:
    """One row a chosen token in every epoch."""
    rows = (
        ChosenRow(
            *(epoch, one.position, result.tokens[one.position].text, one.fate.value),
            *(one.seen.token, one.loss, math.exp(-one.loss), one.rank),
            *(one.prediction.token, one.prediction.probability),
        )
        for epoch, draw in enumerate(result.draws, start=1)
        for one in draw.chosen
    )
    return Table.of(ChosenRow, rows)


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "chosen": N_("chosen"),
    "loss": N_("loss"),
    "mean loss of * epochs": N_("mean loss of {which} epochs"),
    "trained, static": N_("trained, static"),
    "trained, dynamic": N_("trained, dynamic"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: MaskingPolicyResult) -> dict[str, Cell]:
    """The first epoch in one row, and what the others add."""
    count = len(result.draws)
    return {
        "tokens": len(result.candidates),
        "chosen": len(result.draws[0].chosen),
        "loss": result.draws[0].loss,
        f"mean loss of {count} epochs": math.fsum(d.loss for d in result.draws) / count,
        "trained, static": result.trained(count, 1),
        "trained, dynamic": result.trained(count),
    }


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """A long text over many epochs in a large model takes long."""
    return takes_long(card, tokens_about(document) * MaskingPolicyRequest.of(document).epochs)


QUESTION = Question(
    name="masking_policy",
    title=N_("Masking policy"),
    asks=N_("Which tokens would training hide here, and what would the model learn from them?"),
    listing=Listing(Topic.PRETRAINING, 3, "dice-multiple-outline", "Alt+7"),
    found_by=(
        "dynamic masking",
        "whole word masking",
        "WWM",
        "span masking",
        "80/10/10",
        "pretraining",
        "사전 학습",
        "동적 마스킹",
        "마스킹 전략",
    ),
    request=MaskingPolicyRequest,
    result=MaskingPolicyResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"draw": DRAW},
    is_expensive=waits,
    waiting_hint=N_(
        "The model predicts the masks of every epoch, which takes it a while for so long a "
        "text. Press Run to see them."
    ),
    roles={MODEL: (BidirectionalPredictor,)},
    options=(COPIES, DRAW),
    conditions=(a_text(N_("Type a sentence to see which of its tokens training would hide.")),),
    formerly=("training_mask",),
)
