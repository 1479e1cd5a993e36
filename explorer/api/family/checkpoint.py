"""Checkpoints as they lie on disk or in a catalogue, before anything is loaded."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.text.phrase import NOTHING, Phrase


class Source(enum.StrEnum):
    """Where a checkpoint comes from."""

    BUNDLED = "bundled"
    FOLDER = "folder"
    CACHE = "cache"
    HUB = "hub"
    CONFIG = "config"


TOKENIZER_SETTINGS = frozenset(
    {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"}
)
"""Files of a tokenizer that hold no vocabulary."""


@dataclass(frozen=True)
class Tensor:
    """One tensor of a weight file, read from its header only.

    Attributes:
        shape: As stored.
        dtype: "F32", "F16", "BF16", ... as safetensors names it.
        file: The file's name inside the folder.
    """

    shape: tuple[int, ...]
    dtype: str
    file: str


@dataclass(frozen=True)
class Head:
    """A head a family can have, and whether these files hold it.

    Attributes:
        name: "masked_lm", "next_sentence", "replaced_token", ...
        title: "Masked language model", marked with `N_`.
        present: Every tensor it needs is in the files (or tied to one that is).
        missing: Names of the tensors that are not.
    """

    name: str
    title: str
    present: bool
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class PublishedFigure:
    """A number that somebody published about a model.

    Attributes:
        what: What it counts: "parameters", "backbone", "embedding", "layers", "hidden_size",
            "heads", "vocabulary".
        says: As it is printed: "110M".
        value: As a number.
        source: Who says so, and where.
        reason: Why it may differ from what is counted here; "" where it does not.
    """

    what: str
    says: str
    value: float
    source: str
    reason: str = ""


@dataclass(frozen=True)
class Published:
    """A published checkpoint, known without its files.

    Attributes:
        id: The hub's name, "google-bert/bert-base-uncased".
        title: "BERT base, uncased".
        parameters: As published.
        licence: SPDX identifier where there is one.
        languages: "English", "Korean", "104 languages".
        size_bytes: Size of the weight file that is downloaded; None when it is not known.
        note: One sentence on what sets it apart.
        config: The published config.json's facts, as far as its architecture needs them.
        heads: Names of the heads its files hold.
        figures: What its authors say of its size.
        released: Its weights can be downloaded; False where only its config is known.
        teacher: The id of the model that taught it; "" where none did or it is not published.
    """

    id: str
    title: str
    parameters: int
    licence: str
    languages: str
    size_bytes: int | None = None
    note: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    heads: tuple[str, ...] = ()
    figures: tuple[PublishedFigure, ...] = ()
    released: bool = True
    teacher: str = ""


@dataclass(frozen=True)
class Recognition:
    """A family's claim on a checkpoint.

    Attributes:
        family: The plugin's id.
        score: 0 to 100; the highest claim wins.
        reason: How it decided, in one sentence the user reads: a Phrase, or marked with `N_`.
    """

    family: str
    score: int
    reason: str


@dataclass(frozen=True)
class Files:
    """What a checkpoint folder holds, read without loading any weights.

    Attributes:
        folder: Where it is.
        name: Last part of the hub id or of the folder's path.
        config: Parsed config.json.
        tensors: Tensors by name, from the safetensors headers or the pickle's own index;
            empty for a bare config.
        weight_files: The files that hold the weights.
        pickled: The weights are in a pickle: loading asks the user first.
        tokenizer_files: Names of the tokenizer's files that are there.
        size_bytes: Of the weight files together.
        shared: The folder of its series, where that has the tokenizer of all frames; None where the
            tokenizer's files are in the checkpoint's own.
    """

    folder: Path
    name: str
    config: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    weight_files: tuple[str, ...]
    pickled: bool
    tokenizer_files: tuple[str, ...]
    size_bytes: int
    shared: Path | None = None

    @property
    def tokenizer_folder(self) -> Path:
        """Where the tokenizer's files are."""
        return self.folder if self.shared is None else self.shared

    @property
    def has_tokenizer(self) -> bool:
        """Whether a tokenizer can be read: there is more than its settings."""
        return not set(self.tokenizer_files) <= TOKENIZER_SETTINGS


