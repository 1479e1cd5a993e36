"""A frame's weights as whole numbers, as few bits as leave its probabilities what they were."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from explorer.series.row_scales import FILE, SCALES, rounded

WEIGHTS: Final = "model.safetensors"
TOKENIZER: Final = ("tokenizer.json", "tokenizer_config.json")


def store(frame: Path, to: Path, bits: int) -> Path:
    """Write a frame as transformers left it with its weights as whole numbers.

    Args:
        frame: A folder with config.json and model.safetensors.
        to: The folder that is written; what is in it is written over.
        bits: 8 or 16.

    Returns:
        The file of the weights.
    """
    from safetensors.numpy import load_file, save_file

    to.mkdir(parents=True, exist_ok=True)
    kept: dict[str, Any] = {}
    for name, tensor in sorted(load_file(frame / WEIGHTS).items()):
        if tensor.ndim < 2:
            kept[name] = tensor
        else:
            kept[name], kept[name + SCALES] = rounded(tensor, bits)
    save_file(kept, to / FILE, metadata={"format": "pt"})
    # safetensors lets nobody but the owner read what it writes.
    (to / FILE).chmod(0o644)
    config = json.loads((frame / "config.json").read_text("utf-8"))
    config["dtype"] = "float32"
    (to / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", "utf-8")
    return to / FILE


def share_tokenizer(frames: Sequence[Path], to: Path) -> None:
    """Write the tokenizer of all frames once, into the film's folder.

    Args:
        frames: Folders as transformers left them.
        to: The film's.

    Raises:
        ValueError: The frames have different ones.
    """
    for name in TOKENIZER:
        if len({(one / name).read_bytes() for one in frames}) != 1:
            raise ValueError(f"Not all frames have the same {name}.")
        shutil.copyfile(frames[0] / name, to / name)
