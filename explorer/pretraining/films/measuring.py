"""How far probabilities move when a frame's weights are stored as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.measured.places import EvaluatedPiece, draw_places, places_by_rule
from explorer.learning.measured.predictions import predict
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.texts.choosing import text_of
from explorer.learning.texts.training_text import LearningText
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.judged import judge
from explorer.learning.tuning.plan import TuningPlan
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

TEXTS: Final = 150
"""Held-out documents that are asked about."""
SEED: Final = 5
MASKED: Final = (None, 0.15)
"""One piece of a text, and a share of its pieces."""


@dataclass(frozen=True, slots=True)
class StoredError:
    """Of a frame as it is stored against what was trained.

    Attributes:
        largest: The largest change of any probability.
        divergence: The largest KL divergence at a place, in nats.
    """

    largest: float
    divergence: float


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """A frame of a film.

    Attributes:
        step: Of the training.
        bits: Of its whole numbers.
        error: Against what was trained.
        weights: Of what was trained: the hash of its file, SHA-256.
        eight_bits: How far a probability moves in 8 bits.
        asked: Masks, or texts with a label, at which that was measured.
    """

    step: int
    bits: int
    error: StoredError
    weights: str
    eight_bits: float
    asked: int


class AskedFrames(Protocol):
    """What is asked of a frame, as it was trained and as it is stored."""

    def __len__(self) -> int:
        """How much is asked."""

    def said(self, model: Any) -> NDArray[np.float64]:
        """A model's log-probabilities, shape [asked, classes]."""


@dataclass(frozen=True, slots=True)
class AskedPlaces:
    """Masks in held-out texts, over the whole vocabulary.

    Attributes:
        tokenizer: Of the frames.
        places: In its pieces.
    """

    tokenizer: Any
    places: Sequence[EvaluatedPiece]

    def __len__(self) -> int:
        return len(self.places)

    def said(self, model: Any) -> NDArray[np.float64]:
        """At each mask, over the vocabulary."""
        return predict(model.eval(), self.tokenizer, self.places)


@dataclass(frozen=True, slots=True)
class AskedLabels:
    """Held-out texts with labels.

    Attributes:
        tokenizer: Of the frames.
        texts: With what is held out of them.
        length: Tokens of a text that are read.
    """

    tokenizer: Any
    texts: LabelledTexts
    length: int

    def __len__(self) -> int:
        return len(self.texts.held_out)

    def said(self, model: Any) -> NDArray[np.float64]:
        """Of each text, over the labels."""
        told = judge(model, self.tokenizer, self.texts, self.length).said
        return np.log(np.array(told, dtype=np.float64))


def asked_of(plan: RunPlan, tokenizer: Any, texts: int = TEXTS) -> AskedFrames:
    """What the frames of a plan are asked.

    Args:
        plan: Of masked words, or of a task.
        tokenizer: Of its frames.
        texts: Held-out documents whose words are masked.
    """
    if isinstance(plan, TuningPlan):
        return AskedLabels(tokenizer, plan.texts, min(plan.length, tokenizer.model_max_length))
    student = plan.student_plan if isinstance(plan, DistilPlan) else plan
    assert isinstance(student, TrainingPlan)
    own = None if student.corpus is Corpus.WORLD else text_of(student)
    return AskedPlaces(tokenizer, places_of(tokenizer, texts, own))


def places_of(
    tokenizer: Any, texts: int = TEXTS, text: LearningText | None = None
) -> list[EvaluatedPiece]:
    """The places that are asked, in the tokenizer's pieces.

    Args:
        tokenizer: Cuts what is asked.
        texts: How many.
        text: What was read, whose texts they are; None for the usual small world's.
    """
    if text is None:
        reader, unseen = exact_reader(tokenizer.tokenize), held_out_documents(texts)
        return [one for share in MASKED for one in draw_places(reader, unseen, SEED, share)]
    own, found = text.reader(tokenizer.tokenize), text.held_out(texts)
    assert own is not None
    # Of every rule as many, for nothing says which sentences of these texts were never read.
    return [one for share in MASKED for one in places_by_rule(own, found, SEED, share=share)]


def error_of(trained: Any, stored: Path, asked: AskedFrames) -> StoredError:
    """Ask a frame as it was trained and as it is stored.

    Args:
        trained: The transformers model as it was trained.
        stored: The file of its weights as it is stored.
        asked: What.
    """
    other = as_stored(trained, stored)
    one, its = (asked.said(model) for model in (trained, other))
    moved = float(np.abs(np.exp(one) - np.exp(its)).max())
    return StoredError(moved, float((np.exp(one) * (one - its)).sum(axis=1).max()))


def as_stored(trained: Any, stored: Path) -> Any:
    """A copy of a model with the weights of a file, as the program reads them."""
    import copy

    from explorer.hf.loading.stored import in_memory, read_stored

    other = copy.deepcopy(trained)
    weights = {name: in_memory(one) for name, one in read_stored(stored).items()}
    other.load_state_dict(weights, strict=False)
    return other
