"""The bundled films: small enough, as near to what was trained as they say, and made again."""

import dataclasses
import json
from pathlib import Path

import pytest

from explorer.learning.distilling.presets import PRESETS as DISTILLATIONS
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.presets import PRESETS
from explorer.learning.runs import run_folder
from explorer.learning.tuning.presets import PRESETS as TUNINGS
from explorer.paths import Paths
from explorer.pretraining.films import making
from explorer.pretraining.films.measuring import AskedPlaces, as_stored, error_of, places_of
from explorer.pretraining.films.recipes import FILMS, FilmRecipe
from explorer.pretraining.films.storing import store
from explorer.series.row_scales import FILE
from tests.learning.tiny_plans import TINY

PLACE = Paths.standard().bundled_models.with_name("films")


def files_of(place: Path) -> dict[str, bytes]:
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


def test_all_films_are_there_and_small():
    assert {one.name for one in PLACE.iterdir()} == FILMS.keys()
    sizes = [len(one) for one in files_of(PLACE).values()]
    assert max(sizes) < 4_000_000
    assert sum(sizes) <= 12_000_000
    # A tokenizer lies once beside the frames that share it.
    assert {one.parent.parent for one in PLACE.rglob("tokenizer*.json")} == {PLACE}


@pytest.mark.parametrize("name", FILMS)
def test_a_film_says_what_made_it_and_how_near_it_is(name):
    told = json.loads((PLACE / name / making.MANIFEST).read_text("utf-8"))
    assert told["command"] == f"python -m explorer.pretraining.films {name}"
    assert told["plan"] == json.loads(FILMS[name].plan.to_json())
    assert [one["step"] for one in told["frames"]] == list(FILMS[name].steps)
    assert max(one["error"]["largest"] for one in told["frames"]) <= making.MOST == 1e-3
    card = (PLACE / name / "README.md").read_text("utf-8")
    assert told["command"] in card
    curve = (PLACE / name / run_folder.CURVE).read_text("utf-8").splitlines()
    assert json.loads(curve[-1])["step"] == FILMS[name].plan.steps == FILMS[name].steps[-1]
    for one in told["frames"]:
        assert f"| {one['step']:,} | {one['bits']} | {one['error']['largest']:.1e} |" in card


def test_the_plan_of_a_film_is_a_preset():
    own = {
        "bert-film": PRESETS["film"],
        "bert-student-film": DISTILLATIONS["film"],
        "bert-alone-film": DISTILLATIONS["alone"],
        "bert-tuned-film": TUNINGS["film"],
        "bert-shuffled-film": TUNINGS["shuffled"],
    }
    assert {name: FILMS[name].plan for name in own} == own
    assert [len(FILMS[name].steps) for name in own] == [16, 7, 1, 7, 1]
    # Who is compared with the student differs from it in what it is told, and in nothing else.
    student, alone = own["bert-student-film"], own["bert-alone-film"]
    assert dataclasses.replace(alone, targets=student.targets) == student
    tuned = own["bert-tuned-film"]
    assert dataclasses.replace(tuned, shuffled=True) == own["bert-shuffled-film"]
    assert student.teacher == frame_of("bert-small-film")
    assert tuned.base == frame_of("bert-student-film")


def frame_of(film):
    return f"{film}@step{FILMS[film].steps[-1]}"


def test_a_film_of_tuning_is_right_as_often_as_its_measures_say():
    """Every frame as it is stored, asked by transformers alone of the texts that were held out."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    from explorer.engine.library.inspection import inspect_folder
    from explorer.hf.loading.checkpoint import load_tokenizer

    film, plan = PLACE / "bert-tuned-film", FILMS["bert-tuned-film"].plan
    rows = [json.loads(one) for one in (film / "measured.jsonl").read_text("utf-8").splitlines()]
    assert [row["step"] for row in rows] == list(FILMS["bert-tuned-film"].steps)
    files = inspect_folder(film / f"checkpoint-{rows[0]['step']}")
    texts = plan.texts.held_out
    read = load_tokenizer(files)([one.text for one in texts], padding=True, return_tensors="pt")
    right = torch.tensor([one.label for one in texts])
    model = BertForSequenceClassification(BertConfig.from_dict(dict(files.config))).eval()
    for row in rows:
        stored = as_stored(model, film / f"checkpoint-{row['step']}" / FILE)
        with torch.no_grad():
            said = stored(**read).logits
        loss = torch.nn.functional.cross_entropy(said, right).item()
        assert abs(loss - row["loss"]) < 1e-3
        assert abs((said.argmax(-1) == right).float().mean().item() - row["accuracy"]) < 0.005


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A film of a tiny plan, trained twice, each with its run."""
    made = []
    recipe = FilmRecipe(
        "tiny", dataclasses.replace(TINY, corpus=Corpus.SMALL, steps=8, length=64), (0, 2, 8)
    )
    for number in range(2):
        folder = tmp_path_factory.mktemp(f"tiny{number}")
        told = making.make(recipe, folder / "runs", folder / "film", texts=3)
        assert "3 frames" in told
        made.append((folder / "film", folder / "runs" / "tiny"))
    return made


def test_the_same_plan_makes_the_same_film(tiny):
    (first, _), (second, _) = tiny
    one, other = files_of(first), files_of(second)
    assert one.keys() == other.keys()
    weights = [name for name in one if name.endswith(FILE)]
    assert len(weights) == 3
    for name in (*weights, "film.json"):
        assert one[name] == other[name], name


def test_probabilities_are_those_of_the_float32_weights(tiny):
    """Against the frames as they were trained, by transformers alone."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    (film, run), _ = tiny
    told = json.loads((film / making.MANIFEST).read_text("utf-8"))
    for frame in told["frames"]:
        name = f"checkpoint-{frame['step']}"
        tokenizer = AutoTokenizer.from_pretrained(film)
        trained = AutoModelForMaskedLM.from_pretrained(run / name).eval()
        stored = as_stored(trained, film / name / FILE)
        ids = tokenizer("the chef [MASK] the soup in the [MASK] .", return_tensors="pt")
        with torch.no_grad():
            one, other = (model(**ids).logits.softmax(-1) for model in (trained, stored))
        assert 0 < (one - other).abs().max() < 1e-3
        assert frame["bits"] == 8
        assert 0 < frame["error"]["largest"] < 1e-3


def test_sixteen_bits_are_nearer_than_eight(tiny, tmp_path):
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    _, (_, run) = tiny
    frame = run / "checkpoint-8"
    tokenizer = AutoTokenizer.from_pretrained(frame)
    trained = AutoModelForMaskedLM.from_pretrained(frame)
    asked = AskedPlaces(tokenizer, places_of(tokenizer, texts=4))
    errors = {
        bits: error_of(trained, store(frame, tmp_path / str(bits), bits), asked) for bits in (8, 16)
    }
    assert 0 < errors[16].largest < errors[8].largest / 50
