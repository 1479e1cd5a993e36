"""All units of a layer in many texts, and how well each of them finds each label."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    HiddenStates,
    LoadedModel,
    Neurons,
    UnitKind,
    tokens_at,
)
from explorer.hf.predict.rows import part_of
from explorer.numerics.evaluation.f1 import FoundF1, best_thresholds, found_f1
from explorer.questions.layers.neurons.question import LabelFound, NeuronsRequest
from explorer.questions.layers.neurons.texts import texts_of
from explorer.questions.layers.probe import regression
from explorer.questions.layers.probe.compute import Standard
from explorer.questions.layers.probe.splits import Split, splits_of
from explorer.questions.layers.probe.texts import LabelledWord
from explorer.text import N_

Floats = NDArray[np.float32]

AT_ONCE = 32
"""Texts whose activations are held at a time: of each word only one token's stay."""
ROOM = 384 * 2**20
"""Bytes of activations and states of words; no more texts are read where they are full."""
MOST_LABELS = 12
"""The commonest; there are dozens of jobs."""
UNITS_AT_ONCE = 256
"""Whose thresholds are looked for at a time."""
FEWEST_WORDS = 5
"""With a label, in each half: of fewer nothing can be said."""
TESTED = 0.5


@dataclass(frozen=True)
class JudgedUnits:
    """How well each unit finds each label.

    Attributes:
        labels: The commonest first.
        split: Which words thresholds were chosen by, and which are tested on.
        marked: Words x labels: which word has which.
        scores: Labels x units: F1 at the best threshold, where thresholds were chosen.
        thresholds: Labels x units.
        probes: Of each label, what the linear probe gets in the other half.
    """

    labels: tuple[str, ...]
    split: Split
    marked: NDArray[np.bool_]
    scores: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    probes: tuple[FoundF1, ...]


@dataclass(frozen=True)
class LayerRead:
    """A layer in many texts.

    Attributes:
        texts: As they are written.
        peaks: Texts x units: the largest activation at a token of the text's own.
        activations: Words x units: at each word's first token.
        owners: The text that each word is in.
        cut: Words left out because their text did not fit into the model.
        is_short: There was no room for all texts.
        scored: None without labels, or where there are too few words with one.
    """

    texts: tuple[str, ...]
    peaks: Floats
    activations: Floats
    owners: NDArray[np.int64]
    cut: int
    is_short: bool
    scored: JudgedUnits | None

    @property
    def nbytes(self) -> int:
        """What it takes."""
        return self.peaks.nbytes + self.activations.nbytes

    def found(self, unit: int, label: int) -> LabelFound:
        """How well a unit finds a label in the texts that nothing was chosen by."""
        scored = self.scored
        assert scored is not None
        test = scored.split.test
        threshold = float(scored.thresholds[label, unit])
        true = scored.marked[test, label]
        own = found_f1(self.activations[test, unit] >= threshold, true, self.owners[test])
        probe, share = scored.probes[label], float(true.mean())
        return LabelFound(
            scored.labels[label],
            unit,
            threshold,
            own.value,
            own.low,
            own.high,
            own.precision,
            own.recall,
            probe.value,
            probe.low,
            probe.high,
            2 * share / (1 + share),
            int(true.sum()),
        )


def read_layer(model: LoadedModel, request: NeuronsRequest, context: Context) -> LayerRead:
    """Read the texts, and score every unit.

    Raises:
        UserMistake: As `texts_of`.
        Cancelled: The run was cancelled.
    """
    context.progress(N_("collecting texts"), 0.0, 0.0)
    texts = texts_of(request, context.check)
    kind, port = UnitKind(request.unit), model.port(Neurons)
    peaks: list[Floats] = []
    activations: list[Floats] = []
    states: list[Floats] = []
    words: list[LabelledWord] = []
    owners: list[int] = []
    cut = used = 0
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        encoded = [model.encode(one.text) for one in some]
        part = part_of(context, N_("reading the texts"), start, len(texts))
        active = port.activations(encoded, kind, request.layer, part)
        # States are for the probe, which has nothing to learn where no word has a label.
        rows = model.port(HiddenStates).states(encoded, part) if some[0].words else active
        for number, (one, its, own, row) in enumerate(
            zip(some, encoded, active, rows, strict=True), start
        ):
            plain = [n for n, token in enumerate(its.tokens) if not token.special]
            every = own.cpu().numpy()
            peaks.append(every[plain or slice(None)].max(axis=0))
            for word in one.words:
                at = tokens_at(its.tokens, word.start, word.end)
                if not at or (its.left_out is not None and word.end > its.left_out.start):
                    cut += 1
                    continue
                activations.append(every[at[0]].copy())
                states.append(row[request.layer + 1, at[0]].cpu().numpy())
                words.append(word)
                owners.append(number)
                used += activations[-1].nbytes + states[-1].nbytes
        if used > ROOM:
            break
    read = LayerRead(
        tuple(one.text for one in texts[: len(peaks)]),
        np.stack(peaks),
        np.stack(activations) if words else np.zeros((0, peaks[0].shape[0]), np.float32),
        np.array(owners, dtype=np.int64),
        cut,
        len(peaks) < len(texts),
        None,
    )
    if not words:
        return read
    return _scored(read, words, np.stack(states), context)


def _scored(
    read: LayerRead, words: Sequence[LabelledWord], states: Floats, context: Context
) -> LayerRead:
    """With every unit's scores; without where too few words have a label in one of the halves."""
    split = splits_of(words, read.owners, (0,), TESTED)[0]
    given = np.array([word.label for word in words])
    counts = Counter(given[split.train].tolist())
    tested = Counter(given[split.test].tolist())
    labels = [
        label
        for label, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        if label and min(count, tested[label]) >= FEWEST_WORDS
    ][:MOST_LABELS]
    if not labels:
        return read
    marked = np.stack([given == label for label in labels], axis=1)
    scores, thresholds = [], []
    units = read.activations.shape[1]
    for start in range(0, units, UNITS_AT_ONCE):
        context.progress(N_("comparing neurons with labels"), float(start), float(units))
        context.check()
        some = read.activations[split.train, start : start + UNITS_AT_ONCE]
        found = best_thresholds(some, marked[split.train])
        scores.append(found[0])
        thresholds.append(found[1])
    context.progress(N_("training probes"), 0.0, 0.0)
    # What has none of the labels is a class of its own.
    classes = np.where(marked.any(axis=1), marked.argmax(axis=1) + 1, 0).astype(np.int64)
    standard = Standard.of(states[split.train])
    weights = regression.fit(
        standard.applied(states[split.train]),
        classes[split.train],
        len(labels) + 1,
        context.check,
    )
    said = regression.scores(standard.applied(states[split.test]), weights).argmax(axis=1)
    probes = tuple(
        found_f1(said == number + 1, marked[split.test, number], read.owners[split.test])
        for number in range(len(labels))
    )
    scored = JudgedUnits(
        tuple(labels),
        split,
        marked,
        np.concatenate(scores, axis=1),
        np.concatenate(thresholds, axis=1),
        probes,
    )
    return replace(read, scored=scored)
