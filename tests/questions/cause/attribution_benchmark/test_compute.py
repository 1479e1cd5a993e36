"""Methods against the truth: to the digit, and by transformers alone."""

import re
from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.pretraining import attribution_benchmark as factory
from explorer.questions import answered_with
from explorer.questions.cause.attribution_benchmark.compute import input_of
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.cause.attribution_benchmark.question import (
    QUESTION,
    WAYS,
    AttributionBenchmarkRequest,
    MethodVariant,
    quick,
    summary,
    table,
    table_of_places,
)
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.cause.method import AttributionMethod, Baseline
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ROOT = Path(__file__).resolve().parents[4]
PICKS = {
    "occlusion": (4, 3, 13, 6, 1, 4, 3, 7, 7, 3, 6, 3),
    "deletion": (4, 3, 2, 8, 1, 3, 0, 3, 4, 6, 1, 3),
    "shapley": (4, 3, 4, 8, 1, 4, 3, 6, 7, 2, 6, 3),
    "sequential_integrated_gradients": (4, 3, 13, 6, 1, 4, 3, 7, 7, 3, 6, 3),
    "integrated_gradients": (2, 3, 3, 9, 1, 4, 2, 4, 7, 4, 3, 3),
    "integrated_gradients_pad": (4, 3, 3, 8, 1, 4, 2, 1, 7, 2, 6, 3),
    "gradient_x_input": (5, 3, 13, 1, 7, 10, 0, 1, 2, 3, 6, 3),
    "gradient": (4, 3, 13, 2, 1, 4, 3, 3, 7, 2, 6, 3),
    "last_attention": (4, 3, 13, 0, 10, 10, 3, 3, 7, 3, 6, 3),
    "attention": (4, 3, 3, 0, 1, 1, 3, 3, 7, 3, 6, 3),
    "rollout": (4, 3, 4, 2, 1, 1, 3, 1, 7, 2, 6, 3),
}
RIGHT = {
    "occlusion": 5,
    "deletion": 3,
    "shapley": 4,
    "sequential_integrated_gradients": 5,
    "integrated_gradients": 2,
    "integrated_gradients_pad": 4,
    "gradient_x_input": 4,
    "gradient": 7,
    "last_attention": 8,
    "attention": 5,
    "rollout": 5,
}
"""Of bert-miniature at the first places."""
FEW = AttributionBenchmarkRequest(places=12, steps=12, samples=3)


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), FEW)


def found(result, way):
    return next(one for one in result.ways if one.way == way)


def test_the_picks_are_the_same_to_the_digit(result):
    picks = {one.way.name: one.picks for one in result.ways}
    assert picks == PICKS
    assert {one.way.name: one.right for one in result.ways} == RIGHT


def test_occlusion_is_what_transformers_loses_without_each_word(result):
    """Each word's pieces replaced by [MASK] in plain text, and the text read anew."""
    folder = MODELS / "bert-miniature"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()

    def value(place, hidden):
        asked = place.words[place.asked]
        text = place.text
        for number in sorted({place.asked, *hidden}, reverse=True):
            start, end = place.words[number]
            pieces = len(tokenizer.tokenize(place.text[start:end]))
            text = f"{text[:start]}{' '.join(['[MASK]'] * pieces)}{text[end:]}"
        ids = tokenizer(text, return_tensors="pt")
        masks = [n for n, one in enumerate(ids.input_ids[0]) if one == tokenizer.mask_token_id]
        before = sum(
            len(tokenizer.tokenize(place.text[slice(*place.words[n])]))
            for n in hidden
            if n < place.asked
        )
        (piece,) = tokenizer(place.text[slice(*asked)], add_special_tokens=False).input_ids
        with torch.inference_mode():
            return float(model(**ids).logits[0, masks[before]].log_softmax(-1)[piece])

    picks = found(result, MethodVariant(AttributionMethod.OCCLUSION, Baseline.MASK)).picks
    for place, pick in zip(result.places, picks, strict=True):
        others = [n for n in range(len(place.words)) if n != place.asked]
        losses = {n: value(place, ()) - value(place, (n,)) for n in others}
        assert losses[pick] == pytest.approx(max(losses.values()), abs=1e-4)


