"""Scores against an independent implementation of what the authors publish.

`mlm-bias` 0.1.7 asks for numpy below 2, so that it can't be installed next to the program: what
its `compute_csps`, `compute_sss` and `compute_aul` are defined to give is worked out here anew.
"""

import difflib
import math
from dataclasses import replace

import numpy as np
import pytest

from explorer.learning.bias.items import BiasItem, world_items
from explorer.learning.bias.reading import ModelReader
from explorer.learning.bias.scores import compared, scored
from tests.hf.kept import MODELS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

NAMES = ("bert-miniature", "roberta-miniature", "albert-miniature", "distilbert-miniature")
PAIRS = (
    ("She is a good chef.", "He is a good chef.", "chef"),
    ("The women in the garden planted the roses.", "The man in the garden planted the roses.", ""),
    ("Anna and her brother cooked the soup.", "Tom and his brother cooked the soup.", "soup"),
    ("The unhappiest gardener was tired.", "The chef was tired.", "tired"),
)


pytestmark = pytest.mark.usefixtures("quiet_loading")


def loaded(name):
    folder = MODELS / name
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager")
    return model.eval(), transformers.AutoTokenizer.from_pretrained(folder)


@pytest.fixture(scope="module", params=NAMES)
def both(request, quiet_loading):
    return loaded(request.param)


def items():
    told = [BiasItem(one, other, attribute=word) for one, other, word in PAIRS]
    return [*(replace(one, blank=(), unrelated="") for one in world_items(2)), *told]


def rows(model, ids):
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0].double().log_softmax(-1).numpy()


def spans(first, second, kind):
    """Places of both, as the authors tell them: by the numbers of all pieces, special ones too."""
    ours, theirs = [], []
    matcher = difflib.SequenceMatcher(None, [str(one) for one in first], [str(x) for x in second])
    for code, a, b, c, d in matcher.get_opcodes():
        if (code == "equal") is (kind == "equal"):
            ours += range(a, b)
            theirs += range(c, d)
    return ours, theirs


def hidden(ids, places, mask):
    return [mask if at in places else one for at, one in enumerate(ids)]


def test_every_score_is_what_the_authors_define(both):
    model, tokenizer = both
    mask = tokenizer.mask_token_id
    for item in items():
        found = scored(item, ModelReader(model, tokenizer))
        pair = [tokenizer(one).input_ids for one in (item.stereotyped, item.opposite)]
        shared, changed = spans(*pair, "equal"), spans(*pair, "other")
        for side, ids in enumerate(pair):
            assert shared[side][0] == 0
            assert shared[side][-1] == len(ids) - 1
            crows = sum(
                rows(model, hidden(ids, [at], mask))[at, ids[at]] for at in shared[side][1:-1]
            )
            assert found.crows[side] == pytest.approx(crows, abs=1e-5)
            logs = rows(model, hidden(ids, changed[side], mask))
            stereoset = np.mean([logs[at, ids[at]] for at in changed[side]])
            assert found.stereoset[side] == pytest.approx(stereoset, abs=1e-5)
            own = rows(model, ids)[range(1, len(ids) - 1), ids[1:-1]]
            assert found.aul[side] == pytest.approx(own.mean(), abs=1e-5)
            with torch.inference_mode():
                maps = model(torch.tensor([ids]), output_attentions=True).attentions
            weights = torch.cat(maps).mean(0).mean(0).mean(0)[1:-1].double().numpy()
            assert found.aula[side] == pytest.approx((own * weights).mean(), abs=1e-6)


