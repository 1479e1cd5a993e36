"""How surprised is this model by each token of the sentence?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    BESIDE,
    MODEL,
    PREDICTIONS,
    TOKENS,
    Answered,
    Cell,
    Detail,
    Headline,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Predictor,
    Question,
    ReadsEntities,
    Table,
    Token,
    Topic,
    a_text,
    alone,
    asked,
    beyond,
    column,
    computed,
)
from explorer.document import Document
from explorer.exact_answers.asking import exactly
from explorer.questions.masking.hiding import HIDING, ScoringMethod
from explorer.questions.masking.surprises import UNIT, TokenSurprisal, word_numbers
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn, visible

METHOD = replace(HIDING, key="surprisal.method")


@dataclass(frozen=True)
class SurprisalRequest(ReadsEntities):
    """Ask for the probability of every token where it is hidden; a typed [MASK] stays one.

    A model that reads from the left takes no notice of the method, as left to right is its one
    way; and it is its alone, one that sees both sides refuses it.
    """

    text: str
    pair: str | None = None
    method: ScoringMethod = asked(METHOD, made=ScoringMethod, also=(ScoringMethod.LEFT_TO_RIGHT,))
    top_k: int = asked(PREDICTIONS, 5, is_held=False)


@dataclass(frozen=True)
class SurprisalResult:
    """How probable every token is, and the sentence with it.

    Attributes:
        model: Who predicts.
        tokens: The input, without masks of the user's.
        method: What was hidden.
        surprises: In the order of the input; special, unknown and typed mask tokens have none.
        log_likelihood: The sum of the log probabilities in nats. Of a masked language model it is
            the pseudo-log-likelihood: no probability of the sentence, as every token was told all
            others.
        perplexity: e to the power of minus the mean log probability: among how many equally
            likely words the model chose at each place. Pseudo-perplexity likewise.
        passes: How often the input was read.
        left_out: What did not fit, or None.
        note: Which tokens were not asked about, and why; "" for none.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    method: ScoringMethod
    surprises: tuple[TokenSurprisal, ...]
    log_likelihood: float
    perplexity: float
    passes: int
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    @property
    def is_pseudo(self) -> bool:
        """Whether tokens were predicted from both sides."""
        return self.method is not ScoringMethod.LEFT_TO_RIGHT


@dataclass(frozen=True)
class SurpriseRow:
    """A token, and how much it surprises."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    word_number: int | None = column(N_("word"), compared=False)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int = column(N_("id"), compared=False)
    probability: float = column(N_("probability"), written=in_digits)
    log_probability: float = column(N_("log-probability"), unit=N_("nats"), digits=3)
    surprise_nats: float = column(N_("surprisal"), unit=N_("nats"), digits=3)
    surprise_bits: float = column(N_("surprisal"), unit=N_("bits"), digits=3)
    rank: int = column(N_("rank"))
    best_word: str = column(N_("likeliest word"))
    best_token: str = column(N_("its token"), written=visible, compared=False)
    best_probability: float = column(N_("its probability"), written=in_digits)


def table(result: SurprisalResult) -> Table:
    """One row a token that was asked about."""
    words = word_numbers(result.tokens)
    rows = []
    for one in result.surprises:
        token = result.tokens[one.position]
        best = one.predictions[0]
        rows.append(
            SurpriseRow(
                one.position,
                words[one.position],
                token.text,
                token.id,
                math.exp(one.log_probability),
                one.log_probability,
                one.nats,
                one.bits,
                one.rank,
                best.word,
                best.token,
                best.probability,
            )
        )
    return Table.of(SurpriseRow, rows)


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "pseudo-log-likelihood": N_("pseudo-log-likelihood"),
    "log-likelihood": N_("log-likelihood"),
    "pseudo-perplexity": N_("pseudo-perplexity"),
    "perplexity": N_("perplexity"),
    "disagrees at": N_("wrong top words"),
    "most surprising": N_("most surprising"),
    "its surprise (nats)": N_("its surprisal, nats"),
    "better": N_("better"),
    "left out": N_("left out"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: SurprisalResult) -> dict[str, Cell]:
    """The sentence in one row; the names say when a number is a pseudo one."""
    prefix = "pseudo-" if result.is_pseudo else ""
    worst = max(result.surprises, key=lambda one: one.nats)
    best = worst.predictions[0]
    return {
        "tokens": len(result.surprises),
        f"{prefix}log-likelihood": result.log_likelihood,
        f"{prefix}perplexity": result.perplexity,
        "disagrees at": sum(one.rank > 1 for one in result.surprises),
        "most surprising": result.tokens[worst.position].text,
        "its surprise (nats)": worst.nats,
        "better": best.word if worst.rank > 1 else "",
        "left out": result.left_out.tokens if result.left_out is not None else 0,
    }


def exactly_every(result: SurprisalResult, document: Document) -> Sequence[Detail]:
    """Exactly, every token hidden alone or read from the left, where the question does so too."""
    alike = (METHOD.default, ScoringMethod.ORIGINAL, ScoringMethod.LEFT_TO_RIGHT)
    return (exactly(document, result.model, every=True),) if result.method in alike else ()


def headline(result: SurprisalResult, **_unit: Any) -> Headline:
    """The most surprising token, beside the model's own first guess."""
    if not result.surprises:
        return Headline()
    worst = max(result.surprises, key=lambda one: one.nats)
    best = worst.predictions[0]
    values = {
        "word": alone(result.tokens[worst.position]),
        "share": in_percent(math.exp(worst.log_probability)),
    }
    if worst.rank == 1:
        return Headline()  # its least sure token is the model's first guess
    sentence = Phrase(
        N_(
            "“{word}” surprises the model most: its probability is {share}, where "
            "“{best}” ({its}) was expected."
        ),
        best=drawn(best),
        its=in_percent(best.probability),
        **values,
    )
    # How many times as probable its own first guess is.
    times = math.exp(worst.nats) * best.probability
    return Headline(sentence, worst.position, strength=beyond(times, 1.0))


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    return takes_long(card, tokens * tokens)


QUESTION = Question(
    name="surprisal",
    title=N_("Surprisal"),
    asks=N_("How surprised is this model by each token of the sentence?"),
    listing=Listing(Topic.PREDICT, 4, "chart-bar", "Alt+6", in_overview=10),
    found_by=(
        "perplexity",
        "PPL",
        "pseudo-log-likelihood",
        "PLL",
        "log-likelihood",
        "sentence score",
        "acceptability",
        "퍼플렉서티",
        "퍼플렉시티",
        "혼잡도",
        "문장 확률",
        "놀라움",
    ),
    request=SurprisalRequest,
    result=SurprisalResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=headline,
    follows={"unit": UNIT},
    beside=exactly_every,
    is_expensive=waits,
    waiting_hint=N_(
        "Every token of the sentence is hidden in turn, which takes this model a while. Press "
        "Run to see how much each of them surprises it."
    ),
    lifts_masks=N_("The masks of the sentence are lifted here: every token is scored."),
    run_many=computed(__name__, "run_many"),
    options=(METHOD, UNIT, BESIDE),
    conditions=(
        a_text(N_("Type a sentence to see how much each of its words surprises the model.")),
    ),
    roles={MODEL: (Predictor,)},
    formerly=("sweep",),
)
