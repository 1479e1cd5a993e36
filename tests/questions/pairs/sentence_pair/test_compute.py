"""What heads say of pairs, against transformers' own classes; texts swapped; two models."""

import numpy as np
import pytest

from explorer.api.question import Attentions, Context, Unavailable, UserMistake
from explorer.questions.pairs.sentence_pair.question import (
    QUESTION,
    SentencePairRequest,
)
from explorer.questions.pairs.sentence_pair.wording import Judges
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature
from tests.plugins.test_classifiers import LABELS, made

torch = pytest.importorskip("torch")

TEXT, PAIR = "The nurse helped the patients at the hospital.", "She used a thermometer."
OTHER = "The drivers drove the taxi."


def ask(name, text=TEXT, pair=PAIR, second=None):
    models = {"model": miniature(name)}
    if second is not None:
        models["second"] = miniature(second)
    return tiny.ask(models["model"], SentencePairRequest(text, pair), Context(models=models))


def theirs(name, pair, model_class):
    """Transformers' own scores."""
    import transformers

    module = getattr(transformers, model_class).from_pretrained(MODELS / name).eval()
    with torch.no_grad():
        said = module(**miniature(name).encode(TEXT, pair).inputs)
    logits = getattr(said, "seq_relationship_logits", None)
    return (said.sop_logits if logits is None else logits)[0].numpy()


@pytest.mark.parametrize(
    ("name", "model_class", "judges"),
    [
        ("bert-miniature", "BertForPreTraining", Judges.NEXT),
        ("mobilebert-miniature", "MobileBertForPreTraining", Judges.NEXT),
        ("albert-miniature", "AlbertForPreTraining", Judges.ORDER),
    ],
)
def test_scores_are_those_of_transformers_class(name, model_class, judges):
    (one,) = ask(name).judgements
    assert one.judges is judges
    np.testing.assert_allclose(one.logits, theirs(name, PAIR, model_class), atol=1e-5)
    assert one.probabilities.sum() == pytest.approx(1)
    assert QUESTION.table(ask(name)).rows[one.best][2] == one.labels[one.best]


def test_label_0_is_that_the_second_text_follows():
    follows, elsewhere = (ask("bert-miniature", pair=pair).judgements[0] for pair in (PAIR, OTHER))
    assert follows.best == 0
    assert elsewhere.best == 1


def test_label_0_is_the_right_order():
    right, swapped = (
        ask("albert-miniature", *texts).judgements[0] for texts in ((TEXT, PAIR), (PAIR, TEXT))
    )
    assert right.best == 0
    assert swapped.best == 1


def test_two_models_judge_the_same_pair():
    result = ask("bert-miniature", second="albert-miniature")
    assert [one.model.id.split("/")[-1] for one in result.judgements] == [
        "bert-miniature",
        "albert-miniature",
    ]
    assert "different things" in str(result.notes[0])
    alone = ask("albert-miniature").judgements[0]
    np.testing.assert_allclose(result.judgements[1].logits, alone.logits, atol=1e-6)
    assert QUESTION.summary(result)["second_label"] == "right order"
    assert ask("bert-miniature", second="tinybert-miniature").notes == ()


def test_attention_between_the_texts_is_the_largest_of_all_heads():
    model = miniature("bert-miniature")
    (one,) = ask("bert-miniature").judgements
    encoded = model.encode(TEXT, PAIR)
    (stack,) = model.port(Attentions).capture(encoded, Context()).values()
    first, second = (
        [n for n, t in enumerate(encoded.tokens) if t.part == part and not t.special]
        for part in (0, 1)
    )
    assert one.between.shape == (len(first), len(second))
    for row, column in ((0, 0), (1, 2), (len(first) - 1, len(second) - 1)):
        i, j = first[row], second[column]
        expected = max(max(w[:, i, j].max(), w[:, j, i].max()) for w in stack.weights)
        assert one.between[row, column] == pytest.approx(float(expected))


def test_a_classifier_judges_a_text_alone(tmp_path):
    folder, module = made(tmp_path / "toy", "Bert")
    model = tiny.load(folder)
    result = tiny.ask(model, SentencePairRequest("the movie was great"))
    (one,) = result.judgements
    assert one.judges is Judges.CLASSES
    assert one.labels == tuple(LABELS.values())
    assert one.between is None
    with torch.no_grad():
        expected = module(**model.encode("the movie was great").inputs).logits[0].numpy()
    np.testing.assert_allclose(one.logits, expected, atol=1e-5)


def test_what_can_not_be_judged_is_said():
    with pytest.raises(UserMistake, match="judged of pairs"):
        ask("bert-miniature", pair=None)
    with pytest.raises(UserMistake, match="no text"):
        ask("bert-miniature", text=" ")
    with pytest.raises(Unavailable, match="classifier"):
        ask("gpt2-miniature")


def test_many_pairs_have_the_same_scores_and_one_that_fails_costs_no_other():
    model = miniature("bert-miniature")
    asked = [SentencePairRequest(TEXT, pair) for pair in (PAIR, None, OTHER)]
    context = Context(models={"model": model})
    first, failed, last = QUESTION.run_many(model, asked, context)
    assert isinstance(failed, UserMistake)
    for request, many in ((asked[0], first), (asked[2], last)):
        (alone,), (one,) = tiny.ask(model, request, context).judgements, many.judgements
        np.testing.assert_allclose(one.logits, alone.logits, atol=1e-6)
        assert one.between is None


class Card:
    def __init__(self, *questions):
        self.operations = questions


def test_the_second_model_is_the_other_one_that_judges():
    judges, fills = Card("sentence_pair"), Card("masked_tokens")
    assert QUESTION.cast({"A": judges}, "A", None) == {"model": "A"}
    assert QUESTION.cast({"A": judges, "B": fills}, "A", None) == {"model": "A"}
    assert QUESTION.cast({"A": fills, "B": judges}, "B", None) == {"model": "B"}
    assert QUESTION.cast({"A": judges, "B": judges}, "B", None) == {"model": "B", "second": "A"}