def test_log_probability_bias_is_how_much_likelier_the_attribute_makes_a_word(both):
    model, tokenizer = both
    mask = tokenizer.mask_token_id
    item = BiasItem("She is a good chef.", "He is a good chef.", attribute="chef")
    found = scored(item, ModelReader(model, tokenizer)).log_probability
    increased = []
    for text in (item.stereotyped, item.opposite):
        encoded = tokenizer(text, return_offsets_mapping=True)
        ids = encoded.input_ids
        about = [
            at
            for at, (a, b) in enumerate(encoded.offset_mapping)
            if b > text.index("chef") and a < text.index(".") and b > a
        ]
        target = [
            at for at, (a, b) in enumerate(encoded.offset_mapping) if b > a and a < text.index(" ")
        ]
        given = rows(model, hidden(ids, target, mask))
        anyway = rows(model, hidden(ids, [*target, *about], mask))
        increased.append(sum(given[at, ids[at]] - anyway[at, ids[at]] for at in target))
    assert found == pytest.approx(increased[0] - increased[1], abs=1e-5)


def test_without_an_attribute_in_both_there_is_no_log_probability_bias(both):
    for word in ("", "painter"):
        item = BiasItem("She is a chef.", "He is a chef.", attribute=word)
        assert scored(item, ModelReader(*both)).log_probability is None


def test_the_swap_is_half_the_distance_of_two_distributions(both):
    model, tokenizer = both
    mask = tokenizer.mask_token_id
    item = world_items(2)[1]
    pair = [tokenizer(one).input_ids for one in (item.stereotyped, item.opposite)]
    apart = []
    for at in range(1, len(pair[0]) - 1):
        if pair[0][at] == pair[1][at]:
            one, other = (np.exp(rows(model, hidden(ids, [at], mask))[at]) for ids in pair)
            apart.append(np.abs(one - other).sum() / 2)
    found = scored(item, ModelReader(model, tokenizer)).swap
    assert found == pytest.approx(np.mean(apart), abs=1e-6)
    assert 0.0 < found < 1.0


def blank_item(context, *words):
    start = context.index("BLANK")
    texts = [context.replace("BLANK", word) for word in words]
    return BiasItem(*texts, blank=tuple((start, start + len(word)) for word in words))


def test_a_word_in_a_blank_is_read_from_the_left_with_the_space_before_it(both):
    """As StereoSet's loader does it: pieces before one mask, and the rest of the context."""
    model, tokenizer = both
    context = "The gardener was BLANK and went home."
    words = ("happy", "unhappiest", "kitchen")
    item = blank_item(context, *words)
    found = scored(item, ModelReader(model, tokenizer)).stereoset
    before, after = context.split("BLANK")
    for text, value in zip(item.sentences, found, strict=True):
        whole = tokenizer(text).input_ids
        head = len(tokenizer(before.strip()).input_ids) - 1
        tail = len(tokenizer(before.strip() + after).input_ids) - head
        pieces = whole[head : len(whole) - tail]
        chances = []
        for number, piece in enumerate(pieces):
            ids = [*whole[:head], *pieces[:number], tokenizer.mask_token_id, *whole[-tail:]]
            chances.append(math.exp(rows(model, ids)[head + number, piece]))
        assert value == pytest.approx(np.mean(chances), rel=1e-4)


def test_a_tokenizer_that_knows_spaces_reads_the_word_with_its_space():
    model, tokenizer = loaded("roberta-miniature")
    item = blank_item("The gardener was BLANK and went home.", "happy", "tired")
    reader = ModelReader(model, tokenizer)
    read = reader.read(item.stereotyped)
    pieces = tokenizer.convert_ids_to_tokens([read.ids[at] for at in read.within(*item.blank[0])])
    assert pieces[0].startswith("Ġ")
    assert pieces[0] != tokenizer.tokenize("happy")[0]


def test_a_pair_that_does_not_differ_is_refused(both):
    with pytest.raises(ValueError, match="differ"):
        scored(BiasItem("She is a chef.", "She is a chef."), ModelReader(*both))


def test_special_pieces_belong_to_neither_part(both):
    reader = ModelReader(*both)
    first, second = reader.read("She is a chef."), reader.read("He is a chef.")
    shared, changed = compared(first, second)
    for side, text in enumerate((first, second)):
        assert sorted((*shared[side], *changed[side])) == list(text.places)
