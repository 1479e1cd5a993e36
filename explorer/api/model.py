"""A loaded model, on the engine's side and as the rest of the program knows it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from explorer.api.encoded import Encoded
from explorer.api.errors import Unavailable
from explorer.api.family.checkpoint import Head
from explorer.api.family.load_options import as_numbers
from explorer.api.mentions import Mention
from explorer.text import N_, Phrase

Port = TypeVar("Port")

AND = " + "
"""Between the places that a model lies at, and between its number types."""
LOADED_AS: Mapping[str, str] = {"int8": "8bit", "nf4": "4bit"}
"""What users call the numbers of quantised weights."""


@dataclass(frozen=True)
class LoadReport:
    """Which weights came from the files; what decides whether a head may answer.

    Attributes:
        found: Number of tensors taken from the files.
        missing: Tensors the model has and the files lack, tied ones not counted.
        unexpected: Tensors the files have and the model lacks.
        tied: Tensors that share another's memory, as (name, name of the other).
    """

    found: int
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    tied: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ModelStamp:
    """What identifies the model behind a number: kept with every result and every run.

    Attributes:
        id: The checkpoint's id.
        family: The plugin's id.
        fingerprint: blake2b of config, tokenizer and weight files, 32 hexadecimal digits; of a
            tokenizer alone, of all that it is made of, the first 16 of its vocabulary.
        device: "cpu", "cuda:0", ...; "cuda:0 + cpu + disk" where its layers lie at several places,
            that where it is computed first.
        dtype: "float32", ...; "int8 + float32" where the layers' weights are quantised, and all
            else and what is computed is float32.
        commit: Of the hub's repository that the files are of, 40 hexadecimal digits; "" elsewhere.
            A log keeps it among the versions of a run (`commits_of`).
    """

    id: str
    family: str
    fingerprint: str
    device: str
    dtype: str
    commit: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """What is read where its title is not known: of a path its last part, else the id."""
        paths = (PurePosixPath(self.id), PureWindowsPath(self.id))
        return next((path.name for path in paths if path.is_absolute() and path.name), self.id)

    @property
    def computed_on(self) -> str:
        """Where inputs, embeddings and heads are, and what layers give: "cpu", "cuda:0"."""
        return self.device.partition(AND)[0]

    @property
    def computed_in(self) -> str:
        """The number type of states and answers: "float32"."""
        return self.dtype.rpartition(AND)[2]

    @property
    def as_asked(self) -> str:
        """How a user names it: its id, with the number type it is loaded as where not float32."""
        numbers = self.dtype.partition(AND)[0]
        return as_numbers(self.id, "" if numbers == "float32" else LOADED_AS.get(numbers, numbers))

    @property
    def is_offloaded(self) -> bool:
        """Whether some layers lie elsewhere than where they are computed."""
        return AND in self.device

    @property
    def is_quantised(self) -> bool:
        """Whether the layers' weights are rounded to 8 or 4 bit."""
        return AND in self.dtype


def commits_of(stamps: Iterable[ModelStamp]) -> dict[str, str]:
    """The commits of models from the hub, by their ids."""
    return {stamp.id: stamp.commit for stamp in stamps if stamp.commit}


@dataclass(frozen=True)
class ModelCard:
    """What the window knows of a loaded model; crosses the process boundary.

    Attributes:
        slot: "A" or "B".
        stamp: Its identity.
        title: What a user reads.
        architecture: One line.
        folder: Where its files are.
        parameters: Tied ones counted once.
        weights_bytes: In memory now.
        disk_bytes: Of layers that are read from the disk whenever they are at work.
        max_length: In tokens, special ones included; None when there is no limit.
        mask_token: The tokenizer's own, None when it has none.
        vocabulary_size: Number of pieces.
        heads: Heads and whether the files held them.
        operations: Names it answers.
        unavailable: Why not, for the other questions, by name.
        report: Keys found, missing, fresh.
        duration: Seconds it took to load.
        partner: The id of the other half, where a generator and a discriminator lie apart; "".
        stacks: Kind, layers and heads of each stack of attention whose heads can be told apart;
            none where the model has no port to them.
        languages: Codes of the languages that it can be told a text is in; none for most models.
    """

    slot: str
    stamp: ModelStamp
    title: str
    architecture: Phrase
    folder: str
    parameters: int
    weights_bytes: int
    max_length: int | None
    mask_token: str | None
    vocabulary_size: int
    heads: tuple[Head, ...]
    operations: tuple[str, ...]
    unavailable: Mapping[str, str]
    report: LoadReport
    duration: float = 0.0
    partner: str = ""
    stacks: tuple[tuple[str, int, int], ...] = ()
    languages: tuple[str, ...] = ()
    disk_bytes: int = 0

    @property
    def attention_shape(self) -> tuple[int, int] | None:
        """Layers of the deepest stack, and heads in each; None where the model does not say."""
        if not self.stacks:
            return None
        return max(n for _, n, _ in self.stacks), max(n for _, _, n in self.stacks)


@dataclass
class LoadedModel:
    """A model that can answer, in the engine's process.

    Attributes:
        stamp: Its identity.
        module: The torch module, in eval mode.
        tokenizer: The transformers tokenizer.
        config: The transformers config.
        encode: From a text, a second one or None, and masked ranges, to what the model sees; with
            `languages` (codes of the texts' languages, for models that are told) and `begin` (the
            family's start token first, where a text's first token is to be predicted too) and
            `whole` (nothing is left out of a text that is too long).
        encoder: Batch of inputs to last hidden state (batch x tokens x hidden).
        ports: What it can do (explorer.api.ports), by type.
        refused: Why it can't do the rest, in one line, by type.
        heads: Which heads the files held.
        report: Keys found, missing, fresh.
        max_length: In tokens, special ones included; None when there is no limit.
        languages: Codes of the languages that `encode` can be told; none for most models.
        entities: What `encode` puts beside the words of the text that is asked about now.
        title: What people read for it, as in a refusal; its id until the program names it.
    """

    stamp: ModelStamp
    module: Any
    tokenizer: Any
    config: Any
    encode: Callable[..., Encoded]
    encoder: Callable[..., Any]
    heads: tuple[Head, ...]
    report: LoadReport
    max_length: int | None
    ports: dict[type, Any] = field(default_factory=dict)
    refused: Mapping[type, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    entities: tuple[Mention, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        self.title = self.title or self.stamp.id

    @property
    def device(self) -> str:
        """Where inputs, embeddings and heads are, and what layers give: "cpu", "cuda:0"."""
        return self.stamp.computed_on

    @property
    def dtype(self) -> str:
        """The number type of states and answers: "float32"."""
        return self.stamp.computed_in

    def port(self, kind: type[Port]) -> Port:
        """What the model can do, of a kind.

        Raises:
            Unavailable: It can't.
        """
        found: Port | None = self.ports.get(kind)
        if found is None:
            raise Unavailable(self.refused.get(kind, N_("This model can't answer this.")))
        return found
