"""What is this model made of, and what does that cost?"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.anatomy.against import Against, against
from explorer.anatomy.cost import Work, memory_of, work_of
from explorer.anatomy.reading import named_weights
from explorer.anatomy.statistics import Statistics, statistics_of
from explorer.anatomy.tree import Part, flat, tree_of
from explorer.anatomy.weights import Parameters, parameters_of, stored_by
from explorer.api import (
    MODEL,
    Blueprint,
    Cast,
    Context,
    ExplorerError,
    Files,
    Known,
    ModelCard,
    ModelStamp,
    Operation,
    PublishedFigure,
    Table,
    UserMistake,
)
from explorer.api.roles import Options

LONGEST = 1_000_000
"""Tokens, for which memory is still stated."""


@dataclass(frozen=True)
class Anatomy:
    """Ask for a model's architecture and its weights.

    Attributes:
        checkpoint: A name, hub id or path, whose weights need not be here; "" for the model that
            is asked.
        length: Tokens of a text, for memory and work.
        batch: Texts at once, for memory.
        part: Path of a part of the tree whose numbers are wanted; "" for none. Only a loaded
            model has any.
    """

    checkpoint: str = ""
    length: int = 128
    batch: int = 1
    part: str = ""


@dataclass(frozen=True)
class AnatomyResult:
    """A model taken apart.

    Attributes:
        model: Whose; the dtype is "" and the device "meta" where no weights were loaded.
        title: What a user reads.
        family: The plugin's id.
        loaded: Its weights are in memory.
        blueprint: Its architecture in numbers.
        parameters: How many, and where.
        kinds: Of the unique ones, how many of each kind.
        layers: In all stacks.
        hidden_size: Width of a hidden state.
        heads: Attention heads in a layer.
        vocabulary: Number of pieces.
        length: Tokens of a text, for what follows.
        batch: Texts at once.
        memory_bytes: By what ("weights", "hidden_states", "attentions", "activations") and dtype.
        work: Multiplications for one token, by part.
        published: Figures of the literature beside these.
        tree: Every part, layers that are alike as one.
        part: Whose numbers these are; "" for none.
        statistics: Its tensors' numbers.
        companion: The architecture of the other half, where two were trained together.
    """

    model: ModelStamp
    title: str
    family: str
    loaded: bool
    blueprint: Blueprint
    parameters: Parameters
    kinds: Mapping[str, int]
    layers: int
    hidden_size: int
    heads: int
    vocabulary: int
    length: int
    batch: int
    memory_bytes: Mapping[str, Mapping[str, int]]
    work: tuple[Work, ...]
    published: tuple[Against, ...]
    tree: tuple[Part, ...]
    part: str = ""
    statistics: tuple[Statistics, ...] = ()
    companion: Blueprint | None = None


@dataclass(frozen=True)
class Opened:
    """A model to be counted: with weights, or on the meta device.

    Attributes:
        stamp: Its identity.
        title: What a user reads.
        module: The torch module.
        blueprint: Its architecture in numbers.
        tree: Its weights.
        loaded: It has weights.
        figures: What was published about it.
        companion: The other half's architecture, or None.
    """

    stamp: ModelStamp
    title: str
    module: Any
    blueprint: Blueprint
    tree: tuple[Part, ...]
    loaded: bool
    figures: tuple[PublishedFigure, ...]
    companion: Blueprint | None = None


def run(model: Any, request: Anatomy, context: Context) -> AnatomyResult:
    """Count a loaded model, or one made of a config alone.

    Raises:
        UserMistake: There is nothing to take apart.
        CheckpointFault: The config makes no model.
    """
    if not (1 <= request.length <= LONGEST and 1 <= request.batch <= LONGEST):
        raise UserMistake(
            "The length and the number of texts must be from 1 to 1,000,000.",
            "Choose a smaller number.",
        )
    opened = open_model(model, request.checkpoint, context)
    context.check()
    weights = flat(opened.tree)
    blueprint, parameters = opened.blueprint, parameters_of(weights)
    numbers: tuple[Statistics, ...] = ()
    if request.part and opened.loaded:
        numbers = statistics_of(opened.module, request.part, context.check)
    layers = blueprint.layers + blueprint.decoder_layers
    counted = {
        "parameters": parameters.unique,
        "without head": parameters.embedding + parameters.backbone,
        "embedding": parameters.embedding,
        "backbone": parameters.backbone,
        "layers": layers,
        "hidden_size": blueprint.hidden_size,
        "heads": blueprint.heads,
        "vocabulary": blueprint.vocabulary,
    }
    return AnatomyResult(
        model=opened.stamp,
        title=opened.title,
        family=opened.stamp.family,
        loaded=opened.loaded,
        blueprint=blueprint,
        parameters=parameters,
        kinds=stored_by(weights, "kind"),
        layers=layers,
        hidden_size=blueprint.hidden_size,
        heads=blueprint.heads,
        vocabulary=blueprint.vocabulary,
        length=request.length,
        batch=request.batch,
        memory_bytes=memory_of(weights, blueprint, request.length, request.batch),
        work=work_of(weights, blueprint, request.length),
        published=tuple(against(figure, counted) for figure in opened.figures),
        tree=opened.tree,
        part=request.part,
        statistics=numbers,
        companion=opened.companion,
    )


def open_model(model: Any, checkpoint: str, context: Context) -> Opened:
    """The loaded model, or a checkpoint's config made into a model without weights.

    A checkpoint that is loaded already is taken with its weights.

    Raises:
        UserMistake: No model is loaded and no checkpoint is named.
        CheckpointFault: The config makes no model.
    """
    if not checkpoint and model is None:
        raise UserMistake("No model is loaded.", "Load one, or name a checkpoint.")
    known: Known | None = None
    if context.shelf is not None:
        try:
            known = context.shelf.known(checkpoint or model.stamp.id)
        except ExplorerError:
            # A loaded model can be taken apart though its folder was moved away meanwhile.
            if checkpoint:
                raise
    if checkpoint and known is not None:
        here = [m for m in context.models.values() if m.stamp.id == known.checkpoint.id]
        if not here:
            return replace(_from_config(known, context), companion=_companion(known, context))
        model = here[0]
    opened = _from_weights(model, known)
    return replace(opened, companion=_companion(known, context) if known is not None else None)


def _companion(known: Known, context: Context) -> Blueprint | None:
    """The architecture of what was trained together with it, where that is known too."""
    family: Any = known.family
    name = family.companion_of(known.checkpoint.id) if hasattr(family, "companion_of") else ""
    if not name or context.shelf is None:
        return None
    try:
        other = context.shelf.known(name)
    except ExplorerError:
        return None
    if other.checkpoint.family != known.checkpoint.family:
        return None
    heads = other.heads if other.heads is not None else family.heads_named(other.files.config)
    blueprint: Blueprint = family.blueprint(other.files.config, heads)
    return blueprint


def _from_config(known: Known, context: Context) -> Opened:
    from explorer.hf.cancelling import cancellable

    family: Any = known.family
    if not hasattr(family, "skeleton"):
        raise UserMistake(
            f"The plugin {family.title} can't make a model of a config alone.",
            "Load the checkpoint first.",
        )
    heads = known.heads
    if heads is None:
        heads = family.heads_named(known.files.config)
    context.progress("making the model", 0.0, 0.0)
    with cancellable(context):
        module, config = family.skeleton(known.files, heads)
    blueprint: Blueprint = family.blueprint(config, heads)
    stamp = ModelStamp(
        known.checkpoint.id, known.checkpoint.family, fingerprint_of(known.files), "meta", ""
    )
    again = family.used_again(heads)
    tree = tree_of(named_weights(module, again), reuse_of(blueprint))
    return Opened(
        stamp, known.checkpoint.title, module, blueprint, tree, loaded=False, figures=known.figures
    )


def _from_weights(model: Any, known: Known | None) -> Opened:
    heads = tuple(head.name for head in model.heads if head.present)
    family: Any = known.family if known is not None else None
    title = known.checkpoint.title if known is not None else model.stamp.id
    config = model.config.to_dict()
    blueprint = Blueprint("", 0, 0, 0, 0, 0, 0)
    again: Mapping[str, str] = {}
    if hasattr(family, "blueprint"):
        blueprint = family.blueprint(config, heads)
        again = family.used_again(heads)
    tree = tree_of(named_weights(model.module, again), reuse_of(blueprint))
    figures = known.figures if known is not None else ()
    return Opened(model.stamp, title, model.module, blueprint, tree, loaded=True, figures=figures)


def reuse_of(blueprint: Blueprint) -> int:
    """How often one set of a layer's weights is used."""
    if not blueprint.shared_attention:
        return 1
    return blueprint.layers // blueprint.attention_sets


