"""Which changed word of a sentence moves the prediction most?"""

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from explorer.api.question import (
    CHARACTERS,
    MODEL,
    Answered,
    Cell,
    Choice,
    Discriminator,
    Entry,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Places,
    Pool,
    Predictor,
    Question,
    ReadsEntities,
    Token,
    Topic,
    Whole,
    WordList,
    Words,
    a_mask,
    a_text,
    any_of,
    asked,
    column,
    one_place,
    spaces_stay_visible,
)
from explorer.document import Document, Mask
from explorer.questions.cause.edits import pooling
from explorer.questions.cause.edits.rules import EVERY_RULE, SYNONYM
from explorer.questions.cause.unmasked import answers_unmasked
from explorer.questions.reading_time import TOKENS_A_WORD, takes_long, tokens_about
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits

LOG_PROBABILITY, DIFFERENCE, DIVERGENCE = "log_probability", "difference", "divergence"
MEASURE = Choice(
    N_("Ranked by"),
    DIVERGENCE,
    redraws=True,
    entries=(
        Entry(
            DIVERGENCE,
            N_("Ranked by divergence"),
            N_("KL(before ‖ after) in nats: how far the whole distribution moves"),
        ),
        Entry(
            LOG_PROBABILITY,
            N_("Ranked by log-probability"),
            N_("By how much the logarithm of the asked word's probability changes, in nats"),
        ),
        Entry(
            DIFFERENCE,
            N_("Ranked by logit difference"),
            N_("By how much the logit of the asked word minus that of the other one changes"),
        ),
    ),
    key="edits.measure",
)
WORD = Words(
    N_("Word asked"),
    "",
    N_("The word whose probability is followed. Empty: the one that the model expects most."),
    placeholder=N_("the likeliest"),
)
AGAINST = Words(
    N_("Against"),
    "",
    N_("A second word: the difference between the two words' logits is followed, too."),
    placeholder=N_("none"),
)
WORDS = WordList(
    N_("Put in"),
    (),
    N_(
        "Put these into every place, with commas between them. Empty: each word's neighbours in "
        "the vocabulary."
    ),
    placeholder=N_("Words to put in: film, tasty …"),
    most=50,
)
RULE = Choice(
    N_("Edit by"),
    "",
    N_(
        "What takes a word's place. Rules of grammar are of English, for words that the "
        "miniatures' world has: what they can't edit rightly stays as it is."
    ),
    when=lambda document: not WORDS.of(document),
    entries=(
        Entry("", N_("Neighbours"), N_("Words with the most similar vectors.")),
        Entry(EVERY_RULE, N_("Every rule"), N_("All of the following, one edit at a time.")),
        Entry("negation", N_("Negation"), N_("“is” becomes “is not”, “cooked” “did not cook”.")),
        Entry("number", N_("Number"), N_("“the flower” becomes “the flowers”, and back.")),
        Entry("tense", N_("Tense"), N_("“cooks” becomes “cooked”, “cooked” “will cook”.")),
        Entry("pronoun", N_("Pronoun"), N_("“he” becomes “she”, where nothing contradicts it.")),
        Entry("name", N_("Name"), N_("“Anna” becomes other names that take the same pronoun.")),
        Entry(
            SYNONYM,
            N_("Synonym"),
            N_("The nearest neighbour that is about as likely there: not always a true synonym."),
        ),
    ),
)
AT = Places(N_("Place asked about"), (), in_bar=False, count=1, key="edits.at")
"""The token whose prediction is followed; none for the first mask, the next token, or the token
that is suspected most."""
ONLY = Places(N_("Edits of one word"), (), redraws=True, in_bar=False, count=1, key="edits.only")
"""The word (by number) whose edits alone are listed; none for all."""


class PredictionKind(enum.StrEnum):
    """What is predicted."""

    MASK = "masked_token"
    NEXT = "next_token"
    REPLACED = "replaced_token"


