"""Heads for tasks of every family: what transformers' own forward gives, and never a random one."""

import json
import sys
from dataclasses import replace

import pytest

from explorer.api.family import (
    CausalLM,
    Context,
    InputEmbeddings,
    MultipleChoice,
    PairClassifier,
    Predictor,
    Query,
    SpanExtractor,
    TokenClassifier,
)
from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.hf.family.architecture import Architecture
from explorer.hf.family.tiny import tiny_tokenizer, write_tiny
from explorer.hf.loading.checkpoint import quiet_transformers
from explorer.hf.loading.trial import try_once
from tests.hf import tiny

torch = pytest.importorskip("torch")

CLASSES, TOKENS, ANSWERS, SIMPLE, PAIRS = (
    "ForSequenceClassification",
    "ForTokenClassification",
    "ForQuestionAnswering",
    "ForQuestionAnsweringSimple",
    "ForPreTraining",
)
CHOICE, DOUBLE = "ForMultipleChoice", "DoubleHeadsModel"
THREE = (CLASSES, TOKENS, ANSWERS)
ALL = (*THREE, CHOICE)
STEMS = {
    "bert": ("Bert", (*ALL, PAIRS)),
    "tinybert": ("Bert", ALL),
    "spanbert": ("Bert", ALL),
    "albert": ("Albert", (*ALL, PAIRS)),
    "roberta": ("Roberta", ALL),
    "electra": ("Electra", ALL),
    "distilbert": ("DistilBert", ALL),
    "mobilebert": ("MobileBert", (*ALL, PAIRS)),
    "deberta-v1": ("Deberta", THREE),
    "deberta-v3": ("DebertaV2", ALL),
    "ernie": ("Ernie", (*ALL, PAIRS)),
    "xlm": ("XLM", (CLASSES, TOKENS, SIMPLE, CHOICE)),
    "t5": ("T5", THREE),
    "gpt2": ("GPT2", (*THREE, DOUBLE)),
    "gpt1": ("OpenAIGPT", (CLASSES, DOUBLE)),
    # Those without a plugin.
    "camembert": ("Camembert", THREE),
    "mpnet": ("MPNet", THREE),
}
LABELS = {0: "bad", 1: "dull", 2: "great"}
GENERIC = {"camembert": "roberta", "mpnet": "bert"}
DISENTANGLED = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "type_vocab_size": 0}
TEXT, PAIR = "the cat sat on the mat", "it was great"


def values(name, ending):
    """What a config says beside the sizes."""
    said = dict(DISENTANGLED) if name.startswith("deberta") else {}
    if name == "mobilebert":
        said["classifier_activation"] = False
    if ending in {CLASSES, TOKENS}:
        said |= {"id2label": LABELS, "label2id": {label: n for n, label in LABELS.items()}}
    return said


