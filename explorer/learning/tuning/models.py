"""A checkpoint's body with a head for a task, and which of its weights are trained."""

from __future__ import annotations

import copy
import functools
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault, Files, LoadOptions, UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading.checkpoint import (
    load_module,
    load_tokenizer,
    missing_weights,
    read_weights,
)
from explorer.hf.loading.memory.placement import Placement
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.forms.form import TaskForm
from explorer.text import N_


@dataclass(frozen=True)
class ClassifierParts:
    """What of a model is what.

    Attributes:
        model: A class of transformers with a head for the task.
        fresh: Names of parameters that no checkpoint had.
    """

    model: Any
    fresh: frozenset[str]

    @property
    def body(self) -> Any:
        """All but the head."""
        return getattr(self.model, self.model.base_model_prefix)

    @property
    def head_modules(self) -> tuple[str, ...]:
        """Names of the modules of the head."""
        prefix = self.model.base_model_prefix
        children = self.model.named_children()
        return tuple(name for name, one in children if name != prefix and list(one.parameters()))

    @functools.cached_property
    def layers(self) -> tuple[tuple[str, Any], ...]:
        """The layers, each with its name in the model; none where they share their weights."""
        count = self.model.config.num_hidden_layers
        import torch

        for name, module in self.model.named_modules():
            if isinstance(module, torch.nn.ModuleList) and len(module) == count:
                return tuple((f"{name}.{number}.", one) for number, one in enumerate(module))
        return ()


def files_of(folder: str) -> Files:
    """What a folder holds.

    Raises:
        UserMistake: There is no checkpoint.
        CheckpointFault: It is damaged.
    """
    return inspect_folder(Path(folder))


def numbers_in(files: Files) -> int:
    """How many numbers a checkpoint's files hold, read without its weights."""
    return sum(math.prod(one.shape) for one in files.tensors.values())


def tokenizer_of(files: Files) -> Any:
    """The checkpoint's tokenizer; texts of one batch are as long as the longest.

    Raises:
        CheckpointFault: It has none.
    """
    tokenizer = load_tokenizer(files, has_offsets=False)
    # Some tokenizers (ALBERT's) leave out which of two texts a token is of, which models read.
    if files.config.get("type_vocab_size", 0) > 1 and tokenizer.is_fast:
        named = tokenizer.model_input_names
        tokenizer.model_input_names = [*dict.fromkeys((*named, "token_type_ids"))]
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    return tokenizer


def classes_of(files: Files, form: TaskForm) -> tuple[Any, Any]:
    """The classes of transformers for a checkpoint's config, and for the model with its head.

    Raises:
        UserMistake: There is no head of this form for this kind of model.
    """
    import transformers
    from transformers import CONFIG_MAPPING

    heads = getattr(transformers, form.mapping)
    kind = str(files.config.get("model_type", ""))
    # Its `get` knows only what was asked before.
    config_class = CONFIG_MAPPING[kind] if kind in CONFIG_MAPPING else None  # noqa: SIM401
    if config_class is None or config_class not in heads:
        raise _no_head(kind)
    return config_class, heads[config_class]


def _no_head(kind: str) -> UserMistake:
    return UserMistake(
        N_("A model of the kind “{kind}” can’t be fine-tuned for this task."),
        N_("transformers has no such head for it. Choose another model: BERT can do them all."),
        kind=kind,
    )


def classifier(
    files: Files,
    form: TaskForm,
    names: Sequence[str],
    tokenizer: Any,
    layer: ReadLayer = ReadLayer.LAST,
) -> ClassifierParts:
    """A checkpoint's body as float32, with a head for the task.

    A head that the checkpoint has for the same labels is kept; any other is fresh, of weights drawn
    by torch's generator.

    Args:
        files: The checkpoint.
        form: Of the task.
        names: The labels; none where there are no classes.
        tokenizer: Its own, with a token for padding.
        layer: Whose states the head reads.

    Raises:
        UserMistake: transformers has no such head for this kind of model.
        CheckpointFault: Weights of its body are missing or damaged.
    """
    import torch

    config_class, model_class = classes_of(files, form)
    config = config_class.from_dict(dict(files.config))
    had = [name for _, name in sorted((config.id2label or {}).items())]
    form.configure(config, names)
    config.pad_token_id = tokenizer.pad_token_id
    _cut(config, layer)
    weights = read_weights(files, LoadOptions())
    prefix = model_class.base_model_prefix
    with torch.device("meta"):
        shapes = {name: one.shape for name, one in model_class(config).named_parameters()}
    heads = {name for name in shapes if not name.startswith(f"{prefix}.")}
    if len(heads) == len(shapes):
        # T5's for answers has no body of its own, only parts.
        raise _no_head(config.model_type)
    kept = (not names or list(names) == had) and all(
        name in weights and tuple(weights[name].shape) == tuple(shapes[name]) for name in heads
    )
    if not kept:
        weights = {name: one for name, one in weights.items() if name not in heads}
    loaded = load_module(model_class, config, weights, Placement("cpu", torch.float32), files.name)
    fresh = frozenset(loaded.report.missing)
    lost = tuple(name for name in fresh if name.startswith(f"{prefix}.") and ".pooler." not in name)
    if lost:
        raise missing_weights(lost, loaded.report.unexpected)
    return ClassifierParts(loaded.module, fresh)


