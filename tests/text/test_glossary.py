import ast
from pathlib import Path

import pytest

from explorer import lectures
from explorer.paths import own_resources
from explorer.questions import all_questions
from explorer.text import language
from explorer.text.glossary import explain, glossary, shown_at

EXPLORER = Path(__file__).resolve().parents[2] / "explorer"


@pytest.fixture
def language_of():
    """Speak a language of the program, with its own catalogue."""
    before = language.current()
    yield lambda code: language.use(language.find(code, own_resources() / "locale"))
    language.use(before)


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


FIELD = """
absolute position, ablation, accuracy, activation function, activation patching, attention,
attention head, attention mask, attention rollout, attribution, AUC, batch, beam search, BPE,
byte-level BPE, calibration, causal language model, checkpoint, [CLS], comprehensiveness, control
task, cosine similarity, cross-entropy, dark knowledge, disentangled attention, distillation,
embedding, enhanced mask decoder, entity, entropy, exact answer, exact match, expected calibration
error, F1, factorised embedding, feed-forward network, FLOPs, gradient, gradient-disentangled
embedding sharing, greedy decoding, hidden state, in-context learning, integrated gradients, KL
divergence, knowledge graph, layer, layer normalisation, learning rate, linear CKA, logit, logit
lens, loss, [MASK], merge, miniature, minimal pair, named-entity recognition, nat, occlusion, PCA,
perplexity, pretraining, probe, prompt, quantisation, question answering, relative position,
repetition penalty, residual stream, sampling, selectivity, [SEP], SentencePiece, Shapley value,
softmax, span, student, sufficiency, surprisal, t-SNE, teacher, temperature, token classification,
tokenizer, top-k sampling, top-p sampling, TransE, transformer, trustworthiness, tuned lens, unigram
tokenizer, whole-word masking, WordPiece
"""
"""What whoever reads of these models meets, and looks up here."""


def test_a_hundred_and_fifty_terms_are_explained_in_either_language(language_of):
    assert len(glossary()) >= 150
    assert {" ".join(one.split()) for one in FIELD.split(",")} <= set(glossary())
    english = {explain(term) for term in glossary()}
    language_of("ko")
    korean = glossary()
    assert len(korean) == len(english)
    assert not english & set(korean.values())


def test_no_term_is_explained_by_itself_alone():
    for term, sentence in glossary().items():
        rest = sentence.casefold().replace(term.casefold(), "")
        assert len(rest.split()) >= 4, term


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


def test_every_term_leads_to_a_page_or_a_lesson():
    lessons = {f"lesson:{one.name}" for one in lectures.lessons().scenes}
    places = shown_at()
    assert set(places) == set(glossary())
    assert set(places.values()) <= lessons | set(all_questions())
    assert lessons <= set(places.values()), "each lesson is led to"


@pytest.mark.parametrize(
    "term",
    [
        "beam search",
        "bottleneck",
        "integrated gradients",
        "linear CKA",
        "log-odds",
        "PCA",
        "quantisation",
        "t-SNE",
        "TransE",
        "trustworthiness",
    ],
)
def test_a_method_is_named_by_the_page_that_it_leads_to(term):
    (folder,) = (EXPLORER / "questions").glob(f"*/{shown_at()[term]}")
    texts = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    assert term.removesuffix("ation").casefold() in texts.casefold()
