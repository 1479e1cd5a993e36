"""The steps of a pass as a part of an answer: each a scene of vectors that become one vector."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.options.options import Option, Words
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Cell, Table, column
from explorer.text import N_

Floats = NDArray[np.float32]

STEP = "step"
"""The key of the option that says at which step the page stands."""
CURVES = ("gelu", "relu", "silu", "tanh", "sigmoid")
"""Functions that are drawn as curves."""


@dataclass(frozen=True, eq=False)
class SceneRow:
    """One strip or bar.

    Attributes:
        key: What it is: one with the same key in another scene is the same thing, and moves there.
        label: Before it: a Phrase, or a token or word that is not translated.
        values: The numbers of the strip; None for none.
        amount: How long its bar is; None for none.
        written: After it: a norm, a product, a share.
        weight: How strong its strip is drawn, 0 to 1.
    """

    key: str
    label: str
    values: Floats | None = None
    amount: float | None = None
    written: str = ""
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class PassScene:
    """One step.

    Attributes:
        name: In files and on the command line: "0.weights".
        group: "emb.", a layer's number, "decoder 1" or "head".
        where: What that is called, a Phrase.
        title: What is done, a Phrase.
        said: What goes on, in a sentence, a Phrase.
        operation: Between what goes in and what comes out: "+", "LayerNorm", "softmax".
        rows: What goes in, or what is counted up for each token or word.
        result: What comes out; None where the rows are it.
        answer: What a beginner asks that has its answer here, a Phrase; "" for nothing.
        reading: What the model's own head reads in what comes out, a Phrase; "" for nothing.
        read: The same in a word or two: "trowel 53 %".
        curve: Of an activation: the function, one of CURVES; "" for others.
        head: Which head it is of; None for all or none.
        has_own_scales: Each strip's colours have a scale of their own.
        seams: Numbers at which a strip is divided, as heads are put side by side; 0 for none.
    """

    name: str
    group: str
    where: str
    title: str
    said: str
    operation: str = ""
    rows: tuple[SceneRow, ...] = ()
    result: SceneRow | None = None
    answer: str = ""
    reading: str = ""
    read: str = ""
    curve: str = ""
    head: int | None = None
    has_own_scales: bool = False
    seams: int = 0

    @property
    def vector(self) -> Floats:
        """What it gives: the result's numbers, or those of its bars."""
        if self.result is not None and self.result.values is not None:
            return self.result.values
        amounts = [one.amount for one in self.rows if one.amount is not None]
        return np.array(amounts, np.float32)

    @property
    def norm(self) -> float:
        """How long that vector is."""
        return float(np.linalg.norm(self.vector.astype(np.float64)))


@dataclass(frozen=True)
class PassStepRow:
    """A step in a file."""

    step: str = column(N_("step"), key=True)
    layer: str = column(N_("layer"))
    head: int | None = column(N_("head"))
    norm: float = column(N_("length"), digits=4)
    largest: float = column(N_("largest number"), digits=4)


@dataclass(frozen=True)
class PassNumberRow:
    """One number of a step in a file."""

    step: str = column(N_("step"), key=True)
    number: int = column(N_("number"), key=True)
    value: float = column(N_("value"))


@dataclass(frozen=True)
class StepNumbers(Part):
    """All numbers of all steps, for a file.

    Attributes:
        scenes: The steps.
    """

    scenes: tuple[PassScene, ...]

    def table(self) -> Table:
        """A row a number."""
        return Table.of(
            PassNumberRow,
            (
                PassNumberRow(one.name, number, value)
                for one in self.scenes
                for number, value in enumerate(one.vector.tolist())
            ),
        )


@dataclass(frozen=True)
class Steps(Part):
    """All steps, one of which is seen large.

    Attributes:
        scenes: In order.
        at: The number of the one that is seen where none was chosen.
    """

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (
        Words(N_("Step"), "", redraws=True, in_bar=False, key=STEP),
    )

    scenes: tuple[PassScene, ...]
    at: int = 0

    def number(self, name: str | None) -> int:
        """Of the step of a name; of the one that is seen where there is no such."""
        names = [one.name for one in self.scenes]
        return names.index(name) if name in names else self.at

    def table(self) -> Table:
        """A row a step."""
        return Table.of(PassStepRow, self._rows())

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """The steps, and the numbers of all of them in a file of their own."""
        yield from super().parts_with_rows()
        yield N_("Numbers of the steps"), StepNumbers(self.scenes)

    def offered(self) -> Mapping[str, Sequence[str]]:
        """The names of the steps."""
        return {STEP: tuple(one.name for one in self.scenes)}

    def summary(self) -> Mapping[str, Cell]:
        """How many there are."""
        return {"steps": len(self.scenes)}

    def _rows(self) -> Iterator[PassStepRow]:
        for one in self.scenes:
            if not one.vector.size:  # a verdict is one number, without a vector
                continue
            largest = float(one.vector[np.abs(one.vector).argmax()])
            yield PassStepRow(one.name, one.group, one.head, one.norm, largest)
