"""What is said of each step, in sentences with its numbers."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from explorer.api.family import Role
from explorer.api.question import PassAttention, PassStep, StepKind, Token, alone, layer_phrase
from explorer.questions.layers.forward_pass.question import ForwardPassResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, percent, signed
from explorer.text.formatting.probabilities import in_percent

Floats = NDArray[np.float32]

TABLES = {
    Role.PIECES: N_("Row of the piece"),
    Role.POSITIONS: N_("Row of the place"),
    Role.SEGMENTS: N_("Row of the segment"),
    Role.EXTRA: N_("Row of the language or task"),
}
MATRICES = {
    Role.FEED_FORWARD_IN: N_("Feed-forward: in"),
    Role.FEED_FORWARD_OUT: N_("Feed-forward: out"),
    Role.GATE: N_("Feed-forward: gate"),
    Role.WIDEN: N_("To another width"),
    Role.BOTTLENECK: N_("Bottleneck"),
    Role.TOKENS: N_("Head: a matrix"),
    Role.OUTPUT_MATRIX: N_("Head: a matrix"),
}
OF_TABLES = {
    Role.PIECES: N_("piece"),
    Role.POSITIONS: N_("place"),
    Role.SEGMENTS: N_("segment"),
}
OF_MATRICES = {
    Role.FEED_FORWARD_IN: N_("neurons: in"),
    Role.FEED_FORWARD_OUT: N_("feed-forward"),
    Role.GATE: N_("gate"),
}
LABELS = {
    StepKind.SUM: N_("sum"),
    StepKind.NORM: N_("normed"),
    StepKind.HEADS: N_("heads"),
    StepKind.OUTPUT: N_("attention"),
    StepKind.ACTIVATION: N_("neurons"),
    StepKind.PRODUCT: N_("product"),
    StepKind.SCALED: N_("scaled"),
    StepKind.JOINED: N_("neighbours"),
    StepKind.CONVOLUTION: N_("convolution"),
}
"""What vectors are called before their strips."""
FUNCTIONS = {
    "relu": ("relu",),
    "silu": ("silu", "swish"),
    "tanh": ("tanh",),
    "sigmoid": ("sigmoid",),
    "gelu": ("gelu",),
}
"""Which of the drawn curves a function is, by what its class or itself is called."""
CALLED = {"gelu": "GELU", "relu": "ReLU", "silu": "SiLU", "tanh": "tanh", "sigmoid": "sigmoid"}


def curve_of(step: PassStep) -> str:
    """The function of an activation, as it is drawn; "" for one that is not."""
    name = step.function.lower()
    # "tanh" stands in the name of an approximation of GELU, too.
    order = ("gelu", "relu", "silu", "sigmoid", "tanh")
    return next((one for one in order if any(part in name for part in FUNCTIONS[one])), "")


def title_of(result: ForwardPassResult, number: int) -> Phrase:
    """What a step does, in a few words."""
    step, role = result.steps[number], result.roles[number]
    if step.kind is StepKind.TABLE:
        return Phrase(TABLES.get(Role(role) if role else Role.OTHER, N_("Row of a table")))
    if step.kind is StepKind.MATRIX:
        return Phrase(MATRICES.get(Role(role) if role else Role.OTHER, N_("A matrix")))
    if step.kind is StepKind.SUM:
        return Phrase(
            {
                "attention": N_("Residual: attention is added"),
                "feed-forward": N_("Residual: the feed-forward part is added"),
                "": N_("Sum"),
            }[added_by(result, number)]
        )
    return Phrase(
        {
            StepKind.NORM: N_("Norm"),
            StepKind.HEADS: N_("All heads, side by side"),
            StepKind.OUTPUT: N_("Output of the attention"),
            StepKind.ACTIVATION: N_("Activation"),
            StepKind.PRODUCT: N_("Gate"),
            StepKind.SCALED: N_("Times a number"),
            StepKind.JOINED: N_("Neighbours, side by side"),
            StepKind.CONVOLUTION: N_("Convolution"),
        }.get(step.kind, N_("From elsewhere"))
    )


def label_of(result: ForwardPassResult, number: int) -> Phrase:
    """What a step's vector is called before its strip, in a word or two."""
    step, role = result.steps[number], result.roles[number]
    if step.kind is StepKind.TABLE:
        return Phrase(OF_TABLES.get(Role(role) if role else Role.OTHER, N_("row")))
    if step.kind is StepKind.MATRIX:
        return Phrase(OF_MATRICES.get(Role(role) if role else Role.OTHER, N_("matrix")))
    if step.kind is StepKind.SUM and added_by(result, number):
        return Phrase(N_("residual"))
    return Phrase(LABELS.get(step.kind, N_("elsewhere")))


