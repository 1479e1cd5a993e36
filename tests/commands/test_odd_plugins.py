"""A plugin that does what it must not, asked from the command line: told as its own fault."""

import json

import pytest

from explorer import cli
from tests import odd_plugin
from tests.hf import tiny


@pytest.fixture
def model(tmp_path):
    return tiny.save_bert(tmp_path / "odd-bert")


@pytest.fixture
def command(paths, tmp_path, monkeypatch):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, "1" if "OFFLINE" in name else "")

    def run(*words):
        return cli.main(["--profile", str(tmp_path / "profile"), "--offline", *map(str, words)])

    return run


def test_a_plugin_that_does_nothing_wrong_answers(paths, model, command, capsys):
    odd_plugin.write(paths.user_plugins)
    assert command("fill", "the [MASK] sat", "--model", model, "--json", "--no-log") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["model"]["family"] == "odd"


@pytest.mark.parametrize("what", odd_plugin.WRONG_ANSWERS)
def test_a_wrong_answer(paths, model, command, capsys, what):
    odd_plugin.write(paths.user_plugins, handler=odd_plugin.WRONG_ANSWERS[what])
    assert command("fill", "the [MASK] sat", "--model", model) == cli.FAULT
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("The plugin Odd ")
    assert "Something went wrong inside the program" not in err


@pytest.mark.parametrize("what", ["none", "not a number", "exit", "interrupt"])
def test_what_is_wrong_on_loading_is_refused_with_the_plugin_s_name(
    paths, model, command, capsys, what
):
    odd_plugin.write(paths.user_plugins, handler=odd_plugin.WRONG_ANSWERS[what], proved=True)
    assert command("fill", "the [MASK] sat", "--model", model) == cli.MISTAKE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("The plugin Odd ")


WRONG_VALUES = {
    "architecture": "def architecture(self, config):\n    return 7",
    "heads": "def heads(self, files):\n    return 'masked_lm'",
    "offers": "def offers(self, files):\n    return [1, 2]",
    "attention_shape": "def attention_shape(self, config):\n    return 10**400, 1",
    "max_length": "def max_length(self, config):\n    return 'long'",
    "parameters": "def parameters(self, files):\n    return 1.5",
    "exit": "def architecture(self, config):\n    sys.exit(0)",
    "interrupt": "def parameters(self, files):\n    raise KeyboardInterrupt",
    "unpacked": (
        "def architecture(self, config):\n"
        "    class Text(str):\n"
        "        def __reduce__(self):\n"
        "            return print, ('run where it is unpacked',)\n"
        "    return Text('BERT')"
    ),
}


@pytest.mark.parametrize("what", WRONG_VALUES)
def test_a_wrong_value_in_a_row_of_the_library(paths, model, command, capsys, what):
    odd_plugin.write(paths.user_plugins, member=WRONG_VALUES[what])
    assert command("models", model, "--json") == 0
    out, err = capsys.readouterr()
    assert "run where it is unpacked" not in out + err
    rows = json.loads(out)
    row = next(one for one in rows if one["id"] == str(model))
    assert row["problem"].startswith("The plugin Odd ")
    assert "Plugins dialog" in row["hint"]
    assert len(rows) > 1


@pytest.mark.parametrize("top", ["sys.exit(0)", "raise KeyboardInterrupt"])
def test_a_plugin_that_ends_the_program_when_it_is_imported(paths, model, command, capsys, top):
    odd_plugin.write(paths.user_plugins, top=top)
    assert command("models", model, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)
    assert "Plugin odd does not work: It can't be imported" in err


def test_what_a_plugin_prints_is_no_part_of_the_answer(paths, model, command, capsys):
    odd_plugin.write(
        paths.user_plugins,
        top="print('printed at import')",
        member="def heads(self, files):\n    print('printed later')\n    return ()",
    )
    assert command("models", model, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)
    assert {"printed at import", "printed later"} <= set(err.splitlines())


def test_ctrl_c_while_a_plugin_works_is_the_user_s_own(paths, model, command, capsys):
    odd_plugin.write(
        paths.user_plugins,
        top="import signal",
        handler="signal.raise_signal(signal.SIGINT)",
    )
    assert command("fill", "the [MASK] sat", "--model", model) == cli.INTERRUPTED
    assert "The plugin" not in capsys.readouterr().err