def test_shares_and_intervals_are_those_of_the_picks(result):
    assert len(result.ways) == len(WAYS)
    for one in result.ways:
        hits = [pick in place.right for pick, place in zip(one.picks, result.places, strict=True)]
        assert (one.right, one.share) == (sum(hits), sum(hits) / len(hits))
        # Wilson's interval: where the share is as far from its ends as 1.96 deviations allow.
        for end in (one.low, one.high):
            deviation = (end * (1 - end) / len(hits)) ** 0.5
            if deviation:
                assert abs(one.share - end) / deviation == pytest.approx(1.96, abs=1e-3)
        worth = [
            place.losses[pick] / max(place.losses)
            for pick, place in zip(one.picks, result.places, strict=True)
        ]
        assert one.captured == pytest.approx(np.mean(worth))
        assert never_picks_itself(one.picks, result.places)
    chances = [len(place.right) / (len(place.words) - 1) for place in result.places]
    assert result.chance == pytest.approx(np.mean(chances))


def never_picks_itself(picks, places):
    return all(pick != place.asked for pick, place in zip(picks, places, strict=True))


def test_the_tables_say_the_same(result):
    rows = table(result)
    assert rows.column("right") == tuple(one.right for one in result.ways)
    places = table_of_places(result)
    assert len(places.rows) == len(result.places)
    first = dict(zip(places.columns, places.rows[0], strict=True))
    place = result.places[0]
    assert first["matters"] == place.word(place.right[0])
    assert first["occlusion"] == place.word(result.ways[0].picks[0])
    assert summary(result)["occlusion"] == result.ways[0].share


def test_a_word_of_several_pieces_is_left_out():
    model = miniature("bert-miniature")
    words = ("the", "farmer", "was", "feeding", "the", "cows", ".")
    place = KnownPlace("The farmer was feeding the cows.", spans(words), 3, (0.2, *[0.0] * 6))
    assert len(model.tokenizer.tokenize("feeding")) > 1
    assert input_of(model, place) is None
    assert input_of(model, KnownPlace(place.text, place.words, 1, place.losses)) is not None


def spans(words):
    found, at = [], 0
    for word in words:
        at += bool(found) and word != "."
        found.append((at, at + len(word)))
        at += len(word)
    return tuple(found)


@pytest.mark.parametrize("fields", [{"places": 2}, {"steps": 0}, {"samples": 1}])
def test_what_cannot_be_asked_is_said_in_a_line(fields):
    with pytest.raises(UserMistake, match="can't be"):
        tiny.ask_within(miniature("bert-miniature"), AttributionBenchmarkRequest(**fields))


def test_a_cancel_comes_between_places():
    told = []
    context = Context(
        progress=lambda *stage: told.append(stage), is_cancelled=lambda: len(told) > 1
    )
    with pytest.raises(Cancelled):
        QUESTION.run(miniature("bert-miniature"), quick(FEW), context)
    assert told == [("testing methods", 0.0, 3.0), ("testing methods", 1.0, 3.0)]


def test_the_readme_has_what_was_recorded():
    """Its table: a row a model, a column a method, the best of each row in bold."""
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = [line for line in readme.splitlines() if re.match(r"\| [a-z0-9-]+-miniature", line)]
    rows = {line.split("|")[1].strip(): line for line in lines}
    for one in every_model():
        assert rows[one.model] == factory.readme_row(one), one.model
    assert len(rows) == len(every_model())


def test_every_bundled_model_that_fills_masks_is_recorded():
    assert tuple(one.model for one in every_model()) == factory.fill_masks()
    host = tiny.families()
    asked = set()
    for folder in MODELS.iterdir():
        if (folder / "model.safetensors").is_file():
            files = inspect_folder(folder)
            offers = host.family_of(files)[0].offers(files)
            if QUESTION.name in answered_with(offers):
                asked.add(folder.name)
    # T5 writes spans of any length, of which the truth about single words says nothing; the small
    # ERNIE of Tsinghua has read of its graph's people alone, not the world that the places are in,
    # and the Korean BERT no English.
    others = {"t5-miniature", "t5-tasks-miniature", "ernie-thu-miniature", "bert-korean-miniature"}
    assert asked - others == set(factory.fill_masks())
    for one in every_model():
        assert set(one.right) == {way.name for way in WAYS}
        assert one.places >= 200
        assert 0.03 < one.chance < 0.2


@pytest.mark.costly
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", [one.model for one in every_model()])
def test_what_was_recorded_is_found_again(name):
    recorded = next(one for one in every_model() if one.model == name)
    assert factory.recorded(factory.benchmark(name)) == recorded.__dict__


def test_the_places_are_the_first_of_those_shipped(result):
    every = [KnownPlace.of(one) for one in every_place()]
    assert list(result.places) == every[: len(result.places)]
