"""How well can a linear classifier read a label of the words off each layer?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    Asks,
    Choice,
    Entry,
    FilePath,
    HiddenStates,
    LayersFrom0,
    Listing,
    Loaded,
    ModelStamp,
    Question,
    Switch,
    Table,
    Token,
    Topic,
    Whole,
    Words,
    asked,
    column,
)
from explorer.files_of_sentences.formats.conllu import USUAL
from explorer.files_of_sentences.formats.labelled_words import ENDINGS
from explorer.text import N_
from explorer.text.formatting.numbers import percent

FROM_FILE = "file"
FIRST, MEAN = "first", "mean"
FEWEST_TEXTS = 20
SEEDS = 5
"""Ways of splitting the texts, whose spread is shown."""

FEW_TYPES = 20
"""Different words below which a random label for each is learned by heart."""

LABEL = Choice(
    N_("Label"),
    "part_of_speech",
    entries=(
        Entry(
            "part_of_speech",
            N_("Part of speech"),
            N_(
                "The class of a word (NOUN, VERB …), by the rule of the small world's grammar that "
                "wrote it. Words that a rule wrote out have none and are left out."
            ),
        ),
        Entry(
            "number",
            N_("Number"),
            N_("Singular or plural, of nouns that may be either; “sheep” shows neither."),
        ),
        Entry(
            "tense",
            N_("Tense"),
            N_(
                "Past, present, progressive or future, of the verb itself: of “will cook”, "
                "“cook”, so that what comes before it must be known."
            ),
        ),
        Entry(
            "role",
            N_("Role"),
            N_(
                "Subject, object, place or tool: what a noun is in a sentence about work, by "
                "the rule of the grammar that wrote it."
            ),
        ),
        Entry(
            "job",
            N_("Job of “he” and “she”"),
            N_(
                "What is not said in the sentence: the job of the person a pronoun stands for, "
                "which an earlier sentence named. It is an argument of the rule that wrote it."
            ),
        ),
        Entry(
            "antecedent",
            N_("Antecedent of a pronoun"),
            N_(
                "The noun that a pronoun stands for: whose job, or which thing an earlier sentence "
                "named. It is an argument of the rule that wrote the sentence."
            ),
        ),
        Entry(
            "tool",
            N_("Tool that is not said"),
            N_(
                "What somebody works with, at the verb of a text that names no tool: the one that "
                "the grammar takes most often for this work."
            ),
        ),
        Entry(FROM_FILE, N_("Labels of a file"), N_("CoNLL-U, or a word and its label a line.")),
    ),
)


def _is_of_file(document: Any) -> bool:
    return bool(LABEL.of(document) == FROM_FILE)


@dataclass(frozen=True)
class ProbeRequest(Asks):
    """Ask what a linear classifier reads off each layer.

    The text may be empty; its words are labelled by the best layer's probe. A label is one of the
    small world (`explorer.world.labelling.labels`), or "file".
    """

    text: str = ""
    label: str = asked(LABEL)
    path: str = asked(
        FilePath(
            N_("Open…"),
            "",
            N_(
                "Open a CoNLL-U file, or one with a word, a tab and its label on every line and an "
                "empty line after every sentence."
            ),
            when=_is_of_file,
            kinds=N_("Words with labels (*.conllu *.conll *.tsv *.txt)"),
            endings=ENDINGS,
        )
    )
    column: str = asked(
        Words(
            N_("Column"),
            "",
            N_(
                "Of a CoNLL-U file: UPOS, XPOS, DEPREL, or a feature such as Number. Empty for "
                "UPOS."
            ),
            when=_is_of_file,
            placeholder=USUAL,
        )
    )
    pieces: str = asked(
        Choice(
            N_("Pieces of a word"),
            FIRST,
            N_("Of a word of several pieces, which states stand for it."),
            entries=(
                Entry(FIRST, N_("First piece"), N_("The state of the word's first piece.")),
                Entry(
                    MEAN, N_("Mean of its pieces"), N_("The mean of the states of all its pieces.")
                ),
            ),
            beside=True,
        )
    )
    withheld: bool = asked(
        Switch(
            N_("Withhold words"),
            False,
            N_(
                "Train again without a fifth of the words, wherever they occur, and test on "
                "these alone: a probe that only knows words by heart fails there."
            ),
        )
    )
    texts: int = asked(
        Whole(
            N_("Texts"),
            300,
            N_(
                "How many texts are read: three in four to train the probe, one in four to test it."
            ),
            low=FEWEST_TEXTS,
            high=5000,
        )
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """A file only where the labels are a file's."""
        found = super().fields_of(document, loaded)
        return found if _is_of_file(document) else {**found, "path": "", "column": ""}


@dataclass(frozen=True)
class ProbeScores:
    """What probes got right of the words that they were tested on.

    Attributes:
        accuracy: Shape [layers, seeds].
        control: Of probes for the control task, a random label for every word (Hewitt and Liang
            2019); of the same shape.
        majority: Shape [seeds]: what always saying the commonest label of the training part gets.
        trained: Shape [seeds]: words that were trained on.
        tested: Shape [seeds]: words that were tested on.
    """

    accuracy: NDArray[np.float64]
    control: NDArray[np.float64]
    majority: NDArray[np.float64]
    trained: NDArray[np.int64]
    tested: NDArray[np.int64]

    @property
    def selectivity(self) -> NDArray[np.float64]:
        """Accuracy minus that of the control task, of each layer and seed."""
        return self.accuracy - self.control


