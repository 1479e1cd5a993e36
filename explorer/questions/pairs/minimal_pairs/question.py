"""Which of two sentences does the model find likelier, and is that the good one?"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from explorer.api.question import (
    MODEL,
    SECOND,
    Answered,
    Asks,
    Cell,
    Choice,
    Entry,
    FilePath,
    Listing,
    ModelCard,
    ModelStamp,
    Predictor,
    Question,
    Table,
    Topic,
    Whole,
    WordList,
    Words,
    asked,
    column,
)
from explorer.document import Document
from explorer.files_of_sentences.sentences import TABLES
from explorer.numerics.evaluation.clustered_rates import Interval, wilson
from explorer.numerics.evaluation.paired_outcomes import mcnemar
from explorer.questions.masking.hiding import HIDING, ScoringMethod
from explorer.questions.pairs.pair_files import TITLES, PairOfSentences
from explorer.questions.second_model import active_and_other
from explorer.text import N_, Phrase

NAME = "minimal_pairs"


class SentenceScore(enum.StrEnum):
    """What of a sentence's log-probabilities is compared.

    SUM: all of them, as BLiMP and Salazar et al. 2020 do. MEAN: their mean per token, so that a
    sentence does not lose by being longer.
    """

    SUM = "sum"
    MEAN = "mean"

    @property
    def of(self) -> Callable[[Sequence[float]], float]:
        """From the log-probabilities of a sentence's tokens to its score, in nats."""
        return sum if self is SentenceScore.SUM else fmean


SCORE = Choice(
    N_("Score"),
    SentenceScore.SUM.value,
    redraws=True,
    entries=(
        Entry(
            SentenceScore.SUM.value,
            N_("Sum"),
            N_("The log-probabilities of all tokens added up; a longer sentence is less likely."),
        ),
        Entry(
            SentenceScore.MEAN.value,
            N_("Mean per token"),
            N_("Their mean, so that a sentence does not lose by having more tokens."),
        ),
    ),
    key="minimal_pairs.score",
)
PHENOMENON = Words(
    N_("Phenomenon"),
    "",
    N_("Whose pairs are listed; none for those of all."),
    redraws=True,
    in_bar=False,
    key="minimal_pairs.phenomenon",
)
SHOWN = Whole(
    N_("Pair"),
    -1,
    N_("The pair that is compared token by token; -1 for the clearest mistake."),
    low=-1,
    high=100_000,
    redraws=True,
    in_bar=False,
    key="minimal_pairs.shown",
)


FURTHER = WordList(
    N_("Further models"),
    (),
    N_(
        "Names of models of the library, with commas between them: they score the same pairs, one "
        "after the other, each in turn in memory next to those that are loaded."
    ),
    placeholder=N_("none"),
    most=30,
    key="minimal_pairs.further",
)