@dataclass(frozen=True)
class EditsRequest(ReadsEntities):
    """Ask what each changed word does to a prediction.

    Attributes:
        position: The token asked about, a mask or for a discriminator any; None for the first mask,
            else the next token, else the token that is suspected most.
        word: "" for the most probable; a discriminator's are "replaced" and "original".
        rule: What edits words where none are typed; "" puts their neighbours.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    position: int | None = one_place(AT)
    word: str = asked(WORD, made=str.strip)
    against: str = asked(AGAINST, made=str.strip)
    words: tuple[str, ...] = asked(WORDS)
    neighbours: int = asked(
        Whole(
            N_("Neighbours"),
            4,
            N_(
                "How many words take each word's place: those nearest by the vectors that the "
                "model reads, of the same kind (whole words, with the same capitals)."
            ),
            when=lambda document: not WORDS.of(document) and not RULE.of(document),
            low=1,
            high=20,
        )
    )
    rule: str = asked(RULE)


@dataclass(frozen=True)
class EditedWord:
    """A word that others were put in the place of.

    Attributes:
        word: As it is typed.
        start: First character.
        end: One past the last.
        part: 0 for the text, 1 for the second text.
    """

    word: str
    start: int
    end: int
    part: int = 0


@dataclass(frozen=True)
class EditEffect:
    """One edit and what comes of it.

    Attributes:
        place: Number of the edited word.
        put: What stands in its place.
        cosine: Between the two words' vectors; None for a word of the user's.
        log_probability: Of the word asked, after the edit, in nats.
        change: After minus before.
        difference: Logit of the word asked minus that of the other one, after the edit; None
            without another one.
        difference_change: After minus before.
        divergence: KL(before || after), in nats, of the whole distributions.
        best: The most probable word after the edit.
        best_probability: Of it.
        rule: Which rule says so; "" for a neighbour, or a word of the user's.
    """

    place: int
    put: str
    cosine: float | None
    log_probability: float
    change: float
    difference: float | None
    difference_change: float | None
    divergence: float
    best: str
    best_probability: float
    rule: str = ""

    def moved(self, measure: str) -> float:
        """How far the prediction moved, by a measure, with its sign."""
        if measure == DIFFERENCE and self.difference_change is not None:
            return self.difference_change
        return self.change if measure == LOG_PROBABILITY else self.divergence


@dataclass(frozen=True)
class EditsResult:
    """Every edit and what comes of it.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it.
        kind: What is predicted.
        position: Of the token asked about; that behind the last one for the next token.
        word: Whose probability is followed.
        against: The other word; "" for none.
        log_probability: Of the word asked, without an edit, in nats.
        difference: Of the two words' logits, without an edit; None without another one.
        best: The most probable word without an edit.
        best_probability: Of it.
        words: Those that were edited, in reading order.
        edits: In the order of the words.
        skipped: Edits that could not be asked about, as those that do not fit into the model.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    kind: PredictionKind
    position: int
    word: str
    against: str
    log_probability: float
    difference: float | None
    best: str
    best_probability: float
    words: tuple[EditedWord, ...]
    edits: tuple[EditEffect, ...]
    skipped: int = 0
    left_out: LeftOut | None = None

    def ranked(self, measure: str) -> tuple[EditEffect, ...]:
        """The edits, those first that move the prediction most."""
        return tuple(sorted(self.edits, key=lambda one: -abs(one.moved(measure))))