@dataclass(frozen=True)
class ReadWord:
    """What the best layer's probe says of a word of the typed sentence."""

    word: str = column(N_("word"))
    start: int = column(N_("first character"), key=True, shown=False)
    label: str = column(N_("label"))
    probability: float = column(N_("probability"), written=percent)


@dataclass(frozen=True)
class ProbeResult:
    """What is read off each layer.

    Attributes:
        model: Whose layers.
        tokens: Of the typed sentence.
        layers: Names of the rows: "emb.", "0" and so on.
        labels: All labels, the commonest first.
        counts: How many words have each.
        texts: How many texts there are.
        types: How many different words.
        scores: On words of sentences that were not trained on.
        best: The row with the highest mean accuracy; the first of several.
        read: What its probe, of the first split, says of the typed sentence.
        withheld: On words that were never trained on; None where that was not asked for, or where
            there are too few to say anything.
        cut: Words left out because their text did not fit into the model.
        source: Name of the file; "" for the small world.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    layers: tuple[str, ...]
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    texts: int
    types: int
    scores: ProbeScores
    best: int
    read: tuple[ReadWord, ...] = ()
    withheld: ProbeScores | None = None
    cut: int = 0
    source: str = ""


@dataclass(frozen=True)
class ProbeRow:
    """A layer and a split; the last four are None where no words were withheld."""

    layer: str = column(N_("layer"), key=True)
    seed: int = column(N_("split"), key=True)
    accuracy: float = column(N_("accuracy"), digits=3)
    control: float = column(N_("control task"), digits=3)
    majority: float = column(N_("majority label"), digits=3)
    tested: int = column(N_("words tested"))
    withheld_accuracy: float | None = column(N_("accuracy, withheld words"), digits=3)
    withheld_control: float | None = column(N_("control task, withheld words"), digits=3)
    withheld_majority: float | None = column(N_("majority label, withheld words"), digits=3)
    withheld_tested: int | None = column(N_("withheld words tested"))


def table(result: ProbeResult) -> Table:
    """One row a layer and a split."""
    splits = range(result.scores.accuracy.shape[1])
    places = ((layer, seed) for layer in range(len(result.layers)) for seed in splits)
    rows = (
        ProbeRow(
            result.layers[layer],
            seed,
            *_cells(result.scores, layer, seed),
            *_cells(result.withheld, layer, seed),
        )
        for layer, seed in places
    )
    return Table.of(ProbeRow, rows)


def _cells(scores: ProbeScores | None, layer: int, seed: int) -> tuple[Any, ...]:
    if scores is None:
        return (None,) * 4
    return (
        float(scores.accuracy[layer, seed]),
        float(scores.control[layer, seed]),
        float(scores.majority[seed]),
        int(scores.tested[seed]),
    )


def derived(result: ProbeResult) -> Mapping[str, Any]:
    """Arrays as lists: what --json prints."""
    told: dict[str, Any] = {"selectivity": result.scores.selectivity.tolist()}
    for name, scores in (("scores", result.scores), ("withheld", result.withheld)):
        if scores is None:
            continue
        told[name] = {
            "accuracy": scores.accuracy.tolist(),
            "control": scores.control.tolist(),
            "majority": scores.majority.tolist(),
            "trained": scores.trained.tolist(),
            "tested": scores.tested.tolist(),
        }
    return told


def fewest_texts(request: ProbeRequest) -> ProbeRequest:
    """Train on as little as a probe can be trained on, and tell few labels apart."""
    return replace(request, texts=FEWEST_TEXTS, label="number")


QUESTION = Question(
    name="probe",
    title=N_("Probe"),
    asks=N_("How well can a linear classifier read a label of the words off each layer?"),
    listing=Listing(Topic.LOOK_INSIDE, 10, "chart-line", "Ctrl+Shift+3"),
    found_by=(
        "probing",
        "linear probe",
        "diagnostic classifier",
        "selectivity",
        "프로빙",
        "선형 분류기",
    ),
    request=ProbeRequest,
    result=ProbeResult,
    table=table,
    summary=None,
    derived=derived,
    roles={MODEL: (HiddenStates,)},
    cheap_variant=fewest_texts,
    # Hundreds of texts are read, and a probe is trained for every layer and split.
    is_expensive=lambda _document, _card, _answered: True,
    waiting_hint=N_(
        "Hundreds of texts are read, and probes are trained for every layer: some "
        "seconds with a small model. Press Run to see what each layer holds."
    ),
    leaves_out_entities=N_(
        "The entities on the text are left out: the probes are trained on texts without any, so "
        "the sentence is read without them, too."
    ),
    upgrades=(
        LayersFrom0(
            lists=("layers",), value="layer", words=r"^(?:Read best|Most is read) at layer (\w+)"
        ),
    ),
)
