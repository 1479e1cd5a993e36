"""What models are asked, against transformers alone, and who is refused."""

import json

import pytest

from explorer.api.question import Cancelled, Context, Unavailable, UserMistake
from explorer.learning.bias.items import BiasItem
from explorer.learning.bias.reading import ModelReader
from explorer.learning.bias.scores import scored
from explorer.questions.pairs.bias.question import BiasRequest, few, measured, summary
from explorer.questions.pairs.bias.reading import PortReader
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature
from tests.small_recipe import quiet_loading  # noqa: F401

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.usefixtures("quiet_loading")

NAMES = ("bert-miniature", "roberta-miniature", "albert-miniature", "electra-miniature-generator")
WORDS = ("happy", "unhappiest", "kitchen")


def plain(name):
    folder = MODELS / name
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    return ModelReader(model, transformers.AutoTokenizer.from_pretrained(folder))


def same(one, other):
    for name in ("crows", "stereoset", "aul", "aula", "log_probability", "swap"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours is None) is (theirs is None)
        if ours is not None:
            assert ours == pytest.approx(theirs, abs=1e-4)


def blank_file(tmp_path):
    context = "The gardener was BLANK and went home."
    labels = ("stereotype", "anti-stereotype", "unrelated")
    told = {
        "context": context,
        "target": "gardener",
        "bias_type": "profession",
        "sentences": [
            {"sentence": context.replace("BLANK", word), "gold_label": label}
            for word, label in zip(WORDS, labels, strict=True)
        ],
    }
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": {"intrasentence": [told]}}))
    return str(path)


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_those_of_transformers_alone(name, tmp_path):
    reader = plain(name)
    answers = [
        tiny.ask(miniature(name), BiasRequest(pairs=4)),
        tiny.ask(miniature(name), BiasRequest(path=blank_file(tmp_path))),
    ]
    for result in answers:
        for one in result.scored:
            same(one.scores, scored(one.item, reader))
    assert answers[1].scored[0].scores.stereoset[2] > 0.0
    found = measured(answers[0])
    assert summary(answers[0])["crows"] == found["crows"].value
    assert {"crows", "stereoset", "lms", "icat", "aul", "aula", "swap"} <= {*found}


@pytest.mark.parametrize("name", ["gpt2-miniature", "t5-miniature"])
def test_who_does_not_fill_masks_of_one_piece_is_refused(name):
    with pytest.raises(Unavailable):
        tiny.ask(miniature(name), BiasRequest(pairs=2))


def test_a_model_that_shows_no_attention_has_no_aula(tmp_path, monkeypatch):
    path = tmp_path / "own.csv"
    path.write_text("sent_more,sent_less\nThe chef was happy.,The painter was happy.\n")
    monkeypatch.setattr(PortReader, "attention", lambda _self, _text: None)
    result = tiny.ask(miniature("bert-miniature"), BiasRequest(path=str(path)))
    assert result.scored[0].scores.aula is None
    assert not {"aula", "log_probability", "lms"} & {*measured(result)}
    assert summary(result)["aula"] is None


def test_pairs_that_can_not_be_scored_are_told(tmp_path):
    path = tmp_path / "own.csv"
    long = "word " * 600
    path.write_text(f"sent_more,sent_less\nShe is.,He is.\nShe is.,She is.\n{long}.,He is.\n")
    result = tiny.ask(miniature("bert-miniature"), BiasRequest(path=str(path)))
    assert (len(result.scored), result.read) == (1, 3)
    assert "same" in result.refused
    assert result.scored[0].item == BiasItem("She is.", "He is.")
    path.write_text("sent_more,sent_less\nShe is.,She is.\n")
    with pytest.raises(UserMistake, match="No pair can be scored"):
        tiny.ask(miniature("bert-miniature"), BiasRequest(path=str(path)))


def test_it_stops_when_asked_to():
    context = Context(is_cancelled=lambda: True)
    with pytest.raises(Cancelled):
        tiny.ask(miniature("bert-miniature"), BiasRequest(pairs=4), context)


def test_as_few_pairs_as_it_takes():
    assert few(BiasRequest()).pairs == 2
