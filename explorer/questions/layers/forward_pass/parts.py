"""The scenes of a pass: what goes into each step and what comes out, as strips and bars."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.api.family import Role
from explorer.api.question import (
    PassScene,
    PassStep,
    SceneRow,
    Sentence,
    StepKind,
    Steps,
    sets,
)
from explorer.questions.layers.forward_pass.attending import attending_scenes
from explorer.questions.layers.forward_pass.question import AT, ForwardPassResult
from explorer.questions.layers.forward_pass.wording import (
    CALLED,
    added_by,
    attention_before,
    attention_said,
    curve_of,
    label_of,
    meaning_said,
    read_said,
    reading_said,
    row_said,
    said_of,
    title_of,
    winner_said,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, signed
from explorer.text.formatting.probabilities import in_percent

CROSS = "cross"
NAMES = {
    StepKind.TABLE: "row",
    StepKind.SUM: "sum",
    StepKind.NORM: "norm",
    StepKind.HEADS: "heads",
    StepKind.OUTPUT: "output",
    StepKind.MATRIX: "matrix",
    StepKind.ACTIVATION: "activation",
    StepKind.PRODUCT: "gate",
    StepKind.SCALED: "scaled",
    StepKind.JOINED: "joined",
    StepKind.CONVOLUTION: "convolution",
    StepKind.OTHER: "other",
}
OWN_SCALES = (
    StepKind.MATRIX,
    StepKind.NORM,
    StepKind.OUTPUT,
    StepKind.ACTIVATION,
    StepKind.SCALED,
)
"""Steps whose vectors are not compared number by number with those they are made of."""
ROLES = {
    Role.PIECES: "piece",
    Role.POSITIONS: "place",
    Role.SEGMENTS: "segment",
    Role.FEED_FORWARD_IN: "in",
    Role.FEED_FORWARD_OUT: "out",
}
"""What steps are called in files, by their kinds, or by what their weights are for."""


def parts(result: ForwardPassResult) -> tuple[Sentence | Steps, ...]:
    """The sentence, where another token can be followed, and the steps."""
    scenes = scenes_of(result)
    notes = {result.asked: N_("followed")}
    others = [n for n, one in enumerate(result.tokens) if n != result.asked and can_be(result, n)]
    return (
        Sentence(
            result.tokens,
            notes,
            dict.fromkeys(others, N_("Click to follow this token.")),
            {n: sets(AT, (n,), N_("follow a token")) for n in others},
        ),
        Steps(scenes, begins_at(scenes, result)),
    )


def can_be(result: ForwardPassResult, place: int) -> bool:
    """Whether a token of the text can be followed: of a decoder's, only what it writes."""
    token = result.tokens[place]
    is_written = any(one.kind == CROSS for one in result.attentions)
    if is_written and any(one.masked for one in result.tokens):
        return token.masked
    return not token.reserved


def begins_at(scenes: Sequence[PassScene], result: ForwardPassResult) -> int:
    """The scene that is seen where none was chosen: attention adds something in the layer."""
    wanted = (n for n, one in enumerate(scenes) if one.answer and one.group == str(result.layer))
    return next(wanted, 0)


def scenes_of(result: ForwardPassResult) -> tuple[PassScene, ...]:
    """All scenes, in the order of the steps."""
    return tuple(named(_scenes(result)))


def named(scenes: Iterator[PassScene]) -> Iterator[PassScene]:
    """Each with a name of its own: the second norm of a layer is "0.norm2"."""
    counts: dict[str, int] = {}
    for one in scenes:
        name = f"{one.group.rstrip('.').replace(' ', '')}.{one.name}"
        counts[name] = counts.get(name, 0) + 1
        yield replace(one, name=name if counts[name] == 1 else f"{name}{counts[name]}")


def _scenes(result: ForwardPassResult) -> Iterator[PassScene]:
    for number, step in enumerate(result.steps):
        if step.attention is not None:
            inputs = tuple(row_of(result, one) for one in step.given)
            attention = result.attentions[step.attention]
            yield from attending_scenes(attention, step, number, inputs, result.place)
        yield _scene(result, number)
    if result.is_read:
        yield PassScene(
            "read",
            "head",
            row_said("head"),
            Phrase(N_("What the decoder reads")),
            Phrase(
                N_(
                    "The encoder ends here. In each of its layers the decoder makes a key and a "
                    "value of this vector: that is how it reads the text."
                )
            ),
            "",
            (row_of(result, len(result.steps) - 1),),
        )
    elif result.words:
        yield from _words(result)
    elif result.verdict is not None:
        yield PassScene(
            "verdict",
            "head",
            row_said("head"),
            Phrase(N_("Verdict")),
            Phrase(
                N_("One number says how likely the token was replaced: {chance}."),
                chance=in_percent(result.verdict),
            ),
            "σ",
            (row_of(result, len(result.steps) - 1),),
            SceneRow("verdict", Phrase(N_("replaced")), None, result.verdict),
        )


