"""All weights of all heads as one .npz file, layer by layer, so that no more than one is held."""

import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from explorer.api.question import Detail
from explorer.questions.attention.attention.question import (
    QUESTION,
    AttentionRequest,
    AttentionResult,
)
from explorer.text import N_
from explorer.ui.blocks import SavedFile, Shown

LANE = "all"


def layers_of(shown: Shown) -> list[Detail]:
    """Every head of a layer in full, layer by layer."""
    result: AttentionResult = shown.result
    request = replace(AttentionRequest.of(shown.asked), kind=result.kind)
    return [
        QUESTION.detail(
            replace(request, heads=tuple(f"{layer}.{head}" for head in range(result.heads))),
            shown.asked,
            result.model,
            LANE,
        )
        for layer in range(result.layers)
    ]


class AllHeadsFile:
    """The file while it is written: beside its place, until it is whole."""

    def __init__(self, shown: Shown, path: Path) -> None:
        result: AttentionResult = shown.result
        self._path, self._part = path, path.with_name(f".{path.name}.part")
        self._layer = 0
        self._file = zipfile.ZipFile(self._part, "w", zipfile.ZIP_DEFLATED)
        try:
            self._begin(result)
        except OSError:
            self.abandon()
            raise

    def _begin(self, result: AttentionResult) -> None:
        self._write("query_labels", [place.label for place in result.queries])
        self._write("key_labels", [place.label for place in result.keys])
        self._write("measures", result.measures)
        self._write("measure_names", list(result.measure_names))
        self._write("model", result.model.id)
        self._write("kind", result.kind)

    def take(self, result: AttentionResult) -> None:
        """Write the next layer."""
        self._write(f"layer_{self._layer}", result.weights)
        self._layer += 1

    def finish(self) -> None:
        """Put the file where it belongs."""
        self._file.close()
        self._part.replace(self._path)

    def abandon(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._part.unlink(missing_ok=True)

    def _write(self, name: str, values: Any) -> None:
        import numpy as np

        with self._file.open(f"{name}.npy", "w", force_zip64=True) as entry:
            stream: IO[bytes] = entry
            np.lib.format.write_array(stream, np.asanyarray(values), allow_pickle=False)


def file_name(shown: Shown) -> str:
    """What is suggested: the model's name in it."""
    model = shown.result.model.name.replace("/", "-").strip("-.") or "model"
    return f"attention-{model[-60:]}.npz"


ALL_HEADS = SavedFile(
    "attention_save",
    N_("Save all attention"),
    N_("Save the weights of every layer and head as one .npz file"),
    N_("NumPy arrays (*.npz)"),
    file_name,
    AllHeadsFile,
    layers_of,
    N_("Saving layer {number} of {count}…"),
)
