"""Neurons against plain hooks, brute force and hand-made numbers."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import (
    Cancelled,
    Context,
    HiddenStates,
    LayerReadout,
    Mask,
    Neurons,
    Unavailable,
    UnitKind,
    UserMistake,
    tokens_at,
)
from explorer.hf.kept import forget
from explorer.questions.layers.neurons import compute
from explorer.questions.layers.neurons.compute import run
from explorer.questions.layers.neurons.layer_read import read_layer
from explorer.questions.layers.neurons.question import SENTENCES, NeuronsRequest
from explorer.questions.layers.neurons.texts import texts_of
from explorer.questions.layers.probe import regression
from explorer.questions.layers.probe.splits import splits_of
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

BERT = "bert-miniature"
FEW = 60


def nothing():
    """No check."""


def ask(model, **options):
    options.setdefault("texts", FEW)
    return run(model, NeuronsRequest(**options), Context())


def by_hooks(model, texts, layer):
    """What goes into BERT's last matrix at every token: three lines of torch."""
    seen = []
    dense = model.module.bert.encoder.layer[layer].output.dense
    handle = dense.register_forward_pre_hook(lambda _, x: seen.append(x[0][0].clone()))
    try:
        with torch.inference_mode():
            for text in texts:
                model.module.bert(**model.encode(text).inputs)
    finally:
        handle.remove()
    return seen


def test_the_strongest_texts_are_those_of_brute_force():
    model = miniature(BERT)
    request = NeuronsRequest(layer=2, number=31, texts=FEW)
    result = ask(model, layer=2, number=31)
    texts = [one.text for one in texts_of(request, nothing)]
    peaks = []
    for text, values in zip(texts, by_hooks(model, texts, 2), strict=True):
        tokens = model.encode(text).tokens
        own = [float(values[n, 31]) for n, one in enumerate(tokens) if not one.special]
        peaks.append(max(own))
    order = sorted(range(len(texts)), key=lambda n: -peaks[n])[:8]
    assert [one.text for one in result.strongest] == [texts[n] for n in order]
    for one, n in zip(result.strongest, order, strict=True):
        assert float(one.values[one.position]) == pytest.approx(peaks[n], abs=1e-4)
        (again,) = by_hooks(model, [one.text], 2)
        assert one.values == pytest.approx(again[:, 31].numpy(), abs=1e-4)


def f1_by_hand(said, true):
    hits = sum(a and b for a, b in zip(said, true, strict=True))
    wrong = sum(a and not b for a, b in zip(said, true, strict=True))
    missed = sum(b and not a for a, b in zip(said, true, strict=True))
    return 2 * hits / (2 * hits + wrong + missed) if hits else 0.0


def test_f1_is_what_counting_by_hand_gives():
    model = miniature(BERT)
    request = NeuronsRequest(layer=2, texts=FEW)
    result = ask(model, layer=2)
    texts = texts_of(request, nothing)
    values, states, words, owners = [], [], [], []
    for number, (text, active) in enumerate(
        zip(texts, by_hooks(model, [one.text for one in texts], 2), strict=True)
    ):
        encoded = model.encode(text.text)
        (rows,) = model.port(HiddenStates).states([encoded], Context())
        for word in text.words:
            place = tokens_at(encoded.tokens, word.start, word.end)[0]
            values.append(active[place].numpy())
            states.append(rows[3, place].numpy())
            words.append(word)
            owners.append(number)
    values, states = np.array(values), np.array(states, dtype=np.float64)
    split = splits_of(words, np.array(owners), (0,), 0.5)[0]
    assert not {words[n].sentence for n in split.train} & {words[n].sentence for n in split.test}
    for found in result.best:
        true = np.array([word.label == found.label for word in words])
        # No other neuron and no other threshold does better where they are chosen.
        best = max(
            f1_by_hand(values[split.train, found.number] >= threshold, true[split.train])
            for threshold in values[split.train, found.number]
        )
        own = values[split.train, found.number] >= found.threshold - 1e-5
        assert f1_by_hand(own, true[split.train]) == pytest.approx(best, abs=0.02)
        for other in (3, 77, 300):
            rival = max(
                f1_by_hand(values[split.train, other] >= threshold, true[split.train])
                for threshold in values[split.train, other][::5]
            )
            assert rival <= best + 1e-9
        said = values[split.test, found.number] >= found.threshold - 1e-5
        assert found.f1 == pytest.approx(f1_by_hand(said, true[split.test]), abs=0.02)
        assert found.tested == true[split.test].sum()
        assert found.low <= found.f1 <= found.high
        share = true[split.test].mean()
        assert found.always == pytest.approx(f1_by_hand([True] * len(split.test), true[split.test]))
        assert found.always == pytest.approx(2 * share / (1 + share))
    # The probe, by the regression alone.
    labels = ["", *(one.label for one in result.best)]
    classes = np.array([labels.index(word.label) for word in words])
    mean, deviation = states[split.train].mean(0), states[split.train].std(0)
    features = (states - mean) / deviation
    weights = regression.fit(features[split.train], classes[split.train], len(labels))
    said = regression.scores(features[split.test], weights).argmax(axis=1)
    for number, found in enumerate(result.best, start=1):
        own = f1_by_hand(said == number, classes[split.test] == number)
        assert found.probe == pytest.approx(own, abs=0.02)


