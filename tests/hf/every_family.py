"""A tiny random checkpoint of every bundled family that runs."""

import sys
from pathlib import Path
from typing import Any

from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny

IDS = (
    "albert",
    "bert",
    "deberta",
    "distilbert",
    "electra",
    "ernie",
    "gpt1",
    "gpt2",
    "mobilebert",
    "roberta",
    "spanbert",
    "t5",
    "tinybert",
    "xlm",
)


class Checkpoints:
    """Loads them when they are asked for, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._host = tiny.families()
        self._models: dict[str, list[Any]] = {}

    def folder(self, family_id: str) -> Path:
        """Where a family's checkpoint is, or the folders of several are."""
        self.models(family_id)
        return self._folder / family_id

    def models(self, family_id: str) -> list[Any]:
        """One, or several where a family writes several (DeBERTa's generations, IB-BERT)."""
        if family_id not in self._models:
            folder = self._folder / family_id
            family: Any = self._host.family(family_id)
            write = getattr(sys.modules[f"{MODULE_PREFIX}bundled_{family_id}"], "tiny", None)
            if write is None:
                write_tiny(family, folder)
            else:
                write(folder)
            inside = sorted(one for one in folder.iterdir() if one.is_dir())
            self._models[family_id] = [tiny.load(one) for one in inside or [folder]]
        return self._models[family_id]
