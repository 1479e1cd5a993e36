"""Counts a model: its parts, its memory, its work, and what it comes to with other numbers."""

from dataclasses import replace
from typing import Any

from explorer.api.family import SHARING
from explorer.api.question import Context, UserMistake
from explorer.architecture.counting import ArchitectureCount, count
from explorer.architecture.opening import Opened, open_model, reuse_of
from explorer.architecture.statistics import (
    Statistics,
    statistics_of,
)
from explorer.architecture.tree import TreeNode
from explorer.hf.kept import kept
from explorer.published.against import against
from explorer.questions.architecture.architecture.question import (
    ArchitectureRequest,
    ArchitectureResult,
)
from explorer.text.phrase import NOTHING, Phrase


def run(model: Any, request: ArchitectureRequest, context: Context) -> ArchitectureResult:
    """Count a loaded model, or one made of a config alone.

    Raises:
        UserMistake: There is nothing to take apart.
        CheckpointFault: The config makes no model.
    """
    opened = open_model(model, request.checkpoint, context, request.sizes)
    context.check()
    outcome, tree = _count_as_it_is(opened, request)
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
    return ArchitectureResult(
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
        held=None if opened.held == parameters.unique else opened.held,
    )


def _count_as_it_is(
    opened: Opened, request: ArchitectureRequest
) -> tuple[ArchitectureCount, tuple[TreeNode, ...]]:
    """What the model comes to without changes, and its tree.

    Of a model without weights it is kept: sliders ask for it again with every step.
    """

    def make() -> tuple[ArchitectureCount, tuple[TreeNode, ...]]:
        reuse = reuse_of(opened.blueprint)
        return count(
            opened,
            opened.module,
            opened.blueprint,
            reuse,
            length=request.length,
            batch=request.batch,
        )

    if opened.loaded:
        return make()
    asked = (opened.stamp, opened.heads, replace(request, part="", what_if=()))
    return kept("counts without weights", make, of=opened.family, asked=asked, most=1)


def _changed(
    opened: Opened, request: ArchitectureRequest
) -> tuple[tuple[str, ...], ArchitectureCount | None, Phrase]:
    """What can be changed, what the changes come to, and why there is no such model."""
    from explorer.hf.family.what_if import changed_model, offered, why_not

    family, files = opened.family, opened.files
    if family is None or files is None:
        return (), None, NOTHING
    possible = offered(family, opened.module, files.config)
    if not request.what_if:
        return possible, None, NOTHING
    changes = dict((*request.sizes, *request.what_if))
    try:
        module, blueprint = changed_model(family, files, opened.heads, changes)
    except UserMistake as mistake:
        return possible, None, Phrase.joined([mistake.problem, mistake.remedy])
    # Weights that layers were made to share have a name in each of them.
    reuse = 1 if SHARING in changes else reuse_of(blueprint)
    length, batch = request.length, request.batch
    outcome, _ = count(opened, module, blueprint, reuse, length=length, batch=batch)
    # Some classes are made of any numbers, and only fail when they run.
    return (possible, outcome, NOTHING) if outcome.work else (possible, None, why_not(blueprint))