def added_by(result: ForwardPassResult, number: int) -> str:
    """What a sum adds to the stream: "attention", "feed-forward", or "" for anything else."""
    given = result.steps[number].given
    kinds = {result.steps[one].kind for one in given}
    # A norm may stand between a part and the sum (sandwich norms).
    before = {
        result.steps[two].kind
        for one in given
        if result.steps[one].kind is StepKind.NORM
        for two in result.steps[one].given
    }
    if StepKind.OUTPUT in kinds or (StepKind.OUTPUT in before and StepKind.MATRIX not in kinds):
        return "attention"
    if result.steps[number].row in ("emb.", "head") or not kinds & {StepKind.MATRIX, StepKind.NORM}:
        return ""
    return "feed-forward" if StepKind.MATRIX in kinds | before else ""


def angle(one: Floats, other: Floats) -> float:
    """Degrees between two vectors."""
    first, second = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    if not lengths:
        return 0.0
    return float(np.degrees(np.arccos(np.clip(first @ second / lengths, -1.0, 1.0))))


def said_of(result: ForwardPassResult, number: int) -> Phrase:
    """What goes on in a step."""
    step = result.steps[number]
    said = SAID.get(step.kind, _other_said)(result, number)
    again = step.call > 0 and step.kind in AGAIN
    if not again:
        return said
    return Phrase.joined((said, Phrase(N_("The weights are those of an earlier layer again."))))


def _matrix_said(result: ForwardPassResult, number: int) -> Phrase:
    step = result.steps[number]
    before = [len(result.steps[one].vector) for one in step.given]
    return Phrase(
        N_("{before} numbers become {after}: each is a weighted sum of all of them."),
        before=str(before[0] if before else len(step.vector)),
        after=str(len(step.vector)),
    )


def _activation_said(result: ForwardPassResult, number: int) -> Phrase:
    step = result.steps[number]
    return Phrase(
        N_("Each of {count} numbers goes through {function} alone; {positive} come out above 0."),
        count=str(len(step.vector)),
        function=CALLED.get(curve_of(step), step.function),
        positive=str(int((step.vector > 0).sum())),
    )


def _heads_said(result: ForwardPassResult, number: int) -> Phrase:
    step = result.steps[number]
    return Phrase(
        N_("What {count} heads have taken is put side by side: {width} numbers."),
        count=str(len(result.attentions[step.attention or 0].weights)),
        width=str(len(step.vector)),
    )


def _joined_said(result: ForwardPassResult, number: int) -> Phrase:
    return Phrase(
        N_("The piece's row is put between those of its neighbours: {width} numbers."),
        width=str(len(result.steps[number].vector)),
    )


def _scaled_said(result: ForwardPassResult, number: int) -> Phrase:
    return Phrase(
        N_("Every number times {factor}."), factor=decimal(result.steps[number].factor, 4)
    )


def _product_said(_result: ForwardPassResult, _number: int) -> Phrase:
    return Phrase(N_("Two vectors are multiplied number by number: one says what passes."))


def _convolution_said(_result: ForwardPassResult, _number: int) -> Phrase:
    return Phrase(N_("A matrix over the states of this token and its neighbours."))


def _other_said(_result: ForwardPassResult, _number: int) -> Phrase:
    return Phrase(N_("This comes from outside the token's own path, and is used here."))


def _table_said(result: ForwardPassResult, number: int) -> Phrase:
    step, role = result.steps[number], result.roles[number]
    token, width = result.followed[result.place], str(len(step.vector))
    if role == Role.PIECES:
        return Phrase(
            N_(
                "“{piece}” is number {id} of the vocabulary: its row of the table has {width} "
                "numbers."
            ),
            piece=token.text,
            id=str(token.id),
            width=width,
        )
    if role == Role.POSITIONS:
        return Phrase(
            N_("The token is at place {place}: that place has a row, too."),
            place=str(result.place),
        )
    if role == Role.SEGMENTS:
        return Phrase(N_("Which of two texts the token is in has a row, too."))
    return Phrase(N_("A row of a table is looked up: {width} numbers."), width=width)


def _sum_said(result: ForwardPassResult, number: int) -> Phrase:
    step = result.steps[number]
    part = added_by(result, number)
    if step.row == "emb." and not part:
        said = Phrase(N_("They are added up, number by number."))
        known = {result.roles[one] for one in step.given}
        return said if Role.POSITIONS in known else Phrase.joined((said, Phrase(NO_PLACE)))
    before, after = result.steps[step.given[0]].vector, step.vector
    if part:
        code = {
            "attention": N_(
                "What attention gives is added to the vector that went into it, which turns by "
                "{angle}° and is {length} long now."
            ),
            "feed-forward": N_(
                "What the feed-forward part gives is added to the vector that went into it, which "
                "turns by {angle}° and is {length} long now."
            ),
        }[part]
        turned, length = angle(before, after), float(np.linalg.norm(after))
        return Phrase(code, angle=decimal(turned, 0), length=decimal(length, 1))
    return Phrase(N_("They are added up, number by number."))


NO_PLACE = N_("No place is added: attention alone is told how far apart tokens are.")


