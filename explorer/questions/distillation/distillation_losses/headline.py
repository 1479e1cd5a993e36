"""What to look at first: what the student still has to learn."""

from explorer.api.question import Headline, beyond
from explorer.questions.distillation.distillation_losses.losses import DistillationLossesResult
from explorer.questions.distillation.distillation_losses.settings import SQUARED
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.phrase import NOTHING


def headline(
    result: DistillationLossesResult, *, squared: bool = SQUARED.default, **_others: object
) -> Headline:
    """At the hidden words, else at the temperature of the largest divergence, else in layers.

    Args:
        result: The answer.
        squared: Whether losses at a temperature are multiplied by T squared.
    """
    found, layers = result.predictions, result.layers
    if found is not None and found.student is not None and found.teacher is not None:
        values = {
            "student": significant(found.student, 3),
            "teacher": significant(found.teacher, 3),
        }
        if found.student > found.teacher:
            return Headline(
                Phrase(
                    N_(
                        "The masked words cost the student more than its teacher: {student} "
                        "nats against {teacher}."
                    ),
                    **values,
                ),
                strength=beyond(found.student, found.teacher),
            )
        return Headline(
            Phrase(
                N_(
                    "The student's loss at the masked words is no higher than its teacher's: "
                    "{student} nats against {teacher}."
                ),
                **values,
            ),
            strength=beyond(found.teacher, found.student),
        )
    if found is not None and len(found.kl_curve):
        curve = found.kl_curve * found.temperatures**2 if squared else found.kl_curve
        most = int(curve.argmax())
        scale = result.temperature**2 if squared else 1.0
        sentence = Phrase(
            N_(
                "Times T², the KL divergence is largest at T = {worst}, with {most} nats; at T = "
                "{temperature} it is {here} nats."
            )
            if squared
            else N_(
                "The KL divergence is largest at T = {worst}, with {most} nats; at T = "
                "{temperature} it is {here} nats."
            ),
            worst=significant(float(found.temperatures[most]), 3),
            most=significant(float(curve[most]), 3),
            temperature=significant(result.temperature, 3),
            here=significant(scale * found.kl_teacher_student, 3),
        )
        return Headline(sentence)
    if layers is None:
        return Headline(NOTHING)  # the page says why
    sentence = Phrase(
        N_(
            "Without a mask, only layers are compared: the CKA of the last layers is {cka}, "
            "that of the embeddings {first}."
        ),
        cka=significant(float(layers.cka[-1, -1]), 3),
        first=significant(float(layers.cka[0, 0]), 3),
    )
    return Headline(sentence)
