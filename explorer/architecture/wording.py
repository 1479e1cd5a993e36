"""Numbers and names as the pages of an architecture write them."""

from collections.abc import Iterable

from explorer.text import N_
from explorer.text.formatting.numbers import percent, significant
from explorer.text.formatting.quantities import in_words

KINDS = {
    "embedding": N_("Embedding"),
    "attention": N_("Attention"),
    "feed_forward": N_("Feed-forward"),
    "projection": N_("Projection"),
    "norm": N_("Normalisation"),
    "head": N_("Head"),
}
SECTIONS = {"embedding": N_("Embeddings"), "backbone": N_("Layers (backbone)"), "head": N_("Heads")}
COLOURS = {
    "embedding": "bar",
    "attention": "bar_original",
    "feed_forward": "positive",
    "projection": "warning",
    "norm": "muted",
    "head": "accent",
    "backbone": "positive",
    "": "muted",
}
"""A colour of the theme for each kind and section."""

WHAT = {
    "parameters": N_("Parameters"),
    "without head": N_("Without heads"),
    "backbone": N_("In the layers"),
    "embedding": N_("In the embeddings"),
    "layers": N_("Layers"),
    "hidden_size": N_("Hidden width"),
    "heads": N_("Attention heads"),
    "vocabulary": N_("Tokens in the vocabulary"),
}
HEADS = {
    "masked_lm": N_("masked LM"),
    "next_sentence": N_("next sentence"),
    "sentence_order": N_("sentence order"),
    "next_token": N_("next token"),
    "replaced_token": N_("replaced token"),
    "span_boundary": N_("span boundary"),
    "spans": N_("spans"),
    "entities": N_("entities"),
    "relations": N_("relations"),
    "types": N_("types of entities"),
}
"""Output heads by their names in manifests; others are said by those names."""


def count(number: float) -> str:
    """A whole number with separators."""
    return f"{round(number):,}"


def both(number: int) -> str:
    """A large number in words, and written out: "110 M (110,106,428)"."""
    return f"{in_words(number)} ({number:,})" if number >= 1000 else str(number)


def share(part: int, whole: int) -> str:
    """Of a hundred: "21.5 %"."""
    return percent(part / whole, 1) if whole else ""


def plain_sizes(shape: Iterable[int]) -> str:
    """A tensor's shape in plain letters, as tables are exported and logged: "768 x 3072"."""
    return " x ".join(map(str, shape))


def sizes(shape: Iterable[int]) -> str:
    """A tensor's shape on the screen: "768 × 3072"."""
    return plain_sizes(shape).replace("x", "×")


def number(value: float) -> str:
    """A statistic, with enough digits to tell it from another."""
    return significant(value, 4)
