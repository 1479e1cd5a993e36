"""What a model takes: bytes for weights and results, multiply-adds for a token."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from explorer.api.family import Blueprint
from explorer.architecture.tree import Named
from explorer.architecture.weights import (
    Parameters,
    kind_of,
    section_of,
)
from explorer.text import N_, Phrase

DTYPE_BYTES: Final[Mapping[str, int]] = MappingProxyType(
    {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
)


class CountedPass(Protocol):
    """A text that went through a model (explorer.hf.family.counting.ForwardPass)."""

    @property
    def length(self) -> int:
        """Tokens."""

    @property
    def multiply_adds(self) -> Mapping[str, int]:
        """Of the whole text, by the module that does them itself."""

    @property
    def results(self) -> int:
        """Numbers that come out of all tables, norms and linear layers."""


@dataclass(frozen=True)
class Work:
    """Multiplications with an addition each that a part does for one token.

    Attributes:
        part: What does it, in words.
        multiply_adds: A token's share of what a text of the length that was asked about takes.
    """

    part: Phrase
    multiply_adds: int


WORDS: Final = {
    ("embedding", "projection"): N_("To the layers' width"),
    ("backbone", "attention"): N_("Attention: queries, keys, values, output"),
    ("backbone", "scores"): N_("Attention: every token with {length}"),
    ("backbone", "feed_forward"): N_("Feed-forward"),
    ("backbone", "projection"): N_("Bottlenecks and convolution"),
    ("head", "head"): N_("Head"),
}
"""Section and kind, and what the window calls it."""


def work_of(named: Iterable[Named], counted: CountedPass) -> tuple[Work, ...]:
    """Multiply-adds for one token, by part.

    What is done once a text (a pooler, DeBERTa's projections of its distances) is divided by its
    length like everything else.

    Args:
        named: The model's weights.
        counted: What a text took.
    """
    own: dict[str, tuple[str, str]] = {}
    below: dict[str, set[tuple[str, str]]] = {}
    for one in named:
        kind = section_of(one.role, one.module), kind_of(one.role, one.module)
        path = one.name.rpartition(".")[0]
        if len(one.shape) > 1:
            own[path] = kind
        while path:
            path = path.rpartition(".")[0]
            below.setdefault(path, set()).add(kind)
    sums = dict.fromkeys(WORDS, 0)
    for path, amount in counted.multiply_adds.items():
        # A module that multiplies without a matrix of its own multiplies tokens with each other,
        # unless it is a head, which takes another's.
        inside = {own[path]} if path in own else below.get(path, set())
        heads = {section for section, _ in inside} == {"head"}
        key = ("head", "head") if heads else ("backbone", "scores")
        sums[own.get(path, key)] += amount
    length = counted.length
    return tuple(
        Work(Phrase(words, length=length), round(sums[key] / length))
        for key, words in WORDS.items()
        if sums[key]
    )


def stacks(blueprint: Blueprint) -> tuple[tuple[int, int], ...]:
    """Layers of each stack, and how many attentions one of its layers has."""
    found = [(blueprint.layers, 1)]
    if blueprint.decoder_layers:
        found.append((blueprint.decoder_layers, 2 if blueprint.cross_attention else 1))
    return tuple(found)


def memory_of(
    parameters: Parameters, blueprint: Blueprint, length: int, batch: int, results: int | None
) -> dict[str, dict[str, int]]:
    """Bytes by dtype: of the weights, and of what one forward pass makes.

    "activations" is what comes out of every table, norm and linear layer, as training keeps it;
    "hidden_states" the states between the layers; "attentions" the probabilities of every head
    and layer. Of layers that are no transformer's only the weights are known.

    Args:
        parameters: The model's.
        blueprint: Its architecture.
        length: Tokens in a text.
        batch: Texts at once.
        results: Numbers that come out of all tables, norms and linear layers for one text; None
            where nobody counted them.
    """
    if blueprint.has_other_layers:
        return {"weights": {dtype: parameters.unique * size for dtype, size in DTYPE_BYTES.items()}}
    tokens = length * batch
    layers = sum(count for count, _ in stacks(blueprint))
    states = (layers + len(stacks(blueprint))) * blueprint.hidden_size * tokens
    attentions = sum(count * each for count, each in stacks(blueprint))
    counts = {
        "weights": parameters.unique,
        "hidden_states": states,
        "attentions": attentions * blueprint.heads * length * tokens,
    }
    if results is not None:
        counts["activations"] = results * batch
    return {
        what: {dtype: count * size for dtype, size in DTYPE_BYTES.items()}
        for what, count in counts.items()
    }
