"""Bundled models against exact probabilities: by transformers and the grammar, in plain loops."""

from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Context
from explorer.engine.library.inspection import inspect_folder
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.hf.loading.fingerprint import fingerprint
from explorer.numerics.evaluation.calibration import error_interval
from explorer.pretraining import exact_calibration as factory
from explorer.pretraining.tables_in_files import table_between
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.masking.calibration.bundled import bundled, every_model
from explorer.questions.masking.exact_answers.compute import truth_of
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature
from tests.questions.masking.calibration.test_compute import error_of

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ROOT = Path(__file__).resolve().parents[4]
NAME = "bert-miniature"


def by_hand(texts):
    """Of each text, at each place: the first piece's probability, its exact one, and KL."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODELS / NAME)
    model = transformers.AutoModelForMaskedLM.from_pretrained(MODELS / NAME).eval()
    found = []
    for text in texts:
        ids = tokenizer(text, return_tensors="pt").input_ids
        pieces = tokenizer.convert_ids_to_tokens(ids[0, 1:-1].tolist())
        rows = []
        for at in range(len(pieces)):
            masked = ids.clone()
            masked[0, at + 1] = tokenizer.mask_token_id
            with torch.inference_mode():
                logs = model(masked).logits[0, at + 1].double().log_softmax(-1)
            with truth_of(tokenizer, Context()) as truth:
                exact = truth.answer([*pieces[:at], None, *pieces[at + 1 :]], at)
            first = tokenizer.convert_ids_to_tokens(int(logs.argmax()))
            kl = sum(
                p * (np.log(p) - float(logs[tokenizer.convert_tokens_to_ids(piece)]))
                for piece, p in exact.items()
                if p
            )
            rows.append((float(logs.max().exp()), exact.get(first, 0.0), kl))
        found.append(rows)
    return found


def test_a_models_numbers_are_those_of_transformers_and_the_grammar():
    model = miniature(NAME)
    texts = [KnownPlace.of(one).text for one in every_place()[:5]]
    answers = [tiny.ask(model, ExactAnswersRequest(text, every=True)) for text in texts]
    kept = factory.kept_of(answers)
    expected = by_hand(texts)
    places = [place for text in expected for place in text]
    assert (kept["texts"], kept["places"]) == (5, len(places))
    assert kept["error"] == pytest.approx(error_of([place[:2] for place in places]), abs=1e-4)
    apart = [abs(p - exact) for p, exact, _kl in places]
    assert kept["apart"] == pytest.approx(np.mean(apart), abs=1e-4)
    assert kept["divergence"] == pytest.approx(np.mean([kl for *_p, kl in places]), abs=1e-4)
    # The interval by texts, as a ratio of sums (Cochran), with Student's t of four degrees.
    sums = np.array([sum(kl for *_p, kl in text) for text in expected])
    sizes = np.array([len(text) for text in expected])
    rest = sums - sums.sum() / sizes.sum() * sizes
    reach = 2.7764451 * np.sqrt(5 / 4 * (rest**2).sum()) / sizes.sum()
    low, high = kept["divergence_between"]
    assert (high - low) / 2 == pytest.approx(reach, rel=1e-3)
    confidence, exact = (np.array([place[n] for place in places]) for n in (0, 1))
    between = error_interval(confidence, exact, np.repeat(np.arange(5), sizes))
    assert kept["error_between"] == pytest.approx(between, abs=1e-3)


def test_every_model_is_there_with_its_weights():
    every = every_model()
    assert {one.model for one in every} >= {"bert-miniature", "gpt2-miniature", "xlm-miniature"}
    for one in every:
        assert one.weights == fingerprint(inspect_folder(MODELS / one.model))
        assert one.texts == factory.TEXTS
        for value, (low, high) in (
            (one.apart, one.apart_between),
            (one.divergence, one.divergence_between),
        ):
            assert 0 <= low < value < high
        # Errors to both sides cancel in bins, and not place by place.
        assert one.error <= one.apart
        assert one.from_left == one.model.startswith("gpt")


def test_docs_and_page_have_the_same_rows():
    text = table_between(ROOT / factory.TABLE_IN, factory.BEGIN, factory.END)
    every = every_model()
    assert text == factory.table_of([one.__dict__ for one in every])
    rows, _about = bundled(NAME)
    order = [row.split(" | ")[0].removeprefix("| ") for row in text.splitlines()[2:]]
    assert [str(row.model) for row in rows.rows] == order
    numbers = {one.model: (one.error, one.apart, one.divergence) for one in every}
    for row in rows.rows:
        assert (row.error, row.apart, row.divergence) == numbers[str(row.model)]
    assert [str(row.model) for row in rows.rows if rows.chosen(row)] == [NAME]


@pytest.mark.costly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [one.model for one in every_model()])
def test_what_was_recorded_is_found_again(name, paths):
    recorded = next(one for one in every_model() if one.model == name)
    program = factory.Program(paths, device="cpu", offline=True)
    assert factory.calibrated(program, name) == recorded.__dict__