def _cut(config: Any, layer: ReadLayer) -> None:
    """Leave the layers above the one that is read out of the model.

    Raises:
        UserMistake: Its encoder and decoder go together.
    """
    if layer is ReadLayer.LAST:
        return
    if getattr(config, "is_encoder_decoder", False):
        raise UserMistake(
            N_("The head of an encoder and decoder reads the decoder’s last layer alone."),
            N_("Choose “the last” for the layer that is read."),
        )
    count = config.num_hidden_layers
    config.num_hidden_layers = 1 if layer is ReadLayer.FIRST else -(-count // 2)


def train_only(parts: ClassifierParts, tuned: Tuned, rank: int, form: TaskForm) -> Any:
    """Have only some weights trained; returns the model that is.

    Args:
        parts: The model.
        tuned: Which weights.
        rank: Of LoRA's change.
        form: Of the task.

    Raises:
        UserMistake: Its layers share their weights, and there is no last one.
    """
    if tuned is Tuned.ALL:
        return parts.model
    if tuned is Tuned.LORA:
        return _with_lora(parts, rank, form)
    kept = list(_beginnings(parts, tuned))
    for name, one in parts.model.named_parameters():
        one.requires_grad_(name in parts.fresh or any(name.startswith(own) for own in kept))
    return parts.model


def _beginnings(parts: ClassifierParts, tuned: Tuned) -> Iterator[str]:
    yield from (f"{name}." for name in parts.head_modules)
    if tuned is not Tuned.LAST:
        return
    if not parts.layers:
        raise UserMistake(
            N_("The layers of this model share their weights: there is no last one alone."),
            N_("Choose the head alone, LoRA, or everything."),
        )
    yield parts.layers[-1][0]
    yield f"{parts.model.base_model_prefix}.pooler."


def _with_lora(parts: ClassifierParts, rank: int, form: TaskForm) -> Any:
    """The model with changes of low rank, as peft puts them in.

    Where peft has no list of its own for a kind of model, all linear weights of its body change.
    """
    from peft import LoraConfig, TaskType, get_peft_model
    from peft.utils import TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING as KNOWN

    saved = [*parts.head_modules]
    if any(".pooler." in name for name in parts.fresh):
        saved.append("pooler")
    kind = parts.model.config.model_type
    how = LoraConfig(
        task_type=TaskType[form.peft] if form.peft else None,
        r=rank,
        lora_alpha=2 * rank,
        lora_dropout=0.0,
        target_modules=None if kind in KNOWN else "all-linear",
        modules_to_save=saved,
    )
    # It turns its matrices for GPT-2 itself, and asks transformers by a former name.
    with warnings.catch_warnings(action="ignore"):
        return get_peft_model(parts.model, how)


def merged(model: Any) -> Any:
    """The model as transformers has it: what LoRA changes is added to the weights of a copy."""
    if not hasattr(model, "merge_and_unload"):
        return model
    return copy.deepcopy(model).merge_and_unload()


def rate_scales(parts: ClassifierParts, head: float, decay: float) -> Mapping[str, float]:
    """What the learning rate is multiplied by, for weights whose name holds a text.

    Args:
        parts: The model.
        head: Of the head.
        decay: Of each layer below the last one, again and again; embeddings are below the first.
    """
    scales = {f"{name}.": head for name in parts.head_modules} if head != 1.0 else {}
    if decay != 1.0:
        depth = len(parts.layers)
        if not depth:
            raise UserMistake(
                N_("The layers of this model share their weights, and have one rate."),
                N_("Set the rate of the layer below to 100 %."),
            )
        scales |= {
            name: decay ** (depth - 1 - number) for number, (name, _) in enumerate(parts.layers)
        }
        scales[f"{parts.model.base_model_prefix}."] = decay**depth
    return scales


def refuse_pickle(files: Files) -> None:
    """A pickle is asked about where a model is loaded; what is trained was loaded before.

    Raises:
        CheckpointFault: The weights are a pickle.
    """
    if files.pickled:
        raise CheckpointFault(
            N_("The weights of {name} are a pickle."),
            N_("Save it as safetensors first: model.save_pretrained(folder)."),
            name=files.name,
        )
