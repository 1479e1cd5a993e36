"""The page stands alone, holds this model's attention, and is refused where it is unusable."""

import json
import re
import zlib

import numpy as np
import pytest

from explorer.api.question import Context, Knowledge, MachineFault, Mention, UserMistake
from explorer.document import Document
from explorer.hf.attention.cache import captured_for
from explorer.hf.kept import forget
from explorer.hf.text.reading_entities import reading_entities
from explorer.questions.attention.bertviz import html as bertviz_html
from explorer.questions.attention.bertviz import question
from explorer.questions.attention.bertviz.colours import in_dark
from explorer.questions.attention.bertviz.question import (
    DATA,
    BertvizRequest,
    check_size,
    pack,
    run,
    table,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.hf.kept import miniature

TEXT = "the cats sat on the mat"


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    forget()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


def ask(model, text=TEXT, **fields):
    return run(model, BertvizRequest(text, **fields), Context())


def params(html):
    """What bertviz' script is given."""
    found = re.search(r"const params = (\{.*?\}); // HACK", html, re.DOTALL)
    return json.loads(found.group(1))


@pytest.mark.parametrize("view", ["head", "model"])
def test_it_holds_the_models_own_attention(model, view):
    result = ask(model, view=view)
    given = params(result.html)["attention"][0]
    stack = captured_for(model, TEXT, None, (), "", Context()).stacks["encoder"]
    np.testing.assert_allclose(np.array(given["attn"]), np.stack(stack.weights), atol=5.1e-5)
    assert given["left_text"] == given["right_text"] == [t.text for t in result.tokens]
    tokens = len(result.tokens)
    assert result.lines == tokens**2 * 4 * (3 if view == "model" else 1)


@pytest.mark.parametrize("view", ["head", "model"])
def test_pages_begin_alike_and_are_packed_as_whole_ones(model, view):
    first, second = (ask(model, text, view=view).html for text in (TEXT, "the 고양이 🐈 on it"))
    beginning = first[: first.index(DATA)]
    assert second.startswith(beginning)
    assert len(beginning) > 0.9 * len(first)
    for page in (first, second, first, "no script at all", ""):
        packed, whole = pack(page), page.encode("utf-8")
        assert zlib.decompress(packed) == whole
        assert len(packed) <= len(zlib.compress(whole, 6)) * 1.01 + 8


@pytest.mark.parametrize("view", ["head", "model"])
def test_it_holds_how_entities_attend_to_each_other(view):
    reader = miniature("ernie-thu-miniature")
    text, mentions = "Anna used a hammer. Tom ran.", (Mention(0, 4, "Q10"), Mention(20, 23, "Q40"))
    request = BertvizRequest(text, view=view, kind="entities", entities=mentions)
    result = run(reading_entities(reader, request, mentions), request, Context())
    knowledge = reader.port(Knowledge)
    names = ["[CLS]", *(knowledge.entity(one.entity).name for one in mentions)]
    (given,) = params(result.html)["attention"]
    assert given["left_text"] == given["right_text"] == names
    fused = knowledge.fused(reader.encode(text, entities=mentions), Context())
    places = list(fused.counted)
    for n, layer in enumerate(sorted(fused.attention)):
        wanted = fused.attention[layer][:, places][:, :, places].numpy()
        np.testing.assert_allclose(np.array(given["attn"][n]), wanted, atol=5.1e-5)
    assert result.kinds == ("entities",)
    assert result.lines == 3 * 3 * 4 * (2 if view == "model" else 1)
    assert {row[0] for row in table(result).rows} == {"entities"}
    assert "layers 2 to 3 of the model" in result.note


def test_a_model_without_entities_has_no_attention_of_theirs(model):
    with pytest.raises(UserMistake, match="has no entities attention"):
        ask(model, kind="entities")


@pytest.mark.parametrize("view", ["head", "model"])
def test_it_needs_no_network(model, view):
    html = ask(model, view=view).html
    assert not re.findall(r"(?:src|href)\s*=", html.split("<body>")[1])
    assert "cdnjs" not in html
    assert "Content-Security-Policy" in html
    assert "default-src 'none'" in html
    assert "jQuery" in html
    assert "d3js.org" in html
    assert html.count("</script>") == 4


def test_a_token_that_ends_a_script_is_harmless(model):
    tokenizer = tiny.bert_tokenizer()
    tokenizer.add_tokens(["</script><script>alert(1)</script>"])
    captured = captured_for(model, "the cat", None, (), "", Context())
    stack = captured.stacks["encoder"]
    from dataclasses import replace

    evil = replace(stack.queries[1], text="</script><script>alert(1)</script>&lt;<!--")
    tokens = (stack.queries[0], evil, *stack.queries[2:])
    stacks = {"encoder": replace(stack, queries=tokens, keys=tokens)}
    html = bertviz_html.page_of(tokenizer, stacks, view="head", dark=False)
    assert html.count("</script>") == 4
    assert "<!--" not in html.split("<body>")[1]
    assert params(html)["attention"][0]["left_text"][1] == evil.text


def test_two_texts_are_told_apart(model):
    result = ask(model, "the cat", pair="it sat")
    names = [one["name"] for one in params(result.html)["attention"]]
    assert names[0] == "All"
    assert "Sentence A -> Sentence B" in names


def test_two_stacks_come_as_three_attentions(tmp_path):
    from explorer.hf.family.tiny import write_tiny

    model = tiny.load(write_tiny(tiny.families().family("t5"), tmp_path / "t5"))
    result = ask(model, "the cat sat", answer="the mat")
    assert result.kinds == ("encoder", "decoder", "cross")
    given = {one["name"]: one for one in params(result.html)["attention"]}
    assert set(given) == {"Encoder", "Decoder", "Cross"}
    assert len(given["Cross"]["left_text"]) == 3
    assert len(given["Cross"]["right_text"]) == len(result.tokens)


@pytest.mark.parametrize("view", ["head", "model"])
def test_a_page_is_made_dark_as_it_is_where_that_is_asked_for(model, view):
    light, dark = (ask(model, view=view, dark=dark).html for dark in (False, True))
    assert in_dark(light) == dark
    assert light != dark


@pytest.mark.parametrize("dark", [True, False])
def test_the_model_views_colours(model, dark):
    assert params(ask(model, view="model", dark=dark).html)["display_mode"] == (
        "dark" if dark else "light"
    )


@pytest.mark.parametrize(
    ("view", "shape", "fits"),
    [
        ("model", (12, 12, 32, 32), True),
        ("model", (12, 12, 33, 33), False),
        ("head", (12, 12, 91, 91), True),
        ("head", (12, 12, 92, 92), False),
        ("head", (24, 16, 70, 70), False),
    ],
)
def test_what_bertviz_cannot_draw_is_refused_with_the_reason(view, shape, fits):
    request = BertvizRequest("x", view=view)
    if fits:
        assert check_size(request, [shape]) > 0
        return
    with pytest.raises(UserMistake, match="unusable") as refused:
        check_size(request, [shape])
    fitting = int(re.search(r"about (\d+) tokens", refused.value.hint).group(1))
    layers, heads, _, _ = shape
    assert check_size(request, [(layers, heads, fitting, fitting)]) > 0


def test_a_pair_takes_twice_the_room():
    shape = (24, 16, 50, 50)
    assert check_size(BertvizRequest("x", view="head"), [shape])
    with pytest.raises(UserMistake):
        check_size(BertvizRequest("x", pair="y", view="head"), [shape])


def test_only_the_head_view_of_a_text_from_the_right_is_mirrored(model):
    texts = {"head": "the cat sat", "model": "the cat sat"}
    for view, text in texts.items():
        other = run(model, BertvizRequest(f"שלום {text}", view=view), Context()).html
        assert "scaleX(-1)" not in run(model, BertvizRequest(text, view=view), Context()).html
        assert ("scaleX(-1)" in other) == (view == "head")


def test_what_is_not_installed_is_said(model, monkeypatch):
    monkeypatch.setattr(bertviz_html, "SCRIPTS", (("no-such-package", "x.js"),))
    with pytest.raises(MachineFault, match="no-such-package"):
        ask(model)


def test_mistakes_and_rows(model):
    with pytest.raises(UserMistake, match="no text"):
        ask(model, " ")
    result = ask(model)
    rows, count = table(result).rows, len(result.tokens)
    assert len(rows) == 3 * result.lines == 3 * 4 * count * count
    places = [(row[1], row[2], row[3], row[5]) for row in rows]
    assert len(set(places)) == len(rows)
    assert {row[4] for row in rows} == {token.text for token in result.tokens}
    sums = np.zeros((3, 4, count))
    for _kind, layer, head, start, _from, _to_position, _to, weight in rows:
        sums[layer, head, start] += weight
    assert sums == pytest.approx(1, abs=0.001)


def test_the_table_has_the_largest_weights_of_very_many(model, monkeypatch):
    result = ask(model)
    every = sorted((row[-1] for row in table(result).rows), reverse=True)
    monkeypatch.setattr(question, "MOST_ROWS", 50)
    assert sorted((row[-1] for row in table(result).rows), reverse=True) == every[:50]


def test_of_a_pair_the_table_has_the_whole(model):
    result = ask(model, pair="a dog")
    count = len(result.tokens)
    assert len(table(result).rows) == 3 * 4 * count * count


def test_the_log_keeps_the_page(model):
    assert not BertvizRequest.of(Document("a cat")).dark
    result = ask(model)
    assert from_json(type(result), to_json(result)).html == result.html
