"""What columns of training logs are of."""

import pytest

from explorer.learning.curves.names import (
    OBJECTIVES,
    MeasuredQuantity,
    column_named,
    is_axis,
    steps_among,
)
from explorer.learning.curves.places import models_with_curves, read_curves_of
from explorer.paths import own_resources

NAMED = {
    "loss_mlm": (MeasuredQuantity.LOSS, "masked_words", False),
    "mlm_loss": (MeasuredQuantity.LOSS, "masked_words", False),
    "mlm": (MeasuredQuantity.LOSS, "masked_words", False),
    "rtd_recall": (MeasuredQuantity.ACCURACY, "replaced_tokens", False),
    "loss_next": (MeasuredQuantity.LOSS, "next_word", False),
    "loss_next_halved": (MeasuredQuantity.LOSS, "next_word_halved", False),
    "eval_loss": (MeasuredQuantity.LOSS, "", True),
    "val/loss": (MeasuredQuantity.LOSS, "", True),
    "trainLoss": (MeasuredQuantity.LOSS, "", False),
    "loss": (MeasuredQuantity.LOSS, "", False),
    "train/perplexity": (MeasuredQuantity.PERPLEXITY, "", False),
    "grad_norm": (MeasuredQuantity.GRADIENT, "", False),
    "learning_rate": (MeasuredQuantity.RATE, "", False),
    "lr-AdamW": (MeasuredQuantity.RATE, "", False),
    "eval_f1": (MeasuredQuantity.ACCURACY, "", True),
    "replaced": (MeasuredQuantity.OTHER, "", False),
    "excess": (MeasuredQuantity.EXCESS, "", False),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_column_is_known_by_its_name(name):
    found = column_named(name)
    assert (found.quantity, found.objective, found.held_out) == NAMED[name]


def test_what_is_known_of_a_file_names_the_objective_of_a_bare_loss():
    assert column_named("loss", "next_word").objective == "next_word"
    assert column_named("loss_mlm", "next_word").objective == "masked_words"
    assert column_named("learning_rate", "next_word").objective == ""


def test_steps_are_told_from_measurements():
    assert steps_among(["Wall time", "Step", "Value"]) == "Step"
    assert steps_among(["epoch", "loss", "step"]) == "step"
    assert steps_among(["loss"]) is None
    assert all(map(is_axis, ("step", "epoch", "eval_runtime", "eval_samples_per_second", "tokens")))
    assert not is_axis("loss")


def test_every_bundled_curve_is_read_and_all_of_its_losses_are_known():
    folder = own_resources() / "models"
    names = models_with_curves(folder)
    assert len(names) == 34
    for name in names:
        (record,) = read_curves_of(folder / name, name)
        assert record.seed is not None
        assert record.plan
        unknown = {
            one.column.name
            for one in record.columns
            if one.column.quantity in {MeasuredQuantity.LOSS, MeasuredQuantity.ACCURACY}
            and not one.column.objective
        }
        assert unknown <= {"loss"}, "a sum of several"
        assert {one.column.objective for one in record.columns} - {""} <= OBJECTIVES.keys()
