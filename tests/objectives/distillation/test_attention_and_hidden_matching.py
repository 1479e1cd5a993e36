import itertools

import numpy as np
import pytest
import torch

from explorer.objectives.distillation.attention_and_hidden_matching import (
    attention_loss,
    hidden_loss,
    uniform_layer_map,
)

RNG = np.random.default_rng(3)
REAL = np.array([[1, 1, 1, 1], [1, 1, 0, 0]])


def test_attention_equals_equation_7_over_real_pairs():
    student, teacher = RNG.normal(size=(2, 3, 4, 4)), RNG.normal(size=(2, 3, 4, 4))
    # Padding is infinitely far away, and counts nowhere.
    student[1, :, 2:], student[1, :, :, 2:] = 1e9, -1e9
    squares = [
        (student[text, head, i, j] - teacher[text, head, i, j]) ** 2
        for text, head, i, j in itertools.product(range(2), range(3), range(4), range(4))
        if REAL[text, i] and REAL[text, j]
    ]
    found = attention_loss(*map(torch.tensor, (student, teacher, REAL)))
    assert len(squares) == 3 * (16 + 4)
    assert found.item() == pytest.approx(np.mean(squares))


def test_for_one_whole_text_it_is_the_mean_over_heads_of_their_mean_squares():
    student, teacher = RNG.normal(size=(1, 3, 4, 4)), RNG.normal(size=(1, 3, 4, 4))
    heads = [((student[0, h] - teacher[0, h]) ** 2).mean() for h in range(3)]
    found = attention_loss(torch.tensor(student), torch.tensor(teacher), torch.ones(1, 4))
    assert found.item() == pytest.approx(sum(heads) / 3)


def test_hidden_equals_equation_8_over_real_tokens():
    hidden, fit = RNG.normal(size=(2, 4, 3)), RNG.normal(size=(3, 5))
    teacher = RNG.normal(size=(2, 4, 5))
    rows = [
        (hidden[text, token] @ fit - teacher[text, token]) ** 2
        for text, token in zip(*np.nonzero(REAL), strict=True)
    ]
    found = hidden_loss(*map(torch.tensor, (hidden @ fit, teacher, REAL)))
    assert found.item() == pytest.approx(np.mean(rows))


@pytest.mark.parametrize(
    ("student", "teacher", "expected"),
    [(4, 12, (3, 6, 9, 12)), (6, 12, (2, 4, 6, 8, 10, 12)), (2, 4, (2, 4))],
)
def test_layers_are_mapped_as_in_section_4(student, teacher, expected):
    assert uniform_layer_map(student, teacher) == expected


@pytest.mark.parametrize("student", [0, 5, 24])
def test_layers_that_do_not_divide_are_refused(student):
    with pytest.raises(ValueError, match="cannot be mapped evenly"):
        uniform_layer_map(student, 12)
