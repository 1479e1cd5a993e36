"""What a plugin provides: a family of models."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from explorer.api.context import Context
from explorer.api.family.blueprint import Blueprint
from explorer.api.family.checkpoint import Files, Head, Recognition
from explorer.api.family.load_options import LoadOptions
from explorer.api.family.tensors import Role
from explorer.api.model import LoadedModel


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


@runtime_checkable
class Weights(Protocol):
    """The model of any config, without its numbers. A family has this, not a loaded model."""

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """The architecture in numbers, for the picture.

        Args:
            config: All values, defaults included.
            heads: Names of the heads on top.
        """

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """The torch module on the meta device, and its config with every default filled in."""

    def run_once(self, module: Any, ids: Any) -> None:
        """Let texts (batch x tokens, numbers of pieces) go through such a module and its heads."""

    def role_of(self, name: str) -> Role:
        """What a tensor is for, by its name."""

    def used_again(self, heads: tuple[str, ...]) -> Mapping[str, str]:
        """Uses of a weight that its module has no name for: a name for each, and the weight's."""

    def heads_named(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """The heads of the class that a config names, or of the one with most."""

    def companion_of(self, checkpoint_id: str) -> str:
        """The checkpoint that was trained together with another; "" for one trained alone."""

    def size_keys(self, config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """The sizes that its classes take, and their keys in a config."""

    def layers_apart(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a config must say so that every layer has weights of its own."""
