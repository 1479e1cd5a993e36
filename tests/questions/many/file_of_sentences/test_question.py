import dataclasses
import json
from pathlib import Path

import pytest

from explorer.api.question import (
    Cancelled,
    Context,
    MachineFault,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.document import Document
from explorer.files_of_sentences import asking
from explorer.files_of_sentences.compared import DIFFERENCE, column_of
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions import all_questions
from explorer.questions.many.file_of_sentences.compute import run
from explorer.questions.many.file_of_sentences.question import (
    QUESTION,
    FileOfSentencesRequest,
    results_of,
)
from explorer.questions.tokenizers.tokens import question as tokenize
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

LINES = ["the cat sat", "", "a dog ran on the mat", "x7 it", "the movie was great!"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture
def model(folder):
    return tiny.load(folder)


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


@pytest.fixture
def context(tmp_path):
    return Context(results=tmp_path / "results")


def alone(model, text):
    """One sentence's row, asked without a file."""
    return tokenize.QUESTION.summary(tokenize.run(model, TokensRequest(text), Context()))


@pytest.fixture
def answers_with(monkeypatch):
    """Lets the question about tokens be answered in another way."""

    def replace(**changes):
        other = dataclasses.replace(tokenize.QUESTION, **changes)
        monkeypatch.setattr(tokenize, "QUESTION", other)
        all_questions.cache_clear()

    yield replace
    monkeypatch.undo()
    all_questions.cache_clear()


def test_every_sentence_has_the_row_it_has_alone(model, sentences, context):
    told = []
    context = dataclasses.replace(context, progress=lambda *progress: told.append(progress))
    result = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    assert (result.count, result.done, result.failed, result.left_out) == (4, 4, 0, 0)
    assert result.model == model.stamp
    rows = list(ResultsReader(Path(result.results)).every())
    assert [row[:3] for row in rows] == [
        (number, line, None) for number, line in enumerate(LINES, start=1) if line
    ]
    names = result.columns[3:-1]
    for row in rows:
        assert dict(zip(names, row[3:-1], strict=True)) == alone(model, row[1])
    counts = [alone(model, line)["tokens"] for line in LINES if line]
    spread = next(one for one in result.spreads if one.column == "tokens")
    assert (spread.mean, spread.minimum, spread.maximum) == (
        sum(counts) / 4,
        min(counts),
        max(counts),
    )
    assert QUESTION.table(result).rows[0] == (
        "tokens",
        4,
        spread.mean,
        spread.minimum,
        spread.maximum,
    )
    assert told[-1][1:] == (4.0, 4.0)
    assert told[-1][0].startswith("4 of 4 sentences")


def test_rows_whose_layers_were_counted_from_1_are_no_rows_of_today(model, sentences, context):
    """Another file holds them: a table with both would call one layer by two numbers."""
    request = FileOfSentencesRequest(str(sentences), "logit_lens")
    today = run(model, request, context)
    place = Path(today.results)
    asked = ResultsKey.of(place)
    assert asked.layers_from_0
    old = dataclasses.replace(asked, layers_from_0=False)
    assert "layers_from_0" not in old.to_json(), "as it was written then"
    with ResultsWriter(old.place(context.results), old) as writer:
        writer.append([SentenceOutcome(FileSentence(1, LINES[0]), {"layer": "2"})])
    place.unlink()
    again = run(model, request, context)
    assert (again.results, again.done) == (today.results, 4)
    row = next(ResultsReader(place).every())
    lens = all_questions()["logit_lens"]
    one = lens.run(model, lens.request(LINES[0]), Context())
    assert dict(zip(today.columns, row, strict=True)).items() >= lens.summary(one).items()
    assert ResultsReader(old.place(context.results)).counts() == (1, 0)
    tokens = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    assert not ResultsKey.of(Path(tokens.results)).layers_from_0, "what names no layers goes on"


def test_a_cancelled_run_goes_on_where_it_was(model, sentences, context, answers_with):
    asked = []

    def handler(one, request, inner):
        asked.append(request.text)
        return tokenize.run(one, request, Context())

    answers_with(run=handler)
    request = FileOfSentencesRequest(str(sentences), "tokens")
    stopping = dataclasses.replace(context, is_cancelled=lambda: len(asked) == 2)
    with pytest.raises(Cancelled):
        run(model, request, stopping)
    looked = run(model, dataclasses.replace(request, start=False), context)
    assert (looked.done, looked.count) == (2, 4)
    result = run(model, request, context)
    assert asked == [line for line in LINES if line]
    assert result.done == 4
    again = run(model, request, context)
    assert len(asked) == 4
    assert again == result


def test_what_fails_is_told_in_its_row(model, sentences, context, answers_with):
    def handler(one, request, inner):
        if "dog" in request.text:
            raise UserMistake("No dogs.", "Take a cat.")
        if "movie" in request.text:
            raise ValueError("odd")
        return tokenize.run(one, request, inner)

    answers_with(run=handler)
    result = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    assert (result.done, result.failed) == (4, 2)
    assert result.failures[0] == (3, LINES[2], "No dogs. Take a cat.")
    assert "ValueError: odd" in result.failures[1][2]


def test_many_at_once_give_the_same_rows(model, sentences, context, answers_with):
    def run_many(one, requests, inner):
        return [
            ValueError("odd") if "dog" in request.text else tokenize.run(one, request, inner)
            for request in requests
        ]

    answers_with(run_many=run_many)
    result = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    rows = list(ResultsReader(Path(result.results)).every())
    assert [row[3] for row in rows] == [
        None if "dog" in line else alone(model, line)["tokens"] for line in LINES if line
    ]
    assert result.failed == 1


def test_quick_sentences_soon_come_by_hundreds(model, tmp_path, context, answers_with):
    path = tmp_path / "many.txt"
    path.write_text("\n".join(f"the cat {n}" for n in range(500)), encoding="utf-8")
    sizes = []

    def run_many(one, requests, inner):
        sizes.append(len(requests))
        return [tokenize.run(one, request, inner) for request in requests]

    answers_with(run_many=run_many)
    result = run(model, FileOfSentencesRequest(str(path), "tokens"), context)
    assert result.done == sum(sizes) == 500
    assert sizes[0] == 1
    assert max(sizes) > 100


def test_a_file_that_changes_meanwhile(model, sentences, context, answers_with, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.0)

    def handler(one, request, inner):
        sentences.write_text("other words now", encoding="utf-8")
        return tokenize.run(one, request, inner)

    answers_with(run=handler)
    with pytest.raises(UserMistake, match="changed while it was read"):
        run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)


def test_a_changed_file_gets_results_of_its_own(model, sentences, context):
    first = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    sentences.write_text("the cat", encoding="utf-8")
    second = run(model, FileOfSentencesRequest(str(sentences), "tokens"), context)
    assert (first.done, second.done) == (4, 1)
    assert first.results != second.results


def test_a_column_and_a_pair(model, tmp_path, context):
    path = tmp_path / "pairs.csv"
    path.write_text("id,text,pair\n1,the cat,a dog\n2,it run,\n", encoding="utf-8")
    result = run(model, FileOfSentencesRequest(str(path), "tokens"), context)
    rows = list(ResultsReader(Path(result.results)).every())
    assert [row[1:4] for row in rows] == [("the cat", "a dog", 7), ("it run", None, 4)]
    assert (result.column, result.pair_column, result.file_columns) == (
        "text",
        "pair",
        ("id", "text", "pair"),
    )
    ids = run(model, FileOfSentencesRequest(str(path), "tokens", column="id"), context)
    assert ids.column == "id"


def test_a_questions_settings(model, sentences, context):
    request = FileOfSentencesRequest.about(
        tokenize.QUESTION, Document("words", "more"), str(sentences)
    )
    assert json.loads(request.request)["text"] == ""
    assert run(model, request, context).done == 4
    with pytest.raises(UserMistake, match="can't be read"):
        run(model, FileOfSentencesRequest(str(sentences), "tokens", "{"), context)


@pytest.mark.parametrize(
    ("request_", "kind", "words"),
    [
        (FileOfSentencesRequest("", "tokens"), UserMistake, "no file yet"),
        (FileOfSentencesRequest("gone.txt", "tokens"), UserMistake, "can't be read"),
        (FileOfSentencesRequest("x.txt", "nothing"), UserMistake, "no question"),
        (FileOfSentencesRequest("x.txt", "file_of_sentences"), Unavailable, "no answer in one row"),
    ],
)
def test_questions_that_cannot_be_answered(model, context, request_, kind, words):
    with pytest.raises(kind, match=words):
        run(model, request_, context)


def test_a_model_without_the_head(tmp_path, sentences, context):
    model = tiny.load(tiny.save_bert(tmp_path / "m"))
    model.ports, model.refused = {}, {Predictor: "It has no head."}
    with pytest.raises(Unavailable, match="no head"):
        run(model, FileOfSentencesRequest(str(sentences), "masked_tokens"), context)


def test_no_sentences_and_no_folder(model, tmp_path, sentences, context):
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n", encoding="utf-8")
    with pytest.raises(UserMistake, match="no sentence"):
        run(model, FileOfSentencesRequest(str(empty), "tokens"), context)
    with pytest.raises(MachineFault, match="no folder"):
        run(model, FileOfSentencesRequest(str(sentences), "tokens"), Context())


FOREIGN = "요리사 식사 부엌 ."
"""None of its words is in the tiny vocabulary, but for the mark."""


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"the cat sat\n{FOREIGN}\na dog ran on the mat\n", encoding="utf-8")
    return path


