"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.questions.distillation.distillation_losses.question import QUESTION
from explorer.questions.distillation.soft_targets.question import QUESTION as SOFT_TARGETS
from explorer.questions.distillation.soft_targets.targets import SharedClass, Targets
from tests.questions.headlines import headline_of, recorded, said_of


def test_soft_targets_word_by_word_tell_the_largest_difference():
    result = recorded("soft_targets")
    words = [(mask.position, one) for mask in result.by_word for one in mask.words]
    differences = [abs(one.student - one.teacher) for _position, one in words]
    position, word = words[int(np.argmax(differences))]
    effect = headline_of("soft_targets")
    assert effect.position == position
    assert effect.sentence == (
        f"At T = 1, the two differ most on “{word.word}” at position {position}: the student says "
        f"{100 * word.student:.0f} %, its teacher {100 * word.teacher:.0f} %."
    )


def softmax(logits):
    return np.exp(logits) / np.exp(logits).sum()


def targets(teacher, student, position=3):
    rows = tuple(SharedClass(f"word{n}", f"word{n}", n, 1, 1) for n in range(len(teacher)))
    both = (np.array(one, np.float32) for one in (teacher, student))
    return Targets(position, *both, rows)


def test_soft_targets_tell_the_largest_difference_of_the_plain_distributions():
    logits = ([2.0, 1.0, 0.0, -1.0], [0.5, 1.0, 2.5, -1.0])
    far = abs(softmax(logits[1]) - softmax(logits[0]))
    word = int(far.argmax())
    p, q = (100 * softmax(one)[word] for one in logits)
    result = replace(recorded("soft_targets"), by_word=(), masks=(targets(*logits),))
    said = said_of("soft_targets", result)
    assert f"“word{word}” at position 3: the student says {q:.0f} %" in said
    assert said.endswith(f"its teacher {p:.1f} %." if p < 9.95 else f"its teacher {p:.0f} %.")
    hot = [np.array(one) / 4 for one in logits]
    far = abs(softmax(hot[1]) - softmax(hot[0]))
    word = int(far.argmax())
    at_four = str(SOFT_TARGETS.headline(result, temperature=4.0).sentence)
    assert at_four.startswith(f"At T = 4, the two differ most on “word{word}”")
    assert f"the student says {100 * softmax(hot[1])[word]:.0f} %" in at_four
    of_text = replace(result, masks=(targets(*logits, position=-1),))
    assert "position" not in said_of("soft_targets", of_text)
    alike = replace(result, masks=(targets(logits[0], logits[0]),))
    assert "nearly equals its teacher" in said_of("soft_targets", alike)


def test_distillation_losses_tell_the_temperature_of_the_largest_divergence():
    found = recorded("distillation_losses").predictions
    result = recorded("distillation_losses")
    for squared in (True, False):
        curve = found.kl_curve * found.temperatures ** (2 if squared else 0)
        most = int(np.argmax(curve))
        said = str(QUESTION.headline(result, squared=squared).sentence)
        assert said.startswith("Times T²") == squared
        assert f"largest at T = {found.temperatures[most]:.3g}, with {curve[most]:.3g}" in said
        here = found.kl_teacher_student * (4 if squared else 1)
        assert f"at T = 2 it is {here:.3g} nats" in said


def test_distillation_losses_tell_what_the_hidden_words_cost_both():
    result = recorded("distillation_losses")
    paid = replace(result.predictions, labelled=1, student=2.5, teacher=0.75)
    said = said_of("distillation_losses", replace(result, predictions=paid))
    assert said == (
        "The masked words cost the student more than its teacher: 2.5 nats against 0.75."
    )
    less = replace(paid, student=0.5)
    said = said_of("distillation_losses", replace(result, predictions=less))
    assert "no higher than its teacher" in said


def test_distillation_losses_without_a_mask_tell_of_layers():
    result = replace(recorded("distillation_losses"), predictions=None)
    cka = result.layers.cka
    said = said_of("distillation_losses", result)
    assert f"the CKA of the last layers is {cka[-1, -1]:.3g}," in said
    assert said.endswith(f"the embeddings {cka[0, 0]:.3g}.")
    assert not headline_of("distillation_losses", replace(result, layers=None)).sentence


def test_cost_tells_where_the_parameters_were_that_are_saved():
    result = recorded("cost")
    teacher, student = result.teacher, result.student
    saved = teacher.parameters - student.parameters
    inside = teacher.embedding_parameters - student.embedding_parameters
    assert inside == 0
    said = said_of("cost")
    assert f"{teacher.parameters:,} parameters, the student does without {saved:,}" in said
    assert said.endswith("none of them in the word embeddings.")
    half = replace(student, embedding_parameters=student.embedding_parameters - 1000)
    said = said_of("cost", replace(result, student=half))
    assert f"({saved - 1000:,}) outside the word embeddings" in said
    most = replace(student, embedding_parameters=0)
    few = replace(result, teacher=replace(teacher, embedding_parameters=saved - 7), student=most)
    assert f"({saved - 7:,}) in the word embeddings" in said_of("cost", few)
    turned = replace(result, teacher=student, student=teacher)
    assert said_of("cost", turned).startswith("The student saves no parameters")
