"""Which questions come with which head, and what is said where a model answers none."""

WITH_FILL_MASK = (
    "fill_jointly",
    "score_words",
    "sweep",
    "training_mask",
    "compare_fillings",
    "soft_targets",
    "distillation",
    "cost",
)
"""Questions that every masked-LM head answers which fills masks: they are asked by filling masks
one after the other, many times, or with two models."""


NOT_THEIRS = {
    "span_boundary": (
        "Only SpanBERT was trained to tell a masked span from the two words beside it: load "
        "spanbert-miniature, or a SpanBERT with its own head."
    ),
}
"""Why models of other families do not answer, where one sentence says more than the usual one."""


def asked_as(operation: str) -> str:
    """The operation whose head an operation needs: "fill_mask" for those that build on it."""
    return "fill_mask" if operation in (*WITH_FILL_MASK, "switch_off") else operation
