"""How a family's layers attend, as data: names, order, scale and reach, stated by its plugin.

Nothing here is guessed from a loaded module: a layout says where everything is, and whoever loads
a model finds out whether that is so (`explorer.hf.attention.modules.find_attentions`).
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class AttentionKind(enum.StrEnum):
    """Who attends to whom."""

    ENCODER = "encoder"
    """Every token to every token."""
    DECODER = "decoder"
    """Every token to itself and the tokens before it."""
    CROSS = "cross"
    """Every token of the decoder to every token of the encoder."""


class FusedOrder(enum.StrEnum):
    """In which order one linear module gives queries, keys and values."""

    BY_PART = "by part"
    """The queries of all heads, then all keys, then all values."""
    BY_HEAD = "by head"
    """The query, key and value of the first head, then those of the second, and so on."""


@dataclass(frozen=True)
class AttentionStack:
    """Layers of one kind.

    Attributes:
        kind: Who attends to whom in them.
        block: End of the path of a layer's attention; "*" stands for a number.
        layers: From the config to how many there are; None for what the family's key of layers
            says.
    """

    kind: AttentionKind
    block: str
    layers: Callable[[Any], int] | None = None


def root_of_width(_module: Any, width: int) -> float:
    """One over the root of a head's dimensions (Vaswani et al. 2017, section 3.2.1)."""
    return float(width**-0.5)


@dataclass(frozen=True)
class AttentionLayout:
    """A family's attention; the defaults are BERT's.

    Attributes:
        stacks: In the order encoder, decoder, cross attention.
        inside: Path, from a block, of the module in whose forward the scores are made; "" for the
            block itself. All other names are seen from this module unless they say otherwise.
        projections: The linear modules that give queries, keys and values: three, or one for all.
            Of three, keys and values may have fewer heads, each of which serves as many queries'
            (Ainslie et al. 2023).
        fused: The order in which a single one gives them.
        biases: Parameters added to queries, keys and values behind the projection; "" for none.
        output: Path, from a block, of the linear module behind the attention; its input holds
            what every head contributes, one after the other.
        scale: What the product of a query and a key is multiplied with, from the module and the
            dimensions of a head.
        shared: From the config and the numbers in a block's path to the layers it stands for;
            None where every block is one layer.
        normed: Paths of modules whose results take the place of the projections' (Qwen 3's norms
            of queries and keys), "" for none, in the order of queries, keys and values.
        rotary: Argument of the module's forward that holds cosines and sines, by which queries
            and keys are rotated behind the projection (Su et al. 2021); "" without. Where there are
            fewer of them than dimensions of a head, the first are rotated.
        window: From the config and a layer's number to how far a token sees to each side; None,
            or a result of None, for as far as there is text.
        bias_method: Method of the module that makes what positions add to the scores from the
            queries and keys; "" without.
        method_reads: That method is given the queries and keys as they are multiplied, the
            queries scaled: what it is given counts, not what the projection gave.
        bias_result: Place, in what the module gives, of what positions add; None without.
        bias_argument: Argument of the module's forward that is what positions add (MPNet's
            `position_bias`, BLOOM's `alibi`; Press et al. 2022); "" without.
        refusal: Why it can't be taken apart all the same, in one sentence; "" where it can.
        layers_key: The config's key for the number of layers; "" for the family's.
        heads_key: For the number of heads in a layer; "" for the family's.
        tail: End of the path of the module in a layer from which on each token is looked at alone:
            it takes the attention's result, one state a token in each of its inputs, and what
            follows it reads nothing else of the layer's input. So the last layer need not run
            where no token is read. "" where no module does; "*" stands for a number.
        found: The attentions themselves (`AttentionModule`), where they were found in a run
            (`explorer.hf.attention.finding`): nothing else but the stacks is said then.
    """

    stacks: tuple[AttentionStack, ...] = (
        AttentionStack(AttentionKind.ENCODER, "encoder.layer.*.attention"),
    )
    inside: str = "self"
    projections: tuple[str, ...] = ("query", "key", "value")
    fused: FusedOrder = FusedOrder.BY_PART
    biases: tuple[str, ...] = ()
    output: str = "output.dense"
    scale: Callable[[Any, int], float] = root_of_width
    shared: Callable[[Any, tuple[int, ...]], tuple[int, ...]] | None = None
    normed: tuple[str, ...] = ()
    rotary: str = ""
    window: Callable[[Any, int], int | None] | None = None
    bias_method: str = ""
    method_reads: bool = False
    bias_result: int | None = None
    bias_argument: str = ""
    refusal: str = ""
    layers_key: str = ""
    heads_key: str = ""
    tail: str = ""
    found: tuple[Any, ...] = ()

    @property
    def two_stacks(self) -> bool:
        """Whether one stack reads and another writes."""
        return any(stack.kind is AttentionKind.CROSS for stack in self.stacks)


BERT_ATTENTION = AttentionLayout(tail="encoder.layer.*.attention.output")
"""BERT's, as transformers lays it out (Devlin et al. 2019): the layout's defaults."""

GPT_ATTENTION = AttentionLayout(
    stacks=(AttentionStack(AttentionKind.DECODER, "h.*.attn"),),
    inside="",
    projections=("c_attn",),
    output="c_proj",
)
"""GPT's: one matrix for queries, keys and values."""
