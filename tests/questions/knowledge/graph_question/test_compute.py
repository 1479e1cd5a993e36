"""Graph questions, answered by the miniature beside BERT: scores, paths, cuts, and refusals."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, GraphReasoner, HiddenStates, UserMistake
from explorer.questions.knowledge.graph_question.question import (
    QUESTION,
    GraphQuestionRequest,
    casting,
    path_in_words,
    summary,
    table,
)
from tests.hf import tiny
from tests.hf.kept import miniature

DIG = GraphQuestionRequest(
    "I will plant flowers, so I dug the ground. With what?",
    ("excavator", "trowel", "pan", "needle", "computer"),
)
BUILD = GraphQuestionRequest(
    "I will build a house. With what?", ("trowel", "excavator", "pan", "needle", "computer")
)


def ask(request, encoder="bert-miniature", **more):
    models = {"reasoner": miniature("kagnet-miniature"), "encoder": miniature(encoder)}
    return tiny.ask(models["reasoner"], request, Context(models=models, **more))


@pytest.fixture(scope="module")
def dug():
    return ask(DIG)


def paths_of(choice):
    return [path for pair in choice.pairs for path in pair.paths]


@pytest.mark.parametrize(("request_", "right"), [(DIG, "trowel"), (BUILD, "excavator")])
def test_both_sample_questions_are_answered_by_a_path(request_, right):
    result = ask(request_)
    best = result.choices[result.best]
    assert best.text == right
    assert best.attended[0][1].concepts[-1] == right
    assert result.has_its_encoder
    assert f"“{right}”" in QUESTION.headline_of(result).sentence
    assert summary(result)["answer"] == right


def test_attention_is_shared_out_and_paths_are_of_the_graph(dug):
    for choice in dug.choices:
        assert 0.0 <= choice.score <= 1.0
        assert sum(pair.attention for pair in choice.pairs) == pytest.approx(1.0, abs=1e-5)
        for pair in choice.pairs:
            assert sum(path.attention for path in pair.paths) == pytest.approx(1.0, abs=1e-5)
            assert all(path.concepts[0] == pair.question for path in pair.paths)
            assert all(path.concepts[-1] == pair.choice for path in pair.paths)
        assert all(path.transe >= DIG.kept_from for path in paths_of(choice))
        assert all(1 <= len(path.relations) <= 4 for path in paths_of(choice))
    (trowel,) = (one for one in dug.choices if one.text == "trowel")
    assert "plant *usedfor trowel" in {path_in_words(path) for path in paths_of(trowel)}
    rows = table(dug)
    shares = [share for word, share in zip(rows.column("choice"), rows.column("share"), strict=True)
              if word == "trowel"]  # fmt: skip
    assert sum(shares) == pytest.approx(1.0, abs=1e-5)
    assert len(shares) == trowel.count


def test_the_sentence_vector_is_the_last_state_of_the_first_token(dug):
    kagnet, bert = miniature("kagnet-miniature"), miniature("bert-miniature")
    seen = []
    reasoner = kagnet.port(GraphReasoner)
    judge = reasoner.judge

    class Noting:
        def __getattr__(self, name):
            return getattr(reasoner, name)

        def judge(self, sentence, graphs, context):
            seen.append(sentence)
            return judge(sentence, graphs, context)

    alone = replace(kagnet, ports={GraphReasoner: Noting()})
    models = {"reasoner": alone, "encoder": bert}
    result = tiny.ask(alone, DIG, Context(models=models))
    encoded = [bert.encode(DIG.text, choice) for choice in DIG.choices]
    states = bert.port(HiddenStates).states(encoded, Context())
    expected = np.stack([one[-1, 0].numpy() for one in states])
    assert np.abs(seen[0].numpy() - expected).max() < 1e-5
    assert result.choices == dug.choices


def test_a_path_that_is_cut_is_not_read_and_the_others_stay(dug):
    best = dug.choices[dug.best]
    top = best.attended[0][1]
    cut = ask(replace(DIG, cut_paths=(" > ".join(top.concepts),)))
    now = cut.choices[dug.best]
    assert {path.concepts for path in paths_of(now)} == (
        {path.concepts for path in paths_of(best)} - {top.concepts}
    )
    assert now.score != best.score
    assert cut.choices[0].score == dug.choices[0].score, "no path to another choice was cut"


def test_no_path_goes_along_an_edge_that_is_cut(dug):
    cut = ask(replace(DIG, cut_edges=("trowel > plant",)))
    met = [path.concepts for choice in cut.choices for path in paths_of(choice)]
    assert met
    for concepts in met:
        assert {"plant", "trowel"} not in [set(step) for step in pairwise(concepts)]
    assert cut.graph_edges < dug.graph_edges
    unknown = ask(replace(DIG, cut_edges=("no > such",), cut_paths=("nor > this",)))
    assert unknown.choices == dug.choices


def test_a_choice_without_paths_scores_as_without_any():
    result = ask(GraphQuestionRequest("With what did she dig?", ("trowel", "hope")))
    trowel, hope = result.choices
    assert trowel.count
    assert hope.count == 0
    assert hope.score == pytest.approx(hope.without, abs=1e-6)
    assert table(result).rows[-1] == ("hope", hope.score, hope.without, *(None,) * 8)


def test_shorter_paths_and_stricter_pruning_read_fewer(dug):
    short = ask(replace(DIG, edges=2))
    strict = ask(replace(DIG, kept_from=0.6))
    for every, few, likely in zip(dug.choices, short.choices, strict.choices, strict=True):
        assert all(len(path.relations) <= 2 for path in paths_of(few))
        assert few.count < every.count
        assert likely.count < every.count
        assert likely.count + likely.pruned == every.count + every.pruned


def test_a_graph_of_ones_own(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text(
        "trowel\tused for\tdig\t2\ngarden\thas a\ttrowel\t1\nplant\tfound at\tgarden\t1\n"
        "dig\tsometimes\tplant\t1\nspoon\tused for\tdig\t1\nspoon\tnoticed\tladle\t1\n"
    )
    result = ask(replace(DIG, choices=("trowel", "ladle"), path=str(path)))
    assert result.graph == "mine.tsv"
    assert (result.graph_concepts, result.graph_edges) == (6, 6)
    trowel, ladle = result.choices
    assert "dig *usedfor trowel" in {path_in_words(path) for path in paths_of(trowel)}
    assert ladle.count == 0
    assert ladle.unknown > 0, "the network has no vector of a ladle"
    path.write_text("trowel\tused for\tdig\t2\n")
    assert ask(replace(DIG, path=str(path))).graph_edges == 1, "it is read again once it changes"


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (replace(DIG, choices=()), "There are no choices"),
        (replace(DIG, choices=("trowel", " trowel ")), "There are no choices"),
        (replace(DIG, text=" "), "There is no text"),
        (replace(DIG, choices=tuple(map(str, range(21)))), "There are 21 choices"),
        (replace(DIG, path="/nowhere/graph.tsv"), "graph.tsv can't be read"),
    ],
)
def test_what_can_not_be_asked_is_said(request_, said):
    with pytest.raises(UserMistake) as told:
        ask(request_)
    assert told.value.message.startswith(said)
    assert told.value.hint


def test_a_graph_of_other_words_and_an_encoder_of_another_width_are_refused(tmp_path):
    path = tmp_path / "other.tsv"
    path.write_text("집\t있다\t마을\t1\n")
    with pytest.raises(UserMistake, match="no vector of any concept"):
        ask(replace(DIG, path=str(path)))
    narrow = miniature("tinybert-miniature")
    with pytest.raises(UserMistake, match=r"gives sentence vectors of \d+ numbers") as told:
        ask(DIG, encoder=narrow.stamp.id.rpartition("/")[2])
    assert "bert-miniature" in told.value.hint


def test_looking_for_paths_is_cancelled():
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > 6

    with pytest.raises(Cancelled):
        ask(DIG, is_cancelled=cancelled)


def test_the_network_plays_its_role_in_whichever_slot_it_lies(fake_cards):
    kagnet, bert = fake_cards
    for active in ("A", "B"):
        assert casting({"A": kagnet, "B": bert}, active, None) == {"reasoner": "A", "encoder": "B"}
        assert casting({"A": bert, "B": kagnet}, active, None) == {"reasoner": "B", "encoder": "A"}
    assert casting({"A": bert}, "A", None) == {"reasoner": "B", "encoder": "A"}
    assert tuple(QUESTION.roles) == ("reasoner", "encoder")


@pytest.fixture
def fake_cards():
    """What a casting looks at."""
    from types import SimpleNamespace

    return SimpleNamespace(operations=("graph_question",)), SimpleNamespace(operations=("tokens",))