def test_a_sentence_of_unknown_words_says_so_and_is_left_out_of_the_means(model, mixed, context):
    """It looked perfect: one token, and a pseudo-perplexity of nearly 1 that entered the mean."""
    result = run(model, FileOfSentencesRequest(str(mixed), "surprisal"), context)
    reader = ResultsReader(Path(result.results))
    rows = [dict(zip(reader.columns, row, strict=True)) for row in reader.every()]
    assert [row["unknown tokens"] for row in rows] == [0, 3, 0]
    assert [row["not in the means"] for row in rows] == [None, "most tokens are unknown", None]
    assert rows[1]["failure"] is None
    for name in ("tokens", "pseudo-perplexity"):
        (spread,) = (one for one in result.spreads if one.column == name)
        assert spread.count == 2
        assert spread.mean == pytest.approx((rows[0][name] + rows[2][name]) / 2)
    (unknown,) = (one for one in result.spreads if one.column == "unknown tokens")
    assert (unknown.count, unknown.maximum) == (3, 3)
    assert reader.not_counted() == 1


def test_a_file_of_known_words_has_no_column_of_what_is_left_out(model, sentences, context):
    result = run(model, FileOfSentencesRequest(str(sentences), "surprisal"), context)
    assert "unknown tokens" in result.columns
    assert "not in the means" not in result.columns
    assert ResultsReader(Path(result.results)).not_counted() == 0


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("others") / "other-bert", seed=7))


