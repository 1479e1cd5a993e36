"""What a tensor of a model is for, under one name for all families."""

import enum
import re
from functools import cache

from explorer.text import N_


class Role(enum.StrEnum):
    """What a tensor does; transformers calls the same matrix `query`, `q_lin`, `q` or `c_attn`.

    In the order in which a model is read from below.
    """

    PIECES = N_("Embedding: pieces")
    POSITIONS = N_("Embedding: positions")
    SEGMENTS = N_("Embedding: segments")
    EXTRA = N_("Embedding: languages or tasks")
    WIDEN = N_("Embedding: projection")
    EMBEDDING_NORM = N_("Embedding: norm")
    DISTANCES = N_("Relative positions")
    DISTANCE_BIASES = N_("Relative positions: a number for each head")
    CONVOLUTION = N_("Convolution")
    BOTTLENECK = N_("Bottleneck")
    DISTANCE_PROJECTIONS = N_("Attention: positions' projections")
    QKV = N_("Attention: query, key, value")
    QUERY = N_("Attention: query")
    KEY = N_("Attention: key")
    VALUE = N_("Attention: value")
    ATTENTION_OUTPUT = N_("Attention: output")
    NORMS = N_("Layer: norms")
    ATTENTION_NORM = N_("Layer: norm of the attention")
    FEED_FORWARD_NORM = N_("Layer: norm of the feed-forward")
    CROSS = N_("Cross attention")
    GATE = N_("Feed-forward: gate")
    FEED_FORWARD_IN = N_("Feed-forward: in")
    FEED_FORWARD_OUT = N_("Feed-forward: out")
    ENTITIES = N_("Entities: attention and fusion")
    OTHER = N_("Other")
    POOLER = N_("Head: pooler")
    PAIR = N_("Head: pair of texts")
    CLASSES = N_("Head: classes of a text")
    ANSWERS = N_("Head: start and end of an answer")
    REPLACED = N_("Head: replaced token")
    OUTPUT_MATRIX = N_("Head: output matrix")
    TOKENS = N_("Head: masked or next token")
    TRAINING = N_("Head: training only")

    @property
    def group(self) -> "Role":
        """The role under which families that keep parts apart meet those that do not."""
        return GROUPS.get(self, self)


GROUPS = {
    Role.QUERY: Role.QKV,
    Role.KEY: Role.QKV,
    Role.VALUE: Role.QKV,
    Role.ATTENTION_NORM: Role.NORMS,
    Role.FEED_FORWARD_NORM: Role.NORMS,
    Role.DISTANCE_BIASES: Role.DISTANCES,
}

TensorNames = tuple[tuple[str, Role], ...]
"""Parts of dotted names and what tensors with them are for: "attention.self.query". A part stands
for whole segments, "*" for any one of them. The first row that fits a name counts."""


def role_of(name: str, names: TensorNames) -> Role:
    """What a tensor is for; OTHER where its name tells nothing."""
    return next((role for part, role in names if _pattern(part).search(name)), Role.OTHER)


@cache
def _pattern(part: str) -> re.Pattern[str]:
    segments = r"\.".join("[^.]+" if one == "*" else re.escape(one) for one in part.split("."))
    return re.compile(rf"(?:^|\.){segments}(?:\.|$)")


def layer_of(name: str) -> int | None:
    """The number of the layer that a tensor is in: the first in its name; None without one."""
    return next((int(one) for one in name.split(".") if one.isdecimal()), None)