def test_the_best_of_all_is_taken_where_none_is_named():
    model = miniature(BERT)
    result = ask(model, layer=2)
    read = read_layer(model, NeuronsRequest(layer=2, texts=FEW), Context())
    assert read.scored.scores[:, result.number].max() == read.scored.scores.max()
    assert result.own == next(one for one in result.best if one.number == result.number)
    assert result.units == 512
    assert result.own.f1 > result.own.always


def test_what_it_writes_is_what_the_head_reads_in_its_column():
    model = miniature(BERT)
    result = ask(model, layer=1, number=5)
    column = model.module.bert.encoder.layer[1].output.dense.weight[:, 5]
    with torch.no_grad():
        rows = model.module.cls.predictions(column[None, None]).softmax(-1)[0, 0]
    rows[model.tokenizer.all_special_ids] = 0
    top = rows.topk(10)
    tokens = model.tokenizer.convert_ids_to_tokens(top.indices.tolist())
    assert [one.word for one in result.writes] == [token.removeprefix("##") for token in tokens]
    assert [one.value for one in result.writes] == pytest.approx(top.values.tolist(), abs=1e-5)


def test_what_it_looks_for_is_a_product_with_the_embeddings():
    model = miniature(BERT)
    result = ask(model, layer=1, number=5)
    wanted = model.module.bert.encoder.layer[1].intermediate.dense.weight[5]
    products = (model.module.bert.embeddings.word_embeddings.weight @ wanted).detach()
    products[model.tokenizer.all_special_ids] = -1e9
    assert [one.value for one in result.reads] == pytest.approx(
        products.topk(10).values.tolist(), abs=1e-4
    )


@pytest.mark.parametrize("factor", [0.0, 2.0])
def test_a_neuron_scaled_is_its_column_scaled(factor):
    model = miniature(BERT)
    text = "The chef cooked the meal in the [MASK]."
    number = ask(model, layer=2).number
    result = ask(model, layer=2, number=number, text=text)
    changes = result.off if factor == 0 else result.twice
    dense = model.module.bert.encoder.layer[2].output.dense
    encoded = model.encode(text)
    (place,) = encoded.mask_positions
    plain = dense.weight
    scaled = plain.detach().clone()
    scaled[:, number] *= factor
    try:
        dense.weight = torch.nn.Parameter(scaled, requires_grad=False)
        with torch.inference_mode():
            rows = model.module(**encoded.inputs).prediction_logits[0, place].softmax(-1)
    finally:
        dense.weight = plain
    (mask,) = changes.masks
    for word in mask.words:
        assert word.after == pytest.approx(float(rows[word.id]), abs=1e-5)
    assert any(abs(word.change) > 1e-4 for word in mask.words)


def test_nothing_masked_or_nothing_typed_changes_nothing():
    model = miniature(BERT)
    for text in ("", "The chef cooked."):
        result = ask(model, layer=1, number=3, text=text)
        assert result.off is None
        assert result.twice is None
    masked = ask(model, layer=1, number=3, text="The chef cooked.", masks=(Mask(4, 8),))
    assert masked.off.masks[0].position == 2


