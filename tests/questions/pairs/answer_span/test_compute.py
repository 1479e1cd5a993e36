"""Answers against transformers' pipeline of old, and against sums made here from raw logits."""

import json

import numpy as np
import pytest

from explorer.api.question import UserMistake
from explorer.api.question.standing_out import FLAT
from explorer.questions.pairs.answer_span.options import Align
from explorer.questions.pairs.answer_span.question import QUESTION, AnswerSpanRequest
from tests.hf import tiny
from tests.questions.answers import QA

torch = pytest.importorskip("torch")

CASES = json.loads((QA / "expected.json").read_text(encoding="utf-8"))["cases"]
ASKED = CASES[2]["question"]
LONG = CASES[2]["context"]
SHORT = CASES[3]["context"]


@pytest.fixture(scope="module")
def model():
    return tiny.load(QA)


@pytest.fixture(scope="module")
def raw():
    """Transformers' own tokenizer and class: windows and their logits, nothing of ours."""
    from transformers import AutoTokenizer, BertForQuestionAnswering

    tokenizer = AutoTokenizer.from_pretrained(QA)
    module = BertForQuestionAnswering.from_pretrained(QA).eval()

    def of(question, passage, length, stride):
        cut = tokenizer(
            question,
            passage,
            truncation="only_second",
            max_length=length,
            stride=stride,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        found = []
        for number, encoding in enumerate(cut.encodings):
            inputs = {
                name: torch.tensor([cut[name][number]])
                for name in ("input_ids", "token_type_ids", "attention_mask")
            }
            with torch.no_grad():
                said = module(**inputs)
            inside = np.array([one == 1 for one in encoding.sequence_ids])
            logits = said.start_logits[0].numpy(), said.end_logits[0].numpy()
            found.append((encoding, inside, *(one.astype(float) for one in logits)))
        return found

    return of


def asked(case):
    options = dict(case["options"])
    align = Align.WORDS if options.pop("align_to_words", True) else Align.PIECES
    no_answer = options.pop("handle_impossible_answer", False)
    return AnswerSpanRequest(
        case["context"],
        case["question"],
        **{"top_k": 1, **options},
        no_answer=no_answer,
        align=align,
    )


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_answers_are_those_of_transformers_pipeline(model, case):
    result = tiny.ask(model, asked(case))
    expected = case["answers"]
    assert [(one.text, one.start, one.end) for one in result.answers] == [
        (one["answer"], one["start"], one["end"]) for one in expected
    ]
    scores = [one["score"] for one in expected]
    assert [one.score for one in result.answers] == pytest.approx(scores, abs=1e-4)


def brute(windows, passage, longest, top_k):
    """Every span of every window by hand; no answer's score the smallest there is."""
    found, null = {}, 1.0
    for encoding, inside, starts, ends in windows:
        valid = inside.copy()
        valid[0] = True  # [CLS] stands for no answer
        begins, closes = (
            np.where(valid, np.exp(one - one[valid].max()), 0) for one in (starts, ends)
        )
        begins, closes = begins / begins.sum(), closes / closes.sum()
        null = min(null, begins[0] * closes[0])
        spans = [
            (begins[i] * closes[j], encoding.offsets[i][0], encoding.offsets[j][1])
            for i in range(len(inside))
            for j in range(i, min(i + longest, len(inside)))
            if inside[i] and inside[j]
        ]
        for score, start, end in sorted(spans, reverse=True)[:top_k]:
            text = passage[start:end].lower()
            known = found.get(text, (0.0, start, end))
            found[text] = (known[0] + score, *known[1:])
    rows = [*found.values(), (null, 0, 0)]
    return sorted(rows, reverse=True)[:top_k], null


@pytest.mark.parametrize("longest", [1, 3, 40])
@pytest.mark.parametrize("top_k", [1, 12])
def test_longest_answers_with_no_answer(model, raw, longest, top_k):
    """What the recorded answers leave out: each by hand from raw logits."""
    windows = raw(ASKED, SHORT, 384, 128)
    assert len(windows) == 1
    expected, null = brute(windows, SHORT, longest, top_k)
    request = AnswerSpanRequest(
        SHORT,
        ASKED,
        top_k,
        max_answer_len=longest,
        no_answer=True,
        align=Align.PIECES,
    )
    result = tiny.ask(model, request)
    assert result.null == pytest.approx(null, abs=1e-6)
    assert [(one.start, one.end) for one in result.answers] == [one[1:] for one in expected]
    assert [one.score for one in result.answers] == pytest.approx(
        [one[0] for one in expected], abs=1e-6
    )
    assert all((one.first is None) == (one.text == "") for one in result.answers)


@pytest.mark.parametrize("stride", [0, 8, 30])
def test_windows_that_share_tokens_with_no_answer(model, raw, stride):
    windows = raw(ASKED, LONG, 48, stride)
    assert len(windows) > 3
    expected, null = brute(windows, LONG, 6, 20)
    request = AnswerSpanRequest(
        LONG,
        ASKED,
        20,
        max_answer_len=6,
        max_seq_len=48,
        doc_stride=stride,
        no_answer=True,
        align=Align.PIECES,
    )
    result = tiny.ask(model, request)
    assert len(result.windows) == len(windows)
    for own, (_, inside, starts, ends) in zip(result.windows, windows, strict=True):
        np.testing.assert_allclose(own.starts, starts[inside], atol=1e-5)
        np.testing.assert_allclose(own.ends, ends[inside], atol=1e-5)
    assert result.null == pytest.approx(null, abs=1e-6)
    logits = [starts[0] + ends[0] for _, _, starts, ends in windows]
    assert result.null_logit == pytest.approx(min(logits), abs=1e-4)
    assert [(one.start, one.end) for one in result.answers] == [one[1:] for one in expected]
    assert [one.score for one in result.answers] == pytest.approx(
        [one[0] for one in expected], abs=1e-6
    )


def test_each_answer_names_the_window_that_gave_it(model):
    request = AnswerSpanRequest(LONG, ASKED, 8, max_seq_len=48, doc_stride=8)
    result = tiny.ask(model, request)
    assert {one.window for one in result.answers} != {0}
    for one in result.answers:
        window = result.windows[one.window]
        assert window.first <= one.first <= one.last < window.end
        assert LONG[one.start : one.end] == one.text
    ends = [window.end for window in result.windows]
    assert ends[-1] == len(result.tokens)
    assert [window.first for window in result.windows[1:]] == [end - 8 for end in ends[:-1]]


def test_no_answer_is_held_against_a_threshold(model):
    result = tiny.ask(model, AnswerSpanRequest(SHORT, ASKED, no_answer=True))
    gap = result.null_logit - result.best_logit
    assert result.has_no_answer(gap - 0.1)
    assert not result.has_no_answer(gap + 0.1)
    best = max(
        float(window.starts[i] + window.ends[j])
        for window in result.windows
        for i in range(len(window.starts))
        for j in range(i, min(i + 15, len(window.starts)))
    )
    assert result.best_logit == pytest.approx(best, abs=1e-5)


def test_the_second_text_is_the_question_where_none_is_typed(model):
    typed = tiny.ask(model, AnswerSpanRequest(SHORT, ASKED))
    paired = tiny.ask(model, AnswerSpanRequest(SHORT, pair=ASKED))
    assert (paired.question, paired.answers) == (typed.question, typed.answers)


def test_a_table_and_a_line_tell_the_answers(model):
    result = tiny.ask(model, asked(CASES[1]))
    assert QUESTION.table(result).rows[0][:2] == (1, "took")
    assert result.best.score < FLAT
    assert not QUESTION.headline_of(result).sentence


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"question": " "}, "no question"),
        ({"text": " "}, "no text|Type"),
        ({"max_seq_len": 10}, "leaves a window of 10 no room"),
        ({"max_seq_len": 30, "doc_stride": 40}, "can't share 40"),
        ({"max_answer_len": 0}, "can't be 0"),
    ],
)
def test_what_can_not_be_asked_is_said(model, fields, words):
    with pytest.raises(UserMistake, match=words):
        tiny.ask_within(model, AnswerSpanRequest(**{"text": LONG, "question": ASKED, **fields}))
