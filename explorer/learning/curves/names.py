"""What a column of a training log is of, by its name, whichever program wrote it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from explorer.text import N_


class MeasuredQuantity(StrEnum):
    """What is measured."""

    LOSS = "loss"
    EXCESS = "excess"
    ACCURACY = "accuracy"
    PERPLEXITY = "perplexity"
    GRADIENT = "gradient_norm"
    RATE = "learning_rate"
    OTHER = "other"


OBJECTIVES: Mapping[str, str] = {
    "masked_words": N_("masked words"),
    "next_word": N_("the next piece"),
    "next_word_halved": N_("the next piece, halved"),
    "next_sentence": N_("next sentence"),
    "sentence_order": N_("order of sentences"),
    "replaced_tokens": N_("replaced tokens"),
    "spans": N_("masked spans"),
    "span_boundary": N_("words of a span by its ends"),
    "answer": N_("spans that answer"),
    "labels": N_("labels of words"),
    "choice": N_("which end follows"),
    "entities": N_("entities"),
    "cut": N_("falling without the path attended to most"),
    "soft": N_("the teacher's distribution"),
    "cosine": N_("cosine distance to the teacher's states"),
    "attention": N_("the teacher's attention"),
    "states": N_("the teacher's states"),
    "embeddings": N_("the teacher's embeddings"),
    "agreement": N_("agreement with the teacher"),
    "adversarial": N_("the same answer at misleading embeddings"),
    "order": N_("pairs of sentences"),
    "classes": N_("classes"),
    "tokens": N_("single tokens"),
}
"""What losses and accuracies are of, by the name that requests and files have for it."""

_ALIKE: Mapping[str, str] = {
    **dict.fromkeys(("mlm", "masked", "mask", "generator"), "masked_words"),
    "halved": "next_word_halved",
    **dict.fromkeys(("next", "clm", "causal", "lm"), "next_word"),
    **dict.fromkeys(("nsp",), "next_sentence"),
    **dict.fromkeys(("sop",), "sentence_order"),
    **dict.fromkeys(("rtd", "discriminator", "replaced"), "replaced_tokens"),
    **dict.fromkeys(("spans", "span", "denoising"), "spans"),
    **dict.fromkeys(("sbo", "boundary"), "span_boundary"),
    **dict.fromkeys(("answer", "squad", "qa"), "answer"),
    **dict.fromkeys(("label", "labels", "ner"), "labels"),
    "choice": "choice",
    "entity": "entities",
    "cut": "cut",
    **dict.fromkeys(("soft", "kd", "distillation", "prediction"), "soft"),
    **dict.fromkeys(("cosine", "cos"), "cosine"),
    "attention": "attention",
    **dict.fromkeys(("hidden", "feature", "states"), "states"),
    "embedding": "embeddings",
    "agreement": "agreement",
    **dict.fromkeys(("adversarial", "vat", "sift"), "adversarial"),
    "order": "order",
    "token": "tokens",
    **dict.fromkeys(("class", "classes"), "classes"),
}
_HELD_OUT = {"eval", "evaluation", "val", "valid", "validation", "dev", "test", "heldout"}
_ACCURACIES = {"accuracy", "acc", "precision", "recall", "f1", "agreement", "em"}
_LOSSES = {"loss", "losses", "nll", "ce", "bce", "crossentropy", "xent"}
_BARE_LOSSES = {"mlm", "nsp", "sop", "rtd", "soft", "cosine", "answer"}
"""Losses that a file of the miniatures calls by their objective alone."""
_COUNTED = re.compile(r"\d+$")


@dataclass(frozen=True)
class LogColumn:
    """What a column is of.

    Attributes:
        name: As the file has it.
        quantity: What is measured.
        objective: What a loss or an accuracy is of, a key of `OBJECTIVES`; "" where its name does
            not say.
        held_out: Measured on texts that were not trained on.
        part: Which of several of one kind, as the layer of a distance; "" for the only one.
    """

    name: str
    quantity: MeasuredQuantity
    objective: str = ""
    held_out: bool = False
    part: str = ""


def column_named(name: str, objective: str = "") -> LogColumn:
    """What a column is of, by its name.

    Args:
        name: As the file has it: "loss_mlm", "eval/loss", "grad_norm".
        objective: Of a loss or an accuracy whose name says none.
    """
    words = [one for one in re.split(r"[^0-9a-z]+", _apart(name).casefold()) if one]
    plain = [_COUNTED.sub("", one) for one in words]
    said = {one for one in (*plain, *words) if one}
    held_out = bool(said & _HELD_OUT)
    found = [_ALIKE[one] for one in plain if one in _ALIKE]
    named = next((one for one in found if one == "next_word_halved"), next(iter(found), ""))
    counted = next((one for one in words if one.isdigit()), "")
    quantity = _quantity(said)
    if quantity is MeasuredQuantity.OTHER and said and said <= _BARE_LOSSES:
        quantity = MeasuredQuantity.LOSS
    if quantity not in {
        MeasuredQuantity.LOSS,
        MeasuredQuantity.EXCESS,
        MeasuredQuantity.ACCURACY,
        MeasuredQuantity.PERPLEXITY,
    }:
        return LogColumn(name, quantity, "", held_out)
    part = next((one for one in ("precision", "recall", "f1") if one in said), counted)
    return LogColumn(name, quantity, named or objective, held_out, part)


def _quantity(said: set[str]) -> MeasuredQuantity:
    if "excess" in said:
        return MeasuredQuantity.EXCESS
    if said & {"perplexity", "ppl"}:
        return MeasuredQuantity.PERPLEXITY
    if said & _ACCURACIES:
        return MeasuredQuantity.ACCURACY
    if said & _LOSSES or {"cross", "entropy"} <= said:
        return MeasuredQuantity.LOSS
    if said & {"grad", "gradient", "gradients"} and said & {"norm", "norms"}:
        return MeasuredQuantity.GRADIENT
    if said & {"lr", "rate"}:
        return MeasuredQuantity.RATE
    return MeasuredQuantity.OTHER


def _apart(name: str) -> str:
    """Words that are run together: “trainLoss” as “train Loss”."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


