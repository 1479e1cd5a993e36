"""A checkpoint whose heads were taken out, as an encoder saved by itself has none."""

import shutil
from pathlib import Path

HEADS = "cls."


def without_heads(source: Path, target: Path) -> Path:
    """Copy a BERT checkpoint without its heads' tensors."""
    from safetensors.numpy import load_file, save_file

    shutil.copytree(source, target)
    weights = load_file(target / "model.safetensors")
    kept = {name: tensor for name, tensor in weights.items() if not name.startswith(HEADS)}
    save_file(kept, target / "model.safetensors", metadata={"format": "pt"})
    return target