@dataclass(frozen=True)
class EditRow:
    """A word that was put in the place of another, and what that did to the prediction."""

    word: str = column(N_("word"))
    start: int = column(N_("first character"), key=True, place=CHARACTERS, shown=False)
    end: int = column(N_("one past the last"), compared=False, shown=False)
    part: int = column(N_("text"), compared=False, shown=False)
    put: str | None = column(N_("edit"), key=True)
    cosine: float | None = column(N_("cosine"), digits=3)
    log_probability: float | None = column(N_("log-probability"), unit=N_("nats"), digits=3)
    change: float | None = column(
        N_("change"),
        digits=3,
        is_signed=True,
        tip=N_("Of the asked word's log-probability, in nats."),
    )
    difference: float | None = column(N_("difference"), unit=N_("nats"), digits=3)
    difference_change: float | None = column(
        N_("its change"),
        digits=3,
        is_signed=True,
        tip=N_("Of the difference between the two words' logits."),
    )
    divergence: float | None = column(
        N_("divergence"),
        digits=3,
        tip=N_("KL(before ‖ after), in nats, of the whole distributions."),
    )
    probability: float | None = column(
        N_("probability"),
        written=in_digits,
        tip=N_("Of the asked word, after the edit."),
        dispensable=True,
        filed=False,
    )
    best: str | None = column(N_("now first"), tip=N_("The most probable word after the edit."))
    best_probability: float | None = column(N_("its probability"), written=in_digits)
    rule: str | None = column(N_("rule"), compared=False, dispensable=True)


Row = TypeVar("Row", bound=EditRow)


def row_of(kind: type[Row], result: EditsResult, place: int, one: EditEffect | None) -> Row:
    """The row of an edit; of a word without one, the word and its place."""
    where = result.words[place]
    about = (where.word, where.start, where.end, where.part)
    if one is None:
        return kind(*about, *(None,) * 11)
    return kind(
        *(*about, one.put, one.cosine, one.log_probability, one.change, one.difference),
        *(one.difference_change, one.divergence, math.exp(one.log_probability), one.best),
        one.best_probability,
        one.rule or None,
    )


COLUMN_TITLES = {
    "word": N_("word"),
    "probability": N_("probability"),
    "edits": N_("edits"),
    "edited": N_("strongest edit at"),
    "put": N_("put there"),
    "divergence": N_("divergence, nats"),
    "change": N_("change of the word"),
    "new_best": N_("now first"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: EditsResult) -> Mapping[str, Cell]:
    """What is predicted, and the edit that moves it most."""
    row: dict[str, Cell] = {
        "word": result.word,
        "probability": math.exp(result.log_probability),
        "edits": len(result.edits),
    }
    if not result.edits:
        return row
    first = result.ranked(DIVERGENCE)[0]
    return row | {
        "edited": result.words[first.place].word,
        "put": first.put,
        "divergence": first.divergence,
        "change": first.change,
        "new_best": first.best,
    }


def kept(result: EditsResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of its edits."""
    own = {False: pooling.OWN_WORDS, True: pooling.NEIGHBOURS}
    return pooling.edit_cells(
        (
            one.rule or own[one.cosine is not None],
            one.divergence,
            one.change,
            one.best != result.best,
        )
        for one in result.edits
    )


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    asked = EditsRequest.of(document)
    edits = tokens / TOKENS_A_WORD * (len(asked.words) or asked.neighbours)
    return takes_long(card, tokens * edits)


QUESTION = Question(
    name="edits",
    title=N_("Word substitutions"),
    asks=N_("Which changed word of the sentence moves the prediction most?"),
    listing=Listing(Topic.EXPLAIN, 3, "swap-horizontal", in_overview=40),
    found_by=(
        "counterfactual",
        "edit by rule",
        "adversarial",
        "synonyms",
        "반사실",
        "단어 바꾸기",
        "편집 비교",
    ),
    request=EditsRequest,
    result=EditsResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    pool=Pool(
        kept,
        pooling.COLUMNS,
        pooling.gather,
        pooling.told,
        table=pooling.table,
        parts=pooling.parts,
    ),
    follows={"measure": MEASURE, "only": ONLY},
    is_expensive=waits,
    waiting_hint=N_(
        "Every word gives its place to others, and the model reads the sentence anew each time, "
        "which takes this model a while. Press Run to see which edit moves the prediction most."
    ),
    roles={MODEL: (any_of(Predictor, Discriminator),)},
    options=(MEASURE, ONLY),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(
            N_("Click a word to mask it: what the model expects there is followed."),
            spared=answers_unmasked,
        ),
    ),
    upgrades=(spaces_stay_visible,),
)