def fingerprint_of(files: Files) -> str:
    """What identifies a config: blake2b of its content, 32 hexadecimal digits."""
    written = json.dumps(dict(files.config), sort_keys=True, default=str)
    return hashlib.blake2b(written.encode(), digest_size=16).hexdigest()


def table(result: AnatomyResult) -> Table:
    """One row a part, in the tree's order."""
    columns = (
        "part",
        "module",
        "kind",
        "section",
        "copies",
        "places",
        "shape",
        "parameters",
        "counted_everywhere",
        "multiply_adds",
    )
    return Table(columns, tuple(_rows(result.tree)))


def _rows(parts: Iterable[Part]) -> Iterable[tuple[str | int, ...]]:
    for part in parts:
        yield (
            part.path,
            part.module,
            part.kind,
            part.section,
            part.copies,
            part.places,
            ", ".join(" x ".join(map(str, weight.shape)) for weight in part.weights),
            part.parameters,
            part.total,
            part.multiply_adds,
        )
        yield from _rows(part.parts)


CHECKPOINT = "anatomy.checkpoint"
"""The option of a document that names what is taken apart; without it, the active model is."""


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> Cast:
    """The slot that holds the chosen checkpoint, whichever is active; nobody where none does."""
    name = document.option(CHECKPOINT, "")
    here = [slot for slot, card in cards.items() if card.stamp.id == name]
    if not name and active in cards:
        here = [active]
    return {MODEL: here[0]} if here else {}


OPERATION = Operation(
    name="anatomy",
    title="Anatomy",
    question="What is this model made of, and what does that cost?",
    request=Anatomy,
    result=AnatomyResult,
    run=run,
    table=table,
    optional=frozenset({MODEL}),
    casting=casting,
)