_STEPS = (
    "step",
    "steps",
    "global_step",
    "global step",
    "iteration",
    "iter",
    "iterations",
    "update",
)
_EPOCHS = ("epoch", "epochs")
_TOKENS = ("tokens", "tokens_seen", "num_tokens", "num_input_tokens_seen", "train_tokens_seen")
_MULTIPLY_ADDS = ("multiply_adds", "macs")
_OPERATIONS = ("total_flos", "flos", "flops")
_TOLD_OTHERWISE = {
    *("wall time", "wall_time", "time", "timestamp", "_timestamp", "_runtime", "runtime"),
    *("seconds", "seed", "epoch", "epochs"),
}


def is_axis(name: str) -> bool:
    """Whether a column says where the others stand, and is no measurement."""
    plain = name.strip().casefold()
    known = (*_STEPS, *_TOKENS, *_MULTIPLY_ADDS, *_OPERATIONS)
    untold = plain in _TOLD_OTHERWISE or plain.endswith(("runtime", "per_second"))
    return plain in known or untold


def steps_among(names: list[str]) -> str | None:
    """The column that counts the steps, or else the epochs; None where there is none."""
    plain = {one.strip().casefold().removeprefix("_"): one for one in reversed(names)}
    return next((plain[one] for one in (*_STEPS, *_EPOCHS) if one in plain), None)


def paces_among(names: list[str]) -> Mapping[str, tuple[str, float]]:
    """The columns that count tokens and multiply-adds, with what makes the second of each.

    A multiply-add is two operations, as those count them that count operations.
    """
    plain = {one.strip().casefold(): one for one in reversed(names)}
    found = {}
    for what, known, factor in (
        ("tokens", _TOKENS, 1.0),
        ("multiply_adds", _OPERATIONS, 0.5),
        ("multiply_adds", _MULTIPLY_ADDS, 1.0),
    ):
        name = next((plain[one] for one in known if one in plain), None)
        if name is not None:
            found[what] = (name, factor)
    return found
