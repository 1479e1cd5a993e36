"""The tuned lens as a question: shipped, kept, trained, and what is wrong with a file."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, MachineFault, Predictor, UserMistake
from explorer.cli import main
from explorer.hf.predict.guessing import rows_at_masks
from explorer.questions.layers.tuned_lens import compute, kept, lens
from explorer.questions.layers.tuned_lens.question import (
    QUESTION,
    TunedLensRequest,
    derived,
    only_look,
)
from explorer.questions.layers.tuned_lens.texts import digest_of
from explorer.questions.layers.tuned_lens.training import LensTrainingPlan
from explorer.world.corpus import training_documents
from tests.hf import tiny
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the [MASK] in the kitchen ."
UNSHIPPED = "tinybert-miniature"
"""The smallest model without a lens of its own."""


def ask(name, context=None, **fields):
    return tiny.ask(miniature(name), TunedLensRequest(TEXT, **fields), context)


@pytest.fixture
def sentences(tmp_path):
    """A file of sentences that is trained on quickly."""
    path = tmp_path / "sentences.txt"
    path.write_text("\n".join(one.text for one in training_documents(60, seed=9)), "utf-8")
    return str(path)


@pytest.fixture
def few_steps(monkeypatch):
    """Train a tenth as long, where it only matters that there is a lens: how good, others ask."""
    short = partial(compute.train, plan=LensTrainingPlan(steps=30))
    monkeypatch.setattr(compute, "train", short)


@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature"])
def test_the_last_row_is_the_answer(name):
    model, result = miniature(name), ask(name)
    encoded = model.encode(TEXT)
    rows = rows_at_masks(model.port(Predictor), encoded, Context()).exp()
    for position, row in zip(encoded.mask_positions, rows, strict=True):
        column = result.grid.column(position)
        for one in result.grid.best(len(result.grid.layers) - 1, column):
            assert one.probability == pytest.approx(float(row[one.id]), abs=1e-5)


def test_every_row_is_what_the_head_reads_behind_its_map():
    model, result = miniature("bert-miniature"), ask("bert-miniature", words=("soup",))
    found = kept.find(model.stamp, "", None)
    encoded = model.encode(TEXT)
    with torch.inference_mode():
        hidden = model.module.bert(**encoded.inputs, output_hidden_states=True).hidden_states
        for row, states in enumerate(hidden[:-1]):
            read = states[0] @ (torch.eye(states.shape[-1]) + found.weights[row]).T
            logs = model.module.cls.predictions(read + found.biases[row]).log_softmax(-1)
            tops = logs.exp().topk(5, dim=-1).values
            assert np.allclose(result.grid.probabilities[row], tops, atol=1e-5)
    (soup,) = result.grid.chosen
    assert soup.word == "soup"
    assert result.training.held_out > 500


def test_without_a_lens_looking_says_so_and_trains_none(tmp_path):
    looked = ask(UNSHIPPED, Context(cache=tmp_path / "cache"), train=False)
    assert looked.grid is None
    assert looked.training is None
    assert QUESTION.table(looked).rows == ()
    assert derived(looked) == {"layers": (), "cells": ()}
    assert not QUESTION.headline_of(looked).sentence
    assert not (tmp_path / "cache").exists()
    assert only_look(TunedLensRequest(TEXT)) == TunedLensRequest(TEXT, train=False)


@pytest.mark.usefixtures("few_steps")
def test_what_was_trained_is_kept_and_found_again(sentences, tmp_path):
    context = Context(cache=tmp_path / "cache")
    trained = ask(UNSHIPPED, context, sentences=sentences)
    assert trained.is_kept
    assert trained.training.source == "sentences.txt"
    (path,) = (tmp_path / "cache" / kept.FOLDER).iterdir()
    before = path.stat().st_mtime_ns
    again = ask(UNSHIPPED, context, sentences=sentences, train=False)
    assert np.allclose(again.grid.probabilities, trained.grid.probabilities, atol=1e-6)
    assert again.training == trained.training
    assert path.stat().st_mtime_ns == before
    # Neither another text nor another model has it.
    assert ask(UNSHIPPED, context, train=False).grid is None
    assert ask("distilbert-miniature", context, sentences=sentences, train=False).grid is None


@pytest.mark.usefixtures("few_steps")
def test_where_it_cant_be_kept_it_answers_all_the_same(sentences, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    for cache in (None, blocked):
        result = ask(UNSHIPPED, Context(cache=cache), sentences=sentences)
        assert result.grid is not None
        assert not result.is_kept


def test_a_lens_of_other_weights_is_not_used(monkeypatch, tmp_path):
    shipped = kept.shipped_in() / "bert-miniature.safetensors"
    (tmp_path / UNSHIPPED).with_suffix(".safetensors").write_bytes(shipped.read_bytes())
    monkeypatch.setattr(kept, "shipped_in", lambda: tmp_path)
    assert kept.find(miniature(UNSHIPPED).stamp, "", tmp_path) is None
    # Even under the name that is this model's.
    place = kept.place_of(miniature(UNSHIPPED).stamp, digest_of(""), tmp_path)
    place.parent.mkdir()
    place.write_bytes(shipped.read_bytes())
    with pytest.raises(MachineFault):
        ask(UNSHIPPED, Context(cache=tmp_path))


@pytest.mark.parametrize("damage", ["cut", "empty", "nonsense", "numbers"])
def test_a_damaged_file_is_one_sentence_that_names_it(damage, tmp_path):
    stamp = miniature(UNSHIPPED).stamp
    place = kept.place_of(stamp, digest_of(""), tmp_path)
    shipped = kept.find(miniature("bert-miniature").stamp, "", None)
    whole = replace(shipped, weights=shipped.weights.clone())
    if damage == "numbers":
        whole.weights[0, 0, 0] = float("nan")
    lens.write(whole, stamp.fingerprint, digest_of(""), place)
    content = place.read_bytes()
    spoiled = {"cut": content[:-100], "empty": b"", "nonsense": b"{}" * 50, "numbers": content}
    place.write_bytes(spoiled[damage])
    with pytest.raises(MachineFault) as fault:
        ask(UNSHIPPED, Context(cache=tmp_path))
    assert fault.value.message == f"The tuned lens in {place.name} can't be read."
    assert str(place) in fault.value.hint


def test_too_few_sentences_and_no_file(tmp_path):
    few = tmp_path / "few.txt"
    few.write_text("The cat sat.\n")
    with pytest.raises(UserMistake, match="too few sentences"):
        ask(UNSHIPPED, sentences=str(few))
    with pytest.raises(UserMistake, match="can't be read"):
        ask(UNSHIPPED, sentences=str(tmp_path / "none.txt"))


def test_an_empty_text_and_a_cancel(sentences, tmp_path):
    with pytest.raises(UserMistake):
        tiny.ask(miniature("bert-miniature"), TunedLensRequest(" "))
    seen = []
    cancelled = Context(
        is_cancelled=lambda: len(seen) > 20,
        progress=lambda stage, *_: seen.append(stage) if stage.startswith("training") else None,
        cache=tmp_path / "cache",
    )
    request = TunedLensRequest(TEXT, sentences=sentences)
    with pytest.raises(Cancelled):
        QUESTION.run(miniature(UNSHIPPED), request, cancelled)
    assert not (tmp_path / "cache").exists()


@pytest.mark.usefixtures("few_steps")
def test_the_command_line_says_that_it_trains(sentences, tmp_path, capsys):
    given = ["--profile", str(tmp_path / "profile"), "--device", "cpu", "ask", "tuned_lens", TEXT]
    given += ["-m", UNSHIPPED, "--sentences", sentences]
    assert main(given) == 0
    assert capsys.readouterr().err.count("training the tuned lens …") == 1
    assert main(given) == 0
    assert "training" not in capsys.readouterr().err
