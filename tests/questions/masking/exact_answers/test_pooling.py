"""A model against the truth over a file: numbers of every sentence asked alone, pooled by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from explorer import cli
from explorer.api.question import Context
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.files_of_sentences.rows import ResultsReader
from explorer.numerics.evaluation.calibration import BINS
from explorer.questions.many.file_of_sentences.compute import run
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.exact_answers.pooling import PlaceNumbers, gather, place_cells
from explorer.questions.masking.exact_answers.question import QUESTION
from explorer.world.corpus import held_out_documents
from tests.hf import tiny
from tests.hf.kept import miniature

OUTSIDE = "The chef flew the plane to Paris."
MASKED = "The chef cooked the [MASK] in the kitchen."
PLAIN = [one.text for one in held_out_documents(6)]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "world.txt"
    path.write_text("\n".join([*PLAIN[:3], OUTSIDE, MASKED, *PLAIN[3:]]), "utf-8")
    return path


@pytest.fixture(scope="module")
def pooled(file, tmp_path_factory):
    asked = FileOfSentencesRequest(str(file), QUESTION.name)
    context = Context(results=tmp_path_factory.mktemp("results"))
    result = run(miniature("bert-miniature"), asked, context)
    assert (result.done, result.failed) == (8, 0)
    reader = ResultsReader(Path(result.results))
    return QUESTION.pool.gather(reader.cells(QUESTION.pool.columns))


@pytest.fixture(scope="module")
def places():
    """Of every sentence of the world, asked alone."""
    model = miniature("bert-miniature")
    asked = [ExactAnswersRequest(text, every=True) for text in PLAIN]
    asked.append(ExactAnswersRequest(MASKED))
    return [place for one in asked for place in tiny.ask(model, one).places]


def error_of(confidence, outcome):
    """The expected calibration error, bin by bin."""
    total = 0.0
    for m in range(BINS):
        inside = (confidence > m / BINS) & (confidence <= (m + 1) / BINS)
        if inside.any():
            total += inside.sum() * abs(outcome[inside].mean() - confidence[inside].mean())
    return total / len(confidence)


def test_sentences_are_pooled_as_each_is_answered_alone(pooled, places):
    assert (pooled.sentences, pooled.outside, pooled.places) == (7, 1, len(places))
    divergence = np.mean([place.divergence for place in places])
    floor = np.mean([place.entropy for place in places])
    assert pooled.divergence == pytest.approx(divergence, rel=1e-5)
    assert pooled.floor == pytest.approx(floor, rel=1e-5)
    assert pooled.expected_loss == pytest.approx(divergence + floor, rel=1e-5)
    first = [max(place.words, key=lambda one: one.model) for place in places]
    confidence = np.array([one.model for one in first])
    exact = np.array([one.exact for one in first])
    truth = pooled.by_truth
    assert truth.count == len(places)
    assert truth.error == pytest.approx(error_of(confidence, exact), abs=1e-6)
    assert truth.confidence == pytest.approx(confidence.mean(), abs=1e-6)
    assert truth.accuracy == pytest.approx(exact.mean(), abs=1e-6)
    # What stands at the mask is not known.
    seen = np.array([place.original is not None for place in places])
    hits = np.array([one.is_original for one in first], dtype=float)[seen]
    text = pooled.by_text
    assert text.count == len(places) - 1 == seen.sum()
    assert text.error == pytest.approx(error_of(confidence[seen], hits), abs=1e-6)
    assert text.accuracy == pytest.approx(hits.mean())
    assert sum(one.count for one in text.curve) == text.count


def test_the_model_is_closer_to_the_truth_than_to_a_few_texts(pooled):
    """The coins that a text throws are no fault of the model's."""
    assert pooled.by_truth.error < pooled.by_text.error < 3 * pooled.by_text.by_chance


def test_the_truth_as_a_model_has_no_error(places):
    rows = []
    for place in places:
        best = max(place.words, key=lambda one: one.exact)
        said = PlaceNumbers(best.exact, best.exact, best.is_original, 0.0, place.entropy)
        rows.append(tuple(place_cells([said]).values()))
    found = gather(rows)
    assert found.by_truth.error == 0.0
    assert all(one.gap == 0.0 for one in found.by_truth.curve)
    assert found.divergence == 0.0
    assert found.expected_loss == found.floor > 0.0


def test_a_file_that_is_not_of_the_world():
    row = tuple(place_cells([]).values())
    found = gather([row, row])
    assert (found.sentences, found.outside, found.places) == (0, 2, 0)
    told = QUESTION.pool.told(found)
    assert told["sentences_outside"] == 2
    assert told["divergence"] is told["exact_calibration_error"] is told["accuracy"] is None
    assert QUESTION.pool.table(found).rows == ()
    assert gather([]) is None
    assert gather([(None,) * len(row)]) is None


def test_the_command_tells_both_curves(file, tmp_path, capsys):
    over = ["--profile", str(tmp_path), "--device", "cpu", "over", str(file)]
    over += ["--ask", "exact_answers", "--model", "bert-miniature", "--no-log"]
    assert cli.main([*over, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    told, curve = said["pooled"], said["pooled_table"]
    assert told["expected_loss"] == pytest.approx(told["floor"] + told["divergence"])
    rows = [dict(zip(curve["columns"], row, strict=True)) for row in curve["rows"]]
    for against, error, places in (
        ("exact probability", told["exact_calibration_error"], told["places"]),
        ("text", told["calibration_error"], told["places_of_text"]),
    ):
        own = [row for row in rows if row["against"] == against]
        assert sum(row["places"] for row in own) == places
        gaps = [row["places"] * abs(row["accuracy"] - row["confidence"]) for row in own]
        assert math.fsum(gaps) / places == pytest.approx(error)
    assert cli.main(over) == 0
    out = capsys.readouterr().out
    assert "exact calibration error" in out
    assert "against" in out
