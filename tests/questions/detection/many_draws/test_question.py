"""Pooling: the same as asking once for every draw."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Cancelled, Context, Mask, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.files_of_sentences.rows import ResultsReader
from explorer.learning.measured.detection import area_under_curve
from explorer.numerics.evaluation.outcomes import Counts
from explorer.numerics.evaluation.roc import area_under
from explorer.paths import Paths
from explorer.questions import question_of
from explorer.questions.detection.many_draws.question import (
    QUESTION,
    ManyDrawsRequest,
    ManyDrawsResult,
)
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.serialise import from_json, to_json
from tests.hf import tiny

MODELS = Paths.standard().bundled_models
KITCHEN = "The chef cooked the meal in the kitchen."
CPU = LoadOptions(device="cpu")
PAIR = {"discriminator": "A", "generator": "B"}


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = tiny.families()
    made = Runner(host, Catalogue(host, MODELS, tmp_path_factory.mktemp("hub")))
    made.load("A", "electra-miniature-discriminator", CPU, Context())
    made.load("B", "electra-miniature-generator", CPU, Context())
    return made


def ask(runner, request, context=None):
    result = runner.ask(request, PAIR, context or Context())
    assert isinstance(result, ManyDrawsResult)
    return result


def test_many_draws_are_one_draw_many_times(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, draws=20, seed=5, rate=0.3))
    single = ReplacedTokensRequest(KITCHEN, rate=0.3)
    ones = [runner.ask(replace(single, seed=seed), PAIR, Context()) for seed in range(5, 25)]
    total = Counts()
    for one in ones:
        total = total + one.counts
    assert many.counts_at(0.5) == total
    assert total.replaced > 0
    judged = [one.judged() for one in ones]
    assert many.probability == pytest.approx(np.concatenate([one[0] for one in judged]), abs=1e-6)
    assert many.truth.tolist() == [truth for one in judged for truth in one[1]]
    assert many.chosen == sum(len(one.chosen) for one in ones)
    assert many.guessed == many.chosen - total.replaced
    losses = [one.losses for one in ones]
    assert many.generator_loss == pytest.approx(np.mean([one.generator for one in losses]))
    assert many.discriminator_loss == pytest.approx(np.mean([one.discriminator for one in losses]))


def test_the_area_agrees_with_the_ranks(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, draws=30))
    by_ranks = area_under_curve(many.probability.astype(np.float64), many.truth)
    assert many.area == pytest.approx(by_ranks)
    assert area_under(many.curve) == pytest.approx(by_ranks, abs=0.01)
    for point in many.curve:
        counts = many.counts_at(point.threshold)
        assert counts.recall == pytest.approx(point.hit_rate)
        assert counts.false_alarm_rate == pytest.approx(point.false_alarm_rate)
    assert by_ranks > 0.6


def test_places_add_up_to_all(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, draws=30))
    assert [place.position for place in many.places] == list(range(1, 10))
    assert many.places[2].piece == "cooked"
    total = Counts()
    for index in range(len(many.places)):
        total = total + many.counts_at(0.3, index)
    assert total == many.counts_at(0.3)
    each = tuple(many.counts_at(0.3, index) for index in range(len(many.places)))
    assert many.counts_by_place(0.3) == each
    table = QUESTION.table(many)
    assert len(table.rows) == 1 + len(many.places)
    judged = table.columns.index("judged")
    assert table.rows[0][judged] == sum(row[judged] for row in table.rows[1:]) == 270


def test_masks_are_replaced_every_time(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, masks=(Mask(9, 15),), draws=12))
    replaced = {many.places[place].piece for place in many.place[many.truth]}
    assert replaced <= {"cooked"}
    assert many.chosen == 12


def test_the_worst_errors_come_first_and_once(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, draws=60))
    chances = [one.probability for one in many.misses]
    assert chances == sorted(chances)
    assert chances[0] == pytest.approx(float(many.probability[many.truth].min()))
    alarms = [one.probability for one in many.false_alarms]
    assert alarms == sorted(alarms, reverse=True)
    assert alarms[0] == pytest.approx(float(many.probability[~many.truth].max()))
    for examples in (many.misses, many.false_alarms):
        shown = [(one.piece, one.index) for one in examples]
        assert len(set(shown)) == len(shown) > 3
        assert all(one.corrupted[one.index] == one.piece for one in examples)
    # A miss can be drawn again from its seed.
    miss = many.misses[0]
    again = runner.ask(ReplacedTokensRequest(KITCHEN, seed=miss.seed), PAIR, Context())
    assert tuple(token.text for token in again.tokens if not token.special) == miss.corrupted


@pytest.fixture
def over(runner, tmp_path):
    """Asks about a file's sentences through the runner of files."""
    file = tmp_path / "sentences.txt"
    file.write_text(
        f"{KITCHEN}\n\nthe [MASK] sat.\nI liked the movie.\nThe pilot flies the plane.\n", "utf-8"
    )
    context = Context(results=tmp_path / "results")

    def ask_over(request, **fields):
        asked = FileOfSentencesRequest(
            str(file), question_of(request).name, to_json(request), **fields
        )
        return runner.ask(asked, PAIR, context)

    return ask_over


