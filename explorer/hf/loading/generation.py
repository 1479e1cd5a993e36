"""A checkpoint's generation_config.json: what its texts begin and end with."""

from typing import Any

from explorer.api.family import CheckpointFault, Files
from explorer.files.foreign import json_of, read_bytes
from explorer.hf.generate.rules import NOTHING
from explorer.text import N_

LARGEST = 4_000_000
"""Bytes; those of published models have a few hundred."""
NAME = "generation_config.json"
USED = (*NOTHING, "decoder_start_token_id", "bos_token_id", "eos_token_id", "pad_token_id")
"""Fields that are looked at; how a token is chosen is asked of the user."""


def read_generation_config(module: Any, files: Files) -> None:
    """Put what the file says in the place of what transformers takes from config.json.

    Raises:
        CheckpointFault: The file is no JSON, far too long, or no file at all.
    """
    settings = getattr(module, "generation_config", None)
    path = files.folder / NAME
    if settings is None or not path.exists():
        return
    try:
        given = json_of(read_bytes(path, LARGEST))
        if not isinstance(given, dict):
            raise ValueError(type(given).__name__)
    except (OSError, ValueError) as error:
        raise CheckpointFault(
            N_("{name} can't be read."),
            N_("Copy it again, or take it out of the folder."),
            name=NAME,
        ) from error
    for name in USED:
        if name in given:
            setattr(settings, name, given[name])