@dataclass(frozen=True)
class MinimalPairsRequest(Asks):
    """Ask for the scores of good sentences and of the bad ones that they are paired with.

    Attributes:
        path: The file of pairs; "" for those of the small world.
        pairs: How many are read at most, of each phenomenon its share.
        method: What is hidden with a token; a model that reads from the left hides nothing.
    """

    path: str = asked(
        FilePath(
            N_("Open…"),
            "",
            N_(
                "Open a file with a good and a bad sentence a row: a table, or objects of JSON a "
                "line, as BLiMP and CrowS-Pairs have them. Without one, the small world's pairs."
            ),
            kinds=N_("Pairs of sentences (*.csv *.tsv *.jsonl *.ndjson)"),
            endings=tuple(sorted(TABLES - {".conllu"})),
        )
    )
    pairs: int = asked(
        Whole(
            N_("Pairs"),
            180,
            N_("How many pairs are read at most; of each phenomenon its share."),
            low=2,
            high=2000,
        )
    )
    method: ScoringMethod = asked(HIDING, made=ScoringMethod, also=(ScoringMethod.LEFT_TO_RIGHT,))
    further: tuple[str, ...] = asked(FURTHER)


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence, token by token.

    Attributes:
        tokens: Those that have a log-probability, as the tokenizer has them.
        log_probabilities: Of each, in nats.
    """

    tokens: tuple[str, ...]
    log_probabilities: tuple[float, ...]


@dataclass(frozen=True)
class ScoredPair:
    """A pair, as a model scores it.

    Attributes:
        number: Of the pair among all that were read.
        good: The good sentence.
        bad: The bad one.
        differ_unscored: They begin with different tokens, which the model can't score.
    """

    number: int
    good: ScoredSentence
    bad: ScoredSentence
    differ_unscored: bool = False

    def difference(self, score: SentenceScore) -> float:
        """By how much the good sentence is likelier, in nats."""
        return score.of(self.good.log_probabilities) - score.of(self.bad.log_probabilities)


@dataclass(frozen=True)
class PairsScored:
    """What one model makes of the pairs.

    Attributes:
        model: Which.
        method: What was hidden with a token.
        pairs: Those that it could score.
        refused: Why it could not score another one; "" where it scored all.
    """

    model: ModelStamp
    method: ScoringMethod
    pairs: tuple[ScoredPair, ...]
    refused: str = ""

    def right(self, score: SentenceScore) -> dict[int, bool]:
        """By pair, whether the good sentence is likelier; equally likely ones are mistakes."""
        return {one.number: one.difference(score) > 0 for one in self.pairs}


@dataclass(frozen=True)
class MinimalPairsResult:
    """Pairs, and their scores.

    Attributes:
        model: Who was asked first.
        pairs: All that were read.
        scored: What each model makes of them: the first, the second if there is one, and further
            ones in their order.
        there: How many pairs the file has.
        source: The file's name; "" for the small world.
    """

    model: ModelStamp
    pairs: tuple[PairOfSentences, ...]
    scored: tuple[PairsScored, ...]
    there: int
    source: str = ""

    def title_of(self, phenomenon: str) -> str:
        """What people read for a phenomenon."""
        return (
            Phrase(TITLES[phenomenon]) if not self.source and phenomenon in TITLES else phenomenon
        )

    @property
    def judged(self) -> tuple[PairsScored, ...]:
        """What came of the models that scored any pair: of one that refused nothing is counted."""
        return tuple(one for one in self.scored if one.pairs)

    @property
    def phenomena(self) -> tuple[str, ...]:
        """Their names, in the order of the file."""
        return tuple(dict.fromkeys(one.phenomenon for one in self.pairs))


@dataclass(frozen=True)
class PairShare:
    """Of how many pairs the good sentence is likelier.

    Attributes:
        right: Of so many.
        among: Pairs.
    """

    right: int
    among: int

    @property
    def accuracy(self) -> float:
        """The share; of no pairs none."""
        return self.right / self.among if self.among else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's, 95 %."""
        return wilson(self.accuracy, self.among) if self.among else (0.0, 1.0)


def share_of(
    result: MinimalPairsResult, scored: PairsScored, score: SentenceScore, phenomenon: str | None
) -> PairShare:
    """What a model gets right of a phenomenon's pairs, or of all."""
    judged = [
        right
        for number, right in scored.right(score).items()
        if phenomenon is None or result.pairs[number].phenomenon == phenomenon
    ]
    return PairShare(sum(judged), len(judged))


def paired_p(result: MinimalPairsResult, score: SentenceScore, other: int = 1) -> float | None:
    """McNemar's exact p of two models, over the pairs that both scored; None of one model.

    Args:
        result: The answer.
        score: What is compared.
        other: Number among those that scored any of the one that is held against the first.
    """
    if not 0 < other < len(result.judged):
        return None
    first, second = (result.judged[one].right(score) for one in (0, other))
    both = first.keys() & second.keys()
    return mcnemar(
        sum(first[one] and not second[one] for one in both),
        sum(second[one] and not first[one] for one in both),
    )