def test_a_head_is_active_by_the_length_of_what_it_adds():
    model = miniature(BERT)
    result = ask(model, layer=1, unit="head", number=2)
    first = result.strongest[0]
    module = model.module.bert.encoder.layer[1].attention.output.dense
    seen = []
    handle = module.register_forward_pre_hook(lambda _, x: seen.append(x[0][0].clone()))
    try:
        with torch.inference_mode():
            model.module.bert(**model.encode(first.text).inputs)
    finally:
        handle.remove()
    width = model.module.config.hidden_size // model.module.config.num_attention_heads
    own = slice(2 * width, 3 * width)
    added = seen[0].clone()[:, own] @ module.weight.detach()[:, own].T
    assert first.values == pytest.approx(added.norm(dim=-1).numpy(), abs=1e-4)
    rows = model.port(LayerReadout).log_probabilities(added[first.position][None])[0].clone()
    rows[model.tokenizer.all_special_ids] = -1e9
    assert result.writes[0].value == pytest.approx(float(rows.exp().max()), abs=1e-5)
    assert not result.reads
    assert result.reads_why


@pytest.mark.parametrize(
    ("name", "reads", "writes"),
    [
        ("gpt2-miniature", True, True),
        ("t5-miniature", True, False),
        ("albert-miniature", False, True),
        ("mobilebert-miniature", False, False),
        ("electra-miniature-discriminator", True, False),
        ("deberta-v3-miniature", True, False),
    ],
)
def test_every_family_answers_or_says_why(name, reads, writes):
    result = ask(miniature(name), layer=1, texts=30)
    assert len(result.strongest) == 8
    assert result.best
    assert bool(result.reads) == reads
    assert bool(result.writes) == writes
    assert bool(result.reads_why) != reads
    assert bool(result.writes_why) != writes


def test_sentences_of_a_file_and_of_a_folder_have_no_labels(tmp_path):
    (tmp_path / "b.txt").write_text("The chef cooked the meal.\nThe chef cooked the meal.\n")
    (tmp_path / "a.txt").write_text("Anna used a tray.\n")
    (tmp_path / "c.pdf").write_text("no text")
    model = miniature(BERT)
    result = ask(model, layer=2, label=SENTENCES, path=str(tmp_path))
    assert result.texts == 2
    assert {one.text for one in result.strongest} == {
        "Anna used a tray.",
        "The chef cooked the meal.",
    }
    assert result.own is None
    assert not result.best
    one = ask(model, layer=2, label=SENTENCES, path=str(tmp_path / "a.txt"))
    assert one.texts == 1
    assert one.source == "a.txt"
    (tmp_path / "a.txt").write_text("A tray was used.\nAnna slept.\n")
    assert ask(model, layer=2, label=SENTENCES, path=str(tmp_path / "a.txt")).texts == 2
    with pytest.raises(UserMistake, match="no file"):
        ask(model, layer=2, label=SENTENCES)


def test_labels_of_a_file(tmp_path):
    path = tmp_path / "words.tsv"
    nouns = ["chef", "cook", "dog", "cat", "baker", "girl", "boy", "man", "king", "queen", "duke"]
    sentences = [f"the\tX\n{noun}\tNOUN\nslept\tVERB\n" for noun in nouns]
    path.write_text("\n".join(sentences))
    result = ask(miniature(BERT), layer=1, label="file", path=str(path))
    assert result.counted == 33
    assert {one.label for one in result.best} <= {"X", "NOUN", "VERB"}


def test_what_is_not_there_is_refused():
    model = miniature(BERT)
    for layer, number in ((9, 0), (0, 512)):
        with pytest.raises(UserMistake, match="There is no"):
            ask(model, layer=layer, number=number)
    heads = model.port(Neurons).only({UnitKind.HEAD})
    without = replace(model, ports={**model.ports, Neurons: heads})
    with pytest.raises(Unavailable, match="neurons can't be told apart"):
        ask(without, layer=0)


def test_it_stops_when_it_is_cancelled():
    forget()
    asked = 0

    def is_cancelled():
        nonlocal asked
        asked += 1
        return asked > 40

    with pytest.raises(Cancelled):
        run(miniature(BERT), NeuronsRequest(layer=1), Context(is_cancelled=is_cancelled))


def test_another_neuron_of_the_layer_reads_no_texts_again(monkeypatch):
    model = miniature(BERT)
    ask(model, layer=3)
    monkeypatch.setattr(compute, "read_layer", lambda *_: pytest.fail("read again"))
    assert ask(model, layer=3, number=12).number == 12
