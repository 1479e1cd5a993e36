"""What a family says of its heads and its transformers classes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MASKED_LM = "masked_lm"
"""Name of the head that predicts masked tokens: a model that has it gets a `Predictor`."""
NEXT_TOKEN = "next_token"  # noqa: S105 - a head's name
"""Name of the head that goes on with a text: a `LeftFamily` gives a model with it its predictor."""
REPLACED_TOKEN = "replaced_token"  # noqa: S105 - a head's name
"""Name of ELECTRA's head (Clark et al. 2020): a model that has it gets a `Discriminator`."""


@dataclass(frozen=True)
class HeadSpec:
    """A head of a family.

    Attributes:
        name: "masked_lm", "next_sentence", ...
        title: What a user reads.
        tensors: Names of the tensors it needs, without the encoder's prefix; several names for
            one tensor are separated by "|".
        tied: Tensors it shares with others while the config ties embeddings: its name, and the
            other's. They need not be in the files when the other one is.
        modules: Beginnings of the names of the tensors that are this head's alone. What is
            missing there takes the head away; what is missing elsewhere is the encoder's.
        ports: What a model can do with it.
        path: Attribute path of its module, for heads that the class keeps in one.
        architecture: How the class ends that has it and no other head:
            "ForSequenceClassification".
        alone: Whether that class has no other head that was trained.
    """

    name: str
    title: str
    tensors: tuple[str, ...]
    tied: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    ports: tuple[type, ...] = ()
    path: str = ""
    architecture: str = ""
    alone: bool = True


@dataclass(frozen=True)
class ClassChoice:
    """A transformers class and the heads it has.

    Attributes:
        name: "BertForMaskedLM".
        heads: Names of the heads it makes use of.
    """

    name: str
    heads: frozenset[str]
