"""Checkpoints in the published DeBERTas' layout, and others made from them."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.hf import tiny

REFERENCE = Path(__file__).resolve().parents[1] / "reference" / "deberta"
VERSIONS = ("v1", "v2", "v3")
HEAD = "lm_predictions.lm_head."
POSITIONS = "deberta.embeddings.position_embeddings.weight"


def expected(version: str) -> dict[str, Any]:
    """What the authors' own code computes."""
    from safetensors.torch import load_file

    return load_file(REFERENCE / version / "expected.safetensors")


def text_of(version: str, key: str = "text") -> str:
    return json.loads((REFERENCE / version / "text.json").read_text("utf-8"))[key]


def config_of(version: str) -> dict[str, Any]:
    return json.loads((REFERENCE / version / "config.json").read_text("utf-8"))


def weights_of(version: str) -> dict[str, Any]:
    from safetensors.torch import load_file

    return load_file(REFERENCE / version / "model.safetensors")


def write(
    folder: Path, version: str, weights: dict[str, Any], *, pickled: bool = False, **config: Any
) -> Path:
    """A folder with the version's tokenizer, other weights and a changed config."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(REFERENCE / version / name, folder)
    content = {**config_of(version), **config}
    (folder / "config.json").write_text(json.dumps(content), "utf-8")
    if pickled:
        torch.save(
            weights, folder / "pytorch_model.bin", _use_new_zipfile_serialization=pickled != "old"
        )
    else:
        save_file(
            {name: tensor.contiguous() for name, tensor in weights.items()},
            folder / "model.safetensors",
            metadata={"format": "pt"},
        )
    return folder


def without(weights: dict[str, Any], *beginnings: str) -> dict[str, Any]:
    return {name: one for name, one in weights.items() if not name.startswith(beginnings)}


def recognised(folder: Path) -> tuple[Any, Any, Any]:
    """The files, the family that claims them, and its reason."""
    from explorer.engine.library.inspection import inspect_folder

    files = inspect_folder(folder)
    family, recognition = tiny.families().family_of(files)
    return files, family, recognition


def answer(model: Any, text: str, top_k: int = 97) -> Any:
    """The model's answer to masked tokens."""
    from explorer.api.family import Context
    from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

    return tiny.ask(model, MaskedTokensRequest(text, top_k=top_k), Context())


def as_matrix(result: Any, size: int = 97) -> Any:
    """Probabilities (masks x vocabulary) in the order of ids."""
    import torch

    rows = torch.zeros(len(result.masks), size)
    for row, mask in zip(rows, result.masks, strict=True):
        for prediction in mask.predictions:
            row[prediction.id] = prediction.probability
    return rows
