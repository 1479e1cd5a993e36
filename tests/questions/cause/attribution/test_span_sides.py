"""Attribution of where an answer begins and ends, against transformers' class and Captum."""

import numpy as np
import pytest

from explorer.api.question import PairClassifier, Unavailable, UserMistake
from explorer.attribution.kinds import Baseline
from explorer.questions.cause.attribution.options import ExplainedMeasure, ExplainedTarget
from explorer.questions.cause.attribution.question import AttributionRequest, ExplainedKind
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.questions.answers import QA

torch = pytest.importorskip("torch")

PASSAGE = "We will build a school, so we need an excavator."
QUESTION = "What did they use in the garden?"


@pytest.fixture(scope="module")
def model():
    return tiny.load(QA)


@pytest.fixture(scope="module")
def module():
    from transformers import BertForQuestionAnswering

    return BertForQuestionAnswering.from_pretrained(QA).eval()


def ask(model, text=PASSAGE, **fields):
    given = {"pair": QUESTION, "beside": None, "target": ExplainedTarget.START, **fields}
    return tiny.ask(model, AttributionRequest(text, **given))


class Plain:
    """The passage's and the null position's log-probabilities by transformers' own class."""

    def __init__(self, model, module):
        self.encoded = model.encode(QUESTION, PASSAGE)
        tokens = self.encoded.tokens
        self.places = [n for n, one in enumerate(tokens) if one.part == 1 and not one.special]
        self.rivals = [0, *self.places]
        self.module = module

    def logs(self, **inputs):
        """(2 x rivals) for one copy, or copies of it."""
        types = self.encoded.inputs["token_type_ids"]
        count = len(next(iter(inputs.values())))
        said = self.module(**inputs, token_type_ids=types.expand(count, -1))
        both = torch.stack([said.start_logits, said.end_logits], 1)[:, :, self.rivals]
        return both.log_softmax(-1)

    def best(self):
        with torch.no_grad():
            starts, ends = self.logs(input_ids=self.encoded.input_ids)[0, :, 1:].numpy()
        total = np.triu(starts[:, None] + ends) + np.tril(np.full((len(starts),) * 2, -np.inf), -1)
        return np.unravel_index(total.argmax(), total.shape)


@pytest.mark.parametrize(("target", "side"), [(ExplainedTarget.START, 0), (ExplainedTarget.END, 1)])
def test_the_best_answers_sides_are_explained_as_captum_does(model, module, target, side):
    captum = pytest.importorskip("captum.attr")
    plain = Plain(model, module)
    at = plain.best()[side]
    result = ask(model, target=target, steps=20, baseline=Baseline.MASK)
    assert result.explained.kind is (ExplainedKind.END if side else ExplainedKind.START)
    assert result.explained.place == plain.places[at]
    with torch.no_grad():
        expected = plain.logs(input_ids=plain.encoded.input_ids)[0, side, at + 1]
    assert result.value == pytest.approx(float(expected), abs=1e-5)
    assert result.explained.probability == pytest.approx(float(expected.exp()), abs=1e-5)
    table = module.get_input_embeddings()
    ids = plain.encoded.input_ids
    own = table(ids).detach()
    mask = torch.full_like(ids, model.tokenizer.mask_token_id)
    special = [n for n, one in enumerate(plain.encoded.tokens) if one.special]
    mask[:, special] = ids[:, special]
    found = captum.IntegratedGradients(
        lambda vectors: plain.logs(inputs_embeds=vectors)[:, side, at + 1]
    ).attribute(own, table(mask).detach(), n_steps=20, method="gausslegendre")
    summed = found[0].sum(-1).detach().numpy()
    theirs = [summed[list(unit)].sum() for unit in result.units]
    assert result.methods[0].scores == pytest.approx(theirs, abs=1e-4)
    assert max(np.abs(theirs)) > 0.01


def test_a_model_for_answers_explains_the_start_where_nothing_is_said(model):
    usual = ask(model, target=ExplainedTarget.USUAL, steps=5)
    assert usual.explained.kind is ExplainedKind.START
    # The sentence is the document's: the passage is its text, though the model reads it last.
    written = [PASSAGE[t.start : t.end] for t in usual.tokens if t.part == 0 and not t.special]
    assert written[0] == "We"
    assert next(t.part for t in usual.tokens if not t.special) == 1


def test_a_place_of_the_passage_can_be_chosen(model):
    result = ask(model, steps=5)
    other = result.explained.place + 1
    chosen = ask(model, steps=5, at=(other,))
    assert chosen.explained.place == other
    assert chosen.explained.probability < result.explained.probability
    inside_the_question = ask(model, steps=5, at=(2,))
    assert inside_the_question.explained.place == result.explained.place


def test_differences_and_entropies_of_a_start(model, module):
    plain = Plain(model, module)
    with torch.no_grad():
        logs = plain.logs(input_ids=plain.encoded.input_ids)[0, 0].double()
    doubt = ask(model, measure=ExplainedMeasure.ENTROPY, method="occlusion")
    assert doubt.value == pytest.approx(float(-(logs.exp() * logs).sum()), abs=1e-4)
    differs = ask(model, measure=ExplainedMeasure.DIFFERENCE, method="occlusion")
    place = plain.rivals.index(differs.explained.place)
    others = [n for n in range(len(logs)) if n != place]
    assert differs.value == pytest.approx(float(logs[place] - logs[others].max()), abs=1e-4)


def test_a_text_can_be_the_baseline(model):
    other = PASSAGE.replace("school", "street")
    tokens = model.tokenizer.tokenize
    assert len(tokens(other)) == len(tokens(PASSAGE))
    result = ask(model, baseline=Baseline.TEXT, baseline_text=other, steps=5)
    changed = [result.words[n] for n, score in enumerate(result.methods[0].scores) if score]
    assert changed == ["school"]


def test_what_can_not_be_explained_is_said(model):
    with pytest.raises(UserMistake, match="no question"):
        ask(model, pair=None)
    with pytest.raises(UserMistake, match="can't be deleted"):
        ask(model, method="deletion")
    with pytest.raises(Unavailable, match="no answer span head"):
        ask(miniature("bert-miniature"))
    assert PairClassifier not in model.ports
    with pytest.raises(Unavailable, match="no classifier"):
        ask(model, target=ExplainedTarget.LABEL)