def _norm_said(result: ForwardPassResult, number: int) -> Phrase:
    name = result.steps[number].function.lower()
    if "nonorm" in name:
        return Phrase(N_("Nothing is measured: each number has a learnt factor and shift."))
    if "rms" in name or "t5" in name:
        return Phrase(
            N_(
                "All numbers are divided by their root mean square, without a shift; then each has "
                "a learnt factor."
            )
        )
    return Phrase(
        N_(
            "Its numbers get a mean of 0 and a spread of 1; then each has a learnt factor and "
            "shift."
        )
    )


def _output_said(result: ForwardPassResult, number: int) -> Phrase:
    attention = attention_before(result, number)
    if attention is None:
        return Phrase(N_("A matrix mixes what the heads have taken."))
    head = int(attention.added.argmax())
    return Phrase(
        N_("A matrix mixes the heads; most comes from head {head}, a vector {length} long."),
        head=str(head),
        length=decimal(float(attention.added[head]), 1),
    )


def attention_before(result: ForwardPassResult, number: int) -> PassAttention | None:
    """The attention whose output a step is, or adds."""
    wanted, open_ = result.steps[number].row, [number]
    while open_:
        step = result.steps[open_.pop()]
        if step.attention is not None:
            return result.attentions[step.attention]
        if step.row == wanted and step.kind in (StepKind.OUTPUT, StepKind.SUM, StepKind.NORM):
            open_ += step.given[-1:]
    return None


AGAIN = (StepKind.MATRIX, StepKind.OUTPUT, StepKind.NORM, StepKind.CONVOLUTION)
"""Steps with weights of their own, which a later layer may use again."""
SAID: Mapping[StepKind, Callable[[ForwardPassResult, int], Phrase]] = {
    StepKind.TABLE: _table_said,
    StepKind.MATRIX: _matrix_said,
    StepKind.SUM: _sum_said,
    StepKind.NORM: _norm_said,
    StepKind.ACTIVATION: _activation_said,
    StepKind.OUTPUT: _output_said,
    StepKind.HEADS: _heads_said,
    StepKind.PRODUCT: _product_said,
    StepKind.SCALED: _scaled_said,
    StepKind.JOINED: _joined_said,
    StepKind.CONVOLUTION: _convolution_said,
}

# ---- a beginner's three questions -----------------------------------------------------------


def meaning_said(token: Token) -> Phrase:
    """Where the word's meaning comes in."""
    if token.masked or token.special:
        return Phrase(
            N_(
                "Where does the meaning come in? Here, but “{piece}” has the same row in every "
                "text: what it stands for must come from its neighbours."
            ),
            piece=token.text,
        )
    return Phrase(
        N_(
            "Where does the meaning come in? Here: this row was learnt, and is the same wherever "
            "“{piece}” occurs. Its neighbours change it from now on."
        ),
        piece=token.text,
    )


def attention_said(attention: PassAttention, before: Floats, after: Floats) -> Phrase:
    """What attention adds: from which tokens most of it comes, and how far it turns the vector."""
    shares = attention.sources.astype(np.float64)
    shares = shares / (shares.sum() or 1.0)
    order = np.argsort(-shares, kind="stable")[:2].tolist()
    named = [(alone(attention.tokens[n]), percent(float(shares[n]), 0)) for n in order]
    if len(named) < 2:
        return Phrase(
            N_(
                "What does attention add? All of it comes from “{first}” ({share}); it turns the "
                "vector by {angle}°."
            ),
            first=named[0][0],
            share=named[0][1],
            angle=decimal(angle(before, after), 0),
        )
    return Phrase(
        N_(
            "What does attention add? What other tokens hold: most comes from “{first}” ({share}) "
            "and “{second}” ({share_2}), and it turns the vector by {angle}°."
        ),
        first=named[0][0],
        share=named[0][1],
        second=named[1][0],
        share_2=named[1][1],
        angle=decimal(angle(before, after), 0),
    )


def winner_said(result: ForwardPassResult) -> Phrase:
    """Why the word wins."""
    first, second = result.words[0], result.words[1]
    return Phrase(
        N_(
            "Why does “{word}” win? Its row fits the vector best: {logit}, against {logit_2} of "
            "“{other}” and less of all {count} others."
        ),
        word=first.word,
        logit=signed(first.logit, 1),
        logit_2=signed(second.logit, 1),
        other=second.word,
        count=result.pieces - 2,
    )


def reading_said(result: ForwardPassResult, row: str) -> Phrase | str:
    """What the model's head reads at the end of a row; "" where nothing is read."""
    found = next((one for one in result.readings if one.row == row), None)
    if found is None:
        return ""
    return Phrase(
        N_("If the model ended here, its head would say “{word}” ({chance})."),
        word=found.word,
        chance=in_percent(found.probability),
    )


def read_said(result: ForwardPassResult, row: str) -> str:
    """The same in a word and a number; "" where nothing is read."""
    found = next((one for one in result.readings if one.row == row), None)
    return "" if found is None else f"{found.word} {in_percent(found.probability)}"


def row_said(row: str) -> Phrase:
    """What a row of steps is called above them."""
    if row == "head":
        return Phrase(N_("After the last layer"))
    return layer_phrase(row)
