"""What do measures of bias say of a model, and what can they see?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from explorer.api.question import (
    MODEL,
    Answered,
    Asks,
    BidirectionalPredictor,
    Cell,
    FilePath,
    Listing,
    ModelCard,
    ModelStamp,
    Predictor,
    Question,
    Topic,
    Whole,
    asked,
)
from explorer.document import Document
from explorer.files_of_sentences.sentences import SQUAD, TABLES
from explorer.learning.bias.items import BiasItem
from explorer.learning.bias.measures import MEASURES, BiasFound, found_by
from explorer.learning.bias.scores import BiasScores
from explorer.text import N_

NAME = "bias"


@dataclass(frozen=True)
class BiasRequest(Asks):
    """Ask what measures of bias say of pairs of sentences.

    Attributes:
        path: The file of pairs; "" for those of the smallest world.
        pairs: How many are read at most, of each kind of bias its share.
    """

    path: str = asked(
        FilePath(
            N_("Open…"),
            "",
            N_(
                "Open a file with a stereotyped sentence and its opposite a row, as CrowS-Pairs "
                "has them, or StereoSet’s JSON. Without one, the smallest world’s pairs, of which "
                "the answer is known."
            ),
            kinds=N_("Pairs of sentences (*.csv *.tsv *.jsonl *.ndjson *.json)"),
            endings=tuple(sorted({*TABLES, SQUAD} - {".conllu"})),
        )
    )
    pairs: int = asked(
        Whole(
            N_("Pairs"),
            120,
            N_("How many pairs are read at most; of each kind of bias its share."),
            low=2,
            high=2000,
        )
    )


@dataclass(frozen=True)
class ScoredBiasItem:
    """A pair, as a model scores it.

    Attributes:
        item: Its sentences.
        scores: What measures compare.
    """

    item: BiasItem
    scores: BiasScores


@dataclass(frozen=True)
class BiasResult:
    """Pairs, and their scores.

    Attributes:
        model: Who was asked.
        scored: All pairs that it could score.
        there: How many pairs the file has.
        read: How many of them were read.
        source: The file's name; "" for the smallest world.
        refused: Why a pair could not be scored; "" where all were.
        unknown: Pairs with a word that the vocabulary has no piece for.
        unreadable: Rows of the file that are no pair.
    """

    model: ModelStamp
    scored: tuple[ScoredBiasItem, ...]
    there: int
    read: int
    source: str = ""
    refused: str = ""
    unknown: int = 0
    unreadable: int = 0


def measured(result: BiasResult) -> Mapping[str, BiasFound]:
    """What each measure says that the pairs are enough for, by its name."""
    scored = [(one.item, one.scores) for one in result.scored]
    found = {name: found_by(name, scored) for name in MEASURES}
    return {name: one for name, one in found.items() if one is not None}


COLUMN_TITLES = {"pairs": N_("pairs"), **{name: one.title for name, one in MEASURES.items()}}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: BiasResult) -> Mapping[str, Cell]:
    """Over all pairs; a measure that can't be taken is None."""
    found = measured(result)
    values = {name: found[name].value if name in found else None for name in MEASURES}
    return {"pairs": len(result.scored), **values}


def few(request: BiasRequest) -> BiasRequest:
    """As few pairs as it takes."""
    return replace(request, pairs=2)


def waits(_document: Document, _card: ModelCard, _answered: Answered | None) -> bool:
    """Thousands of masks are filled."""
    return True


QUESTION = Question(
    name=NAME,
    title=N_("Measures of bias"),
    asks=N_("What do measures of bias say of the model, and what can they see?"),
    listing=Listing(Topic.PREDICT, 10, "scale-unbalanced"),
    found_by=(
        *("bias", "stereotype", "fairness", "StereoSet", "CrowS-Pairs score", "AUL", "AULA"),
        *("gender bias", "log-probability bias", "icat", "WinoBias"),
        *("편향", "고정관념", "공정성", "성별 편향", "편향 측정"),
    ),
    request=BiasRequest,
    result=BiasResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    cheap_variant=few,
    is_expensive=waits,
    waiting_hint=N_(
        "Thousands of masks are filled: some seconds with a small model, minutes with a large one. "
        "Press Run to see what the measures say, and what they see where the answer is known."
    ),
    roles={MODEL: (Predictor, BidirectionalPredictor)},
)
