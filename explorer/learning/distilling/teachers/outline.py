"""What is known of a teacher before it is loaded: where it is, and what its config says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explorer.api.family import Direction
from explorer.api.question import ExplorerError, UserMistake
from explorer.files.foreign import json_of, read_bytes
from explorer.files.typed_paths import typed_path
from explorer.learning.distilling.teachers.ported import ported_outline
from explorer.learning.plan.choices import Objective
from explorer.paths import own_resources
from explorer.series.frame_folders import frame_named, last_frame, series_folder_of
from explorer.series.steps import step_of
from explorer.text import N_

CONFIG: Final = "config.json"
FILMS: Final = "films"
MOST_BYTES: Final = 1_000_000
UNLIMITED: Final = 1_000_000
"""Tokens that a model reads whose plugin names no limit."""
_LAYERS = ("num_hidden_layers", "n_layer", "n_layers")
_WIDTHS = ("hidden_size", "n_embd", "dim", "emb_dim")
_HEADS = ("num_attention_heads", "n_head", "n_heads")
_LENGTHS = ("max_position_embeddings", "n_positions")
_PIECES = ("vocab_size",)
_MASKED = re.compile(r"(ForMaskedLM|^(Bert|Albert|MobileBert|TinyBert)ForPreTraining)$")
_CAUSAL = re.compile(r"(LMHeadModel|ForCausalLM)$")
_OWN_CLASSES = {"TinyBertForPreTraining": "BertForPreTraining"}
"""Classes that transformers does not know, with what reads their weights."""
OF_TRANSFORMERS: Final = frozenset(
    {"albert", "bert", "distilbert", "electra", "ernie", "gpt2", "mobilebert", "openai-gpt"}
    | {"roberta", "megatron-bert"}
)
"""Types of models that are loaded as they are; of all others their plugins are asked."""
ATTENTIVE: Final = frozenset({"bert", "electra", "ernie", "megatron-bert", "mobilebert", "roberta"})
"""Those whose attention scores can be read."""


@dataclass(frozen=True, slots=True)
class TeacherOutline:
    """What a config says of a teacher.

    Attributes:
        name: What people call it.
        folder: Where its files are; None of one that is not there yet.
        kind: Its type, as transformers calls it.
        layers: How many.
        width: Of its states.
        heads: In a layer.
        length: Tokens that it reads at most.
        pieces: In its vocabulary.
        objective: How it predicts: masked words or the next piece; None where it has no logits.
        writes_spans: It fills a mask with any number of pieces.
        shows_states: The states of its layers can be had.
    """

    name: str
    folder: Path | None
    kind: str
    layers: int
    width: int
    heads: int
    length: int
    pieces: int
    objective: Objective | None
    writes_spans: bool = False
    shows_states: bool = True

    @property
    def shows_attention(self) -> bool:
        """Whether its attention scores can be matched."""
        return self.kind in ATTENTIVE


def teacher_folder(name: str) -> Path:
    """Where a teacher is: a folder, or a bundled model or a frame of a bundled film by its name.

    Raises:
        UserMistake: There is none.
    """
    bundled = own_resources() / "models" / name
    if "/" not in name and "\\" not in name and (bundled / CONFIG).is_file():
        return bundled
    film = _frame_of_film(name)
    if film is not None and (film / CONFIG).is_file():
        return film
    folder = typed_path(name)
    if not (folder / CONFIG).is_file():
        raise UserMistake(
            N_("There is no model {name} to learn from."),
            N_("Name a bundled model, a finished run or a model's folder, or leave it empty."),
            name=name,
        )
    return folder


def _frame_of_film(name: str) -> Path | None:
    """A frame of a film that comes with the program: NAME for its last one, NAME@step512."""
    film, _, step = name.partition("@")
    place = own_resources() / FILMS / film
    if not film or place.parent != own_resources() / FILMS:
        return None
    return frame_named(place, step) if step else last_frame(place)


def name_of(folder: Path) -> str:
    """What a model that may learn or teach is called: its name if it is bundled, else its path."""
    if folder.parent == own_resources() / "models":
        return folder.name
    series = series_folder_of(folder)
    if series is not None and series.parent == own_resources() / FILMS:
        return f"{series.name}@step{step_of(folder.name)}"
    return str(folder.absolute())


def outline_of(name: str) -> TeacherOutline:
    """What a teacher's config says.

    Raises:
        UserMistake: There is no such teacher, or its config can't be read.
    """
    folder = teacher_folder(name)
    try:
        config = json_of(read_bytes(folder / CONFIG, MOST_BYTES))
        classes = config.get("architectures") or [""]
        kind = str(config.get("model_type", ""))
        if kind not in OF_TRANSFORMERS:
            return _by_plugin(folder, kind)
        objective = _objective(str(classes[0]))
        if objective is None:
            return TeacherOutline(_called(folder), folder, kind, 0, 0, 0, 0, 0, None)
        return TeacherOutline(
            name=_called(folder),
            folder=folder,
            kind=kind,
            layers=_number(config, _LAYERS),
            width=_number(config, _WIDTHS),
            heads=_number(config, _HEADS),
            length=_number(config, _LENGTHS),
            pieces=_number(config, _PIECES),
            objective=objective,
        )
    except (ExplorerError, OSError, ValueError, AttributeError, TypeError) as error:
        raise UserMistake(
            N_("The config of the teacher {name} can't be read ({why})."),
            N_("Choose another teacher."),
            name=name,
            why=str(error),
        ) from error


def class_of(folder: Path) -> str:
    """The class of transformers that reads a teacher's weights."""
    named = str(json_of(read_bytes(folder / CONFIG, MOST_BYTES))["architectures"][0])
    return _OWN_CLASSES.get(named, named)


def type_of(folder: Path) -> str:
    """A teacher's type, as transformers calls it."""
    return str(json_of(read_bytes(folder / CONFIG, MOST_BYTES)).get("model_type", ""))


def _called(folder: Path) -> str:
    """A frame of a run is called as the run."""
    is_frame = re.fullmatch(r"checkpoint-\d+(-generator)?", folder.name)
    return folder.parent.name if is_frame else folder.name


def _number(config: dict[str, Any], names: tuple[str, ...]) -> int:
    found = next((config[name] for name in names if name in config), None)
    if not isinstance(found, int):
        raise ValueError(names[0])
    return found


def _by_plugin(folder: Path, kind: str) -> TeacherOutline:
    found = ported_outline(folder)
    objectives = {Direction.BOTH: Objective.MASKED, Direction.CAUSAL: Objective.CAUSAL}
    names = found.predicts is not None and not found.writes_spans
    return TeacherOutline(
        _called(folder),
        folder,
        kind,
        found.layers,
        found.width,
        found.heads,
        found.length or UNLIMITED,
        found.pieces,
        objectives.get(found.predicts) if names and found.predicts else None,
        found.writes_spans,
        found.shows_states,
    )


def _objective(named: str) -> Objective | None:
    if _MASKED.search(named):
        return Objective.MASKED
    return Objective.CAUSAL if _CAUSAL.search(named) else None
