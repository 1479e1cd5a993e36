"""A method in a file: asked by its path, kept with what it says of itself, and blamed."""

import hashlib
import json

import numpy as np
import pytest

from explorer import cli
from explorer.api.question import PluginFault, UserMistake
from explorer.attribution import bringing
from explorer.attribution.foreign import RIGHTS, method_in
from explorer.engine.plugins.host import PluginHost
from explorer.hf.attention.ports import EagerAttentions
from explorer.questions.cause.attribution.question import QUESTION, AttributionRequest
from explorer.questions.cause.attribution_benchmark.question import QUESTION as BENCHMARK
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkRequest
from tests.attribution import own_method
from tests.hf import tiny
from tests.hf.kept import lend_to_commands, miniature

pytest.importorskip("torch")

TEXT = "the chef cooked the [MASK] in the kitchen ."


@pytest.fixture
def path(tmp_path):
    return own_method.write(tmp_path)


def test_the_documents_method_scores_by_the_first_head(path):
    model = miniature("bert-miniature")
    result = tiny.ask(model, AttributionRequest(TEXT, method=str(path), beside="occlusion"))
    first, second = result.methods
    stacks = EagerAttentions.capture(model.port(known_port()), model.encode(TEXT), tiny.Context())
    (place,) = model.encode(TEXT).mask_positions
    row = next(iter(stacks.values())).weights[-1][0, place]
    assert first.scores == pytest.approx([row[unit[0]] for unit in result.units], abs=1e-6)
    assert (first.method, second.method) == ("first_head", "occlusion")
    assert first.about.title == "First head"
    assert first.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert second.described is None


def known_port():
    from explorer.api.question import Attentions

    return Attentions


def test_an_answer_is_read_without_the_file(path):
    """A log's, on another machine: its title and what it does are in the answer."""
    result = tiny.ask(miniature("bert-miniature"), AttributionRequest(TEXT, method=str(path)))
    path.unlink()
    assert QUESTION.summary(result)["top"]
    assert result.methods[0].about.does.startswith("Attention of the last layer's first head")
    words = [str(one) for one in QUESTION.parts_of(result)]
    assert any("First head" in one for one in words)


def test_the_benchmark_tests_it_beside_the_programs(path):
    request = AttributionBenchmarkRequest(places=4, methods=("occlusion",), method=str(path))
    result = tiny.ask(miniature("bert-miniature"), request)
    assert [one.way.name for one in result.ways] == ["occlusion", "first_head"]
    rows = BENCHMARK.table(result)
    digests = dict(zip(rows.column("method"), rows.column("digest"), strict=True))
    assert digests["first_head"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert set(rows.column("weights")) == {result.model.fingerprint}
    assert [one.place for one in BENCHMARK.parts_of(result) if hasattr(one, "place")] == []


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"METHOD = ": "OTHER = "}, UserMistake, "declares no method"),
        ({"return stack": "return 1 / 0 * stack"}, PluginFault, "division by zero"),
        ({"import Attr": "import Nothing, Attr"}, PluginFault, "first_head.py failed"),
        ({", asked.place]": "]"}, PluginFault, "in place of"),
        ({'first_head"': 'occlusion"'}, UserMistake, "is named occlusion, as one of"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_a_line(tmp_path, changed, error, said):
    path = own_method.write(tmp_path, **changed)
    with pytest.raises(error) as told:
        tiny.ask(miniature("bert-miniature"), AttributionRequest(TEXT, method=str(path)))
    assert said in str(told.value.message)
    assert "\n" not in str(told.value.message)


def test_a_file_that_is_not_there_and_a_name_that_is_none():
    with pytest.raises(UserMistake, match=r"gone\.py can't be read"):
        method_in("/gone.py")
    with pytest.raises(UserMistake, match="There is no method nothing"):
        tiny.ask(miniature("bert-miniature"), AttributionRequest(TEXT, method="nothing"))


def test_nothing_is_run_before_it_is_asked_and_the_page_waits(tmp_path):
    mark = tmp_path / "was_run"
    path = own_method.write(
        tmp_path, **{"METHOD = ": f"import pathlib\npathlib.Path({str(mark)!r}).touch()\nMETHOD = "}
    )
    request = AttributionRequest(TEXT, method=str(path))
    assert QUESTION.warns(request) == RIGHTS
    assert BENCHMARK.warns(AttributionBenchmarkRequest(method=str(path))) == RIGHTS
    assert QUESTION.warns(AttributionRequest(TEXT)) == ""
    assert not mark.exists()
    tiny.ask(miniature("bert-miniature"), request)
    assert mark.exists()


@pytest.fixture
def plugin(tmp_path):
    folder = tmp_path / "plugins" / "heads"
    own_method.write(folder / "methods")
    (folder / "plugin.toml").write_text(
        'id = "heads"\ntitle = "Heads"\nversion = "1.0"\nfaces = { question = 2 }\n', "utf-8"
    )
    return folder


def test_a_plugins_methods_are_known_by_their_names(plugin, tmp_path):
    host = PluginHost(tmp_path / "none", plugin.parent, entry_points=False)
    assert list(host.methods) == ["first_head"]
    assert [one.problem for one in host.records] == [None] or not host.records[0].problem
    before = bringing._finding[0]
    bringing.bring(lambda: host.methods)
    try:
        request = AttributionRequest(TEXT, method="first_head", beside=None)
        (one,) = tiny.ask(miniature("bert-miniature"), request).methods
        assert one.about.title == "First head"
        few = AttributionBenchmarkRequest(places=3, steps=1, samples=2)
        result = tiny.ask(miniature("bert-miniature"), few)
        assert result.ways[-1].way.name == "first_head"
    finally:
        bringing.bring(before)


def test_a_plugins_method_that_does_not_work_has_a_row(plugin, tmp_path):
    (plugin / "methods" / "broken.py").write_text("1 / 0", "utf-8")
    host = PluginHost(tmp_path / "none", plugin.parent, entry_points=False)
    assert list(host.methods) == ["first_head"]
    broken = [one for one in host.records if one.problem]
    assert [one.title for one in broken] == ["Heads: broken.py"]
    assert "division by zero" in str(broken[0].problem)


def test_on_the_command_line(path, tmp_path, monkeypatch, capsys):
    lend_to_commands(monkeypatch)
    base = ["--profile", str(tmp_path / "profile"), "--device", "cpu", "ask"]
    monkeypatch.chdir(path.parent)
    assert cli.main([*base, "attribution", TEXT, "--method", "first_head.py", "--json"]) == 0
    told = capsys.readouterr()
    assert str(RIGHTS) in told.err
    answer = json.loads(told.out)
    assert answer["methods"][0]["method"] == "first_head"
    wanted = ["attribution_benchmark", "--places", "3", "--methods", "occlusion"]
    file = tmp_path / "rows.csv"
    assert cli.main([*base, *wanted, "--method", "first_head.py", "--csv", str(file)]) == 0
    assert str(RIGHTS) in capsys.readouterr().err
    rows = file.read_text("utf-8")
    assert "first_head" in rows
    assert hashlib.sha256(path.read_bytes()).hexdigest() in rows
    assert np.isfinite(float(rows.splitlines()[-1].split(",")[4]))
