"""Finds the fields of a config.json that no model can be made of, and tells them with their values.

Classes of models fail in their own words, which seldom name a field. So what failed is tried again
without one field after the other: where it then works, that field is at fault.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from explorer.api.family import Cancelled, CheckpointFault
from explorer.text import N_
from explorer.text.printable import brief

CORRECT_IT = N_("Correct config.json, or copy the checkpoint again.")
"""The hint of a CheckpointFault about a config."""

LONGEST_VALUE = 40
"""Characters of a value that a sentence repeats."""

MOST_NAMED = 3
"""Fields in a sentence: more than one where any of them may be wrong, as width and heads."""

MOST_LABELS = 1_000_000
"""A config makes names for all of its labels, which for 10^40 of them never ends."""

HOW_IT_RUNS = (
    *("dtype", "torch_dtype", "return_dict", "use_return_dict", "torchscript"),
    *("output_attentions", "output_hidden_states", "chunk_size_feed_forward"),
)
"""Fields that say how a model is run and not what it is: this program decides that itself.

So it does of the attention's implementation, which could name code on the hub.
"""


def own_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that describe the model."""
    return {
        name: _read(value)
        for name, value in config.items()
        if name not in HOW_IT_RUNS and "attn_implementation" not in name
    }


def _read(value: Any) -> Any:
    """A value, with numbers that JSON has not (infinity) as transformers writes them."""
    if isinstance(value, list):
        return [_read(one) for one in value]
    if isinstance(value, dict):
        number = value.get("__float__") if len(value) == 1 else None
        if number in ("Infinity", "-Infinity", "NaN"):
            return float(number)
        return {name: _read(one) for name, one in value.items()}
    return value


def at_fault(
    config: Mapping[str, Any],
    attempt: Callable[[dict[str, Any]], object],
    usual: Mapping[str, Any] | None = None,
) -> str:
    """The fields without which an attempt works, as "num_attention_heads is 5"; "" for none.

    Args:
        config: As it is, which the attempt failed with.
        attempt: Raises whatever it likes where a config will not do.
        usual: Values that fields have where a config leaves them out; those are at no fault.

    Raises:
        Cancelled: The run that the attempt belongs to was cancelled.
    """
    names: list[str] = []
    if _works(attempt, dict(config)):  # what failed was something else
        return ""
    for name, value in config.items():
        if usual is not None and name in usual and usual[name] == value:
            continue
        without = {other: said for other, said in config.items() if other != name}
        # The usual number of heads may divide an unusual width as little as the one that is said.
        others = (without, {**without, name: 1}) if isinstance(value, int) else (without,)
        if any(_works(attempt, other) for other in others):
            names.append(name)
    return " and ".join(f"{name} is {value_of(config[name])}" for name in names[:MOST_NAMED])


def _works(attempt: Callable[[dict[str, Any]], object], config: dict[str, Any]) -> bool:
    try:
        attempt(config)
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - of any kind
        return False
    return True


def refuse_endless(config: Mapping[str, Any]) -> None:
    """Refuse what would take for ever before anything could fail.

    Raises:
        CheckpointFault: There are far too many labels.
    """
    count = config.get("num_labels", 0)
    if isinstance(count, int) and count > MOST_LABELS:
        raise CheckpointFault(
            N_("config.json describes no model: {fields}."),
            CORRECT_IT,
            fields=f"num_labels is {value_of(count)}",
        )


def value_of(value: object) -> str:
    """A value as a sentence repeats it.

    Args:
        value: Of a config, of any type; what is long is cut.
    """
    try:
        text = json.dumps(value)
    except (ValueError, TypeError):  # a number of more digits than Python writes
        text = "a value that can't be written"
    return brief(text, LONGEST_VALUE)
