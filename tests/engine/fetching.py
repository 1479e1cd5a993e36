"""A checkpoint on the small hub, and how tests fetch it."""

import random
from pathlib import Path
from typing import Any

from small_hub import SmallHub

from explorer.engine.downloads.download import download

NAME = "owner/small-bert"
WEIGHTS = random.Random(7).randbytes(3_000_000)
FILES = {
    "config.json": b'{"model_type": "bert"}',
    "vocab.txt": b"[PAD]\n[MASK]\n",
    "tokenizer.json": b'{"version": "1.0"}',
    "tokenizer_config.json": b"{}",
    "model.safetensors": WEIGHTS,
}
OTHERS = {
    "README.md": b"# A model",
    "pytorch_model.bin": b"pickle",
    "tf_model.h5": b"tensorflow",
    "flax_model.msgpack": b"flax",
    "rust_model.ot": b"rust",
    "model.onnx": b"onnx",
    "onnx/model.safetensors": b"not at the root",
    "coreml/model.mlpackage": b"coreml",
    "training_args.bin": b"pickle",
}


class Told:
    """Collects progress."""

    def __init__(self) -> None:
        self.all: list[tuple[str, float, float, str]] = []

    def __call__(self, stage: str, done: float, total: float, detail: str) -> None:
        self.all.append((stage, done, total, detail))


def never() -> bool:
    return False


def fetch(cache: Path, name: str = NAME, tell: Any = None, **options: Any) -> Path:
    options.setdefault("pauses", (0.0, 0.0))
    return download(name, cache, tell or Told(), options.pop("is_cancelled", never), **options)


def partial_of(cache: Path, hub: SmallHub, file: str = "model.safetensors") -> Path:
    digest = hub.repositories[NAME][file].etag
    return cache / "models--owner--small-bert" / "blobs" / f"{digest}.incomplete"
