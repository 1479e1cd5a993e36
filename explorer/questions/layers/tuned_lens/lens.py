"""A tuned lens: one affine map a layer, and how a file keeps it (Belrose et al. 2023, section 3).

The state of layer l is read as head(h + A_l h + b_l), through the final norm where there is one.
As in the authors' code the map is residual: at zero, where training starts and to which decay
pulls, it is the logit lens. The last row has no map.
"""

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from explorer.api.question import MachineFault
from explorer.files.private import make_folder
from explorer.questions.layers.tuned_lens.question import LensTraining
from explorer.serialise import from_json, to_json
from explorer.text import N_

FORMAT = "plm-explorer tuned lens 1"
ENDING = ".safetensors"


@dataclass(frozen=True)
class Lens:
    """Maps of all rows but the last.

    Attributes:
        weights: A: tensor (rows - 1 x width x width), float32.
        biases: b: tensor (rows - 1 x width), float32.
        training: How they came about.
    """

    weights: Any
    biases: Any
    training: LensTraining

    def through(self, states: Any, row: int) -> Any:
        """States of a row (n x width), as the head is to read them."""
        return states + states @ self.weights[row].T + self.biases[row]

    def on(self, device: str) -> "Lens":
        """The same on a device."""
        return Lens(self.weights.to(device), self.biases.to(device), self.training)

    def fits(self, rows: int, width: int) -> bool:
        """Whether it is a lens of a model of this shape."""
        return tuple(self.weights.shape) == (rows - 1, width, width)


def write(lens: Lens, fingerprint: str, digest: str, path: Path) -> None:
    """Keep a lens, whole or not at all.

    Args:
        lens: The lens.
        fingerprint: Of the model that it was trained for.
        digest: Of the texts that it was trained on.
        path: Where.

    Raises:
        OSError: It can't be written.
    """
    from safetensors.torch import save

    told = {
        "format": FORMAT,
        "fingerprint": fingerprint,
        "texts": digest,
        "training": to_json(lens.training),
    }
    tensors = {"weights": lens.weights.cpu().contiguous(), "biases": lens.biases.cpu().contiguous()}
    make_folder(path.parent)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(save(tensors, told))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def fingerprint_in(path: Path) -> str:
    """The model that a file's lens was trained for; "" where it does not say."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, 1_000_000)))
        told = header["__metadata__"]
        return str(told["fingerprint"]) if told["format"] == FORMAT else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def read(path: Path, fingerprint: str) -> Lens:
    """The lens in a file.

    Raises:
        MachineFault: It can't be read, is damaged, or is another model's.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            told = file.metadata() or {}
            lens = Lens(
                file.get_tensor("weights"),
                file.get_tensor("biases"),
                from_json(LensTraining, told["training"]),
            )
        rows = len(lens.weights) + 1
        lists = [getattr(lens.training, one.name) for one in fields(LensTraining)][-4:]
        is_whole = (
            told.get("format") == FORMAT
            and told.get("fingerprint") == fingerprint
            and lens.fits(rows, lens.biases.shape[1])
            and tuple(lens.biases.shape) == tuple(lens.weights.shape[:2])
            and bool(lens.weights.isfinite().all() and lens.biases.isfinite().all())
            and all(len(one) == rows for one in lists)
        )
    except (SafetensorError, OSError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise damaged(path) from error
    if not is_whole:
        raise damaged(path)
    return lens


def damaged(path: Path) -> MachineFault:
    """What is said of a file that is no lens, or not this model's."""
    return MachineFault(
        N_("The tuned lens in {name} can't be read."),
        N_("Delete {path} and train it again."),
        name=path.name,
        path=str(path),
    )