def written(folder, name, ending):
    """A checkpoint's folder, named so that its family takes it."""
    family_id = name.partition("-")[0]
    own = "auto" if name in GENERIC else family_id
    stem, _ = STEMS[name]
    folder = folder / f"{name}{ending}"
    host = tiny.families()
    family = host.family(own)
    if own == "xlm":
        write = sys.modules[f"{MODULE_PREFIX}bundled_xlm"].write
        write(family, folder, stem + ending, **values(name, ending))
        return folder
    tokenizer = None
    if own == "auto":
        family = replace(family, model_types=(name,))
        tokenizer = tiny_tokenizer(GENERIC[name])
    return write_tiny(
        family,
        folder,
        model_class=stem + ending,
        tokenizer=tokenizer,
        config=values(name, ending),
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A loaded model and transformers' own, each made once."""
    import transformers

    root, known = tmp_path_factory.mktemp("tasks"), {}
    quiet_transformers()

    def of(name, ending):
        if (name, ending) not in known:
            folder = written(root, name, ending)
            own = getattr(transformers, STEMS[name][0] + ending)
            module = own.from_pretrained(folder).eval()
            model = tiny.load(folder)
            assert model.stamp.family == ("auto" if name in GENERIC else name.partition("-")[0])
            known[name, ending] = folder, model, module
        return known[name, ending]

    return of


BY_DEFAULT = {(name, has[n % len(has)]) for n, (name, (_, has)) in enumerate(STEMS.items())}
"""A head of each family, and some families of each head: what all of them share stands once."""
ALWAYS = {SIMPLE, PAIRS, DOUBLE}
"""Heads that few families have."""


def cases(*endings):
    return [
        pytest.param(
            *(name, one),
            marks=() if (name, one) in BY_DEFAULT or one in ALWAYS else pytest.mark.costly,
        )
        for name, (_, has) in STEMS.items()
        for one in has
        if one in endings
    ]


def test_every_family_and_every_head_is_tried_by_default():
    assert {name for name, _ in BY_DEFAULT} == set(STEMS)
    assert {one for _, one in BY_DEFAULT} | ALWAYS >= {*ALL, SIMPLE, PAIRS, DOUBLE}


@pytest.mark.parametrize(("name", "ending"), cases(*ALL, DOUBLE))
def test_what_a_load_tries_runs_at_once(made, monkeypatch, name, ending):
    """Where it fails, every field of the config is looked at for the reason, which takes long."""
    _, model, _ = made(name, ending)
    monkeypatch.setattr(Architecture, "fault_of_running", lambda *_: pytest.fail("it did not run"))
    try_once(tiny.families().family(model.stamp.family), model.module, "cpu")


@pytest.mark.parametrize(("name", "ending"), cases(CLASSES))
@pytest.mark.parametrize("pair", [None, PAIR])
def test_classes_of_texts_and_pairs_are_the_modules_own(made, name, ending, pair):
    _, model, module = made(name, ending)
    port = model.port(PairClassifier)
    assert port.labels == tuple(LABELS.values())
    assert not port.judges_pairs
    encoded = model.encode(TEXT, pair)
    with torch.no_grad():
        expected = module(**encoded.inputs).logits[0]
    assert torch.allclose(port.logits(encoded, Context()), expected, atol=1e-5)
    assert [head.name for head in model.heads] == ["classifier"]


@pytest.mark.parametrize(("name", "ending"), cases(TOKENS))
def test_labels_of_tokens_are_the_modules_own(made, name, ending):
    _, model, module = made(name, ending)
    port = model.port(TokenClassifier)
    assert port.labels == tuple(LABELS.values())
    encoded = model.encode(TEXT)
    with torch.no_grad():
        expected = module(**encoded.inputs).logits[0]
    assert expected.shape == (len(encoded.tokens), 3)
    assert torch.allclose(port.logits(encoded, Context()), expected, atol=1e-5)
    assert PairClassifier not in model.ports


@pytest.mark.parametrize(("name", "ending"), cases(ANSWERS, SIMPLE))
def test_starts_and_ends_are_the_modules_own(made, name, ending):
    _, model, module = made(name, ending)
    port = model.port(SpanExtractor)
    encoded = model.encode(TEXT, PAIR)
    with torch.no_grad():
        expected = module(**encoded.inputs)
    found = port.logits(encoded, Context())
    assert torch.allclose(found.starts, expected.start_logits[0], atol=1e-5)
    assert torch.allclose(found.ends, expected.end_logits[0], atol=1e-5)
    assert found.impossible is None
    null = port.null(encoded)
    if name in {"gpt2", "t5"}:
        assert null is None
    else:
        assert encoded.tokens[null].id == model.tokenizer.cls_token_id


@pytest.mark.parametrize(("name", "ending"), cases(CHOICE, DOUBLE))
def test_scores_of_choices_are_the_modules_own_in_one_padded_batch(made, name, ending):
    _, model, module = made(name, ending)
    choices = [model.encode(TEXT, PAIR), model.encode(TEXT, "a dog"), model.encode(PAIR, TEXT)]
    longest = max(len(one.tokens) for one in choices)

    def batch(key, padding):
        rows = [one.inputs[key][0].tolist() for one in choices]
        return torch.tensor([[row + [padding] * (longest - len(row)) for row in rows]])

    inputs = {key: batch(key, 0) for key in choices[0].inputs}
    lengths = torch.tensor([[len(one.tokens) for one in choices]])
    mask = (torch.arange(longest) < lengths[..., None]).long()
    with torch.no_grad():
        if ending == DOUBLE:  # what stands behind the asked token is not seen
            said = module(**inputs, mc_token_ids=lengths - 1).mc_logits
        else:
            said = module(**inputs, attention_mask=mask).logits
    found = model.port(MultipleChoice).logits(choices, Context())
    assert found.shape == (3,)
    assert torch.allclose(found, said[0], atol=1e-5)
    assert PairClassifier not in model.ports
    # GPT's class keeps its next-token head beside it, which went on learning.
    assert (CausalLM in model.ports) == (ending == DOUBLE)


@pytest.mark.parametrize(("name", "ending"), cases(PAIRS))
def test_what_follows_what_is_the_modules_own(made, name, ending):
    _, model, module = made(name, ending)
    port = model.port(PairClassifier)
    assert port.judges_pairs
    assert port.labels[0] == ("right order" if name == "albert" else "is next")
    encoded = model.encode(TEXT, PAIR)
    with torch.no_grad():
        said = module(**encoded.inputs)
    expected = said.sop_logits if name == "albert" else said.seq_relationship_logits
    assert torch.allclose(port.logits(encoded, Context()), expected[0], atol=1e-5)


def test_xlms_beams_are_some_of_all_starts(made):
    """Its class follows the five best starts, and five ends of each."""
    import transformers

    folder = made("xlm", SIMPLE)[0].parent / "beam"
    write = sys.modules[f"{MODULE_PREFIX}bundled_xlm"].write
    write(tiny.families().family("xlm"), folder, "XLMForQuestionAnswering")
    model = tiny.load(folder)
    module = transformers.XLMForQuestionAnswering.from_pretrained(folder).eval()
    port = model.port(SpanExtractor)
    encoded = model.encode(TEXT, PAIR)
    found = port.logits(encoded, Context())
    judged = next(i for i, t in enumerate(encoded.tokens) if t.id == model.tokenizer.cls_token_id)
    with torch.no_grad():
        said = module(**encoded.inputs, cls_index=torch.tensor([judged]))
    starts = said.start_top_index[0]
    assert torch.allclose(found.starts.softmax(-1)[starts], said.start_top_log_probs[0], atol=1e-5)
    # transformers lays its ends out as ends x starts.
    shape = (module.config.end_n_top, module.config.start_n_top)
    chances, ends = said.end_top_log_probs.view(shape), said.end_top_index.view(shape)
    own = found.ends.softmax(-1)
    for column, start in enumerate(starts.tolist()):
        picked = own[start, ends[:, column]]
        assert torch.allclose(picked, chances[:, column], atol=1e-5)
    assert found.impossible == pytest.approx(float(said.cls_logits), abs=1e-5)
    assert port.null(encoded) is None
    half = port.of_copies(Query(encoded, (int(starts[0]),)), 2)
    assert torch.allclose(half[1, 1], found.ends[starts[0]], atol=1e-5)


@pytest.mark.parametrize(
    ("name", "ending", "port", "lost"),
    [
        ("bert", ANSWERS, SpanExtractor, "qa_outputs.bias"),
        ("roberta", TOKENS, TokenClassifier, "classifier.weight"),
        ("deberta-v3", CLASSES, PairClassifier, "pooler.dense.weight"),
        ("gpt2", CLASSES, PairClassifier, "score.weight"),
        ("t5", ANSWERS, SpanExtractor, "qa_outputs.weight"),
        ("mpnet", ANSWERS, SpanExtractor, "qa_outputs.bias"),
        ("bert", CHOICE, MultipleChoice, "classifier.weight"),
        ("roberta", CHOICE, MultipleChoice, "classifier.bias"),
        ("electra", CHOICE, MultipleChoice, "sequence_summary.summary.weight"),
        ("gpt1", DOUBLE, MultipleChoice, "multiple_choice_head.summary.weight"),
    ],
)
def test_a_head_that_lacks_a_tensor_never_answers(made, tmp_path, name, ending, port, lost):
    folder = made(name, ending)[0]
    copy = tiny.without(folder, tmp_path / folder.name, lost)
    model = tiny.load(copy)
    assert port not in model.ports
    assert lost in model.refused[port]


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2", "t5", "electra"])
def test_a_head_for_answers_is_all_that_its_class_has(made, name):
    """GPT-2's and T5's output matrix is tied, so that it seems to be in every checkpoint."""
    folder, model, _ = made(name, ANSWERS)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["architectures"][0].endswith(ANSWERS)
    assert Predictor not in model.ports
    assert model.refused[Predictor]
    assert [head.name for head in model.heads] == ["span_extractor"]
    assert (InputEmbeddings in model.ports) == (name != "t5")


def test_who_has_no_such_head_says_so():
    from tests.hf.kept import miniature

    model = miniature("bert-miniature")
    for port, words in (
        (SpanExtractor, "no answer span head"),
        (TokenClassifier, "no token classifier head"),
    ):
        assert words in model.refused[port]