def pooled(result, question=QUESTION):
    pool = question.pool
    return pool.gather(ResultsReader(Path(result.results)).cells(pool.columns))


def test_the_sentences_of_a_file_are_pooled_as_many_draws_of_each(runner, over):
    result = over(ManyDrawsRequest(draws=4, rate=0.4))
    assert (result.done, result.failed) == (4, 1)
    ones = [
        ask(runner, ManyDrawsRequest(text, draws=4, rate=0.4, seed=4 * line))
        for line, text in (
            (1, KITCHEN),
            (4, "I liked the movie."),
            (5, "The pilot flies the plane."),
        )
    ]
    found = pooled(result)
    assert found.sentences == 3
    total = sum((one.counts_at(0.5) for one in ones), Counts())
    assert found.counts_at(0.5) == total
    chances = np.concatenate([one.probability for one in ones])
    assert np.sort(found.probability) == pytest.approx(np.sort(chances), abs=1e-5)
    truth = np.concatenate([one.truth for one in ones])
    assert found.area == pytest.approx(
        area_under_curve(chances.astype(np.float64), truth), abs=1e-3
    )
    low, high = found.interval
    assert low < found.area <= high
    told = QUESTION.pool.told(found, 0.3)
    assert told["hits"] == found.counts_at(0.3).hits
    assert told["recall_from"] < told["recall"] <= told["recall_to"]
    # No two sentences are drawn for with the same numbers.
    assert len({one.misses + one.false_alarms for one in ones}) == 3


def test_one_draw_of_each_is_pooled_too(over):
    question = question_of(ReplacedTokensRequest(""))
    result = over(ReplacedTokensRequest("", rate=0.4, seed=3))
    found = pooled(result, question)
    assert found.sentences == 3
    assert found.truth.sum() > 0


def test_no_more_sentences_are_asked_about_than_wanted_and_more_can_follow(over):
    few = over(ManyDrawsRequest(draws=1), limit=2)
    assert (few.count, few.done, few.left_out) == (2, 2, 2)
    every = over(ManyDrawsRequest(draws=1))
    assert (every.count, every.done, every.left_out) == (4, 4, 0)
    assert every.results == few.results


def test_what_an_older_program_pooled_of_a_file_is_read():
    request = {"text": "", "path": "C:\\texts\\some.txt", "column": "", "draws": 1, "limit": 500}
    result = {"draws": 3}
    upgrade, *_later = QUESTION.upgrades
    upgrade(request, result)
    assert request == {"text": "", "draws": 1}
    assert result == {"draws": 3, "source": "some.txt"}
    upgrade({"text": "", "path": "x.txt"}, None)


def test_what_is_kept_can_be_read_back(runner):
    many = ask(runner, ManyDrawsRequest(KITCHEN, draws=3))
    again = from_json(ManyDrawsResult, to_json(many))
    assert (again.probability == many.probability).all()
    assert again.misses == many.misses
    assert QUESTION.table(again) == QUESTION.table(many)
    assert again.curve == many.curve
    with pytest.raises(ValueError, match="read-only"):
        many.probability[0] = 0.0


def test_it_stops_between_draws_and_tells_how_far_it_is(runner):
    told = []

    def progress(stage, done, total):
        told.append((done, total))

    context = Context(is_cancelled=lambda: len(told) >= 3, progress=progress)
    with pytest.raises(Cancelled):
        ask(runner, ManyDrawsRequest(KITCHEN, draws=50), context)
    assert told == [(0, 50), (1, 50), (2, 50)]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (ManyDrawsRequest(" "), "no text"),
        (ManyDrawsRequest(KITCHEN, draws=0), "draws can't be 0"),
        (ManyDrawsRequest(KITCHEN, draws=200_000), "draws can't be 200000"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(runner, request_, words):
    with pytest.raises(UserMistake, match=words):
        runner.ask(request_, PAIR, Context())
