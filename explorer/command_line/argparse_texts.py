"""What argparse says by itself, in the language of all else: "usage:", "options:", its errors.

argparse asks gettext for its texts, which looks for catalogues of its own in folders of its own.
Here it asks the catalogue of this program instead, for the very same English texts; places are
therefore written as in "%(prog)s", and stay so in a translation.
"""

import argparse

from explorer.text import N_, NN_
from explorer.text.language import current
from explorer.text.message_files import BETWEEN

TEXTS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("subcommands"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_(" (default: %(default)s)"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("not allowed with argument %s"),
    N_("unrecognized arguments: %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
    N_("unexpected option string: %s"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("can't open '%(filename)s': %(error)s"),
)
COUNTED = (NN_("expected %s argument", "expected %s arguments"),)


def translate_argparse() -> None:
    """Let argparse speak the language in use, whichever it is when something is said."""
    known = {*TEXTS, *(one for both in COUNTED for one in both.split(BETWEEN))}

    def told(text: str) -> str:
        # What the program itself declared has been translated by the program.
        return current().texts.gettext(text) if text in known else text

    def counted(one: str, many: str, count: int) -> str:
        if one in known:
            return current().texts.ngettext(one, many, count)
        return one if count == 1 else many

    # No argument or method is given for it: every parser and formatter calls these two.
    vars(argparse).update(_=told, ngettext=counted)
