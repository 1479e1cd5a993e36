import pytest

from explorer.api.question import Cancelled, Context, UserMistake


def test_check_raises_once_cancelled():
    cancelled = []
    context = Context(is_cancelled=lambda: bool(cancelled))
    context.check()
    cancelled.append(True)
    with pytest.raises(Cancelled):
        context.check()


def test_models_by_role():
    context = Context(models={"teacher": "a model"})
    assert context.model("teacher") == "a model"
    with pytest.raises(UserMistake, match="No model plays the student"):
        context.model("student")


def test_a_context_of_nothing_does_nothing():
    context = Context()
    context.check()
    context.progress("loading", 0.5, 1.0)
    assert dict(context.models) == {}