@dataclass(frozen=True)
class MinimalPairRow:
    """A pair and its scores."""

    number: int = column(N_("pair"), key=True)
    phenomenon: str = column(N_("phenomenon"), compared=False)
    good: str = column(N_("good sentence"), compared=False)
    bad: str = column(N_("bad sentence"), compared=False)
    good_score: float | None = column(N_("score of the good one"), unit=N_("nats"), digits=3)
    bad_score: float | None = column(N_("score of the bad one"), unit=N_("nats"), digits=3)
    right: bool | None = column(N_("right"))
    second_good_score: float | None = column(
        N_("score of the good one, second model"), unit=N_("nats"), digits=3
    )
    second_bad_score: float | None = column(
        N_("score of the bad one, second model"), unit=N_("nats"), digits=3
    )
    second_right: bool | None = column(N_("right, second model"))


def table(result: MinimalPairsResult, score: str = SCORE.default) -> Table:
    """One row a pair."""
    kind = SentenceScore(score)
    by_number = [{one.number: one for one in scored.pairs} for scored in result.scored]
    rows = []
    for number, pair in enumerate(result.pairs):
        cells: list[Any] = []
        for scored in (*by_number, {})[:2]:
            cells += _cells(scored.get(number), kind)
        rows.append(MinimalPairRow(number + 1, pair.phenomenon, pair.good, pair.bad, *cells))
    return Table.of(MinimalPairRow, rows)


def _cells(one: ScoredPair | None, score: SentenceScore) -> tuple[float | bool | None, ...]:
    if one is None:
        return (None,) * 3
    ends = (score.of(one.good.log_probabilities), score.of(one.bad.log_probabilities))
    return (*ends, ends[0] > ends[1])


COLUMN_TITLES = {
    "pairs": N_("pairs"),
    "accuracy": N_("accuracy"),
    "low": N_("lower end"),
    "high": N_("upper end"),
    "second_accuracy": N_("accuracy, second model"),
    "p": N_("McNemar's p"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: MinimalPairsResult, score: str = SCORE.default) -> Mapping[str, Cell]:
    """Over all pairs."""
    kind = SentenceScore(score)
    first, *others = (share_of(result, one, kind, None) for one in result.judged)
    low, high = first.interval
    row: dict[str, Cell] = {
        "pairs": first.among,
        "accuracy": first.accuracy,
        "low": low,
        "high": high,
    }
    if others:
        row |= {"second_accuracy": others[0].accuracy, "p": paired_p(result, kind)}
    return row


def derived(result: MinimalPairsResult) -> Mapping[str, Any]:
    """Accuracies by phenomenon, under both scores: what --json prints."""
    return {
        "accuracy": {
            score.value: {
                name: [share_of(result, one, score, name).accuracy for one in result.judged]
                for name in result.phenomena
            }
            for score in SentenceScore
        }
    }


def few(request: MinimalPairsRequest) -> MinimalPairsRequest:
    """As few pairs as it takes."""
    return replace(request, pairs=2)


def waits(_document: Document, _card: ModelCard, _answered: Answered | None) -> bool:
    """Hundreds of sentences are scored."""
    return True


QUESTION = Question(
    name=NAME,
    title=N_("Minimal pairs"),
    asks=N_("Which of two sentences does the model find likelier, and is that the good one?"),
    listing=Listing(Topic.PREDICT, 8, "compare-horizontal"),
    found_by=(
        *("BLiMP", "CrowS-Pairs", "grammaticality", "acceptability judgement", "CoLA"),
        *("syntactic evaluation", "good and bad sentences", "agreement"),
        *("최소 대립쌍", "문법성", "문법 평가", "수 일치", "용인성"),
    ),
    request=MinimalPairsRequest,
    result=MinimalPairsResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=derived,
    follows={"score": SCORE, "phenomenon": PHENOMENON, "shown": SHOWN},
    options=(SCORE, PHENOMENON, SHOWN),
    cheap_variant=few,
    is_expensive=waits,
    waiting_hint=N_(
        "Hundreds of sentences are scored: some seconds with a small model. Press Run to see of "
        "how many pairs the model finds the good sentence likelier."
    ),
    roles=dict.fromkeys((MODEL, SECOND), (Predictor,)),
    optional=frozenset({SECOND}),
    binding=active_and_other(NAME),
)
