import ast
from pathlib import Path

import pytest

from explorer.text.glossary import explain, glossary

EXPLORER = Path(__file__).resolve().parents[2] / "explorer"


@pytest.mark.parametrize("term", glossary())
def test_each_term_is_one_sentence(term):
    sentence = explain(term)
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    assert ". " not in sentence
    assert "  " not in sentence
    assert len(sentence) <= 160


def test_unknown_terms_are_refused():
    with pytest.raises(KeyError):
        explain("no such term")


def test_every_term_that_is_explained_is_in_the_glossary():
    asked = [
        node.args[0].value
        for path in EXPLORER.rglob("*.py")
        if "explorer.text.glossary" in path.read_text("utf-8")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("explain", "meaning")
        and isinstance(node.args[0], ast.Constant)
    ]
    assert len(asked) > 10
    assert set(asked) <= set(glossary())


def test_terms_and_their_sentences_are_translated(speak):
    assert list(glossary()) == sorted(glossary(), key=str.casefold)
    speak("de", device="Rechenwerk", token="Zeichen")
    assert "Rechenwerk" in glossary()
    assert glossary()["Zeichen"] == explain("token")
    speak("de", **{explain("token"): "Ein Stück Text."})
    assert explain("token") == "Ein Stück Text."


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("attention mask", "the token itself and those before"),
        ("enhanced mask decoder", "applied twice to the states of the layer before it"),
        ("span-boundary objective", "to predict each token of a masked span from the two tokens"),
        ("KL divergence", "not symmetric"),
        ("special token", "apart from an unknown token"),
        ("false alarm", "false positive"),
        ("ROC", "receiver operating characteristic"),
        ("log-odds", "also called logit"),
        ("second text", "segment B"),
        ("left out", "truncated"),
        ("hard label", "hard target"),
        ("independent masks", "conditional independence"),
    ],
)
def test_a_sentence_says_what_the_field_means(term, words):
    assert words in explain(term)


@pytest.mark.parametrize(
    ("term", "instead"),
    [
        ("surprisal", "surprise"),
        ("subword", "sub-word piece"),
        ("newly initialised weights", "fresh weights"),
    ],
)
def test_a_term_is_the_one_of_the_field(term, instead):
    assert term in glossary()
    assert instead not in glossary()


@pytest.mark.parametrize(
    "term",
    [
        "bottleneck",
        "cross attention",
        "decoder",
        "encoder",
        "factorised embedding",
        "feature map",
        "few-shot",
        "fine-tuning",
        "masked language model",
        "next-sentence prediction",
        "parameter sharing",
        "segment",
        "sentence-order prediction",
        "sentinel",
        "value",
        "zero-shot",
    ],
)
def test_a_term_that_pages_use_is_explained(term):
    assert term in glossary()


def test_the_fields_own_term_stands_behind_its_translation(speak):
    speak("ko", **{"soft target": "소프트 타깃", "softmax": "softmax 함수"})
    found = glossary()
    assert "소프트 타깃 (soft target)" in found
    assert "softmax 함수" in found
    assert "token" in found  # not translated here
