"""What is drawn: each family's own trait is in its picture."""

import json

import pytest

from explorer.architecture.shapes import Fork, Repeat, Shape
from explorer.architecture.sketch import sketch_of
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths


@pytest.fixture(scope="module")
def host():
    return PluginHost(Paths.standard().bundled_plugins, entry_points=False)


def blueprint_of(host, name):
    family, one = next((f, p) for f, p in host.published if p.id == name)
    return host.family(family).blueprint(one.config, one.heads)


def shapes(column):
    """Every shape of a column, those of layers and of forks too."""
    for item in column.items:
        if isinstance(item, Shape):
            yield item
        elif isinstance(item, Repeat):
            yield from (inner for inner in item.items if isinstance(inner, Shape))
        elif isinstance(item, Fork):
            for branch in item.branches:
                yield from (inner for inner in branch if isinstance(inner, Shape))


def layers(column):
    return next(item for item in column.items if isinstance(item, Repeat))


def forms(column):
    return [shape.form for shape in shapes(column)]


def attentions(column):
    return [shape for shape in shapes(column) if shape.form == "attention"]


def test_bert_is_twelve_layers_that_see_both_sides(host):
    (column,) = sketch_of(blueprint_of(host, "google-bert/bert-base-uncased")).columns
    assert (layers(column).times, layers(column).sets, layers(column).shared) == (12, 12, "")
    assert [a.pattern for a in attentions(column)] == ["both"]
    assert forms(column)[:2] == ["input", "tables"]
    tables = next(shape for shape in shapes(column) if shape.form == "tables").tables
    assert tables == (("tokens", 30522, 768), ("positions", 512, 768), ("segments", 2, 768))
    assert isinstance(column.items[-1], Fork)


def test_albert_is_narrow_and_one_layer_used_twelve_times(host):
    (column,) = sketch_of(blueprint_of(host, "albert/albert-base-v2")).columns
    assert (layers(column).times, layers(column).sets) == (12, 1)
    assert layers(column).shared == "all"
    widen = next(shape for shape in shapes(column) if shape.form == "widen")
    assert (widen.low, widen.high) == (128, 768)


def test_mobilebert_has_bottlenecks_and_four_feed_forwards(host):
    (column,) = sketch_of(blueprint_of(host, "google/mobilebert-uncased")).columns
    inside = [s for s in layers(column).items if isinstance(s, Shape)]
    assert [(s.low, s.high) for s in inside if s.form == "widen"] == [(512, 128), (128, 512)]
    assert [s.count for s in inside if s.form == "feed_forward"] == [4]


def test_its_teacher_has_them_the_other_way_round(host):
    (column,) = sketch_of(blueprint_of(host, "ib-bert-large")).columns
    inside = [s for s in layers(column).items if isinstance(s, Shape)]
    assert [(s.low, s.high) for s in inside if s.form == "widen"] == [(512, 1024), (1024, 512)]


def test_deberta_keeps_position_apart_and_adds_it_in_its_decoder(host):
    (column,) = sketch_of(blueprint_of(host, "microsoft/deberta-base")).columns
    assert [a.pattern for a in attentions(column)] == ["apart"]
    assert "decoder" in forms(column)
    tables = next(shape for shape in shapes(column) if shape.form == "tables").tables
    assert [label for label, _, _ in tables] == ["tokens"]


def test_gpt_sees_what_stands_before_and_norms_first(host):
    (column,) = sketch_of(blueprint_of(host, "openai-community/gpt2")).columns
    assert [a.pattern for a in attentions(column)] == ["before"]
    inside = [s.form for s in layers(column).items if isinstance(s, Shape)]
    assert inside == ["norm", "attention", "add", "norm", "feed_forward", "add"]
    (first,) = sketch_of(blueprint_of(host, "openai-community/openai-gpt")).columns
    inside = [s.form for s in layers(first).items if isinstance(s, Shape)]
    assert inside == ["attention", "add", "norm", "feed_forward", "add", "norm"]


def test_t5_is_two_stacks_with_cross_attention(host):
    sketch = sketch_of(blueprint_of(host, "google-t5/t5-base"))
    encoder, decoder = sketch.columns
    assert sketch.link == "cross"
    assert [a.pattern for a in attentions(encoder)] == ["relative"]
    assert [a.pattern for a in attentions(decoder)] == ["relative before", "other"]


def test_electra_is_a_generator_beside_its_discriminator(host):
    mine = blueprint_of(host, "google/electra-base-discriminator")
    other = blueprint_of(host, "google/electra-base-generator")
    sketch = sketch_of(mine, other, mine_first=False)
    generator, discriminator = sketch.columns
    assert sketch.link == "replaced"
    assert (generator.mine, discriminator.mine) == (False, True)
    assert "matrix" in forms(generator)
    assert "score" in forms(discriminator)
    assert sketch_of(other, mine).columns[0].mine


def test_xlm_adds_languages(host):
    (column,) = sketch_of(blueprint_of(host, "FacebookAI/xlm-mlm-tlm-xnli15-1024")).columns
    tables = next(shape for shape in shapes(column) if shape.form == "tables").tables
    assert ("languages", 15, 1024) in tables


def test_every_family_says_what_makes_it_different(host):
    said = {}
    for family, one in host.published:
        blueprint = host.family(family).blueprint(one.config, one.heads)
        assert blueprint.traits, one.id
        said.setdefault(family, json.dumps([t.words for t in blueprint.traits]))
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize(
    ("family", "ending", "said"),
    [
        ("bert", "ForQuestionAnswering", "an answer’s start and end"),
        ("xlm", "ForQuestionAnswering", "an answer’s start and end"),
        ("electra", "ForTokenClassification", "a label for each token"),
        ("bert", "ForSequenceClassification", "a label of the text"),
    ],
)
def test_a_head_for_a_task_is_on_top_and_says_what_it_gives(host, family, ending, said):
    own = host.family(family)
    config = {"architectures": [f"Any{ending}"], "hidden_size": 32, "num_hidden_layers": 2}
    heads = own.heads_named(config)
    (column,) = sketch_of(own.blueprint(config, heads)).columns
    outputs = [shape.words for shape in shapes(column) if shape.form == "output"]
    assert outputs == [said]
