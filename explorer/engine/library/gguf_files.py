"""Files of GGUF, as llama.cpp has them, made into folders that every family can open.

transformers reads the numbers that it knows back as float32: what was rounded stays rounded, and
the folder holds exactly the weights that the file means.
"""

import shutil
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault, MachineFault, UserMistake
from explorer.engine.library.file_limits import refuse_special
from explorer.hf.loading.checkpoint import quiet_transformers
from explorer.machine.free_memory import free_memory
from explorer.text import N_
from explorer.text.formatting.quantities import in_bytes
from explorer.text.printable import first_line

ENDING = ".gguf"
FLOAT32 = 4
"""Bytes of a number."""


def folder_of_gguf(path: Path, into: Path) -> Path:
    """Make a folder of a GGUF file: config.json, weights as safetensors, and its tokenizer.

    Args:
        path: The file.
        into: The folder, which must not be there yet; it is made whole or not at all.

    Returns:
        The folder.

    Raises:
        UserMistake: There is no such file, the folder is there, or the package gguf is missing.
        CheckpointFault: It is damaged, or of an architecture that transformers reads none of.
        MachineFault: There is no room for its weights as float32, or nothing can be written.
    """
    refuse_special(path)
    if not path.is_file() or path.suffix.lower() != ENDING:
        raise UserMistake(
            N_("{name} is no file that ends in .gguf."), N_("Name one."), name=path.name
        )
    if into.exists():
        raise UserMistake(
            N_("{folder} is there already."), N_("Name a folder that is not."), folder=into
        )
    if find_spec("gguf") is None:
        raise UserMistake(
            N_("GGUF files are read with the package gguf, which is not installed."),
            N_("Install it with pip install 'plm-explorer[gguf]'."),
        )
    _must_fit(path)
    unfinished = into.with_name(f".{into.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        _write(path, unfinished)
        unfinished.rename(into)
    except OSError as error:
        raise MachineFault(
            N_("{folder} can't be written ({strerror})."),
            folder=into,
            strerror=error.strerror or first_line(error),
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return into


def _must_fit(path: Path) -> None:
    from gguf import GGUFReader

    try:
        count = sum(prod(map(int, one.shape)) for one in GGUFReader(path).tensors)
    except Exception as error:
        raise _damaged(path, error) from error
    needed, free = FLOAT32 * count, free_memory()
    if needed > free:
        raise MachineFault(
            N_("As float32, the weights of {name} take {needed}, and {free} are free."),
            N_("Convert it on a machine with more memory."),
            name=path.name,
            needed=in_bytes(needed),
            free=in_bytes(free),
        )


def _write(path: Path, folder: Path) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    quiet_transformers()
    named: dict[str, Any] = {"gguf_file": path.name, "local_files_only": True}
    try:
        config = AutoConfig.from_pretrained(path.parent, **named)
        # transformers takes the length of GPT-2's position vectors for another field.
        if config.model_type == "gpt2" and hasattr(config, "n_ctx"):
            config.n_positions = config.n_ctx
        tokenizer = AutoTokenizer.from_pretrained(path.parent, **named)
        model = AutoModelForCausalLM.from_pretrained(
            path.parent, config=config, dtype=torch.float32, **named
        )
    except OSError:
        raise
    except Exception as error:
        raise _damaged(path, error) from error
    # The weights are numbers as any, which transformers would else not write.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    folder.mkdir(parents=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _damaged(path: Path, error: Exception) -> CheckpointFault:
    return CheckpointFault(
        N_("transformers can't read {name} ({error})."),
        N_(
            "It reads GGUF files of Llama, Mistral, Qwen, Phi, GPT-2, Gemma and their like; of "
            "others, open the original checkpoint."
        ),
        name=path.name,
        error=first_line(error),
    )
