"""What a teacher and a student cost: parameters, memory, and time for this sentence here."""

from typing import ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.document import Document
from explorer.operations.cost import OPERATION, Cost, CostResult, ModelCost
from explorer.text.quantities import in_bytes, measured
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.text import Words
from explorer.ui.theme import Theme
from explorer.ui.views.distilling.cost_rows import ClaimRows, CostRow, CostRows
from explorer.ui.views.distilling.pair_view import PairView
from explorer.ui.views.distilling.roles import Legend
from explorer.ui.widgets.figure import Figure


class CostView(PairView):
    """Rows with bars, and what papers claim."""

    of: ClassVar = OPERATION
    order = 44
    glyph = "scale-balance"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = self.painted("costPage", "Cost of both models")
        self.area = self.scrolling("costArea", self.page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self.refresh()

    def request_of(self, document: Document) -> Cost | None:
        """Measured as soon as there is text."""
        if not document.text.strip():
            return None
        return Cost.of(document)

    def empty_hint(self, _document: Document) -> str:
        """Say what is needed."""
        return "Type a sentence: both models are timed on it."

    def set_document(self, document: Document) -> None:
        """Follow the swap."""
        self.take_options(document)

    def refresh(self) -> None:
        """Draw the answer."""
        self.page.show_page(None if self.result is None else self._page)

    def _page(self, width: float) -> LaidPage:
        result: CostResult = self.result
        threads = "1 thread" if result.threads == 1 else f"{result.threads} threads"
        device = f"{result.model.dtype} on {result.model.device}"
        how = f"{result.how} Here: {result.teacher.runs} runs each, {device}, {threads}."
        blocks: list[tuple[float, Laid]] = [
            (0, Legend(self.pair(), width)),
            (10, CostRows(rows_of(result), width)),
            (8, Words(how, width, "small", "muted")),
            (24, Words("Beside what papers claim", width, "strong")),
            (4, Words(ABOUT_CLAIMS, width, "small", "muted")),
            (6, ClaimRows(claims_of(result), width)),
        ]
        return stack(blocks, width)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        return None if self.result is None else self._page(width).figure(theme)


ABOUT_CLAIMS = (
    "Papers measured other models on other machines, so only their ratios can be compared. A "
    "miniature has no large matrices: its time is mostly the number of layers."
)


def rows_of(result: CostResult) -> tuple[CostRow, ...]:
    """What both cost."""
    a, b = result.teacher, result.student
    return (
        CostRow(
            "Parameters",
            f"{a.parameters:,}",
            f"{b.parameters:,}",
            b.parameters / a.parameters,
            less(result.smaller, "smaller", "larger"),
            "Tied ones are counted once.",
        ),
        CostRow(
            "of them word embeddings",
            f"{a.embedding_parameters:,}",
            f"{b.embedding_parameters:,}",
            _share(b.embedding_parameters, a.embedding_parameters),
            "",
            "The vocabulary's part, which fewer layers do not make smaller.",
        ),
        CostRow(
            "Layers x width x heads",
            _shape(a),
            _shape(b),
            None,
            "",
            "As their configurations say.",
        ),
        CostRow(
            "Memory of the weights",
            in_bytes(a.weights_bytes),
            in_bytes(b.weights_bytes),
            _share(b.weights_bytes, a.weights_bytes),
            less(a.weights_bytes / max(b.weights_bytes, 1), "smaller", "larger"),
            "As they are loaded now.",
        ),
        CostRow(
            f"Time for this text ({a.tokens} tokens)"
            if a.tokens == b.tokens
            else f"Time for this text ({a.tokens} and {b.tokens} tokens)",
            measured(a.seconds),
            measured(b.seconds),
            _share(b.seconds, a.seconds),
            less(result.faster, "faster", "slower"),
            f"Teacher {_span(a)}; student {_span(b)}.",
        ),
        CostRow(
            "Quickest run",
            measured(a.fastest),
            measured(b.fastest),
            _share(b.fastest, a.fastest),
            less(a.fastest / b.fastest, "faster", "slower"),
            "What the machine can do when nothing disturbs it; on a busy one the median is not "
            "far from chance for models as small as these.",
        ),
    )


def claims_of(result: CostResult) -> tuple[tuple[str, ...], ...]:
    """What is measured here, then the papers' claims."""
    here = (
        "this pair, here",
        result.model.id,
        f"{result.smaller:.2g} x",
        f"{result.faster:.2g} x",
        "measured above",
    )
    return (
        here,
        *(
            (
                claim.student,
                claim.teacher,
                f"{claim.smaller:.2g} x",
                f"{claim.faster:.2g} x",
                f"“{claim.words}”, {claim.source}",
            )
            for claim in result.claims
        ),
    )


def less(times: float, better: str, worse: str) -> str:
    """A ratio in words: "1.7 x smaller", "1.2 x larger", "the same"."""
    if 0.995 <= times <= 1.005:
        return "the same"
    return f"{times:.2f} x {better}" if times > 1 else f"{1 / times:.2f} x {worse}"


def _shape(cost: ModelCost) -> str:
    return f"{cost.layers} x {cost.width} x {cost.heads}"


def _span(cost: ModelCost) -> str:
    return f"{measured(cost.fastest)} to {measured(cost.slowest)} in {cost.runs} runs"


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


VIEW = CostView
