"""What transformers' Trainer leaves of a run: `log_history` in `trainer_state.json`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from explorer.files.foreign import Unfit, json_of, read_bytes
from explorer.learning.curves.columns import measured_of, paces_of
from explorer.learning.curves.names import OBJECTIVES
from explorer.learning.curves.record import Pace, TrainingRecord, record_of
from explorer.text import N_

NAME = "trainer_state.json"
MOST_BYTES = 100_000_000
MOST_CONFIG = 4_000_000
_OBJECTIVES: Mapping[str, str] = {
    "ForMaskedLM": "masked_words",
    "ForCausalLM": "next_word",
    "LMHeadModel": "next_word",
    "ForQuestionAnswering": "answer",
    "ForTokenClassification": "labels",
    "ForSequenceClassification": "classes",
    "ElectraForPreTraining": "replaced_tokens",
}
"""What the loss is of, by the end of the model's class."""
assert {*_OBJECTIVES.values()} <= OBJECTIVES.keys()


def read_trainer_state(path: Path, source: str, title: str) -> TrainingRecord:
    """The curve of a run of transformers' Trainer.

    Args:
        path: The file.
        source: As it was named.
        title: What people read for it.

    Raises:
        Unfit: It is too long, or holds no history.
        ValueError: It is no JSON.
        OSError: It can't be read.
    """
    state = json_of(read_bytes(path, MOST_BYTES))
    history = state.get("log_history") if isinstance(state, dict) else None
    if not isinstance(history, list):
        raise Unfit(N_("it has no list “log_history”, as transformers' Trainer writes it"))
    # The last row has means of the whole run under names of its own.
    rows = [one for one in history if isinstance(one, dict) and "train_runtime" not in one]
    paces = paces_of(rows)
    operations, last = state.get("total_flos"), state.get("global_step")
    if "multiply_adds" not in paces and _is_some(operations) and _is_some(last):
        # Batches are alike, and a multiply-add is two of the operations that Trainer counts.
        ends = np.array([0.0, float(last)]), np.array([0.0, float(operations) / 2])
        paces["multiply_adds"] = Pace(*ends)
    return record_of(
        source, title, measured_of(rows), objective=_objective(path.parent), paces=paces
    )


def _is_some(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 < value < float("inf")


def _objective(folder: Path) -> str:
    """What the loss is of, by the model's class in the config beside it; "" where none is named."""
    try:
        config = json_of(read_bytes(folder / "config.json", MOST_CONFIG))
        (name,) = config["architectures"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return next((of for end, of in _OBJECTIVES.items() if str(name).endswith(end)), "")
