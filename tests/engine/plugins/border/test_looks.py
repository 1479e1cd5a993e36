"""Looks that plugins take are told of while they last, whichever way they end."""

import pytest

from explorer.api.family import UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.messages import PluginCallBegan, PluginCallEnded
from explorer.engine.plugins.border.looks import Interrupted, listening, look_of
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from tests import odd_plugin
from tests.hf import tiny


def test_a_look_ends_whatever_it_raises_and_the_users_own_interrupt_says_whose_it_was():
    told = []
    with listening(told.append):
        with pytest.raises(ZeroDivisionError), look_of("odd", "Odd"):
            raise ZeroDivisionError
        with pytest.raises(Interrupted) as stopped, look_of("odd", "Odd"), look_of("in", "In"):
            raise Interrupted
    assert stopped.value.waited_for == "In"
    begun = [one for one in told if isinstance(one, PluginCallBegan)]
    assert [one.plugin for one in begun] == ["odd", "odd", "in"]
    assert {one.number for one in begun} == {
        one.number for one in told if isinstance(one, PluginCallEnded)
    }
    with look_of("odd", "Odd"):
        assert len(told) == 6, "nobody listens any more"


def test_a_plugin_of_the_users_looks_and_the_programs_own_do_not(tmp_path):
    folder = tiny.save_bert(tmp_path / "odd-bert")
    odd_plugin.write(
        tmp_path / "plugins",
        top="from explorer.api.family import UserMistake",
        member="def heads(self, files):\n    raise UserMistake('No.', 'Never.')",
    )
    host = PluginHost(Paths.standard().bundled_plugins, tmp_path / "plugins", entry_points=False)
    told = []
    with listening(told.append):
        family, recognition = host.family_of(inspect_folder(folder))
        family.offers_with(set())
        with pytest.raises(UserMistake):
            family.heads(inspect_folder(folder))
    assert recognition.family == "odd"
    # Imported, and asked three times.
    assert [one.title for one in told if isinstance(one, PluginCallBegan)] == ["Odd"] * 4
    assert len(told) == 8
