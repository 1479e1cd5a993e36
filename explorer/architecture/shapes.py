"""What a picture of an architecture is made of, without any pixels."""

from dataclasses import dataclass

from explorer.text import N_

FORMS = {
    "tables": N_("tables"),
    "norm": N_("norm"),
    "add": N_("add"),
}
"""What is said of a shape that no words stand in."""


@dataclass(frozen=True)
class Shape:
    """One thing on the board.

    Attributes:
        form: "input", "tables", "widen", "norm", "attention", "feed_forward", "add", "conv",
            "dense", "matrix", "score", "output", "decoder".
        words: What stands in it.
        low: Width of what comes in, in numbers; 0 where it does not matter.
        high: Width of what goes out.
        wide: Inner width, of a feed-forward network.
        count: Heads of an attention; feed-forward networks in a row, each with its own residual
            and norm where there are several.
        pattern: What an attention sees: "both", "before", "other", "relative", "apart".
        roles: The roles of the weights it stands for.
        tables: Of "tables": label, rows and width of each.
        where: Where a trait is pinned to it.
        around: Of "add": how many shapes below it the residual passes by, that is, where it
            branches off.
    """

    form: str
    words: str
    low: int = 0
    high: int = 0
    wide: int = 0
    count: int = 0
    pattern: str = ""
    roles: tuple[str, ...] = ()
    tables: tuple[tuple[str, int, int], ...] = ()
    where: str = ""
    around: int = 0


@dataclass(frozen=True)
class Arrow:
    """What flows from one shape to the next: "n x 768"."""

    words: str = ""


@dataclass(frozen=True)
class Repeat:
    """Layers that are alike.

    Attributes:
        words: "layer".
        times: How many.
        sets: How many sets of weights they have; fewer where they share.
        shared: What they share: "", "all", "attention", "feed_forward".
        items: What one of them consists of, from below.
    """

    words: str
    times: int
    sets: int
    shared: str
    items: tuple["Shape | Arrow", ...]


@dataclass(frozen=True)
class Fork:
    """Heads that all start from the same states, side by side.

    Attributes:
        branches: What each consists of, from below.
    """

    branches: tuple[tuple["Shape | Arrow", ...], ...]


Item = Shape | Arrow | Repeat | Fork


@dataclass(frozen=True)
class Column:
    """One stack, from below.

    Attributes:
        title: "Encoder", "Generator"; "" where there is only one.
        items: What it consists of.
        stack: Beginning of the names of its weights, where two stacks share a tree.
        mine: It is the model itself; False for the half that is another checkpoint.
    """

    title: str
    items: tuple[Item, ...]
    stack: str = ""
    mine: bool = True


@dataclass(frozen=True)
class Sketch:
    """A whole picture.

    Attributes:
        columns: From left to right.
        link: What leads from the first column to the second: "cross", "replaced", or "".
        widest: The largest width that flows, by which the shapes are scaled.
    """

    columns: tuple[Column, ...]
    link: str = ""
    widest: int = 1


def states(width: int) -> Arrow:
    """A vector for each token."""
    return Arrow(f"n × {width:,}")
