"""A method of attribution: what each token of a text adds to one number of a model's answer.

A method is one declaration, in a file of its own: one of the program's, one in a plugin's folder
`methods`, or any file that the user names. The pages take it by its name, the benchmark tests it
against the truth, and nobody has to know of it besides.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.model import LoadedModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[np.float64]
else:
    Scores = Any  # whoever lists methods has no use for numpy
"""One number a token that is read, or one a unit."""


class MethodInput(Protocol):
    """What a method is given: a model, a text, the place that is explained, and what it may ask.

    Vectors are what the model reads in the place of pieces, before anything is added for their
    places (pieces x width, float32 on the model's device).
    """

    @property
    def model(self) -> LoadedModel:
        """Who answers; `model.module` is transformers' own."""

    @property
    def encoded(self) -> Encoded:
        """The text as the model reads it, with its tokens."""

    @property
    def place(self) -> int | None:
        """The position that is explained; None where the whole text is judged."""

    @property
    def own(self) -> Any:
        """The text's vectors."""

    @property
    def baseline(self) -> Any:
        """Vectors in which nothing is said; the same as the text's where nothing is scored."""

    @property
    def units(self) -> Sequence[tuple[int, ...]]:
        """What has a score: positions of tokens that are taken together, as those of a word."""

    @property
    def steps(self) -> int:
        """Points along a way, where a method goes one."""

    @property
    def samples(self) -> int:
        """How many are drawn, where a method draws."""

    @property
    def seed(self) -> int:
        """Of what is drawn."""

    @property
    def context(self) -> Context:
        """Can stop the run."""

    def values(self, vectors: Any) -> Any:
        """The number that is explained, for copies of the text (copies x pieces x width).

        Returns:
            Tensor (copies), float64 on the CPU, without gradients.
        """

    def gradients(self, vectors: Any) -> Any:
        """How that number changes with the vectors of each copy (copies x pieces x width).

        Returns:
            Tensor (copies x pieces x width), float64 on the CPU.
        """

    def attention(self) -> Mapping[str, Any]:
        """The attention of the text, as the port `Attentions` captures it."""


@dataclass(frozen=True)
class MethodDescription:
    """What people read of a method, and what may be made of its scores.

    Attributes:
        title: Its name in the field.
        does: What it computes, in a sentence.
        citation: Who described it; the names are for a translator to leave.
        adds_up: Its scores are made to add up to what the whole text changes.
        signed: A score says whether a word speaks for the prediction or against it.
        in_units: Scores are in the units of what is explained.
        from_baseline: Scores count from the baseline, so that their sum can be compared with what
            all words together change.
        sum_said: What is said of the sum of its scores, a sentence with {sum} in it; "" for the
            usual.
    """

    title: str
    does: str
    citation: str = ""
    adds_up: bool = False
    signed: bool = True
    in_units: bool = True
    from_baseline: bool = True
    sum_said: str = ""


@dataclass(frozen=True)
class AttributionMethod:
    """A method of attribution.

    Attributes:
        name: As it is typed and stored: "integrated_gradients".
        about: What people read of it.
        score: From its input to one score a token that is read; one a unit where `by_unit`. What it
            samples comes with standard errors: a pair of scores and errors.
        by_unit: Its scores are of units.
        takes: Which of "baseline", "steps" and "samples" it goes by.
        texts: About how many texts it reads, by tokens, steps and samples; three for a gradient.
        short: What it is called above a narrow column; "" for its title.
        order: Where it is listed, the least first.
    """

    name: str
    about: MethodDescription
    score: Callable[[Any], Any]
    by_unit: bool = False
    takes: frozenset[str] = frozenset()
    texts: Callable[[float, int, int], float] = lambda _tokens, _steps, _samples: 3.0
    short: str = ""
    order: int = 1000