@dataclass(frozen=True)
class TrainingNotes:
    """What a model's card or its run wrote down of its training; None for what nobody says.

    Attributes:
        steps: Of its optimiser.
        texts: In all of them.
        tokens: In all of them.
        multiply_adds: Forwards and backwards.
        seconds: By the clock.
        corpus: What it read, in a few words; nothing where that is said elsewhere.
        right: Share of hidden pieces of held-out texts, one a text, that it fills in rightly.
        best: The share that would be right of whoever knows the world whose texts they are.
        licence: Under which it is given away; "" where nobody says.
    """

    steps: int | None = None
    texts: int | None = None
    tokens: int | None = None
    multiply_adds: float | None = None
    seconds: float | None = None
    corpus: Phrase = NOTHING
    right: float | None = None
    best: float | None = None
    licence: str = ""


@dataclass(frozen=True)
class Checkpoint:
    """A row of the model library: everything known before loading.

    Attributes:
        id: What a user types: a bundled name, a hub id, or a folder's path.
        title: What a user reads.
        source: Where it is.
        folder: The local folder, None while it is only on the hub.
        family: The plugin's id, "" when no plugin knows it.
        recognition: How the family was decided.
        architecture: One line: "BERT · 12 layers x 768 wide x 12 heads · 30,522 pieces".
        parameters: Counted from the tensors (tied ones once), or as published, or None.
        size_bytes: Of the weight files; None when unknown.
        weights_bytes: Memory for the weights by dtype: {"float32": ..., "float16": ..., "8bit":
            ...}.
        offloaded_bytes: Memory as float32 with all layers on the disk but the one at work; None
            when unknown.
        attention_bytes: Memory for all attentions (float32) by length in tokens.
        heads: Heads the family knows, and whether the files hold them.
        operations: Names of the questions it will answer once loaded.
        ports: Names of the ports it will have once loaded.
        pickled: Loading needs the user's consent.
        max_length: In tokens, special ones included.
        licence: Of a published one.
        languages: Of a published one.
        note: One sentence more, for people.
        problem: One sentence: why it can't be loaded; "" when it can.
        hint: What to do about the problem.
        partner: The id of the other half, where a generator and a discriminator lie apart; "".
        teacher: The id of the model that taught it; "".
        world: The languages of the small world that a miniature was trained on: "en", "ko"; none
            of any other model, whose words nobody has listed.
        tokenizer_folder: Where its tokenizer is, without its weights: it was downloaded alone, or
            another program put it into the cache; None elsewhere.
        commit: Of the hub's repository, whose files are in the folder: 40 hexadecimal digits; "".
        training: What is written down of its training with this program; None of others.
    """

    id: str
    title: str
    source: Source
    folder: str | None = None
    family: str = ""
    recognition: Phrase = NOTHING
    architecture: Phrase = NOTHING
    parameters: int | None = None
    size_bytes: int | None = None
    weights_bytes: Mapping[str, int] = field(default_factory=dict)
    attention_bytes: Mapping[int, int] = field(default_factory=dict)
    heads: tuple[Head, ...] = ()
    operations: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    pickled: bool = False
    max_length: int | None = None
    licence: str = ""
    languages: str = ""
    note: Phrase = NOTHING
    problem: Phrase = NOTHING
    hint: Phrase = NOTHING
    partner: str = ""
    teacher: str = ""
    world: tuple[str, ...] = ()
    tokenizer_folder: str | None = None
    offloaded_bytes: int | None = None
    commit: str = ""
    training: TrainingNotes | None = None

    @property
    def lacks_tokenizer(self) -> bool:
        """Whether its tokenizer has to be downloaded, and can be."""
        return self.source is Source.HUB and self.tokenizer_folder is None and not self.problem
