"""Runs of weight sharing, a question of its own once, as runs of this one."""

import json
from typing import Any


def become_comparison(asked: dict[str, Any], answered: dict[str, Any] | None) -> None:
    """Compared tensor by tensor; what was not counted then stays unsaid."""
    from explorer.api.family import Blueprint
    from explorer.architecture.weights import Parameters
    from explorer.questions.architecture.compare_architectures.likeness import (
        SharedTensor,
        TensorsCompared,
        grouped,
    )
    from explorer.serialise import from_json, to_builtins

    asked.update(first="", second="", level="tensors")
    if answered is None:
        return
    kind = tuple[SharedTensor, ...]
    tensors = from_json(kind, json.dumps(answered["tensors"]))
    compared = TensorsCompared(
        grouped(tensors),
        answered.pop("shared_parameters"),
        answered.pop("own"),
        answered.pop("other_own"),
        tensors,
    )
    heads = (("replaced_token",), ("masked_lm",))
    counts = (answered["parameters"], answered.pop("other_parameters"))
    answered.update(
        titles=[answered[side]["id"] for side in ("model", "other")],
        blueprints=to_builtins([Blueprint(0, 0, 0, 0, 0, 0, heads_present=one) for one in heads]),
        parameters=to_builtins([Parameters(count, count, 0, 0, 0) for count in counts]),
        parts=[],
        tensors=to_builtins(compared),
        level="tensors",
    )
