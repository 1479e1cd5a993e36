"""Answers of models that read otherwise: XLM's ends by the start, texts without special tokens."""

import sys

import numpy as np
import pytest

from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.hf.family.tiny import write_tiny
from explorer.questions.pairs.answer_span.options import Align
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from tests.hf import tiny
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

PASSAGE = "the cat sat on the mat , it was great . a dog run on a movie"
QUESTION = "a cat ?"


def softmax(logits):
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


def loaded(folder, family, model_class):
    own = tiny.families().family(family)
    if family == "xlm":
        sys.modules[f"{MODULE_PREFIX}bundled_xlm"].write(own, folder, model_class)
    else:
        write_tiny(own, folder, model_class=model_class)
    return tiny.load(folder)


def test_xlms_ends_depend_on_the_start(tmp_path):
    model = loaded(tmp_path / "xlm", "xlm", "XLMForQuestionAnswering")
    request = AnswerSpanRequest(
        PASSAGE[:11], "a", 3, no_answer=True, align=Align.PIECES, max_seq_len=24
    )
    result = tiny.ask(model, request)
    (window,) = result.windows
    count = len(window.starts)
    assert window.ends.shape == (count, count)
    starts = softmax(window.starts.astype(float))
    spans = {
        (i, j): starts[i] * softmax(window.ends[i].astype(float))[j]
        for i in range(count)
        for j in range(i, count)
    }
    best = max(spans, key=spans.get)
    first = result.best
    assert (first.first, first.last) == best
    assert first.score == pytest.approx(spans[best], abs=1e-6)
    assert result.null == pytest.approx(1 / (1 + np.exp(-window.impossible)), abs=1e-6)
    assert result.null_logit == pytest.approx(window.impossible)


@pytest.mark.parametrize(
    ("family", "model_class"),
    [
        ("gpt2", "GPT2ForQuestionAnswering"),
        ("t5", "T5ForQuestionAnswering"),
        ("roberta", "RobertaForQuestionAnswering"),
        ("deberta", "DebertaV2ForQuestionAnswering"),
    ],
)
def test_passages_in_windows(tmp_path, family, model_class):
    model = loaded(tmp_path / family, family, model_class)
    request = AnswerSpanRequest(PASSAGE, QUESTION, 4, max_seq_len=16, doc_stride=2, no_answer=True)
    result = tiny.ask(model, request)
    assert len(result.windows) > 1
    assert result.answers
    for one in result.answers:
        assert PASSAGE[one.start : one.end] == one.text
    has_null = family in {"roberta", "deberta"}
    assert (result.null is not None) == has_null
    assert bool(result.notes) != has_null
    # The first window is what the model says of the beginning alone.
    cut = PASSAGE[: result.tokens[result.windows[0].end - 1].end]
    alone = tiny.ask(model, AnswerSpanRequest(cut, QUESTION, 4))
    starts = result.windows[0].starts
    # A space that is a token of its own has the characters of its word's first token, which then
    # comes along; GPT-2, whose window ends so, does not look at what stands behind.
    at_end = [one for one in result.tokens if one.end == len(cut)]
    more = len(alone.windows[0].starts) - len(starts)
    assert more == (len(at_end) - 1 if family == "gpt2" else 0)
    np.testing.assert_allclose(alone.windows[0].starts[: len(starts)], starts, atol=1e-4)


@pytest.mark.parametrize("name", ["albert", "bert", "distilbert", "electra"])
def test_an_answer_ends_before_the_mark_behind_its_word(name):
    """SentencePiece joins "trowel" and the mark behind it."""
    passage = "The chef used a pan. The gardener planted the roses. She used a trowel."
    model = miniature(f"{name}-answers-miniature")
    result = tiny.ask(model, AnswerSpanRequest(passage, "What did the gardener use?"))
    assert result.best.text == "a trowel"


def test_a_word_in_pieces_is_whole_though_a_mark_is_joined_to_it():
    model = miniature("albert-answers-miniature")
    passage = "The gardener planted the roses. She used a pomegranate."
    request = AnswerSpanRequest(passage, "What did the gardener use?", top_k=20)
    result = tiny.ask(model, request)
    begin, end = passage.index("pom"), passage.index("pom") + len("pomegranate")
    assert sum(begin <= one.start < end for one in result.tokens) > 3
    assert any(one.end >= end for one in result.answers)
    for one in result.answers:
        assert not begin < one.start < end, one
        assert not begin < one.end < end, one
