"""What the soft targets view draws: computed once an answer, and once a temperature."""

from collections.abc import Mapping, Sequence

import numpy as np

from explorer.numerics.comparing import Comparison, compare, same_first, shared_top
from explorer.numerics.losses import kl
from explorer.numerics.temperature import Curves, Floats, curves, temperatures_between
from explorer.questions.distillation.soft_targets.question import Target, Targets
from explorer.text.glossary import explain
from explorer.ui.charts.description import Chart
from explorer.ui.sentence.pieces import visible
from explorer.ui.views.distilling.curves import over_temperatures
from explorer.ui.views.distilling.paired_rows import PairedRow

MULTIPLES = (1.0, 2.0, 4.0, 8.0)
IN_MULTIPLES = 6
CURVE_POINTS = 61

BY_TEACHER = "teacher"
BY_STUDENT = "student"
BY_DIFFERENCE = "difference"
BY_WORD = "word"
ORDERS = (
    (BY_TEACHER, "Teacher's order"),
    (BY_STUDENT, "Student's order"),
    (BY_DIFFERENCE, "Largest difference"),
    (BY_WORD, "Alphabetical"),
)


class Scene:
    """One mask of an answer.

    Attributes:
        targets: Both models' logits.
    """

    def __init__(self, targets: Targets) -> None:
        self.targets = targets
        only = targets.only
        self.teacher = targets.teacher if only is None else targets.teacher[list(only)]
        self.student = targets.student if only is None else targets.student[list(only)]
        self._targets = targets.shown()
        self._places = [
            target.index if only is None else place for place, target in enumerate(self._targets)
        ]
        at = temperatures_between(count=CURVE_POINTS)
        self.taught: Curves = curves(self.teacher, at)
        self.learnt: Curves = curves(self.student, at)
        self.kls = np.array([float(kl(self.teacher, self.student, float(t))) for t in at])
        self.multiples: Mapping[float, Sequence[PairedRow]] = {
            t: self.rows(self.at(t), BY_TEACHER)[:IN_MULTIPLES] for t in MULTIPLES
        }
        self.agrees = same_first(self.teacher, self.student)
        self.likeliest = min(5, len(self.teacher))
        self.shared_likeliest = shared_top(self.teacher, self.student, self.likeliest)

    def at(self, temperature: float) -> Comparison:
        """Both distributions at a temperature."""
        return compare(self.teacher, self.student, temperature)

    def rows(self, both: Comparison, order: str) -> list[PairedRow]:
        """The words that are shown, in an order."""
        rows = [
            self._row(target, both, place)
            for target, place in zip(self._targets, self._places, strict=True)
        ]
        if order == BY_STUDENT:
            rows.sort(key=lambda row: row.student_rank)
        elif order == BY_DIFFERENCE:
            rows.sort(key=lambda row: -abs(row.difference))
        elif order == BY_WORD:
            rows.sort(key=lambda row: row.word.casefold())
        elif self.targets.only is None:
            rows.sort(key=lambda row: row.teacher_rank)
        return rows

    def _row(self, target: Target, both: Comparison, place: int) -> PairedRow:
        return PairedRow(
            visible(target.word) or target.token,
            target.token,
            float(both.teacher[place]),
            float(both.student[place]),
            target.teacher_rank,
            target.student_rank,
            self.targets.original is not None and target.index == self.targets.original.index,
        )

    def verdict(self, both: Comparison) -> str:
        """What the two distributions have in common, in a sentence or two."""
        first = max(self._targets, key=self._teacher_share)
        second = max(self._targets, key=self._student_share)
        said = (
            f"Both put “{visible(first.word)}” first"
            if self.agrees
            else f"The teacher puts “{visible(first.word)}” first and the student"
            f" “{visible(second.word)}”"
        )
        return (
            f"At T = {both.temperature:.4g} the divergence KL(teacher ‖ student) is "
            f"{both.kl_teacher_student:.4f} nats and KL(student ‖ teacher) "
            f"{both.kl_student_teacher:.4f}. {said}; {self.shared_likeliest} of their "
            f"{self.likeliest} likeliest are the same. A hard label would keep only the first "
            f"word: the others hold {1 - both.teacher_top:.1%} of the teacher's probability "
            f"(dark knowledge) and {1 - both.student_top:.1%} of the student's."
        )

    def _teacher_share(self, target: Target) -> float:
        return float(self.targets.teacher[target.index])

    def _student_share(self, target: Target) -> float:
        return float(self.targets.student[target.index])

    def charts(self) -> list[Chart]:
        """Entropy, top share, dark knowledge and divergence over the temperature."""
        at = self.taught.temperatures

        def both(taught: Floats, learnt: Floats) -> list[tuple[str, Floats, str]]:
            return [("teacher", taught, "bar"), ("student", learnt, "bar_second")]

        return [
            over_temperatures(
                "Entropy (nats)",
                explain("entropy"),
                at,
                both(self.taught.entropy, self.learnt.entropy),
            ),
            over_temperatures(
                "Top-1 share",
                "Probability of the likeliest word.",
                at,
                both(self.taught.top_share, self.learnt.top_share),
                top=1.0,
            ),
            over_temperatures(
                "Dark knowledge (1 − top-1)",
                "Probability of all words but the likeliest. " + explain("dark knowledge"),
                at,
                both(self.taught.dark_knowledge, self.learnt.dark_knowledge),
                top=1.0,
            ),
            over_temperatures(
                "KL(teacher ‖ student) (nats)",
                explain("KL divergence"),
                at,
                [("divergence", self.kls, "text")],
            ),
        ]
