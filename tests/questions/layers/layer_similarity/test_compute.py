"""Layer similarity against transformers' own states, and what it refuses."""

import itertools

import numpy as np
import pytest

from explorer.api.question import FIRST, SECOND, Cancelled, Context, UserMistake
from explorer.questions.layers.layer_similarity.question import (
    QUESTION,
    LayerSimilarityRequest,
    curves_table,
    derived,
    table,
)
from explorer.questions.layers.layer_similarity.texts import sentences_of
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

TEXT = """The chef cooked the meal in the kitchen. The waiter brought the soup to the guests.
The farmer carried a basket to the market. The guests liked the meal. The chef washed the knife."""


def ask(first, second="", is_cancelled=lambda: False, progress=lambda *_: None, **fields):
    models = {FIRST: miniature(f"{first}-miniature")}
    if second:
        models[SECOND] = miniature(f"{second}-miniature")
    context = Context(models=models, is_cancelled=is_cancelled, progress=progress)
    return QUESTION.run(models[FIRST], LayerSimilarityRequest(**fields), context)


def states_by_hand(name):
    """Of every sentence, rows x tokens x width, from transformers itself."""
    model = miniature(f"{name}-miniature")
    found = []
    for sentence in sentences_of(LayerSimilarityRequest(TEXT))[1]:
        with torch.inference_mode():
            output = model.module.base_model(
                **model.encode(sentence).inputs, output_hidden_states=True
            )
        # [CLS] and [SEP] are left out.
        found.append(torch.cat(output.hidden_states)[:, 1:-1].double().numpy())
    return found


def cka_by_hand(x, y):
    h = np.eye(len(x)) - 1 / len(x)
    k, m = h @ x @ x.T @ h, h @ y @ y.T @ h
    return np.sum(k * m) / np.sqrt(np.sum(k * k) * np.sum(m * m))


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_cka_is_that_of_transformers_states():
    result = ask("bert", "tinybert", text=TEXT)
    first, second = (np.concatenate(states_by_hand(name), 1) for name in ("bert", "tinybert"))
    assert (result.unit, result.samples) == ("tokens", first.shape[1])
    expected = [[cka_by_hand(x, y) for y in second] for x in first]
    np.testing.assert_allclose(result.cka, expected, atol=1e-6)


def test_sentences_are_the_means_of_their_tokens():
    two = TEXT + " " + TEXT.replace("The", "This").replace("meal", "bread")
    result = ask("bert", "tinybert", text=two, unit="sentences")
    assert (result.unit, result.samples, result.sentences) == ("sentences", 10, 10)
    assert result.cka[-1, -1] != pytest.approx(ask("bert", "tinybert", text=two).cka[-1, -1])


@pytest.mark.parametrize("standard", [False, True])
def test_curves_are_those_of_loops_over_pairs(standard):
    result = ask("bert", text=TEXT)
    found = result.first.standardised if standard else result.first.plain
    parts = states_by_hand("bert")
    model = miniature("bert-miniature")
    texts = list(sentences_of(LayerSimilarityRequest(TEXT))[1])
    tokens = [[t.text for t in model.encode(text).tokens if not t.special] for text in texts]
    for row in range(5):
        every = np.concatenate([part[row] for part in parts])
        if standard:
            every = (every - every.mean(0)) / every.std(0)
        sentences = np.split(every, np.cumsum([len(one) for one in tokens])[:-1])
        pairs = [
            cosine(a, b)
            for one, other in itertools.combinations(sentences, 2)
            for a in one
            for b in other
        ]
        assert found.anisotropy[row] == pytest.approx(np.mean(pairs), abs=1e-5)
        means = [np.mean([cosine(x, one.mean(0)) for x in one]) for one in sentences]
        assert found.intra_sentence[row] == pytest.approx(np.mean(means), abs=1e-5)
        the = [
            x for x, token in zip(every, itertools.chain(*tokens), strict=True) if token == "the"
        ]
        between = [cosine(a, b) for a, b in itertools.combinations(the, 2)]
        assert found.self_similarity[row] == pytest.approx(np.mean(between), abs=1e-5)
    assert result.first.words == 1  # no other word stands there five times


def test_one_model_is_compared_with_itself():
    result = ask("bert")
    assert (result.source, result.second) == ("english", None)
    assert 1000 <= result.samples < 1050
    for values in (result.cka, result.unbiased):
        assert np.array_equal(values, values.T)
        np.testing.assert_allclose(np.diag(values), 1.0, atol=1e-9)
    assert np.all(result.unbiased <= result.cka + 1e-9)


