"""Edits by rule over a file: what each rule does, against all edits counted by hand."""

import json
import math
import statistics

import pytest

from explorer import cli
from explorer.api.question import Cards
from explorer.questions.cause.edits import pooling
from explorer.questions.cause.edits.parts import RULES_ARE_ENGLISH, parts
from explorer.questions.cause.edits.question import QUESTION, EditsRequest, kept
from explorer.questions.cause.edits.rules import EVERY_RULE, RULES
from tests.hf import tiny
from tests.hf.kept import miniature

TEXTS = (
    "Anna cooked the soup . She used a [MASK] .",
    "The chef is in the [MASK] .",
    "The farmer washed the dog . He used [MASK] .",
    "the [MASK] .",
)


@pytest.fixture(scope="module")
def results():
    model = miniature("bert-miniature")
    return [tiny.ask(model, EditsRequest(text, rule=EVERY_RULE)) for text in TEXTS]


@pytest.fixture(scope="module")
def pooled(results):
    rows = [kept(one) for one in results]
    return pooling.gather([[row[name] for name in pooling.COLUMNS] for row in rows])


def test_every_rule_has_the_means_of_its_edits(results, pooled):
    assert set(pooled) == {one.rule for result in results for one in result.edits}
    assert len(pooled) >= 3
    for rule, found in pooled.items():
        edits = [(result, one) for result in results for one in result.edits if one.rule == rule]
        assert found.edits == len(edits)
        assert found.texts == len({id(result) for result, _ in edits})
        assert found.flips == sum(one.best != result.best for result, one in edits)
        kl = statistics.fmean(one.divergence for _, one in edits)
        assert found.divergence.mean == pytest.approx(kl, abs=1e-6)
        change = statistics.fmean(one.change for _, one in edits)
        assert found.change.mean == pytest.approx(change, abs=1e-5)
        low, high = found.flips_between
        assert low <= found.flip_rate <= high


def test_intervals_of_means_go_by_texts():
    cells = [
        pooling.edit_cells([("tense", 0.1, 1.0, True), ("tense", 0.3, 3.0, False)]),
        pooling.edit_cells([("tense", 0.6, -1.0, False)]),
    ]
    found = pooling.gather([[*one.values()] for one in cells])["tense"]
    mean = 1 / 3
    # Linearised, by clusters: sums of residuals of each text, t with one degree of freedom.
    sums = [0.1 + 0.3 - 2 * mean, 0.6 - mean]
    error = math.sqrt(2 * sum(one * one for one in sums)) / 3
    assert found.divergence.mean == pytest.approx(mean)
    assert found.divergence.high - mean == pytest.approx(12.7062 * error, rel=1e-4)
    assert (found.edits, found.flips, found.texts) == (3, 1, 2)


def test_neighbours_and_words_of_the_user_are_kinds_of_their_own():
    model = miniature("bert-miniature")
    near = kept(tiny.ask(model, EditsRequest(TEXTS[1], neighbours=1)))
    own = kept(tiny.ask(model, EditsRequest(TEXTS[1], words=("dog",))))
    assert {*near["edit_rules"].split()} == {pooling.NEIGHBOURS}
    assert {*own["edit_rules"].split()} == {pooling.OWN_WORDS}
    assert pooling.gather([("", "", "", "")]) is None


def test_every_rule_has_a_title():
    assert {*RULES} < {*pooling.RULE_TITLES}


def test_each_row_of_a_file_names_its_rule(results):
    (_, edits) = next(one for one in parts(results[0]) if isinstance(one, Cards)).cards
    (ranked,) = edits.parts
    rows = ranked.table()
    found = {(one.put, one.rule) for one in results[0].edits}
    assert {*zip(rows.column("put"), rows.column("rule"), strict=True)} == found


def test_the_page_says_that_rules_are_of_english(results):
    asked = EditsRequest(TEXTS[0], rule=EVERY_RULE)

    def said(result, request):
        return RULES_ARE_ENGLISH in [
            getattr(one, "text", None) for one in parts(result, request=request)
        ]

    assert said(results[0], asked)
    assert said(results[-1], asked), "above all where nothing could be edited"
    assert not said(results[0], EditsRequest(TEXTS[0]))


def test_a_file_has_a_row_a_rule(tmp_path, capsys, pooled):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(TEXTS), "utf-8")
    everywhere = ["--profile", str(tmp_path / "profile"), "--device", "cpu", "over"]
    asked = ["--ask", "edits", "--model", "bert-miniature", "--rule", EVERY_RULE]
    assert cli.main([*everywhere, str(file), *asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["pooled"]
    for rule, found in pooled.items():
        assert told[f"{rule}_edits"] == found.edits
        assert told[f"{rule}_divergence"] == pytest.approx(found.divergence.mean, abs=1e-5)
    (rows, _) = QUESTION.pool.parts_of(pooled, {})
    assert [one.edits for one in rows.rows] == [one.edits for one in pooled.values()]
