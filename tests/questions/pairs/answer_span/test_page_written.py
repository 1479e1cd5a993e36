"""Answers that a decoder writes: greedy as transformers' own, and found again in the passage."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from explorer import cli
from explorer.api.family import GenerationPrompt
from explorer.api.question import Context, GenerativeQA, SpanExtractor
from explorer.api.question.options.passage import PASSAGE_QUESTION
from explorer.document import Document
from explorer.hf.generate.answers import LaidOutAnswers
from explorer.questions.pairs.answer_span.compute import run
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest, summary
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, spot, words_on

torch = pytest.importorskip("torch")

PASSAGE = "The chef cooked a meal in the kitchen. He used a pan."
ASKED = "What did the chef use?"
LAID_OUT = f"question: {ASKED} context: {PASSAGE}"


@pytest.fixture(scope="module")
def t5():
    return miniature("t5-miniature")


class Scripted:
    """What writes these pieces, each three times as probable as the rest together."""

    who = "T5"

    def __init__(self, model, text):
        self._size = len(model.tokenizer)
        self._ids = model.tokenizer(text)["input_ids"]
        self.opening = GenerationPrompt((), (0,), apart=True, ends=(1,), room=None)

    def writing(self, encoded, *, cached=True):
        return self

    def logits(self, written, context):
        row = torch.zeros(len(written), self._size)
        row[:, self._ids[len(written[0])]] = float(torch.tensor(3.0 * (self._size - 1)).log())
        return row


@pytest.fixture
def saying(t5):
    """Asks a model that writes some text."""

    def ask(text, passage=PASSAGE, **more):
        own = LaidOutAnswers(t5, Scripted(t5, text), t5.port(GenerativeQA).is_mask)
        model = SimpleNamespace(stamp=t5.stamp, ports={GenerativeQA: own})
        return run(model, AnswerSpanRequest(passage, ASKED, **more), Context())

    return ask


def test_tokens_and_probabilities_are_those_of_transformers_generate(t5):
    result = tiny.ask(t5, AnswerSpanRequest(PASSAGE, ASKED, max_answer_len=9))
    read = t5.tokenizer(LAID_OUT, return_tensors="pt")
    said = t5.module.generate(
        **read,
        do_sample=False,
        max_new_tokens=10,
        output_scores=True,
        return_dict_in_generate=True,
    )
    ids = said.sequences[0, 1:].tolist()
    assert [one.id for one in result.written] == ids[: len(result.written)]
    assert len(result.written) in {9, len(ids)}
    for one, scores in zip(result.written, said.scores, strict=False):
        chances = scores[0].softmax(-1)
        assert one.probability == pytest.approx(float(chances[one.id]), abs=1e-5)
        assert one.alternatives[0] == (one.text, one.probability)
        best = chances.topk(5).values.tolist()
        assert [chance for _, chance in one.alternatives] == pytest.approx(best, abs=1e-5)


def test_who_was_trained_to_fill_masks_is_found_out(t5):
    result = tiny.ask(t5, AnswerSpanRequest(PASSAGE, ASKED))
    assert "<extra_id_0>" in result.best.text
    assert result.best.first is None
    assert "trained to fill masks" in str(result.notes[0])


def test_a_head_that_points_comes_before_one_that_writes(t5):
    assert SpanExtractor not in t5.ports
    assert tiny.answers(t5, AnswerSpanRequest)
    assert not tiny.answers(miniature("gpt2-miniature"), AnswerSpanRequest)
    assert "no answer span head" in tiny.why_not(miniature("gpt2-miniature"), AnswerSpanRequest)


def test_the_passage_keeps_its_own_characters(t5, saying):
    result = saying("a pan")
    assert result.layout == "question: {question} context: {passage}"
    for one in result.tokens:
        assert PASSAGE[one.start : one.end].startswith(one.text.lstrip("▁"))
    assert [one.text for one in result.tokens] == t5.tokenizer.tokenize(PASSAGE)


def test_what_was_written_is_marked_where_the_passage_says_it(saying):
    result = saying("a pan")
    (answer,) = result.answers
    assert (answer.text, PASSAGE[answer.start : answer.end]) == ("a pan", "a pan")
    assert [result.tokens[n].text for n in range(answer.first, answer.last + 1)] == ["▁a", "▁pan"]
    assert answer.score == pytest.approx(0.75**3, abs=1e-5), "two pieces and the end"
    assert result.written[-1].ends
    assert summary(result)["score"] == pytest.approx(0.422, abs=1e-3)
    assert summary(replace(result, expected=("the pan",)))["exact"] == 1.0
    assert saying("The Chef").best.start == 0, "whatever its capitals"
    assert saying("chef").best.start == 4


@pytest.mark.parametrize("text", ["a book", "kit"])
def test_what_the_passage_does_not_say_has_no_place(saying, text):
    (answer,) = saying(text).answers
    assert (answer.text, answer.first, answer.start, answer.end) == (text, None, 0, 0)


def test_an_answer_that_does_not_end_and_no_answer_are_told(saying):
    long = saying("a meal in the kitchen", max_answer_len=2, no_answer=True)
    assert long.best.text == "a meal"
    assert [len(long.written), long.written[-1].ends] == [2, False]
    assert "did not end within 2 pieces" in str(long.notes[0])
    assert "no score for “no answer”" in str(long.notes[1])
    assert saying("a meal", max_answer_len=2).notes == (), "its end is no piece of it"


def test_a_passage_that_is_cut_says_so(saying):
    long = " ".join([PASSAGE] * 20)
    result = saying("a pan", passage=long)
    assert "end was left out" in str(result.notes[0])
    assert len(result.tokens) < 140


def test_the_page_shows_every_token_and_the_place(shown, saying):
    document = Document(PASSAGE).with_option(PASSAGE_QUESTION.key, ASKED)
    view = shown(kind_of("answer_span"))
    result = saying("a pan")
    view.show_result(result, document)
    words = words_on(view)
    assert "is answered by “a pan”" in words
    assert "question: … context: …" in words
    assert spot(view, ("written", 1)).words.startswith("“pan”: 0.75")
    assert spot(view, ("answer", result.best.first)).words.startswith("1: “a pan”")
    offered = view.declared.offers(document, view.shown(), None)
    assert {key for key, one in offered.items() if not one.there} == {
        "answer_span.align",
        "answer_span.max_seq_len",
        "answer_span.doc_stride",
    }
    view.show_result(saying("a book"), document)
    assert "The passage does not say “a book”" in words_on(view)


def test_the_command_tells_what_was_written(tmp_path, capsys):
    arguments = ["--profile", str(tmp_path), "--device", "cpu", "ask", "answer_span", PASSAGE]
    status = cli.main([*arguments, "--question", ASKED, "-m", "t5-miniature", "--json"])
    out, err = capsys.readouterr()
    assert status == 0, err
    told = json.loads(out)
    assert {"text", "start", "end", "score"} <= told["answers"][0].keys()
    assert told["written"][0]["text"] == "<extra_id_0>"