def row_of(result: ForwardPassResult, number: int) -> SceneRow:
    """What a step gives, as a strip in the scenes of others."""
    step = result.steps[number]
    return SceneRow(
        f"step {number}", label_of(result, number), step.vector, None, length_of(step.vector)
    )


def length_of(vector: object) -> str:
    """How long a vector is, as it is written behind its strip."""
    return decimal(float(np.linalg.norm(np.asarray(vector, np.float64))), 2)


def _scene(result: ForwardPassResult, number: int) -> PassScene:
    step, role = result.steps[number], result.roles[number]
    attention = result.attentions[step.attention] if step.attention is not None else None
    heads = 0 if attention is None else len(attention.weights)
    rows = tuple(row_of(result, one) for one in step.given)
    if attention is not None:
        rows = tuple(
            SceneRow(
                f"head {head}",
                Phrase(N_("head {head}"), head=str(head)),
                own,
                None,
                length_of(own),
            )
            for head, own in enumerate(attention.results)
        )
    return PassScene(
        name=_name(step, role),
        group=step.row,
        where=row_said(step.row),
        title=title_of(result, number),
        said=said_of(result, number),
        operation=_operation(result, number),
        rows=rows,
        result=row_of(result, number),
        answer=_answer(result, number),
        reading=reading_said(result, step.row) if step.ends_row else "",
        read=read_said(result, step.row) if step.ends_row else "",
        curve=curve_of(step) if step.kind is StepKind.ACTIVATION else "",
        has_own_scales=step.kind in OWN_SCALES,
        seams=len(step.vector) // heads if heads else 0,
    )


def _name(step: PassStep, role: str) -> str:
    has_weights = step.kind in (StepKind.TABLE, StepKind.MATRIX)
    return ROLES.get(Role(role), NAMES[step.kind]) if role and has_weights else NAMES[step.kind]


def _operation(result: ForwardPassResult, number: int) -> str:
    step = result.steps[number]
    if step.kind is StepKind.ACTIVATION:
        return CALLED.get(curve_of(step), step.function)
    if step.kind is StepKind.NORM:
        return step.function
    if step.kind is StepKind.SCALED:
        return f"× {decimal(step.factor, 4)}"
    return {
        StepKind.SUM: "+",
        StepKind.PRODUCT: "×",
        StepKind.MATRIX: "× W",
        StepKind.OUTPUT: "× W",
        StepKind.CONVOLUTION: "∗",
    }.get(step.kind, "")


def _answer(result: ForwardPassResult, number: int) -> Phrase | str:
    step = result.steps[number]
    if step.kind is StepKind.TABLE and result.roles[number] == Role.PIECES:
        return meaning_said(result.followed[result.place])
    if step.kind is StepKind.SUM and added_by(result, number) == "attention":
        attention = attention_before(result, number)
        if attention is not None:
            return attention_said(attention, result.steps[step.given[0]].vector, step.vector)
    return ""


def _words(result: ForwardPassResult) -> Iterator[PassScene]:
    """The head's last matrix, and the softmax."""
    last = len(result.steps) - 1
    logits = tuple(
        SceneRow(f"word {one.id}", one.word, one.row, one.logit, signed(one.logit, 2))
        for one in result.words
    )
    biases = [one.logit - one.product for one in result.words if one.product is not None]
    has_bias = any(abs(one) > 1e-3 for one in biases)
    code = (
        N_(
            "The vector is multiplied with a row for each of {count} pieces, and a bias is added: "
            "these are the logits."
        )
        if has_bias
        else N_("The vector is multiplied with a row for each of {count} pieces: the logits.")
    )
    yield PassScene(
        "logits",
        "head",
        row_said("head"),
        Phrase(N_("Logits")),
        Phrase(code, count=result.pieces),
        "·",
        (replace(row_of(result, last), label=Phrase(N_("the vector"))), *logits),
        answer=winner_said(result) if len(result.words) > 1 else "",
        has_own_scales=True,
    )
    first = result.words[0]
    yield PassScene(
        "softmax",
        "head",
        row_said("head"),
        Phrase(N_("Softmax")),
        Phrase(
            N_("e to each logit, divided by the sum over all {count} pieces: “{word}” {chance}."),
            count=result.pieces,
            word=first.word,
            chance=in_percent(first.probability),
        ),
        "softmax",
        tuple(
            SceneRow(f"word {one.id}", one.word, None, one.probability, in_percent(one.probability))
            for one in result.words
        ),
    )
