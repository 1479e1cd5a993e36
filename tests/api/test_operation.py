import pytest

from explorer.api import Cancelled, Context, UserMistake


def test_check_raises_once_cancelled():
    cancelled = []
    context = Context(is_cancelled=lambda: bool(cancelled))
    context.check()
    cancelled.append(True)
    with pytest.raises(Cancelled):
        context.check()


def test_models_by_slot():
    context = Context(models={"A": "a model"})
    assert context.model("A") == "a model"
    with pytest.raises(UserMistake, match="No model is loaded as B"):
        context.model("B")


def test_a_context_of_nothing_does_nothing():
    context = Context()
    context.check()
    context.progress("loading", 0.5, 1.0)
    assert (context.seed, dict(context.models)) == (0, {})
