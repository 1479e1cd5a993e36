"""What a distillation can't ask for together, each in one sentence that says what to change."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.api.question import UserMistake
from explorer.learning.distilling.choices import LayerMapping, NamedLosses, StudentStart, TaughtBy
from explorer.learning.distilling.distillation import Distillation
from explorer.learning.distilling.teachers.outline import TeacherOutline
from explorer.learning.distilling.weights import layer_map, typed_map, weights_of
from explorer.learning.plan.choices import Objective
from explorer.text import N_


def refuse(plan: Distillation, teacher: TeacherOutline | None) -> None:
    """Refuse a plan that contradicts itself or what is known of its teacher.

    Raises:
        UserMistake: It does.
    """
    found = next(_contradictions(plan, teacher), None)
    if found is not None:
        raise found


def _contradictions(plan: Distillation, teacher: TeacherOutline | None) -> Iterator[UserMistake]:
    if plan.targets is TaughtBy.EXACT:
        yield from _of_exact_answers(plan)
    if teacher is None:
        return
    if teacher.writes_spans:
        yield UserMistake(
            N_(
                "{name} writes any number of pieces where a student fills in one: choose a model "
                "that fills masks or predicts the next piece."
            ),
            name=teacher.name,
        )
        return
    if teacher.objective is None:
        yield UserMistake(
            N_(
                "{name} has no logits over its pieces that a student could learn: choose a model "
                "that fills masks or predicts the next piece."
            ),
            name=teacher.name,
        )
        return
    if teacher.objective is not plan.objective:
        masked = teacher.objective is Objective.MASKED
        yield UserMistake(
            N_("{name} fills masks: let the student predict masked words.")
            if masked
            else N_("{name} predicts the next piece: let the student predict that too."),
            name=teacher.name,
        )
    if plan.length > teacher.length:
        yield UserMistake(
            N_("{name} reads {length} tokens at most: choose no longer texts."),
            name=teacher.name,
            length=teacher.length,
        )
    if plan.targets is not TaughtBy.TEACHER:
        return
    weights = weights_of(plan)
    yield from _of_start(plan, teacher)
    if (weights.matches_layers or weights.cosine) and not (teacher.shows_states and teacher.width):
        yield UserMistake(
            N_("The states of {name} can't be read: let the student learn its predictions alone."),
            name=teacher.name,
        )
    if weights.matches_layers or weights.cosine:
        yield from _of_layers(plan, teacher)
    trained = weights.soft + weights.labels + weights.hidden + weights.attention
    if not trained:
        yield UserMistake(N_("All weights are 0: nothing would be learnt."))


def _of_exact_answers(plan: Distillation) -> Iterator[UserMistake]:
    if plan.path:
        yield UserMistake(
            N_("Nobody knows the exact answers of a text file: choose a small world's text.")
        )
    if plan.objective is Objective.CAUSAL:
        yield UserMistake(
            N_("The exact answers taught are those of masked words: let the student predict them.")
        )


def _of_start(plan: Distillation, teacher: TeacherOutline) -> Iterator[UserMistake]:
    if plan.start is StudentStart.RANDOM:
        return
    own = plan.student_plan.of_family.value
    if teacher.kind != own:
        yield UserMistake(
            N_("The student is a {student} and {name} is none: begin with random weights."),
            student={"bert": "BERT", "gpt2": "GPT-2"}[own],
            name=teacher.name,
        )
    if (plan.width, plan.heads) != (teacher.width, teacher.heads):
        yield UserMistake(
            N_(
                "A student begins with layers of {name} only if it is as wide, {width} with "
                "{heads} heads: make it so, or begin with random weights."
            ),
            name=teacher.name,
            width=teacher.width,
            heads=teacher.heads,
        )
    if plan.layers > teacher.layers:
        yield UserMistake(
            N_("{name} has {layers} layers: a student that begins with them has no more."),
            name=teacher.name,
            layers=teacher.layers,
        )


def _of_layers(plan: Distillation, teacher: TeacherOutline) -> Iterator[UserMistake]:
    weights = weights_of(plan)
    widths = {"name": teacher.name, "student": plan.width, "teacher": teacher.width}
    if plan.width != teacher.width and not weights.projected:
        if weights.cosine:
            yield UserMistake(
                N_(
                    "DistilBERT's cosine compares states of one width, and the student's are "
                    "{student} wide, those of {name} {teacher}: choose one width or other losses."
                ),
                **widths,
            )
        if weights.hidden:
            yield UserMistake(
                N_(
                    "States that are {student} and {teacher} wide can't be matched without a "
                    "projection: learn one, or make the student as wide as {name}."
                ),
                **widths,
            )
    if not weights.matches_layers:
        return
    if weights.attention and plan.heads != teacher.heads:
        yield UserMistake(
            N_(
                "Attention is matched head by head, and {name} has {teacher} heads a layer, the "
                "student {student}: make them the same number."
            ),
            name=teacher.name,
            teacher=teacher.heads,
            student=plan.heads,
        )
    if weights.attention and (not teacher.shows_attention or plan.objective is Objective.CAUSAL):
        yield UserMistake(
            N_("The attention scores of {name} can't be read: match its states alone."),
            name=teacher.name,
        )
    if plan.losses is NamedLosses.MOBILEBERT and plan.layers != teacher.layers:
        yield UserMistake(
            N_("MobileBERT's losses go layer by layer: give the student {layers} layers as well."),
            layers=teacher.layers,
        )
    yield from _of_map(plan, teacher)


def _of_map(plan: Distillation, teacher: TeacherOutline) -> Iterator[UserMistake]:
    if plan.layer_map is LayerMapping.OWN:
        typed = typed_map(plan.own_map)
        if typed is None or len(typed) != plan.layers:
            yield UserMistake(
                N_("“{typed}” is no map: name a layer of {name} for each of the student's {many}."),
                typed=plan.own_map,
                name=teacher.name,
                many=plan.layers,
            )
            return
    elif plan.layers > teacher.layers:
        yield UserMistake(
            N_("{name} has {layers} layers, fewer than the student: type which ones are matched."),
            name=teacher.name,
            layers=teacher.layers,
        )
        return
    beyond = [one for one in layer_map(plan, teacher.layers) if not 0 <= one < teacher.layers]
    if beyond:
        yield UserMistake(
            N_("{name} has no layer {layer}: its layers are 0 to {last}."),
            name=teacher.name,
            layer=str(beyond[0]),
            last=str(teacher.layers - 1),
        )
