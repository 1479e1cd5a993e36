"""What a tensor of a model is for, under one name for all families."""

import enum
import re
from functools import cache


class Role(enum.StrEnum):
    """What a tensor does; transformers calls the same matrix `query`, `q_lin`, `q` or `c_attn`.

    In the order in which a model is read from below.
    """

    PIECES = "Embedding: pieces"
    POSITIONS = "Embedding: positions"
    SEGMENTS = "Embedding: segments"
    EXTRA = "Embedding: languages or tasks"
    WIDEN = "Embedding: projection"
    EMBEDDING_NORM = "Embedding: norm"
    DISTANCES = "Relative positions"
    DISTANCE_BIASES = "Relative positions: a number for each head"
    CONVOLUTION = "Convolution"
    BOTTLENECK = "Bottleneck"
    DISTANCE_PROJECTIONS = "Attention: positions' projections"
    QKV = "Attention: query, key, value"
    QUERY = "Attention: query"
    KEY = "Attention: key"
    VALUE = "Attention: value"
    ATTENTION_OUTPUT = "Attention: output"
    NORMS = "Layer: norms"
    ATTENTION_NORM = "Layer: norm of the attention"
    FEED_FORWARD_NORM = "Layer: norm of the feed-forward"
    CROSS = "Cross attention"
    GATE = "Feed-forward: gate"
    FEED_FORWARD_IN = "Feed-forward: in"
    FEED_FORWARD_OUT = "Feed-forward: out"
    ENTITIES = "Entities: attention and fusion"
    OTHER = "Other"
    POOLER = "Head: pooler"
    PAIR = "Head: pair of texts"
    CLASSES = "Head: classes of a text"
    ANSWERS = "Head: start and end of an answer"
    REPLACED = "Head: replaced token"
    OUTPUT_MATRIX = "Head: output matrix"
    TOKENS = "Head: masked or next token"
    TRAINING = "Head: training only"

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
