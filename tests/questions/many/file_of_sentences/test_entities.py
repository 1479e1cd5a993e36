"""Of every sentence of a file the entities are found whose names stand in it."""

from pathlib import Path

import pytest

from explorer.api.question import BY_NAME, Context, Knowledge
from explorer.files_of_sentences.rows import ResultsReader
from explorer.hf.text.reading_entities import reading_entities
from explorer.questions import all_questions
from explorer.questions.many.file_of_sentences.compute import run
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.serialise import to_json
from tests.hf.kept import miniature

LINES = ("Anna used a pan.", "She cooked the meal in the kitchen.", "Tom used a hammer.")
SURPRISAL = all_questions()["surprisal"]


@pytest.fixture
def ask(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(LINES), "utf-8")

    def answer(name, entities):
        model = miniature(name)
        asked = to_json(SurprisalRequest("", entities=entities))
        context = Context(results=tmp_path / "results", models={"model": model})
        return run(model, FileOfSentencesRequest(str(path), "surprisal", asked), context)

    return answer


def alone(model, text, entities):
    request = SurprisalRequest(text, entities=entities)
    reader = reading_entities(model, request, entities) if entities else model
    return SURPRISAL.summary(SURPRISAL.run(reader, request, Context()))


def test_a_row_is_the_answer_beside_the_entities_that_are_named(ask):
    model = miniature("ernie-thu-miniature")
    found = ask("ernie-thu-miniature", BY_NAME)
    without = ask("ernie-thu-miniature", ())
    assert found.by_name
    assert not without.by_name
    assert found.results != without.results
    rows = {}
    for result in (found, without):
        reader = ResultsReader(Path(result.results))
        rows[result.by_name] = [
            dict(zip(reader.columns, row, strict=True))
            for row in reader.rows(range(1, len(LINES) + 1))
        ]
    knowledge = model.port(Knowledge)
    for number, text in enumerate(LINES):
        linked = knowledge.link(text).mentions
        wanted = alone(model, text, linked)
        for column, cell in wanted.items():
            if isinstance(cell, float):
                assert rows[True][number][column] == pytest.approx(cell, rel=1e-4), column
        same = rows[True][number] == pytest.approx(rows[False][number])
        assert same is not bool(linked), text


def test_other_models_answer_as_ever_in_the_same_results(ask):
    by_name = ask("bert-miniature", BY_NAME)
    plain = ask("bert-miniature", ())
    assert by_name.results == plain.results
    assert not by_name.by_name
