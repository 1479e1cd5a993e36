"""What is said to have a model trained: its tokenizer, model, batches and losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.learning.batches.chunked import StagedBatches, TrainingBatches
from explorer.learning.batches.pairs import PairBatches, PairReading
from explorer.world.corpus import CorpusDocument
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import exact_reader, spelled_reader


@dataclass(frozen=True, slots=True)
class Schedule:
    """Sizes and rates of one training run.

    The learning rate warms up linearly to its peak and falls to 0 along half a cosine. Where there
    are restarts it does so again from each of them (Loshchilov and Hutter 2017).
    """

    steps: int
    examples: int  # per batch
    documents: int  # distinct draws of the corpus the run reads
    peak_rate: float
    restarts: tuple[tuple[int, float], ...] = ()  # step and peak rate of each further cycle
    warmup: float = 0.06  # share of a cycle's steps
    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.98)
    clip: float = 1.0  # largest norm of the gradient


class Recipe(ABC):
    """How one model is trained."""

    name: str
    title: str
    schedule: Schedule
    # Names of the miniatures that have to be there before.
    needs: Sequence[str] = ()
    # Whether its pieces know spaces or capitals.
    spelled: bool = False
    # How pairs and single texts become batches.
    reading: PairReading = PairReading()
    batches: type[PairBatches] = PairBatches
    # The share of the steps after which batches are of stage 1; None where there is one stage.
    second_stage: float | None = None
    # What the learning rate is multiplied by, for weights whose name holds a text.
    rate_scales: Mapping[str, float] = {}
    # Where it is trained, as torch names it.
    device: str = "cpu"

    @abstractmethod
    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """A transformers tokenizer trained on the documents."""

    @abstractmethod
    def make_model(self, tokenizer: Any) -> Any:
        """A transformers model with fresh weights."""

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """The run's batches; by default of masked pairs and single texts."""
        made = self.batches(tokenizer, documents, self.schedule.examples, seed, self.reading)
        if self.second_stage is None:
            return made
        return StagedBatches(made, round(self.second_stage * self.schedule.steps))

    @abstractmethod
    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Named scalars. Those named ``loss...`` are summed and trained; the rest are shown."""

    def is_over(self, run: Any) -> bool:  # noqa: ARG002
        """Whether training (a `TrainingRun`) ends after this step; asked after each."""
        return False

    def parts(self, model: Any) -> dict[str, Any]:
        """The transformers models to write, by what their folder's name ends in.

        One, in the folder that is named after the recipe, unless a family trains several at once.
        """
        return {"": model}

    def write_more(self, frame: Path) -> None:  # noqa: B027 - most recipes write nothing more
        """Write what goes next to the finished model."""

    def reader(self, tokenizer: Any) -> ExactReader:
        """Reads the grammar in the tokenizer's pieces."""
        return (spelled_reader if self.spelled else exact_reader)(tokenizer.tokenize)
