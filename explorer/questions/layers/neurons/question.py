"""What makes a neuron or a head active, what does it write, and which label does it predict?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    Answered,
    Asks,
    Choice,
    Entry,
    FilePath,
    HiddenStates,
    Listing,
    Loaded,
    Mask,
    ModelCard,
    ModelStamp,
    Neurons,
    Question,
    Token,
    Topic,
    UnitKind,
    Whole,
    Words,
    asked,
)
from explorer.api.question.parts.predictions.changes import PredictionChanges
from explorer.files_of_sentences.formats.conllu import USUAL
from explorer.files_of_sentences.sentences import ENDINGS
from explorer.questions.layers.probe.question import FROM_FILE
from explorer.questions.layers.probe.question import LABEL as PROBED
from explorer.text import N_

BEST = -1
"""The unit that predicts a label best."""
SENTENCES = "sentences"
"""Texts without labels."""
FEWEST_TEXTS = 20
MOST_NUMBER = 1_000_000

OFFERED = ("role", "part_of_speech", "number", "tense", "job", "antecedent", "tool", FROM_FILE)
LABEL = Choice(
    N_("Texts and labels"),
    "role",
    N_(
        "Texts of the small world whose grammar says this of their words, or texts of your own. "
        "Words that the label says nothing of count as words without it."
    ),
    entries=(
        *(PROBED.entry(name) for name in OFFERED),
        Entry(
            SENTENCES,
            N_("Sentences of a file"),
            N_("A file with a sentence on every line, or a folder of such files: no labels."),
        ),
    ),
)


def _has_file(document: Any) -> bool:
    return bool(LABEL.of(document) in (FROM_FILE, SENTENCES))


def _has_labels(document: Any) -> bool:
    return bool(LABEL.of(document) == FROM_FILE)


LAYER = Whole(N_("Layer"), 0, N_("Layer, counted from 0"), high=999, counts="layers")
UNIT = Choice(
    N_("Neuron or head"),
    UnitKind.NEURON.value,
    N_(
        "A neuron is active by the number that it hands on; a head by the length of the vector "
        "that it adds to the stream."
    ),
    entries=(
        Entry(UnitKind.NEURON.value, N_("Feed-forward neuron")),
        Entry(UnitKind.HEAD.value, N_("Attention head")),
    ),
)
NUMBER = Whole(
    N_("Its number"),
    BEST,
    N_("Which neuron or head of the layer, counted from 0."),
    low=BEST,
    high=MOST_NUMBER,
    least_said=N_("the best one"),
)


@dataclass(frozen=True)
class NeuronsRequest(Asks):
    """Ask what a neuron or a head of a layer does.

    The text may be empty; where something is masked in it, what is predicted there is told again
    with the neuron switched off and doubled. Of number -1 it is the unit that predicts one of the
    labels best; without labels the one that is most active.
    """

    text: str = ""
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    layer: int = asked(LAYER)
    number: int = asked(NUMBER)
    label: str = asked(LABEL)
    unit: str = asked(UNIT)
    path: str = asked(
        FilePath(
            N_("Open…"),
            "",
            N_(
                "With labels: a CoNLL-U file, or one with a word, a tab and its label on every "
                "line. Without: a file of sentences, or a folder."
            ),
            when=_has_file,
            kinds=N_("Texts (*.conllu *.conll *.tsv *.txt *.csv *.json *.jsonl)"),
            endings=tuple(sorted({*ENDINGS, ".conllu", ".conll"})),
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
            when=_has_labels,
            placeholder=USUAL,
        )
    )
    texts: int = asked(
        Whole(
            N_("Texts"),
            300,
            N_("How many texts are read: half to choose thresholds by, half to test them."),
            low=FEWEST_TEXTS,
            high=5000,
        )
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """A file only where the texts are a file's."""
        found = super().fields_of(document, loaded)
        if not _has_file(document):
            found |= {"path": ""}
        return found if _has_labels(document) else {**found, "column": ""}

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer in the place of one that a deeper model had."""
        shape = cards[0].attention_shape
        return self if shape is None else replace(self, layer=min(self.layer, shape[0] - 1))

    @property
    def read(self) -> tuple[Any, ...]:
        """What of it says which texts are read, and what is looked at in them."""
        return (self.layer, self.label, self.unit, self.path, self.column, self.texts)


@dataclass(frozen=True)
class ActiveText:
    """A text of those in which a unit is most active.

    Attributes:
        text: It.
        tokens: As the model read it.
        values: How active the unit is at each, float32.
        position: Of the token where it is most active.
    """

    text: str
    tokens: tuple[Token, ...]
    values: NDArray[np.float32]
    position: int


@dataclass(frozen=True)
class UnitWord:
    """A word that a unit looks for, or that is read in what it writes.

    Attributes:
        rank: From 1.
        word: As a person writes it.
        value: A product with the word's vector, or a probability.
    """

    rank: int
    word: str
    value: float


@dataclass(frozen=True)
class LabelFound:
    """How well the best unit of a layer finds a label, and how well a linear probe does.

    On texts that nothing was chosen by; an interval is the 95 % of a bootstrap over texts.

    Attributes:
        label: Its name.
        number: Of the unit; it finds the label best in the other half.
        threshold: The activation from which on it says "yes".
        f1: Of the unit.
        low: Lower end of its interval.
        high: Upper end.
        precision: Of the unit.
        recall: Of the unit.
        probe: F1 of the probe.
        probe_low: Lower end of its interval.
        probe_high: Upper end.
        always: F1 of who says "yes" of every word.
        tested: Words with the label in these texts.
    """

    label: str
    number: int
    threshold: float
    f1: float
    low: float
    high: float
    precision: float
    recall: float
    probe: float
    probe_low: float
    probe_high: float
    always: float
    tested: int


@dataclass(frozen=True)
class NeuronsResult:
    """What a unit does.

    Attributes:
        model: Whose.
        unit: "neuron" or "head".
        layer: Counted from 0.
        number: Counted from 0.
        units: How many there are in the layer.
        texts: How many were read.
        counted: Words, with a label or without; 0 where texts have no labels.
        cut: Words left out because their text did not fit into the model.
        strongest: Texts in which it is most active, the strongest first.
        reads: Pieces of the vocabulary whose vectors it looks for most.
        writes: Pieces that the model's own head reads in what it writes.
        reads_why: Why there are none of the former; "" where there are.
        writes_why: Why there are none of the latter.
        own: The label that this unit finds best, and how well.
        best: The best unit for each label, and how well it does.
        off: What is predicted with the unit switched off; None where nothing is masked.
        twice: With what it hands on doubled.
        source: Name of the file or folder; "" for the small world.
        is_short: Fewer texts were read than were asked for: there was no room for more.
    """

    model: ModelStamp
    unit: str
    layer: int
    number: int
    units: int
    texts: int
    counted: int
    cut: int
    strongest: tuple[ActiveText, ...]
    reads: tuple[UnitWord, ...]
    writes: tuple[UnitWord, ...]
    reads_why: str = ""
    writes_why: str = ""
    own: LabelFound | None = None
    best: tuple[LabelFound, ...] = ()
    off: PredictionChanges | None = None
    twice: PredictionChanges | None = None
    source: str = ""
    is_short: bool = False


def waits(document: Any, card: ModelCard, answered: Answered | None) -> bool:
    """Texts are read when the user says so; another unit of the same layer needs none."""
    if answered is None or answered.result.model != card.stamp:
        return True
    loaded = Loaded(playing=(card,))
    then = NeuronsRequest.of(answered.asked, loaded)
    return NeuronsRequest.of(document, loaded).read != then.read


def fewest_texts(request: NeuronsRequest) -> NeuronsRequest:
    """Read as little as there can be anything told of."""
    return replace(request, texts=FEWEST_TEXTS)


QUESTION = Question(
    name="neurons",
    title=N_("Neurons"),
    asks=N_("What makes a neuron or a head active, what does it write, what does it predict?"),
    listing=Listing(Topic.LOOK_INSIDE, 12, "graph-outline"),
    found_by=(
        "neuron",
        "feed-forward neurons",
        "activations",
        "top activating texts",
        "max activating examples",
        "monosemantic",
        "뉴런",
        "활성화",
    ),
    request=NeuronsRequest,
    result=NeuronsResult,
    summary=None,
    roles={MODEL: (Neurons, HiddenStates)},
    cheap_variant=fewest_texts,
    is_expensive=waits,
    waiting_hint=N_(
        "Hundreds of texts are read, and every neuron of the layer is compared with every label: "
        "some seconds with a small model. Press Run to see what the best one does."
    ),
    leaves_out_entities=N_(
        "The entities on the text are left out: the neurons are looked at in texts without any, so "
        "the sentence is read without them, too."
    ),
)
