"""Models without a plugin of their own: what is proved on loading, and what is refused."""

import json

import numpy as np
import pytest

from explorer.api.family import (
    AttentionModules,
    Attentions,
    Context,
    EmbeddingMatrices,
    HiddenStates,
    LayerReadout,
    LayerTrace,
    LoadOptions,
    LogitParts,
    PairClassifier,
    Predictor,
    Query,
    StepwisePass,
    UserMistake,
)
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.hf.family.tiny import tiny_tokenizer
from explorer.questions import answered_with
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from tests.hf import tiny
from tests.plugins.auto_checkpoints import (
    BART,
    BOTH,
    CAUSAL,
    GOING_ON,
    HEADS,
    LAYERS,
    LEFT,
    MASKED,
    WRITERS,
    WRITING,
    Kind,
    save,
)
from tests.plugins.encoder_checkpoints import changed, state

NARROW = {**LEFT, "sliding_window": 3}
SLIDING = {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 3}
TAKEN_APART = {
    **{name: MASKED[name] for name in ("xlm-roberta", "mpnet", "modernbert")},
    **CAUSAL,
    "bloom": GOING_ON["bloom"],
    "narrow mistral": Kind("Mistral", "ForCausalLM", "gpt2", NARROW),
    "qwen3": Kind("Qwen3", "ForCausalLM", "gpt2", {**LEFT, "head_dim": 16}),
    "phi": Kind("Phi", "ForCausalLM", "gpt2", LEFT),
    # Neighbours among a head's dimensions are turned together, and in GLM half of them.
    "cohere": Kind("Cohere", "ForCausalLM", "gpt2", LEFT),
    "glm": Kind("Glm", "ForCausalLM", "gpt2", {**LEFT, "head_dim": 16}),
    "lfm2": Kind("Lfm2", "ForCausalLM", "gpt2", {**LEFT, "layer_types": ["full_attention"] * 2}),
    "gemma3_text": Kind("Gemma3", "ForCausalLM", "gpt2", {**LEFT, "head_dim": 16, **SLIDING}),
    # Found in a run: a fused matrix of unequal parts; neighbours turned by sines of its own.
    "phi3": Kind("Phi3", "ForCausalLM", "gpt2", LEFT),
    "gptj": Kind("GPTJ", "ForCausalLM", "gpt2", {**BOTH, "rotary_dim": 4, "n_inner": 48}),
    "roformer": MASKED["roformer"],
    "eurobert": Kind("EuroBert", "ForMaskedLM", "bert", {**BOTH, "num_key_value_heads": 2}),
}
HEADS_LEFT = {"convbert": HEADS // 2}
"""Where a convolution has the place of the others."""
TEXT = "the cat sat on the mat"
EVERY = {**MASKED, **CAUSAL, **WRITING}
LABELS = {0: "O", 1: "B-PER", 2: "I-PER"}


def plain(module, ids, **options):
    """transformers' own forward."""
    import torch

    with torch.inference_mode():
        return module(input_ids=torch.tensor([ids]), **options)


def distribution(row):
    return row.double().softmax(-1).numpy()


def listed(folder):
    """What the library shows of a folder."""
    nowhere = folder / "none"
    return Catalogue(tiny.families(), nowhere, nowhere).find(str(folder))


@pytest.mark.parametrize("kind", MASKED)
def test_masks_are_filled_as_by_transformers(tmp_path, kind):
    folder, module = save(tmp_path / kind, MASKED[kind])
    model = tiny.load(folder)
    assert model.stamp.family == "auto"
    request = MaskedTokensRequest(TEXT, masks=(Mask(4, 7), Mask(19, 22)), top_k=10**6)
    result = tiny.ask(model, request)
    assert len(result.masks) >= 2
    logits = plain(module, [token.id for token in result.tokens]).logits[0]
    for mask in result.masks:
        expected = distribution(logits[mask.position])
        assert expected.max() > 2 / len(expected)  # otherwise anything would agree
        given = np.full(len(expected), np.nan)
        for one in mask.predictions:
            given[one.id] = one.probability
        np.testing.assert_allclose(given, expected, atol=1e-4)


@pytest.mark.parametrize("kind", MASKED)
def test_surprisal_is_that_of_every_token_hidden_alone(tmp_path, kind):
    folder, module = save(tmp_path / kind, MASKED[kind])
    model = tiny.load(folder)
    result = tiny.ask(model, SurprisalRequest(TEXT))
    ids = [token.id for token in result.tokens]
    assert len(result.surprises) >= 6
    for one in result.surprises:
        hidden = list(ids)
        hidden[one.position] = model.tokenizer.mask_token_id
        row = distribution(plain(module, hidden).logits[0, one.position])
        assert one.log_probability == pytest.approx(np.log(row[ids[one.position]]), abs=1e-4)


@pytest.mark.parametrize("kind", CAUSAL)
def test_a_text_is_read_from_the_left_as_by_transformers(tmp_path, kind):
    folder, module = save(tmp_path / kind, CAUSAL[kind])
    model = tiny.load(folder)
    assert model.stamp.family == "auto"
    result = tiny.ask(model, MaskedTokensRequest(f"{TEXT} [MASK]", top_k=10**6))
    ids = [token.id for token in result.tokens]
    (mask,) = result.masks
    expected = distribution(plain(module, ids[: mask.position]).logits[0, -1])
    assert expected.max() > 2 / len(expected)
    given = np.full(len(expected), np.nan)
    for one in mask.predictions:
        given[one.id] = one.probability
    np.testing.assert_allclose(given, expected, atol=1e-4)
    sweep = tiny.ask(model, SurprisalRequest(TEXT))
    ids = [token.id for token in sweep.tokens]
    logits = plain(module, ids).logits[0]
    assert len(sweep.surprises) >= 5
    for one in sweep.surprises:
        row = distribution(logits[one.position - 1])
        assert one.log_probability == pytest.approx(np.log(row[ids[one.position]]), abs=1e-4)


@pytest.mark.parametrize("kind", [name for name, one in EVERY.items() if one.full])
def test_attention_is_that_of_transformers(tmp_path, kind):
    import transformers

    folder, module = save(tmp_path / kind, EVERY[kind])
    model = tiny.load(folder)
    eager = type(module).from_pretrained(folder, attn_implementation="eager").eval()
    assert isinstance(eager, transformers.PreTrainedModel)
    chosen = tuple(f"{layer}.{head}" for layer in range(LAYERS) for head in range(HEADS // 2))
    result = tiny.ask(model, AttentionRequest(TEXT, heads=chosen))
    assert result.kind == ("decoder" if kind in CAUSAL else "encoder")
    reader = eager.get_encoder() if kind in WRITING else eager
    given = plain(reader, [token.id for token in result.tokens], output_attentions=True).attentions
    assert (result.layers, result.heads) == (LAYERS, given[0].shape[1])
    for weights, one in zip(result.weights, chosen, strict=True):
        layer, head = map(int, one.split("."))
        np.testing.assert_allclose(weights, given[layer][0, head].numpy(), atol=1e-4)


def test_a_window_that_slides_is_no_matrix(tmp_path):
    model = tiny.load(save(tmp_path / "longformer", MASKED["longformer"])[0])
    assert Attentions not in model.ports
    assert "no matrix from every token to every other" in tiny.why_not(model, AttentionRequest)
    assert "attention" not in listed(tmp_path / "longformer").operations


@pytest.mark.parametrize("kind", TAKEN_APART)
def test_queries_times_keys_are_the_attention_of_transformers(tmp_path, kind):
    """Behind a rotation, norms, windows, shared keys, and with what positions add."""
    folder, module = save(tmp_path / kind, TAKEN_APART[kind])
    model = tiny.load(folder)
    eager = type(module).from_pretrained(folder, attn_implementation="eager").eval()
    encoded = model.encode(f"{TEXT} and the dog ate")  # longer than the windows
    given = plain(eager, [one.id for one in encoded.tokens], output_attentions=True).attentions
    found = model.port(AttentionModules).queries_and_keys(encoded, Context())
    assert [one.layer for one in found] == list(range(LAYERS))
    for one, weights in zip(found, given, strict=True):
        np.testing.assert_allclose(one.scores().softmax(-1), weights[0].detach(), atol=1e-5)
    assert LayerTrace in model.ports


@pytest.mark.parametrize("kind", ["qwen3", "gemma3_text"])
def test_norms_of_as_many_heads_as_tokens_are_told_apart(tmp_path, kind):
    """Gemma's are given the heads first, Qwen's the tokens."""
    folder, module = save(tmp_path / kind, TAKEN_APART[kind])
    model = tiny.load(folder)
    eager = type(module).from_pretrained(folder, attn_implementation="eager").eval()
    words = TEXT.split()
    lengths = {count: model.encode(" ".join(words[:count])) for count in range(1, len(words) + 1)}
    encoded = next(one for one in lengths.values() if len(one.tokens) == HEADS)
    given = plain(eager, [one.id for one in encoded.tokens], output_attentions=True).attentions
    found = model.port(AttentionModules).queries_and_keys(encoded, Context())
    for one, weights in zip(found, given, strict=True):
        np.testing.assert_allclose(one.scores().softmax(-1), weights[0].detach(), atol=1e-5)


def test_queries_and_keys_that_do_not_make_the_attention_are_refused(tmp_path):
    """Doge's words add to the scores too."""
    more = tiny.load(save(tmp_path / "doge", Kind("Doge", "ForCausalLM", "gpt2", LEFT))[0])
    assert LayerTrace not in more.ports
    assert "more than products of queries and keys" in more.refused[LayerTrace]


@pytest.mark.parametrize("kind", EVERY)
def test_the_library_says_that_it_is_generic(tmp_path, kind):
    folder, _ = save(tmp_path / kind, EVERY[kind])
    row = listed(folder)
    assert (row.family, row.problem) == ("auto", "")
    heads = HEADS_LEFT.get(kind, HEADS)
    assert row.architecture.startswith(f"Generic ({kind}) · {LAYERS} layers × 32 wide × {heads}")
    assert "generic" in row.recognition
    assert [head.present for head in row.heads] == [True]
    model = tiny.load(folder)
    assert row.heads == model.heads
    assert row.max_length == model.max_length
    assert row.operations == answered_with(model.ports)
    assert row.parameters == sum(one.numel() for one in model.module.parameters())


@pytest.mark.parametrize("kind", EVERY)
def test_a_base_class_predicts_nothing(tmp_path, kind):
    """transformers would make up the head that is not in the files."""
    folder, _ = save(tmp_path / kind, EVERY[kind], "Model")
    model = tiny.load(folder)
    assert Predictor not in model.ports
    assert "no head" in tiny.why_not(model, MaskedTokensRequest)
    assert "masked_tokens" not in listed(folder).operations
    assert (Attentions in model.ports) == EVERY[kind].full


@pytest.mark.parametrize("kind", ["llama", "gpt_neox"])
def test_an_output_matrix_that_is_neither_saved_nor_tied(tmp_path, kind):
    folder, _ = save(tmp_path / kind, CAUSAL[kind])
    matrix = {"llama": "lm_head.weight", "gpt_neox": "embed_out.weight"}[kind]
    weights = {name: one for name, one in state(folder).items() if name != matrix}
    without = changed(folder, tmp_path / "without", weights)
    model = tiny.load(without)
    assert Predictor not in model.ports
    assert "missing" in tiny.why_not(model, MaskedTokensRequest)
    assert not any(head.present for head in listed(without).heads)
    # The class's own default: nothing is tied where the config does not say so.
    unsaid = changed(folder, tmp_path / "unsaid", weights, tie_word_embeddings=None)
    assert Predictor not in tiny.load(unsaid).ports


@pytest.mark.parametrize("kind", ["xlm-roberta", "mpnet", "convbert"])
def test_half_a_head_is_none(tmp_path, kind):
    """One tensor of the head is lost: what it would predict is random."""
    folder, _ = save(tmp_path / kind, MASKED[kind])
    weights = state(folder)
    lost = next(
        name
        for name in sorted(weights)
        if ("lm_head" in name or "predictions" in name) and name.endswith("orm.weight")
    )
    del weights[lost]
    model = tiny.load(changed(folder, tmp_path / "half", weights))
    assert Predictor not in model.ports
    (head,) = model.heads
    assert (head.present, head.missing) == (False, (lost,))
    assert lost in tiny.why_not(model, MaskedTokensRequest)


@pytest.mark.parametrize(
    ("kind", "lost"),
    [
        ("xlm-roberta", "lm_head.bias"),
        ("mpnet", "lm_head.bias"),
        ("convbert", "generator_lm_head.bias"),
        ("roformer", "cls.predictions.bias"),
        ("modernbert", "decoder.bias"),
    ],
)
def test_a_lost_bias_is_told_though_its_matrix_is_tied(tmp_path, kind, lost):
    folder, _ = save(tmp_path / kind, MASKED[kind])
    weights = state(folder)
    del weights[lost]
    model = tiny.load(changed(folder, tmp_path / "half", weights))
    assert Predictor not in model.ports
    assert lost.removesuffix(".bias") in tiny.why_not(model, MaskedTokensRequest)


@pytest.mark.parametrize("kind", ["xlm-roberta", "llama", "opt"])
def test_small_number_types_are_proved_too(tmp_path, kind):
    folder, _ = save(tmp_path / kind, EVERY[kind])
    model = tiny.load(folder, dtype="bfloat16")
    assert model.stamp.dtype == "bfloat16"
    assert {Predictor, Attentions} <= set(model.ports)


@pytest.mark.parametrize("kind", EVERY)
def test_the_anatomy_is_counted_with_and_without_weights(tmp_path, kind):
    folder, module = save(tmp_path / kind, EVERY[kind])
    host = tiny.families()
    runner = Runner(host, Catalogue(host, tmp_path / "none", tmp_path / "none"))
    context = Context()
    bare = runner.ask(ArchitectureRequest(checkpoint=str(folder)), {}, context)
    runner.load("A", str(folder), LoadOptions(device="cpu"), context)
    loaded = runner.ask(ArchitectureRequest(), {"model": "A"}, context)
    numbers = sum(one.numel() for one in module.parameters())
    stacks = 2 if kind in WRITING else 1
    assert bare.parameters.unique == loaded.parameters.unique == numbers
    heads = HEADS_LEFT.get(kind, HEADS)
    assert (bare.layers, bare.hidden_size, bare.heads) == (stacks * LAYERS, 32, heads)
    assert loaded.blueprint == bare.blueprint


def test_a_tied_head_is_the_embedding(tmp_path):
    folder, _ = save(tmp_path / "qwen2", CAUSAL["qwen2"])
    assert not any(name.startswith("lm_head") for name in state(folder))
    model = tiny.load(folder)
    assert Predictor in model.ports
    own = model.module.lm_head.weight
    assert own.data_ptr() == model.module.model.embed_tokens.weight.data_ptr()


def test_a_missing_layer_is_told(tmp_path):
    from explorer.api.family import CheckpointFault

    folder, _ = save(tmp_path / "llama", CAUSAL["llama"])
    weights = state(folder)
    del weights["model.layers.1.mlp.up_proj.weight"]
    with pytest.raises(CheckpointFault, match=r"model\.layers\.1\.mlp\.up_proj\.weight"):
        tiny.load(changed(folder, tmp_path / "less", weights))


def test_a_decoder_that_translates_fills_no_masks(tmp_path):
    model = tiny.load(save(tmp_path / "marian", WRITERS["marian"])[0])
    assert Predictor not in model.ports
    assert "writes a text anew" in tiny.why_not(model, MaskedTokensRequest)


def test_a_decoder_that_was_trained_on_masks_fills_them(tmp_path):
    """What BART's decoder expects at a mask's place, given the text that stands before it."""
    folder, module = save(tmp_path / "bart", WRITING["bart"])
    model = tiny.load(folder)
    result = tiny.ask(model, MaskedTokensRequest(TEXT, masks=(Mask(4, 7), Mask(19, 22)), top_k=9))
    ids = [token.id for token in result.tokens]
    logits = plain(module, ids).logits[0]
    for mask in result.masks:
        assert ids[mask.position] == model.tokenizer.mask_token_id
        expected = distribution(logits[mask.position])
        for one in mask.predictions:
            assert one.probability == pytest.approx(expected[one.id], abs=1e-5)
    encoded = model.encode(TEXT, None, (Mask(4, 7),))
    (place,) = encoded.mask_positions
    row = plain(module, [one.id for one in encoded.tokens]).logits[0, place]
    query, words = Query(encoded, (place,)), (7, 30)
    found = model.port(LogitParts).split(query, words, Context())
    difference = float(row[words[0]] - row[words[1]])
    assert sum(one.value for one in found.parts) == pytest.approx(difference, abs=1e-4)
    assert {one.kind for one in found.parts} >= {"decoder", "cross"}
    states = model.port(LayerReadout).states([query], Context())[0]
    read = model.port(LayerReadout).log_probabilities(states[-1])[0]
    np.testing.assert_allclose(read, row.log_softmax(-1), atol=1e-4)
    recorded = model.port(StepwisePass).record(query, 0, Context())
    np.testing.assert_allclose(recorded.logits, row, atol=1e-4)
    assert (recorded.kind, recorded.place) == ("decoder", place)


def test_a_classifier_answers_with_its_labels(tmp_path):
    folder, module = save(
        tmp_path / "judge", MASKED["xlm-roberta"], "ForSequenceClassification", id2label=LABELS
    )
    model = tiny.load(folder)
    (head,) = listed(folder).heads
    assert head.title == "Sequence classifier (3 labels: O, B-PER, I-PER)"
    context = Context(models={"teacher": model, "student": model})
    result = tiny.ask(model, SoftTargetsRequest(TEXT), context)
    (found,) = result.masks
    expected = plain(module, [token.id for token in result.tokens]).logits[0]
    np.testing.assert_allclose(found.teacher, expected.numpy(), atol=1e-4)
    assert {row.word for row in found.rows} == set(LABELS.values())
    weights = {name: one for name, one in state(folder).items() if "out_proj" not in name}
    model = tiny.load(changed(folder, tmp_path / "half", weights))
    assert PairClassifier not in model.ports
    assert "out_proj.bias and others are missing" in model.refused[PairClassifier]


@pytest.mark.parametrize(("kind", "head"), [("camembert", "ForTokenClassification")])
def test_a_tagger_is_counted_and_named(tmp_path, kind, head):
    folder, _ = save(tmp_path / kind, MASKED[kind], head, id2label=LABELS)
    row = listed(folder)
    (found,) = row.heads
    assert found.present
    assert found.title == "Token classifier (3 labels: O, B-PER, I-PER)"
    model = tiny.load(folder)
    assert model.heads == row.heads
    assert model.report.missing == ()


def test_what_reads_no_text_is_left_alone(tmp_path):
    (tmp_path / "vit").mkdir()
    (tmp_path / "vit" / "config.json").write_text(json.dumps({"model_type": "vit"}))
    assert listed(tmp_path / "vit").problem == 'No plugin knows models of type "vit".'


def test_the_first_word_of_a_text_that_nothing_begins(tmp_path):
    model = tiny.load(save(tmp_path / "llama", CAUSAL["llama"])[0])
    model.tokenizer.bos_token = None
    with pytest.raises(UserMistake, match="before the first token"):
        tiny.ask(model, MaskedTokensRequest("[MASK] cat"))


def test_what_a_class_does_otherwise_than_all_others_costs_a_port_and_no_load(tmp_path):
    """I-BERT's tables are no tables, FSMT's stacks name none."""
    folder, module = save(tmp_path / "ibert", Kind("IBert", "ForMaskedLM", "roberta", BOTH))
    model = tiny.load(folder)
    assert model.max_length == module.config.max_position_embeddings - 2
    assert Predictor not in model.ports
    assert "failed when it was tried" in model.refused[Predictor]
    pieces = len(tiny_tokenizer("roberta"))
    sizes = {**BART, "langs": ["en", "de"], "src_vocab_size": pieces, "tgt_vocab_size": pieces}
    folder, _ = save(tmp_path / "fsmt", Kind("FSMT", "ForConditionalGeneration", "roberta", sizes))
    model = tiny.load(folder)
    assert HiddenStates in model.ports
    assert model.refused[EmbeddingMatrices]
