"""What the collector of garbage is kept from, in processes that do one thing and end."""

import subprocess
import sys

import pytest

from explorer.processes.own_processes import environment

LEFT = """
import gc, sys
class Looked:
    def __del__(self, say=sys.stdout.write):
        say("looked through")
def leave():
    one = Looked()
    one.itself = one
gc.disable()
leave()
"""
ENDS = {
    "": "looked through",
    "from explorer.processes.collector import collect_seldom; collect_seldom(); gc.disable()": "",
    "from explorer.processes.beginning import be; be(['explorer.processes.piped'])": "",
}


@pytest.mark.parametrize(("said", "told"), ENDS.items())
def test_nothing_is_looked_for_at_the_end_of_a_command_and_of_an_own_process(said, told):
    ran = subprocess.run(
        [sys.executable, "-c", LEFT + said], env=environment(), capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, told, "")
