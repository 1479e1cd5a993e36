"""What a plugin provides: a family of models."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from explorer.api.checkpoint import Files, Head, Recognition
from explorer.api.context import Context
from explorer.api.load_options import LoadOptions
from explorer.api.model import LoadedModel

API_VERSION = 1
"""Raised when a plugin written for the older one would no longer run."""


@runtime_checkable
class Family(Protocol):
    """A family of models. A plugin's module holds one, named FAMILY.

    None of these methods may import torch before `load` is called: the library lists
    checkpoints while torch is still being imported.
    """

    id: str
    title: str

    def recognise(self, files: Files) -> Recognition | None:
        """Claim a checkpoint folder, or not. Looks at name, config and tensor names."""

    def heads(self, files: Files) -> tuple[Head, ...]:
        """Which of the family's heads these files hold."""

    def offers(self, files: Files) -> frozenset[type]:
        """Ports (explorer.api.ports) that a model loaded from these files will have."""

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """Ports that come with some heads, by the heads' names."""

    def architecture(self, config: Mapping[str, Any]) -> str:
        """One line a person reads, a Phrase: layers, width, heads, vocabulary."""

    def attention_shape(self, config: Mapping[str, Any]) -> tuple[int, int]:
        """Number of layers and of heads a layer, for the estimate of memory."""

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """Longest input in tokens, special ones included; None when there is no limit."""

    def parameters(self, files: Files) -> int:
        """Number of weights in the files, tied ones counted once."""

    def load(
        self,
        checkpoint_id: str,
        files: Files,
        options: LoadOptions,
        context: Context,
    ) -> LoadedModel:
        """Load the checkpoint and put the ports to it that its heads allow.

        Raises:
            CheckpointFault: The files are damaged or do not fit each other.
        """


@runtime_checkable
class ReadsTokenizers(Protocol):
    """What most families have besides: their tokenizers can be had without their models."""

    def tokenizer(self, files: Files) -> Any:
        """The fast transformers tokenizer of a checkpoint.

        Raises:
            CheckpointFault: Its files are missing or damaged.
        """
