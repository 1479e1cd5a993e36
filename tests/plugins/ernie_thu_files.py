"""ERNIE (Tsinghua) in its published layout, with the random weights of the reference numbers."""

import json
import shutil
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).resolve().parents[1] / "reference" / "thu-ernie"
PIECES = 60
SPECIAL = {0: "[PAD]", 1: "[CLS]", 2: "[SEP]", 3: "[UNK]", 4: "[MASK]"}


def reference(name: str) -> dict[str, Any]:
    """The tensors of one of its files."""
    from safetensors.torch import load_file

    return dict(load_file(REFERENCE / f"{name}.safetensors"))


def word(number: int) -> str:
    """What stands for a piece in texts."""
    return SPECIAL.get(number, f"w{number}")


def write_graph(folder: Path, vectors: Any, names: dict[int, str] | None = None) -> Path:
    """The three published files of entities; those that are not named are called "Entity 3"."""
    folder.mkdir(parents=True, exist_ok=True)
    count = len(vectors)
    ids = "".join(f"Q{number}\t{number}\n" for number in range(count))
    (folder / "entity2id.txt").write_text(f"{count}\n{ids}", "utf-8")
    called = {number: f"Entity {number}" for number in range(count)} | (names or {})
    told = "".join(f"{name}\tQ{number}\n" for number, name in called.items())
    (folder / "entity_map.txt").write_text(told + "Nobody\tQ999999\n", "utf-8")
    lines = ("\t".join(repr(float(x)) for x in vector) for vector in vectors)
    (folder / "entity2vec.vec").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def write_published(folder: Path, *, pickled: bool = False, graph: bool = True) -> Path:
    """`ernie_base` and `kg_embed` as they are published; returns the first."""
    base = folder / "ernie_base"
    base.mkdir(parents=True)
    shutil.copyfile(REFERENCE / "ernie_config.json", base / "ernie_config.json")
    vocabulary = "\n".join(word(number) for number in range(PIECES))
    (base / "vocab.txt").write_text(vocabulary + "\n", "utf-8")
    if pickled:
        import torch

        old = {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): tensor
            for name, tensor in reference("model").items()
        }
        torch.save(old, base / "pytorch_model.bin")
    else:
        shutil.copyfile(REFERENCE / "model.safetensors", base / "model.safetensors")
    if graph:
        names = {3: "w10", 5: "w13 w14", 1: "w21", 7: "w24"}
        write_graph(folder / "kg_embed", reference("inputs")["entity_table"][1:].numpy(), names)
    return base


def changed_config(base: Path, **values: Any) -> None:
    """Other values of the config."""
    path = base / "ernie_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), "utf-8")
