"""What a model takes: bytes for weights and results, multiplications for a token."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from explorer.anatomy.weights import Weight
from explorer.api.blueprint import Blueprint

DTYPE_BYTES: Final[Mapping[str, int]] = MappingProxyType(
    {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1}
)


@dataclass(frozen=True)
class Work:
    """Multiplications with an addition each that a part does for one token.

    Attributes:
        part: What does it, in words.
        multiply_adds: For one token of a text of the length that was asked about.
    """

    part: str
    multiply_adds: int


WORDS: Final = (
    ("embedding", "projection", "To the layers' width"),
    ("backbone", "attention", "Attention: queries, keys, values, output"),
    ("backbone", "feed_forward", "Feed-forward"),
    ("backbone", "projection", "Bottlenecks and convolution"),
    ("head", "head", "Head"),
)
"""Section, kind, and what the window calls it."""


def stacks(blueprint: Blueprint) -> tuple[tuple[int, int], ...]:
    """Layers of each stack, and how many attentions one of its layers has."""
    found = [(blueprint.layers, 1)]
    if blueprint.decoder_layers:
        found.append((blueprint.decoder_layers, 2 if blueprint.cross_attention else 1))
    return tuple(found)


def attentions(blueprint: Blueprint) -> int:
    """Attentions in all layers; a decoder's layer that looks at an encoder has two."""
    return sum(layers * each for layers, each in stacks(blueprint))


def work_of(weights: Iterable[Weight], blueprint: Blueprint, length: int) -> tuple[Work, ...]:
    """Multiplications for one token, by part.

    Lookups cost none. What is done once a text (DeBERTa's projections of its relative positions)
    is divided by the length; what only the first token goes through (the pooler) is left out.

    Args:
        weights: The model's.
        blueprint: Its architecture.
        length: Tokens in a text.
    """
    sums: dict[tuple[str, str], int] = {}
    for weight in weights:
        key = (weight.section, weight.kind)
        sums[key] = sums.get(key, 0) + weight.multiply_adds
    found = [Work(words, sums.get((section, kind), 0)) for section, kind, words in WORDS]
    inner = blueprint.heads * blueprint.head_size
    # Queries with keys, and the probabilities with values.
    scores = 2 * attentions(blueprint) * inner * length
    found.insert(2, Work(f"Attention: every token with {length:,}", scores))
    if blueprint.layout == "deberta":
        relative = _relative(blueprint, length)
        found.insert(3, Work("Attention: relative positions", relative))
    return tuple(one for one in found if one.multiply_adds)


def _relative(blueprint: Blueprint, length: int) -> int:
    """DeBERTa's c2p and p2c: projections of the distances once a text, then two more products."""
    rows = blueprint.relative_positions
    if blueprint.variant == "v1":
        rows = min(rows, 2 * length)
    width = blueprint.hidden_size
    projections = 2 * rows * width * width
    return blueprint.layers * (projections // length + 2 * rows * width)


def memory_of(
    weights: Iterable[Weight], blueprint: Blueprint, length: int, batch: int
) -> dict[str, dict[str, int]]:
    """Bytes by dtype: of the weights, and of what one forward pass makes.

    "activations" is what comes out of every table, norm and linear layer for every token, as
    training keeps it; "hidden_states" the states between the layers; "attentions" the
    probabilities of every head and layer.

    Args:
        weights: The model's.
        blueprint: Its architecture.
        length: Tokens in a text.
        batch: Texts at once.
    """
    weights = tuple(weights)
    tokens = length * batch
    layers = sum(count for count, _ in stacks(blueprint))
    states = (layers + len(stacks(blueprint))) * blueprint.hidden_size * tokens
    counts = {
        "weights": sum(weight.stored for weight in weights),
        "hidden_states": states,
        "attentions": attentions(blueprint) * blueprint.heads * length * tokens,
        "activations": sum(weight.activations for weight in weights) * tokens,
    }
    return {
        what: {dtype: count * size for dtype, size in DTYPE_BYTES.items()}
        for what, count in counts.items()
    }
