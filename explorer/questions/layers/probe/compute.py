"""Trains a linear classifier on the states of every layer, and a control beside it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    Encoded,
    HiddenStates,
    LoadedModel,
    Token,
    UserMistake,
    tokens_at,
)
from explorer.files.typed_paths import typed_path
from explorer.hf.predict.rows import part_of
from explorer.hf.states.rows import row_names
from explorer.questions.layers.probe import regression
from explorer.questions.layers.probe.question import (
    FROM_FILE,
    MEAN,
    SEEDS,
    ProbeRequest,
    ProbeResult,
    ProbeScores,
    ReadWord,
)
from explorer.questions.layers.probe.splits import Split, control_labels, splits_of
from explorer.questions.layers.probe.texts import (
    LabelledText,
    LabelledWord,
    file_texts,
    world_texts,
)
from explorer.text import N_

Floats = NDArray[np.float32]

AT_ONCE = 32
"""Texts whose states are held at a time: of each word only a few numbers stay."""

FEWEST_TESTED = 20
"""Words never trained on that a split must be tested with; of fewer, shares say nothing."""

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class Standard:
    """How features are standardised: by what the training part is like."""

    mean: regression.Reals
    deviation: regression.Reals

    @staticmethod
    def of(features: Floats) -> "Standard":
        """Of the training part; a feature that is the same everywhere stays at zero."""
        deviation = features.std(axis=0, dtype=np.float64)
        deviation[deviation < 1e-8] = 1.0
        return Standard(features.mean(axis=0, dtype=np.float64), deviation)

    def applied(self, features: Floats) -> regression.Reals:
        """Features with mean 0 and deviation 1 over the training part."""
        return (features - self.mean) / self.deviation


@dataclass(frozen=True)
class ProbeExamples:
    """The words with labels, and what each layer makes of them.

    Attributes:
        features: Shape [layers, words, width].
        words: Of each.
        texts: Number of the text that each is in.
        labels: Number of the label of each.
    """

    features: Floats
    words: tuple[LabelledWord, ...]
    texts: NDArray[np.int64]
    labels: NDArray[np.int64]


def run(model: Any, request: ProbeRequest, context: Context) -> ProbeResult:
    """Train and test a probe for every layer and split.

    Raises:
        UserMistake: The file can't be read or has too little in it.
        Cancelled: The run was cancelled; checked before every step of every fit.
    """
    context.progress(N_("collecting texts"), 0.0, 0.0)
    texts = _texts(request, context)
    found, cut = _states_of(model, texts, request.pieces, context)
    counts = Counter(word.label for word in found.words)
    labels = [label for label, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    if len(labels) < 2:
        raise UserMistake(
            N_("The words that fit into the model have one label, so nothing is learned."),
            N_("Choose another label, or more texts."),
        )
    numbers = np.array([labels.index(word.label) for word in found.words], dtype=np.int64)
    examples = replace(found, labels=numbers)
    trial = ProbeTrial(examples, len(labels), request, context)
    scores, withheld = trial.run()
    best = int(scores.accuracy.mean(axis=1).argmax())
    tokens: tuple[Token, ...] = ()
    read: tuple[ReadWord, ...] = ()
    if request.text.strip():
        encoded = model.encode(request.text)
        tokens = encoded.tokens
        read = trial.read(model, encoded, best, labels)
    return ProbeResult(
        model.stamp,
        tokens,
        row_names(len(examples.features)),
        tuple(labels),
        tuple(counts[label] for label in labels),
        len(texts),
        len({word.type for word in examples.words}),
        scores,
        best,
        read,
        withheld,
        cut,
        Path(request.path).name if request.label == FROM_FILE else "",
    )


def _texts(request: ProbeRequest, context: Context) -> list[LabelledText]:
    if request.label != FROM_FILE:
        return world_texts(request.label, request.texts, context.check)
    if not request.path:
        raise UserMistake(
            N_("There is no file yet."), N_("Choose a file of words with their labels.")
        )
    return file_texts(typed_path(request.path), request.column, request.texts)


def _states_of(
    model: LoadedModel, texts: Sequence[LabelledText], pieces: str, context: Context
) -> tuple[ProbeExamples, int]:
    """What every layer makes of each word with a label, and how many did not fit."""
    parts: list[Floats] = []
    words: list[LabelledWord] = []
    owners: list[int] = []
    cut = 0
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        encoded = [model.encode(one.text) for one in some]
        part = part_of(context, N_("reading the texts"), start, len(texts))
        states = model.port(HiddenStates).states(encoded, part)
        for number, (one, its, rows) in enumerate(zip(some, encoded, states, strict=True), start):
            for word in one.words:
                state = _state(rows, its, word.start, word.end, pieces)
                if state is None:
                    cut += 1
                    continue
                parts.append(state)
                words.append(word)
                owners.append(number)
    features = np.stack(parts, axis=1) if parts else np.zeros((1, 0, 1), np.float32)
    none = np.zeros(len(words), dtype=np.int64)
    return ProbeExamples(features, tuple(words), np.array(owners, dtype=np.int64), none), cut


def _state(rows: Any, encoded: Encoded, start: int, end: int, pieces: str) -> Floats | None:
    """The states that stand for characters of a text, of every layer; None where they were cut."""
    if encoded.left_out is not None and end > encoded.left_out.start:
        return None
    places = list(tokens_at(encoded.tokens, start, end))
    if not places:
        return None
    own = rows[:, places].mean(dim=1) if pieces == MEAN else rows[:, places[0]]
    states: Floats = own.cpu().numpy()
    return states


class ProbeTrial:
    """Probes of all layers over all splits.

    Args:
        examples: The words.
        classes: How many labels.
        request: What is asked.
        context: For progress and a cancel.
    """

    def __init__(
        self, examples: ProbeExamples, classes: int, request: ProbeRequest, context: Context
    ) -> None:
        self._examples, self._classes = examples, classes
        self._request, self._context = request, context
        self._splits = splits_of(examples.words, examples.texts, range(SEEDS))
        self._controls = [
            control_labels([w.type for w in examples.words], examples.labels, seed)
            for seed in range(SEEDS)
        ]

    def run(self) -> tuple[ProbeScores, ProbeScores | None]:
        """Scores on new sentences, and on new words where that was asked for."""
        splits = self._splits
        if any(not len(one.test) or not len(one.train) for one in splits):
            raise UserMistake(
                N_("Too few sentences are left to test a probe with."),
                N_("Choose more texts, or a file with more different sentences."),
            )
        hidden = [one.withholding(self._examples.words) for one in splits]
        is_told = self._request.withheld and all(
            len(one.test) >= FEWEST_TESTED and len(one.train) for one in hidden
        )
        fits = (2 if is_told else 1) * len(self._examples.features)
        scores = self._scored(splits, 0, fits)
        withheld = self._scored(hidden, fits // 2, fits) if is_told else None
        return scores, withheld

    def _scored(self, splits: Sequence[Split], done: int, total: int) -> ProbeScores:
        examples = self._examples
        shape = (len(examples.features), len(splits))
        accuracy, control = np.zeros(shape), np.zeros(shape)
        for layer in range(shape[0]):
            self._context.progress(N_("training probes"), float(done + layer), float(total))
            begin = None
            for seed, split in enumerate(splits):
                begin, accuracy[layer, seed] = self._fit(layer, split, examples.labels, begin)
                control[layer, seed] = self._fit(layer, split, self._controls[seed], None)[1]
        majority = np.array([_majority(examples.labels, split) for split in splits])
        return ProbeScores(
            accuracy,
            control,
            majority,
            np.array([len(one.train) for one in splits], dtype=np.int64),
            np.array([len(one.test) for one in splits], dtype=np.int64),
        )

    def _fit(
        self,
        layer: int,
        split: Split,
        labels: NDArray[np.int64],
        begin: regression.Reals | None,
    ) -> tuple[regression.Reals, float]:
        """The weights of a probe, and what it gets right."""
        states = self._examples.features[layer]
        standard = Standard.of(states[split.train])
        weights = regression.fit(
            standard.applied(states[split.train]),
            labels[split.train],
            self._classes,
            self._context.check,
            begin,
        )
        said = regression.scores(standard.applied(states[split.test]), weights).argmax(axis=1)
        return weights, float((said == labels[split.test]).mean())

    def read(
        self, model: LoadedModel, encoded: Encoded, layer: int, labels: Sequence[str]
    ) -> tuple[ReadWord, ...]:
        """What a layer's probe, of the first split, says of the words of a text."""
        split = self._splits[0]
        weights, _ = self._fit(layer, split, self._examples.labels, None)
        standard = Standard.of(self._examples.features[layer][split.train])
        (rows,) = model.port(HiddenStates).states([encoded], self._context)
        found: list[ReadWord] = []
        for match in _WORD.finditer(self._request.text):
            state = _state(rows, encoded, match.start(), match.end(), self._request.pieces)
            if state is None:
                continue
            chances = regression.probabilities(standard.applied(state[layer][None]), weights)[0]
            best = int(chances.argmax())
            word = ReadWord(match.group(), match.start(), labels[best], float(chances[best]))
            found.append(word)
        return tuple(found)


def _majority(labels: NDArray[np.int64], split: Split) -> float:
    commonest = int(np.bincount(labels[split.train]).argmax())
    return float((labels[split.test] == commonest).mean())
