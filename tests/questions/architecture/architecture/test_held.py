"""The library's number of parameters and the one that is counted: the same, or it says why not."""

import json

import pytest

from explorer import cli
from explorer.api.family.checkpoint import Source
from explorer.api.question import Context
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.architecture.architecture.parts import held_said
from explorer.questions.architecture.architecture.question import ArchitectureRequest

WITH_MORE = {"spanbert", "tinybert", "deberta", "albert"}
"""Families whose files have heads that transformers' classes have not."""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return Program(Paths.profile(tmp_path_factory.mktemp("held"), {}), device="cpu", offline=True)


@pytest.fixture(scope="module")
def rows(program):
    return program.catalogue(program.plugin_host()).list()


def test_a_bundled_model_has_one_number(program, rows):
    runner = program.runner()
    bundled = [row for row in rows if row.source is Source.BUNDLED and row.family in WITH_MORE]
    assert {row.family for row in bundled} == WITH_MORE
    for row in bundled:
        result = runner.ask(ArchitectureRequest(row.id), {}, Context())
        assert result.parameters.unique == row.parameters, row.id
        assert result.held is None


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("albert/albert-base-v2", "more"),
        ("nghuyong/ernie-3.0-base-zh", "more"),
        ("huawei-noah/TinyBERT_General_4L_312D", "more"),
        ("SpanBERT/spanbert-base-cased", "fewer"),
        ("google-bert/bert-base-uncased", ""),
    ],
)
def test_where_a_published_file_holds_others_it_is_said(program, rows, name, word, capsys):
    row = next(one for one in rows if one.id == name)
    result = program.runner().ask(ArchitectureRequest(name), {}, Context())
    if not word:
        assert (result.held, result.parameters.unique) == (None, row.parameters)
        return
    apart = abs(row.parameters - result.parameters.unique)
    assert result.held == row.parameters
    assert f"{row.parameters:,} parameters: {apart:,} {word}" in held_said(result)
    place = ("--profile", str(program.paths.data.parent), "anatomy", name, "--no-log")
    assert cli.main([*place]) == 0
    assert held_said(result) in " ".join(capsys.readouterr().out.split())
    assert cli.main([*place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["held"] == row.parameters
