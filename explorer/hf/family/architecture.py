"""A family's architecture from a config: in numbers, and as a model without weights.

The model without weights is made on torch's meta device, where a tensor has a shape and no
memory: GPT-3's takes a tenth of a second and a few megabytes.
"""

from collections.abc import Mapping
from typing import Any

from explorer.api.family import (
    Blueprint,
    Cancelled,
    CheckpointFault,
    ExplorerError,
    Files,
    Role,
    TensorNames,
    Trait,
    role_of,
)
from explorer.hf.family.specs import MASKED_LM, HeadSpec
from explorer.hf.family.task_heads import SPAN_EXTRACTOR, TOKEN_CLASSIFIER
from explorer.hf.loading.building import ALONE, limits_of, unfilled
from explorer.hf.loading.checkpoint import quiet_transformers
from explorer.hf.loading.config import read_config, unbuildable
from explorer.text import N_, Phrase

UNPOOLED = frozenset({MASKED_LM, TOKEN_CLASSIFIER, SPAN_EXTRACTOR})
"""Heads that read every token's state, so that nothing reads the pooled one."""


class Architecture:
    """What TransformersFamily can say of a config without any weights.

    Plugins override `blueprint` where their layers are no BERT's, `skeleton_class` where the
    class depends on more than the heads, and `run_once` where a pass takes more than its pieces.
    """

    layers_key: str
    width_key: str
    attention_heads_key: str
    vocabulary_key: str
    length_key: str
    feed_forward_key: str
    embedding_key: str
    roles: TensorNames
    classes: tuple[Any, ...]
    heads_known: tuple[HeadSpec, ...]

    @property
    def class_stem(self) -> str:
        """How its classes in transformers begin."""
        return str(self.classes[0].name).removesuffix("Model")

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """The architecture in numbers, as BERT's classes read a config.

        Args:
            config: All values, defaults included, as a transformers config has them.
            heads: Names of the heads on top.
        """
        width = config_number(config, self.width_key)
        attention_heads = config_number(config, self.attention_heads_key)
        narrow = config_number(config, "embedding_size") or width
        pairs = {"next_sentence", "sentence_order"} & set(heads)
        return Blueprint(
            vocabulary=config_number(config, self.vocabulary_key),
            embedding_size=narrow,
            hidden_size=width,
            layers=config_number(config, self.layers_key),
            heads=attention_heads,
            head_size=width // attention_heads if attention_heads else 0,
            feed_forward_size=config_number(config, self.feed_forward_key),
            positions=config_number(config, self.length_key),
            token_types=config_number(config, "type_vocab_size"),
            widened=narrow != width,
            tied=bool(config.get("tie_word_embeddings", True)),
            pooler=bool(pairs) or not UNPOOLED & set(heads),
            heads_present=heads,
            traits=(
                Trait(
                    "embeddings",
                    Phrase(N_("learned positions")),
                    Phrase(N_("Each place has a vector of its own.")),
                ),
                Trait(
                    "attention",
                    Phrase(N_("sees both sides")),
                    Phrase(N_("Every token looks at every other.")),
                ),
            ),
        )

    def heads_named(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """The heads of the class that a config names, or of the one with most."""
        named = set(config.get("architectures") or ())
        for spec in self.heads_known:
            if spec.architecture and any(str(n).endswith(spec.architecture) for n in named):
                return (spec.name,)
        for choice in self.classes:
            if choice.name in named:
                return tuple(sorted(choice.heads))
        widest = max(self.classes, key=lambda choice: len(choice.heads), default=None)
        return tuple(sorted(widest.heads)) if widest is not None else ()

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """The model without weights, and its config with every default filled in.

        Raises:
            CheckpointFault: The config's values make no model, or one far too large.
            Cancelled: The run that wants it was cancelled.
        """
        quiet_transformers()
        model_class = self.skeleton_class(files.config, set(heads))
        config = read_config(model_class, files)
        shapes = [tensor.shape for tensor in files.tensors.values()]
        limits = limits_of(shapes) if shapes and files.weight_files else ALONE
        try:
            module = unfilled(model_class, config, limits)
        except (ExplorerError, Cancelled, MemoryError):
            raise
        except Exception as error:
            raise unbuildable(model_class, config, error) from error
        return module, {**config.to_dict(), **files.config}

    def fault_of_running(self, module: Any, error: Exception) -> CheckpointFault | None:
        """The fields of a config that a model can be made of and can't run with; None for none.

        Args:
            module: The model.
            error: What came of running it.
        """
        import torch

        def run(made: Any) -> None:
            with torch.no_grad():
                self.run_once(made.eval(), torch.zeros((1, 2), dtype=torch.long, device="meta"))

        fault = unbuildable(type(module), module.config, error, run)
        return fault if fault.values["fields"] else None

    def run_once(self, module: Any, ids: Any) -> None:
        """Let texts go through a model and all its heads, as this program runs it.

        Args:
            module: On the meta device: nothing may ask what numbers a tensor holds.
            ids: Numbers of pieces (batch x tokens).
        """
        ids = as_taken(module, ids)
        decoder = {"decoder_input_ids": ids} if module.config.is_encoder_decoder else {}
        module(input_ids=ids, **decoder)

    def role_of(self, name: str) -> Role:
        """What a tensor is for, by its name."""
        return role_of(name, self.roles)

    def size_keys(self, _config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """The sizes that its classes take, and their keys in a config."""
        keys = {
            "vocabulary": self.vocabulary_key,
            "embedding_size": self.embedding_key,
            "hidden_size": self.width_key,
            "layers": self.layers_key,
            "heads": self.attention_heads_key,
            "feed_forward_size": self.feed_forward_key,
        }
        return {name: (key,) for name, key in keys.items() if key}

    def layers_apart(self, _config: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a config must say so that every layer has weights of its own."""
        return {}

    def companion_of(self, _checkpoint_id: str) -> str:
        """The checkpoint that was trained together with another; "" for one trained alone."""
        return ""

    def used_again(self, _heads: tuple[str, ...]) -> Mapping[str, str]:
        """Uses of a weight that its module has no name for: a name for each, and the weight's."""
        return {}

    def skeleton_class(self, _config: Mapping[str, Any], heads: set[str]) -> Any:
        """The class of a model with these heads."""
        return self.model_class(heads)

    def model_class(self, heads: set[str]) -> Any:
        """The transformers class for a set of heads."""
        raise NotImplementedError


def as_taken(module: Any, ids: Any) -> Any:
    """Texts as a class takes them: one that chooses wants all texts of a question together.

    Args:
        module: The model.
        ids: Numbers of pieces (batch x tokens).

    Returns:
        The same; of a class that chooses batch x choices x tokens, with one choice each.
    """
    chooses = type(module).__name__.endswith("ForMultipleChoice")
    return ids[:, None] if chooses else ids


def config_number(config: Mapping[str, Any], key: str) -> int:
    """A whole number of a config; 0 where it says none.

    Args:
        config: Of a checkpoint, all values.
        key: "num_hidden_layers".
    """
    value = config.get(key)
    return value if isinstance(value, int) and value > 0 else 0
