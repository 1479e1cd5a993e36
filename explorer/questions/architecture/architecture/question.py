"""What is this model made of, and what does that cost?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api import (
    MODEL,
    Blueprint,
    Cast,
    Context,
    ModelCard,
    ModelStamp,
    Operation,
    Table,
    UserMistake,
)
from explorer.api.roles import Options
from explorer.questions.architecture.architecture.against import Against, against
from explorer.questions.architecture.architecture.cost import Work, memory_of, work_of
from explorer.questions.architecture.architecture.opening import Opened, open_model, reuse_of
from explorer.questions.architecture.architecture.reading import named_weights
from explorer.questions.architecture.architecture.statistics import Statistics, statistics_of
from explorer.questions.architecture.architecture.tree import Part, flat, tree_of
from explorer.questions.architecture.architecture.weights import (
    Parameters,
    parameters_of,
    stored_by,
)
from explorer.questions.architecture.architecture.what_if import SHARING, Changes, Outcome

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
        sizes: What of its config is changed before anything is counted; the model is then
            counted without its weights.
        what_if: What is changed further, to be laid beside it.
    """

    checkpoint: str = ""
    length: int = 128
    batch: int = 1
    part: str = ""
    sizes: Changes = ()
    what_if: Changes = ()


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
        work: Multiply-adds for one token, by part; empty where the model can't be run without
            numbers.
        published: Figures of the literature beside these.
        tree: Every part, layers that are alike as one.
        part: Whose numbers these are; "" for none.
        statistics: Its tensors' numbers.
        companion: The architecture of the other half, where two were trained together.
        possible: What can be changed of it: names as in `what_if`.
        changed: What it comes to with the changes that were asked about; None without any.
        refused: Why no model can be made with them; "" where it can.
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
    possible: tuple[str, ...] = ()
    changed: Outcome | None = None
    refused: str = ""


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
    opened = open_model(model, request.checkpoint, context, request.sizes)
    context.check()
    reuse = reuse_of(opened.blueprint)
    outcome, tree = _count(opened, request, opened.module, opened.blueprint, reuse)
    context.check()
    possible, changed, refused = _changed(opened, request)
    numbers: tuple[Statistics, ...] = ()
    if request.part and opened.loaded:
        numbers = statistics_of(opened.module, request.part, context.check)
    blueprint, parameters = outcome.blueprint, outcome.parameters
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
        kinds=outcome.kinds,
        layers=layers,
        hidden_size=blueprint.hidden_size,
        heads=blueprint.heads,
        vocabulary=blueprint.vocabulary,
        length=request.length,
        batch=request.batch,
        memory_bytes=outcome.memory,
        work=outcome.work,
        published=tuple(against(figure, counted) for figure in opened.figures),
        tree=tree,
        part=request.part,
        statistics=numbers,
        companion=opened.companion,
        possible=possible,
        changed=changed,
        refused=refused,
    )


def _count(
    opened: Opened, request: Anatomy, module: Any, blueprint: Blueprint, reuse: int
) -> tuple[Outcome, tuple[Part, ...]]:
    """What a module comes to, and its tree: it runs once, without numbers."""
    from explorer.hf.family.counting import count_pass, without_numbers

    family = opened.family
    again = family.used_again(opened.heads) if family is not None else {}
    named = tuple(named_weights(module, opened.role_of, again))
    counted = None
    if family is not None:
        bare = without_numbers(module) if opened.loaded and module is opened.module else module
        counted = count_pass(family.run_once, bare, request.length)
    tree = tree_of(
        named,
        reuse,
        counted.multiply_adds if counted is not None else None,
        request.length,
    )
    weights = flat(tree)
    parameters = parameters_of(weights)
    results = counted.results if counted is not None else None
    outcome = Outcome(
        blueprint=blueprint,
        parameters=parameters,
        kinds=stored_by(weights, "kind"),
        memory=memory_of(parameters, blueprint, request.length, request.batch, results),
        work=work_of(named, counted) if counted is not None else (),
    )
    return outcome, tree


def _changed(opened: Opened, request: Anatomy) -> tuple[tuple[str, ...], Outcome | None, str]:
    """What can be changed, what the changes come to, and why there is no such model."""
    from explorer.hf.family.what_if import changed_model, offered, why_not

    family, files = opened.family, opened.files
    if family is None or files is None:
        return (), None, ""
    possible = offered(family, opened.module, files.config)
    if not request.what_if:
        return possible, None, ""
    changes = dict((*request.sizes, *request.what_if))
    try:
        module, blueprint = changed_model(family, files, opened.heads, changes)
    except UserMistake as mistake:
        return possible, None, f"{mistake.message} {mistake.hint}".rstrip()
    # Weights that layers were made to share have a name in each of them.
    reuse = 1 if SHARING in changes else reuse_of(blueprint)
    outcome, _ = _count(opened, request, module, blueprint, reuse)
    # Some classes are made of any numbers, and only fail when they run.
    return (possible, outcome, "") if outcome.work else (possible, None, why_not(blueprint))


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


CHECKPOINT = "architecture.checkpoint"
"""The option of a document that names what is taken apart; without it, the active model is."""


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> Cast:
    """The slot that holds the chosen checkpoint, whichever is active; nobody where none does."""
    name = document.option(CHECKPOINT, "")
    here = [slot for slot, card in cards.items() if card.stamp.id == name]
    if not name and active in cards:
        here = [active]
    return {MODEL: here[0]} if here else {}


OPERATION = Operation(
    name="architecture",
    title="Architecture",
    question="What is this model made of, and what does that cost?",
    request=Anatomy,
    result=AnatomyResult,
    run=run,
    table=table,
    optional=frozenset({MODEL}),
    casting=casting,
    formerly=("anatomy",),
)
