"""What both models cost here, a row a kind of cost."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.questions.distillation.cost.question import CostResult, ModelCost
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.quantities import in_bytes, measured


@dataclass(frozen=True)
class CostRow:
    """One kind of cost.

    Attributes:
        title: What it is.
        teacher: As it is written.
        student: As it is written.
        share: The student's as a share of the teacher's; None where no bar makes sense.
        saved: "1.7 x smaller".
        words: For the tooltip.
    """

    title: str
    teacher: str
    student: str
    share: float | None = None
    saved: str = ""
    words: str = ""


def rows_of(result: CostResult) -> tuple[CostRow, ...]:
    """What both cost."""
    a, b = result.teacher, result.student
    scattered = _("the runs scatter")
    return (
        CostRow(
            _("Parameters"),
            f"{a.parameters:,}",
            f"{b.parameters:,}",
            b.parameters / a.parameters,
            smaller(a.parameters / b.parameters),
            _("Tied ones are counted once."),
        ),
        *_used(result),
        CostRow(
            _("of which word embeddings"),
            f"{a.embedding_parameters:,}",
            f"{b.embedding_parameters:,}",
            _share(b.embedding_parameters, a.embedding_parameters),
            "",
            _("The vocabulary's part, which fewer layers do not make smaller."),
        ),
        CostRow(
            _("Layers × width × heads"),
            _shape(a),
            _shape(b),
            None,
            "",
            _("As their configurations say."),
        ),
        CostRow(
            _("Memory of the weights"),
            in_bytes(a.weights_bytes),
            in_bytes(b.weights_bytes),
            _share(b.weights_bytes, a.weights_bytes),
            smaller(a.weights_bytes / max(b.weights_bytes, 1)),
            _("As they are loaded now."),
        ),
        CostRow(
            _("Time for this text ({tokens} tokens)", tokens=a.tokens)
            if a.tokens == b.tokens
            else _(
                "Time for this text ({tokens} and {b_tokens} tokens)",
                tokens=a.tokens,
                b_tokens=b.tokens,
            ),
            measured(a.seconds) if result.is_steady else _about(a),
            measured(b.seconds) if result.is_steady else _about(b),
            _share(b.seconds, a.seconds) if result.is_steady else None,
            faster(result.faster) if result.faster is not None else scattered,
            _("Teacher {span}; student {span_2}.", span=_span(a), span_2=_span(b)),
        ),
        CostRow(
            _("Middle half of the runs"),
            _middle(a),
            _middle(b),
            None,
            "",
            _(
                "From the lower to the upper quartile: a quarter of the runs were quicker, a "
                "quarter slower."
            ),
        ),
        CostRow(
            _("Quickest run"),
            measured(a.fastest),
            measured(b.fastest),
            _share(b.fastest, a.fastest) if result.is_steady else None,
            faster(a.fastest / b.fastest) if result.is_steady else "",
            _("What the machine can do when nothing disturbs it."),
        ),
    )


def _used(result: CostResult) -> Iterator[CostRow]:
    """The parameters that a run computes with; nothing in answers that do not tell them."""
    a, b = result.teacher.parameters_used, result.student.parameters_used
    if a is not None and b is not None:
        yield CostRow(
            _("of which a run here uses"),
            f"{a:,}",
            f"{b:,}",
            _share(b, a),
            smaller(result.smaller),
            _(
                "Without those that training alone uses, as TinyBERT's maps to its teacher's "
                "width, and without heads that this run does not need."
            ),
        )


def smaller(times: float) -> str:
    """A ratio of sizes in words: "1.7 x smaller", "1.2 x larger", "the same"."""
    if 0.995 <= times <= 1.005:
        return _("the same")
    if times > 1:
        return _("{times} × smaller", times=decimal(times, 2))
    return _("{times} × larger", times=decimal(1 / times, 2))


def faster(times: float) -> str:
    """A ratio of durations in words: "1.7 x faster", "1.2 x slower", "the same"."""
    if 0.995 <= times <= 1.005:
        return _("the same")
    if times > 1:
        return _("{times} × faster", times=decimal(times, 2))
    return _("{times} × slower", times=decimal(1 / times, 2))


def _shape(cost: ModelCost) -> str:
    return f"{cost.layers} × {cost.width} × {cost.heads}"


def _span(cost: ModelCost) -> str:
    return _(
        "{measured} to {measured_2} in {runs} runs",
        measured=measured(cost.fastest),
        measured_2=measured(cost.slowest),
        runs=cost.runs,
    )


def _about(cost: ModelCost) -> str:
    """A median that no digit of can be trusted."""
    return _("about {time}", time=measured(cost.seconds))


def _middle(cost: ModelCost) -> str:
    """The quartiles; nothing in answers of older programs, which did not keep them."""
    if cost.lower is None or cost.upper is None:
        return "–"
    return _("{lower} to {upper}", lower=measured(cost.lower), upper=measured(cost.upper))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
