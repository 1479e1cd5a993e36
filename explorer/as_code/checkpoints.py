"""Where a model's files are, and which class of transformers their config names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.files.foreign import json_of, read_bytes
from explorer.paths import own_resources
from explorer.series.row_scales import FILE
from explorer.series.tokenizer_files import shared_tokenizer

MOST_CONFIG = 1_000_000
"""Bytes of a config.json that is read."""


def place_of(model_id: str, folders: Mapping[str, str]) -> str:
    """What `from_pretrained` takes for a model: its folder where that is known, else its name."""
    places = (folders.get(model_id), own_resources() / "models" / model_id)
    found = (str(one) for one in places if one and (Path(one) / "config.json").is_file())
    return next(found, model_id)


def is_for_transformers(place: str) -> bool:
    """Whether transformers can read it: no frame without a tokenizer, or stored as films are."""
    return not (Path(place) / FILE).is_file() and shared_tokenizer(Path(place)) is None


def config_of(place: str) -> Mapping[str, Any]:
    """The config.json of a folder; empty where none is found."""
    try:
        config = json_of(read_bytes(Path(place) / "config.json", MOST_CONFIG))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def architecture_of(place: str) -> str:
    """The class that the config of a folder names; "" where none is found."""
    named = config_of(place).get("architectures")
    return str(named[0]) if isinstance(named, list) and named else ""
