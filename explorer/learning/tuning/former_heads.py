"""The body of a fine-tuned model with the heads that it had before, to be laid next to that model.

A fine-tuned model has the head of its task and no other one. What the model predicted before can be
asked of the body as it is now only through the head that predicted then: it was trained on the
former body and stays as it was. No head is made up.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from explorer.api.family import LoadOptions
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.family.tensor_names import OLD_NAMES
from explorer.hf.loading.checkpoint import read_weights, stored_weights
from explorer.hf.loading.stored import in_memory

if TYPE_CHECKING:
    from explorer.api.family import Files

ENDING: Final = "-former-heads"
"""Of the folder's name, after the frame's."""
POOLER: Final = "pooler."
BESIDE: Final = ("config.json", "generation_config.json")
"""What is copied as it was, next to the tokenizer's files."""
CARD: Final = """# The body of `{tuned}` with the heads of `{base}`

Written by PLM Explorer to lay {base} next to what fine-tuning made of it. The body is the
fine-tuned one. The heads are those that {base} had: they were trained on its body as it was, and
fine-tuning changed nothing of them. For the task itself open `{tuned}`.
"""


def former_folder(frame: Path) -> Path:
    """Where the body of a frame with its former heads is, there or not."""
    return frame.with_name(frame.name + ENDING)


def write_former_heads(base: Files, frame: Path, prefix: str) -> Path | None:
    """Write the body of a fine-tuned frame with the heads that the model had before.

    Args:
        base: The model before.
        frame: The folder of the fine-tuned one.
        prefix: What its class calls its body.

    Returns:
        The folder; None where the model before lacks a part of that body.

    Raises:
        OSError: It can't be written.
        CheckpointFault: One of both can't be read.
    """
    tuned = inspect_folder(frame)
    body = {
        _plain(name, prefix): one
        for name, one in read_weights(tuned, LoadOptions()).items()
        if name.startswith(f"{prefix}.")
    }
    # Of the model before only its heads are read, and that one at a time.
    weights = _joined(stored_weights(base, LoadOptions()), body, prefix)
    if weights is None:
        return None
    from safetensors.torch import save_file

    folder = former_folder(frame)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir()
        save_file(
            weights,
            part / "model.safetensors",
            metadata={"format": "pt"},
        )
        beside = [base.folder / name for name in BESIDE]
        for one in (*beside, *(base.tokenizer_folder / name for name in base.tokenizer_files)):
            if one.is_file():
                shutil.copyfile(one, part / one.name)
        card = CARD.format(tuned=frame.name, base=base.name)
        (part / "README.md").write_text(card, "utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return folder


def _joined(
    before: Mapping[str, Any], body: Mapping[str, Any], prefix: str
) -> dict[str, Any] | None:
    """The tensors of the model before, those of its body exchanged; None as above."""
    known = {_plain(name, prefix): name for name in before}
    if any(name not in known for name in body if not name.startswith(POOLER)):
        return None
    found: dict[str, Any] = {}
    for plain, name in known.items():
        if plain in body:
            found[name] = body[plain].contiguous()
            continue
        one = in_memory(before[name])
        # A head that shares a table of the body has the same numbers in a name of its own.
        shared = (
            other
            for other in body
            if other in known and _is_same(one, body[other], before[known[other]])
        )
        other = next(shared, None)
        found[name] = one.contiguous() if other is None else body[other].clone()
    return found


def _plain(name: str, prefix: str) -> str:
    """A tensor's name without its body's prefix, as transformers has it now."""
    name = name.removeprefix(f"{prefix}.")
    for pattern, new in OLD_NAMES:
        name = pattern.sub(new, name)
    return name


def _is_same(one: Any, now: Any, before: Any) -> bool:
    """Whether a table of a head had the numbers of one of the body."""
    import torch

    return one.ndim == 2 and one.shape == now.shape and torch.equal(one, in_memory(before))