def test_two_models_are_asked_one_after_the_other_as_each_alone(model, other, sentences, context):
    both = dataclasses.replace(context, models={"model": model, "second": other})
    request = FileOfSentencesRequest(str(sentences), "surprisal", compare=True)
    result = run(model, request, both)
    assert (result.model, result.other) == (model.stamp, other.stamp)
    assert (result.count, result.done) == (4, 4)
    reader, column = results_of(result), "pseudo-perplexity"
    for one, name in ((model, reader.names[0]), (other, reader.names[1])):
        own = dataclasses.replace(context, models={"model": one})
        alone = run(one, FileOfSentencesRequest(str(sentences), "surprisal"), own)
        assert alone.results in (result.results, result.compared), "nothing is asked twice"
        place = result.columns.index(column_of(column, name))
        single = alone.columns.index(column)
        rows = zip(reader.every(), results_of(alone).every(), strict=True)
        assert all(two[place] == one[single] for two, one in rows)
    first, second, less = (
        result.columns.index(column_of(column, whose)) for whose in (*reader.names, DIFFERENCE)
    )
    assert all(row[less] == row[second] - row[first] for row in reader.every())


def test_what_two_models_are_asked_needs_both():
    request = FileOfSentencesRequest("a.txt", "surprisal", compare=True)
    surprisal = all_questions()["surprisal"]
    assert QUESTION.roles_of(request) == ("model", "second")
    assert set(QUESTION.needs_of(request).values()) == {surprisal.first_needs}
    assert QUESTION.roles_of(dataclasses.replace(request, compare=False)) == ("model",)


def test_a_question_of_two_models_is_never_asked_twice():
    document = Document().with_option("file_of_sentences.compare", True)
    assert QUESTION.cast({}, "A", document) == {"model": "A", "second": "B"}
    assert QUESTION.cast({}, "B", document) == {"model": "B", "second": "A"}
    targets = document.with_option("file_of_sentences.operation", "soft_targets")
    assert set(QUESTION.cast({}, "A", targets)) == {"teacher", "student"}
    assert not FileOfSentencesRequest.of(targets).compare
