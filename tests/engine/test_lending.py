"""A run is lent further models of the library, one in memory at a time."""

import gc
import weakref
from dataclasses import replace

import pytest

from explorer.api.family import Cancelled, Context, LoadOptions, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from tests.hf import tiny

CPU = LoadOptions(device="cpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = tmp_path_factory.mktemp("models")
    return [tiny.save_bert(made / f"m{seed}", seed=seed) for seed in range(3)]


@pytest.fixture
def runner(tmp_path, folders):
    host = tiny.families()
    runner = Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))
    runner.load("A", str(folders[0]), replace(CPU, dtype="bfloat16"), Context())
    return runner


@pytest.fixture
def context(runner):
    return runner.with_models({"teacher": "A"}, Context())


@pytest.mark.usefixtures("wholly_unloaded")
def test_a_model_is_there_while_it_is_asked_and_gone_afterwards(runner, context, folders):
    held = []

    def work(model, its):
        assert its.models == {"model": model}
        assert all(one() is None for one in held), "one at a time"
        held.append(weakref.ref(model.module))
        return model.stamp

    stamps = [context.lending.ask(str(one), "model", context, work) for one in folders[1:]]
    gc.collect()
    assert [one() for one in held] == [None, None]
    assert [one.id for one in stamps] == [str(one) for one in folders[1:]]
    # As the first model is loaded, so are the others.
    assert {one.dtype for one in stamps} == {"bfloat16"}
    assert list(runner.models) == ["A"]
    assert context.lending.stamp(str(folders[1])) == stamps[0]


def test_one_that_is_loaded_is_not_loaded_again(runner, context, folders):
    own = context.lending.ask(str(folders[0]), "model", context, lambda model, _its: model)
    assert own is runner.models["A"]
    assert context.lending.stamp(str(folders[0])) == own.stamp
    assert context.lending.stamp(str(folders[1])) is None


def test_what_was_agreed_for_one_model_is_not_agreed_for_another(runner, context, folders):
    runner.load("B", str(folders[1]), replace(CPU, allow_pickle=True, family="bert"), Context())
    lending = runner.with_models({"model": "B"}, Context()).lending
    assert lending.options == CPU


def test_a_load_that_is_cancelled_or_fails_ends_the_run(context, folders):
    def no_more():
        return True

    cancelled = replace(context, is_cancelled=no_more)
    with pytest.raises(Cancelled):
        context.lending.ask(str(folders[1]), "model", cancelled, lambda *_unused: None)
    with pytest.raises(UserMistake, match="There is no checkpoint named nothing"):
        context.lending.ask("nothing", "model", context, lambda *_unused: None)


def test_what_fails_while_it_is_lent_is_told_and_it_is_gone(context, folders):
    held = []

    def fail(model, _its):
        held.append(weakref.ref(model.module))
        raise UserMistake("That can't be asked.", "")

    with pytest.raises(UserMistake, match="asked"):
        context.lending.ask(str(folders[1]), "model", context, fail)
    gc.collect()
    assert held[0]() is None
