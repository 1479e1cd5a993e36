"""A run as a command that is typed in a terminal."""

import shlex

from explorer.as_code.asked import AskedRun
from explorer.command_line.asking.request_lines import words_of
from explorer.command_line.options.look_options import looks_in
from explorer.scripting.requests import options_of

PROGRAM = "plm-explorer"


def as_command(run: AskedRun) -> str:
    """The command that asks the same, and draws it as it is drawn, as far as that can be typed."""
    fields = {**options_of(run.question), "exact": "exact"}
    asked = {fields[name]: value for name, value in run.options().items() if fields.get(name)}
    # A field may be called as a role is, and then only the role's flag says who plays it.
    roles = (f"--{role}={stamp.as_asked}" for role, stamp in run.models.items())
    looks = (f"--look={one}" for one in looks_in(run.question, run.document))
    # The text comes last, behind a "--" that ends the options.
    words = words_of(run.question, asked)
    return shlex.join([PROGRAM, "ask", run.question.name, *roles, *looks, *words]) + "\n"
