"""A model to be taken apart: loaded with its weights, or made of a config alone."""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.checkpoint_registry import RegisteredCheckpoint
from explorer.api.family import Blueprint, Files, Role, Weights
from explorer.api.family.checkpoint import PublishedFigure
from explorer.api.family.what_if import Changes
from explorer.api.question import Context, ExplorerError, ModelStamp, UserMistake
from explorer.architecture.named_weights import named_weights
from explorer.architecture.tree import flat, tree_of
from explorer.architecture.weights import Weight
from explorer.text import N_, _


@dataclass(frozen=True)
class Opened:
    """A model to be counted: with weights, or on the meta device.

    Attributes:
        stamp: Its identity.
        title: What a user reads.
        module: The torch module.
        blueprint: Its architecture in numbers.
        heads: Names of the heads it has.
        loaded: It has weights.
        family: Who knows its weights; None where nobody does.
        files: Its config; None where its folder is gone.
        figures: What was published about it.
        companion: The other half's architecture, or None.
        held: Parameters of its files, as the library counts them; None where nobody knows.
    """

    stamp: ModelStamp
    title: str
    module: Any
    blueprint: Blueprint
    heads: tuple[str, ...]
    loaded: bool
    family: Weights | None = None
    files: Files | None = None
    figures: tuple[PublishedFigure, ...] = ()
    companion: Blueprint | None = None
    held: int | None = None

    def role_of(self, name: str) -> Role:
        """What a tensor of it is for."""
        return self.family.role_of(name) if self.family is not None else Role.OTHER

    def weights(self) -> tuple[Weight, ...]:
        """All of them, without what they have to do."""
        again = self.family.used_again(self.heads) if self.family is not None else {}
        named = named_weights(self.module, self.role_of, again)
        return flat(tree_of(named, reuse_of(self.blueprint)))


def open_model(model: Any, checkpoint: str, context: Context, sizes: Changes = ()) -> Opened:
    """The loaded model, or a checkpoint's config made into a model without weights.

    A checkpoint that is loaded already is taken with its weights, unless its sizes are changed.

    Raises:
        UserMistake: No model is loaded and no checkpoint is named; no model has such sizes.
        CheckpointFault: The config makes no model.
    """
    if not checkpoint and model is None:
        raise UserMistake(N_("No model is loaded."), N_("Load one, or name a checkpoint."))
    known: RegisteredCheckpoint | None = None
    if context.shelf is not None:
        try:
            known = context.shelf.known(checkpoint or model.stamp.id)
        except ExplorerError:
            # A loaded model can be taken apart though its folder was moved away meanwhile.
            if checkpoint:
                raise
    companion = _companion(known, context) if known is not None else None
    if known is not None and (checkpoint or sizes):
        here = [m for m in context.models.values() if m.stamp.id == known.checkpoint.id]
        if sizes or not here:
            return replace(_from_config(known, context, sizes), companion=companion)
        model = here[0]
    return replace(_from_weights(model, known), companion=companion)


def _companion(known: RegisteredCheckpoint, context: Context) -> Blueprint | None:
    """The architecture of what was trained together with it, where that is known too."""
    family: Any = known.family
    if not isinstance(family, Weights) or context.shelf is None:
        return None
    name = family.companion_of(known.checkpoint.id)
    if not name:
        return None
    try:
        other = context.shelf.known(name)
    except ExplorerError:
        return None
    if other.checkpoint.family != known.checkpoint.family:
        return None
    heads = other.heads if other.heads is not None else family.heads_named(other.files.config)
    return family.blueprint(other.files.config, heads)


def _from_config(known: RegisteredCheckpoint, context: Context, sizes: Changes) -> Opened:
    from explorer.hf.cancelling import cancellable
    from explorer.hf.family.what_if import changed_model

    family: Any = known.family
    if not isinstance(family, Weights):
        raise UserMistake(
            N_("The plugin {title} can't make a model of a config alone."),
            N_("Load the checkpoint first."),
            title=known.family.title,
        )
    heads = known.heads
    if heads is None:
        heads = family.heads_named(known.files.config)
    context.progress(_("making the model"), 0.0, 0.0)
    with cancellable(context):
        if sizes:
            module, blueprint = changed_model(family, known.files, heads, dict(sizes))
        else:
            module, config = family.skeleton(known.files, heads)
            blueprint = family.blueprint(config, heads)
    stamp = ModelStamp(
        known.checkpoint.id, known.checkpoint.family, fingerprint_of(known.files), "meta", ""
    )
    other = [f"{name.replace('_', ' ')} {value:,}" for name, value in sizes]
    return Opened(
        stamp,
        ", ".join((known.checkpoint.title, *other)),
        module,
        blueprint,
        heads,
        loaded=False,
        family=family,
        files=known.files,
        figures=known.figures,
        held=None if sizes else known.checkpoint.parameters,
    )


def _from_weights(model: Any, known: RegisteredCheckpoint | None) -> Opened:
    """A loaded model.

    Raises:
        Unavailable: What its plugin says of its weights is not so.
    """
    heads = tuple(head.name for head in model.heads if head.present)
    refused = Weights in model.refused
    family: Any = model.port(Weights) if refused else model.ports.get(Weights)
    return Opened(
        model.stamp,
        known.checkpoint.title if known is not None else model.title,
        model.module,
        family.blueprint(model.config.to_dict(), heads)
        if family is not None
        else Blueprint(0, 0, 0, 0, 0, 0),
        heads,
        loaded=True,
        family=family,
        files=known.files if known is not None else None,
        figures=known.figures if known is not None else (),
        held=known.checkpoint.parameters if known is not None else None,
    )


def reuse_of(blueprint: Blueprint) -> int:
    """How often one set of a layer's weights is used."""
    if not blueprint.shared_attention:
        return 1
    return blueprint.layers // blueprint.attention_sets


def fingerprint_of(files: Files) -> str:
    """What identifies a config: blake2b of its content, 32 hexadecimal digits."""
    written = json.dumps(dict(files.config), sort_keys=True, default=str)
    return hashlib.blake2b(written.encode(), digest_size=16).hexdigest()
