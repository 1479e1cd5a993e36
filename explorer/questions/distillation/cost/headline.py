"""What to look at first: where the parameters were that the student does without."""

from explorer.api.question import Headline
from explorer.questions.distillation.cost.question import CostResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import whole


def headline(result: CostResult) -> Headline:
    """How much is saved inside the word embeddings, and outside of them."""
    teacher, student = result.teacher, result.student
    of_teacher, of_student = result.compared
    saved = of_teacher - of_student
    if saved <= 0:
        sentence = Phrase(
            N_("The student saves no parameters: it has {student}, its teacher {teacher}."),
            student=whole(of_student),
            teacher=whole(of_teacher),
        )
        return Headline(sentence)
    inside = teacher.embedding_parameters - student.embedding_parameters
    values = {"teacher": whole(of_teacher), "saved": whole(saved)}
    if inside <= 0:
        sentence = Phrase(
            N_(
                "Of its teacher's {teacher} parameters, the student does without {saved}, none "
                "of them in the word embeddings."
            ),
            **values,
        )
    elif inside < saved - inside:
        sentence = Phrase(
            N_(
                "Of its teacher's {teacher} parameters, the student does without {saved}, most "
                "of them ({part}) outside the word embeddings."
            ),
            part=whole(saved - inside),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "Of its teacher's {teacher} parameters, the student does without {saved}, most "
                "of them ({part}) in the word embeddings."
            ),
            part=whole(min(inside, saved)),
            **values,
        )
    return Headline(sentence)