def test_a_student_is_most_like_the_layers_it_was_taught_by():
    result = ask("tinybert", "bert")
    assert (result.student, result.taught_by) == ("first", (2, 4))
    assert result.best_for_student(result.cka) == (2, 4)
    turned = ask("bert", "tinybert")
    assert (turned.student, turned.taught_by) == ("second", (2, 4))
    np.testing.assert_allclose(turned.cka, result.cka.T, atol=1e-9)
    assert [row[:2] for row in table(turned).rows if row[4]] == [("1", "0"), ("3", "1")]


def test_distilbert_began_as_every_other_layer_and_others_as_none():
    assert ask("distilbert", "bert", most=60).taught_by == (1, 3)
    assert ask("roberta", "bert", most=60).student == ""


@pytest.mark.parametrize(("first", "second"), [("gpt2", "bert"), ("t5", "roberta")])
def test_models_that_cut_differently_are_compared_by_words(first, second):
    text = TEXT + " The unhappiest xylophonist rebuilt the greenhouse."
    result = ask(first, second, text=text)
    assert result.unit == "words"
    spaced = len(text.split())
    assert spaced * 0.8 <= result.samples <= spaced + text.count(".")


def test_the_words_are_the_same_in_both_models():
    """The last pieces of the same words: the embeddings of a word are then found together."""
    from explorer.questions.layers.layer_similarity.reading import read

    both = [miniature("gpt2-miniature"), miniature("bert-miniature")]
    first, second = read(both, iter([TEXT.replace("\n", " ")]), 1000, Context())[0]
    shared = [[end for end in first.ends[0] if end in second.ends[0]]]
    words = []
    for one in (first, second):
        ends = [one.tokens[0][place].end for place in one.at_ends(shared)]
        words.append(ends)
    assert words[0] == words[1] == shared[0]
    assert len(shared[0]) > 30


def test_json_has_the_matrices_and_the_table_every_pair():
    result = ask("bert", "tinybert", most=60)
    told = derived(result)
    assert np.array_equal(told["cka_rows"], result.cka)
    assert np.array_equal(told["unbiased_cka_rows"], result.unbiased)
    rows = table(result).rows
    assert len(rows) == 5 * 3
    assert rows[4][:3] == ("0", "0", pytest.approx(result.cka[1, 1]))
    assert len(curves_table(result).rows) == 5 + 3


def test_the_number_of_tokens_is_kept_to():
    told = []
    result = ask("bert", most=100, progress=lambda *one: told.append(one))
    assert 100 <= result.samples < 120
    assert result.more
    assert any("100 tokens read" in stage for stage, _, _ in told)
    assert not ask("bert", text=TEXT).more


def test_a_file_of_sentences(tmp_path):
    file = tmp_path / "some.txt"
    sentences = ("the chef cooked a soup .", "the guests liked the soup .")
    file.write_text("\n".join(sentences * 2), "utf-8")
    encoded = [miniature("bert-miniature").encode(one).tokens for one in sentences]
    tokens = sum(len(one) - 2 for one in encoded)
    result = ask("bert", path=str(file))
    assert (result.source, result.sentences, result.samples) == ("some.txt", 2, tokens)
    assert result.first.plain.self_similarity is None  # no word stands there five times
    assert result.first.plain.anisotropy is not None


def test_what_is_too_little_is_told_in_one_sentence(tmp_path):
    with pytest.raises(UserMistake, match=r"^Only 3 tokens can be compared, and at least 10 are"):
        ask("bert", text="the chef cooked")
    with pytest.raises(UserMistake, match=r"^Only 5 sentences can be compared"):
        ask("bert", text=TEXT, unit="sentences")
    empty = tmp_path / "empty.txt"
    empty.write_text("\n \n", "utf-8")
    with pytest.raises(UserMistake, match=r"^There is no sentence in empty.txt"):
        ask("bert", path=str(empty))
    with pytest.raises(UserMistake, match=r"can't be read"):
        ask("bert", path=str(tmp_path / "none.txt"))
    with pytest.raises(UserMistake, match=r"^--most can't be 7"):
        LayerSimilarityRequest(most=7).check()
    with pytest.raises(UserMistake, match=r"^--unit can't be pages"):
        LayerSimilarityRequest(unit="pages").check()


def test_a_korean_world_is_told_to_be_unknown_to_an_english_model():
    result = ask("bert", korean=True, most=100)
    assert result.source == "korean"
    assert result.first.unknown > 0.5 * result.first.tokens


@pytest.mark.parametrize("after", [0, 3, 12])
def test_a_cancel_is_seen(after):
    looks = itertools.count()
    with pytest.raises(Cancelled):
        ask("bert", is_cancelled=lambda: next(looks) >= after)


def test_a_cancel_is_seen_between_the_layers_too():
    stages = []
    with pytest.raises(Cancelled):
        ask(
            "bert",
            is_cancelled=lambda: "comparing layers" in stages,
            progress=lambda stage, *_: stages.append(stage),
        )
    assert stages[-1] == "comparing layers"
