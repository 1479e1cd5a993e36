"""Sentences of a file that further models of the library are asked about, one after the other."""

import dataclasses
from types import SimpleNamespace

import pytest

from explorer.api.question import Checkpoint, Context, Source, UserMistake
from explorer.files_of_sentences.compared import column_of
from explorer.questions.many.file_of_sentences.compute import run
from explorer.questions.many.file_of_sentences.question import (
    QUESTION,
    FileOfSentencesRequest,
    FileOfSentencesResult,
    only_look,
    results_of,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Three, called "model", "one" and "two"."""
    made = tmp_path_factory.mktemp("models")
    found = {}
    for seed, name in enumerate(("model", "one", "two")):
        loaded = tiny.load(tiny.save_bert(made / name, seed=seed))
        found[name] = dataclasses.replace(loaded, stamp=dataclasses.replace(loaded.stamp, id=name))
    return found


@pytest.fixture
def model(models):
    return models["model"]


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("the cat sat\n\na dog ran on the mat\nx7 it\nit was great!", "utf-8")
    return path


class Shelf:
    """Knows checkpoints by their names."""

    def __init__(self, **rows):
        self.rows = rows

    def known(self, name):
        return SimpleNamespace(checkpoint=self.rows[name])


class Lender:
    """Lends models that are there already, and remembers which."""

    def __init__(self, **models):
        self.models, self.asked = models, []

    def stamp(self, name):
        return self.models[name].stamp if name in self.asked else None

    def ask(self, name, role, context, work):
        self.asked.append(name)
        context.progress("loading", 0.0, 0.0)
        model = self.models[name]
        return work(model, dataclasses.replace(context, models={role: model}))


def row_of(name, **fields):
    told = {"folder": "somewhere", "operations": ("tokens", "surprisal")}
    return Checkpoint(name, name.title(), Source.BUNDLED, **{**told, **fields})


@pytest.fixture
def several(models, tmp_path):
    """A model is loaded, and the library has two more."""
    first, *others = models
    return Context(
        models={"model": models[first]},
        results=tmp_path / "results",
        shelf=Shelf(**{name: row_of(name) for name in models}),
        lending=Lender(**{name: models[name] for name in others}),
    )


def test_further_models_stand_in_columns_with_their_difference_to_the_first(
    model, sentences, several
):
    told = []
    several = dataclasses.replace(several, progress=lambda *progress: told.append(progress[0]))
    request = FileOfSentencesRequest(
        str(sentences), "surprisal", further=("one", "two", "one", "model")
    )
    result = run(model, request, several)
    assert several.lending.asked == ["one", "two"], "each once, in turn, and the first not again"
    assert [one.stamp.id for one in result.further] == ["one", "two"]
    assert (result.done, result.failed, result.waiting) == (4, 0, ())
    assert any(one.startswith("Two: ") for one in told)
    reader, column = results_of(result), "pseudo-perplexity"
    assert reader.names == (model.stamp.id, "one", "two")
    for name, one in several.lending.models.items():
        alone = dataclasses.replace(several, models={"model": one})
        alone = run(one, dataclasses.replace(request, further=()), alone)
        assert alone.results in [each.results for each in result.further], "nothing asked twice"
        place = result.columns.index(column_of(column, name))
        less = result.columns.index(column_of(column, f"difference of {name}"))
        first = result.columns.index(column_of(column, model.stamp.id))
        single = alone.columns.index(column)
        for row, other in zip(reader.every(), results_of(alone).every(), strict=True):
            assert row[place] == other[single]
            assert row[less] == row[place] - row[first]
    assert from_json(FileOfSentencesResult, to_json(result)) == result


def test_to_look_loads_nothing_and_says_who_waits(model, sentences, several):
    request = FileOfSentencesRequest(str(sentences), "tokens", further=("one", "two"))
    run(model, dataclasses.replace(request, further=("one",)), several)
    looked = run(model, only_look(request), several)
    assert several.lending.asked == ["one"]
    assert looked.waiting == ("two",)
    assert results_of(looked).names == (model.stamp.id, "one")
    assert (looked.done, QUESTION.is_provisional(looked)) == (4, True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"folder": None}, "Two is not on this machine yet."),
        ({"operations": ()}, 'Two does not answer "Tokens".'),
        ({"pickled": True}, "The weights of Two are a pickle"),
    ],
)
def test_what_can_t_be_asked_is_told_before_anybody_is(model, sentences, several, changes, said):
    several.shelf.rows["two"] = row_of("two", **changes)
    request = FileOfSentencesRequest(str(sentences), "tokens", further=("one", "two"))
    with pytest.raises(UserMistake, match=said):
        run(model, request, several)
    assert not several.lending.asked
    assert not list(several.results.glob("*"))


def test_a_caption_names_whoever_was_asked_too(model, sentences, several):
    request = FileOfSentencesRequest(str(sentences), "tokens", further=("one",))
    said = " ".join(QUESTION.made_from(run(model, request, several)))
    stamp = several.lending.models["one"].stamp
    assert f"Further model: one (family bert, fingerprint {stamp.fingerprint[:12]}, " in said
