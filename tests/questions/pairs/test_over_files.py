"""Files of pairs with their classes, and of questions with their answers, by the real command."""

import json

import pytest

from explorer import cli
from explorer.files_of_sentences.sentences import FileSentence, read_sentences
from tests.questions.answers import QA

PASSAGE = "We will build a school, so we need an excavator."
NURSE, SHE = "The nurse helped the patients at the hospital.", "She used a thermometer."
TAXI = "The drivers drove the taxi."


def squad(*questions):
    """A file's content: each a question, its answers, and whether there is none."""
    qas = [
        {
            "id": str(number),
            "question": question,
            "answers": [{"text": one, "answer_start": PASSAGE.find(one)} for one in answers],
            "is_impossible": not answers,
        }
        for number, (question, answers) in enumerate(questions)
    ]
    paragraph = {"context": PASSAGE, "qas": qas}
    return {"version": "v2.0", "data": [{"title": "One", "paragraphs": [paragraph]}]}


@pytest.fixture
def over(tmp_path, capsys):
    """Ask about every line; gives the printed object."""

    def run(*arguments):
        everywhere = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*everywhere, "over", *map(str, arguments), "--json"])
        out, err = capsys.readouterr()
        return (status, json.loads(out) if out else None, err)

    return run


def mean_of(told, name):
    return next(one["mean"] for one in told["spreads"] if one["column"] == name)


def test_questions_of_a_squad_file_are_read_with_their_answers(tmp_path):
    file = tmp_path / "dev.json"
    asked = squad(("What do we need?", ["an excavator", "excavator", "an excavator"]), ("Why?", []))
    file.write_text(json.dumps(asked), "utf-8")
    assert list(read_sentences(file)) == [
        FileSentence(1, PASSAGE, "What do we need?", "an excavator | excavator"),
        FileSentence(2, PASSAGE, "Why?", ""),
    ]


def test_a_table_of_passages_has_questions_and_answers(tmp_path):
    file = tmp_path / "dev.tsv"
    file.write_text(f"question\tcontext\tanswers\nWhat?\t{PASSAGE}\tan excavator\n", "utf-8")
    assert list(read_sentences(file)) == [FileSentence(2, PASSAGE, "What?", "an excavator")]


def test_exact_match_f1_and_no_answer_over_a_file(over, tmp_path):
    from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
    from tests.hf import tiny

    model = tiny.load(QA)
    questions = ("What did they use in the garden?", "What will we build?", "Who?")
    results = [tiny.ask(model, AnswerSpanRequest(PASSAGE, one)) for one in questions]
    best = [one.answers[0].text for one in results]
    # The first is right; of the second one word too many is wanted; the third has none.
    file = tmp_path / "dev.json"
    wanted = ([best[0], "nothing"], [best[1] + " zebra"], [])
    file.write_text(json.dumps(squad(*zip(questions, wanted, strict=True))), "utf-8")
    status, told, err = over(file, "--ask", "answer_span", "--model", QA)
    assert status == 0, err
    assert (told["count"], told["failed"]) == (3, 0)
    assert mean_of(told, "exact") == pytest.approx(1 / 3)
    words = len([one for one in best[1].lower().split() if one not in {"a", "an", "the"}])
    half = 2 * words / (2 * words + 1)
    assert mean_of(told, "f1") == pytest.approx((1 + half) / 3)
    scores = [one.null_logit - one.best_logit for one in results]
    above = (sum(scores[2] > one for one in scores[:2]) + 0.0) / 2
    assert told["pooled"]["roc_area"] == pytest.approx(above)
    assert told["pooled"]["exact_match"] == pytest.approx(1 / 3)
    assert told["pooled"]["f1"] == pytest.approx((1 + half) / 3)
    assert told["pooled"]["questions"] == 3
    assert told["pooled"]["without_answer"] == 1


def test_accuracy_and_confusion_over_a_file_of_pairs(over, tmp_path):
    file = tmp_path / "pairs.csv"
    rows = [(NURSE, SHE, "is next"), (NURSE, TAXI, "1"), (NURSE, SHE, "1"), (NURSE, TAXI, "cake")]
    lines = ["text,pair,label", *(f'"{a}","{b}",{label}' for a, b, label in rows)]
    file.write_text("\n".join(lines), "utf-8")
    status, told, err = over(file, "--ask", "sentence_pair", "--model", "bert-miniature")
    assert status == 0, err
    assert (told["count"], told["failed"]) == (4, 1)
    assert "cake" in told["failures"][0][2]
    assert mean_of(told, "right") == pytest.approx(2 / 3)
    from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
    from tests.hf import tiny
    from tests.hf.kept import miniature

    asked = [SentencePairRequest(NURSE, pair) for pair in (SHE, TAXI)]
    answers = [tiny.ask(miniature("bert-miniature"), one).judgements[0] for one in asked]
    she, taxi = (float(one.probabilities.max()) for one in answers)
    # Rows 1 and 2 are judged rightly, row 3 as row 1 and so wrongly.
    pooled = told["pooled"]
    assert {name: pooled[name] for name in ("pairs", "right")} == {"pairs": 3, "right": 2}
    assert pooled["accuracy"] == pytest.approx(2 / 3)
    assert pooled["confidence"] == pytest.approx((2 * she + taxi) / 3, abs=1e-4)
    assert pooled["confidence_where_right"] == pytest.approx((she + taxi) / 2, abs=1e-4)
    assert pooled["confidence_where_wrong"] == pytest.approx(she, abs=1e-4)
    # Both lie in the last of fifteen bins.
    assert min(she, taxi) > 14 / 15
    gap = abs(2 / 3 - (2 * she + taxi) / 3)
    assert pooled["calibration_error"] == pytest.approx(gap, abs=1e-4)
    counts = {(right, said): n for right, said, n in told["pooled_table"]["rows"]}
    assert counts == {
        ("is next", "is next"): 1,
        ("is next", "is not next"): 0,
        ("is not next", "is next"): 1,
        ("is not next", "is not next"): 1,
    }


def test_a_file_of_another_kind_is_refused_in_words(over, tmp_path):
    file = tmp_path / "other.json"
    file.write_text('{"data": [1]}', "utf-8")
    status, _told, err = over(file, "--ask", "answer_span", "--model", QA)
    assert status == 2
    assert "no file of questions as SQuAD has them" in err
