"""Writes what editors see of a model's methods: `python -m explorer.scripting.stubs`.

Everything comes from the fields of the questions' requests; tests/scripting/test_stubs.py holds
that the committed file says what they say today.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.api.question import Question
from explorer.questions import own_questions
from explorer.scripting.signatures import WHAT_ALL_TAKE, Parameter, parameters_of

PLACE = Path(__file__).with_name("methods.pyi")
HEAD = """\
# Written by python -m explorer.scripting.stubs; tests/scripting/test_stubs.py holds it up to date.
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from explorer.api.question import Mask, Mention
from explorer.scripting.answer import ModelAnswer
from explorer.scripting.process import OpenModel

class Methods:
    def ask(self, question: str, text: str | None = None, /, **options: Any) -> ModelAnswer: ...
"""


def stub() -> str:
    """The whole file."""
    methods = (line for one in own_questions().values() for line in _method(one))
    return HEAD + "\n".join(methods) + "\n"


def _method(question: Question[Any, Any]) -> Iterator[str]:
    given = (*parameters_of(question), *WHAT_ALL_TAKE)
    first = [_declared(one) for one in given if one.name == "text"]
    rest = [_declared(one) for one in given if one.name != "text"]
    yield f"    def {question.name}("
    yield f"        {', '.join(['self', *first, '*'])},"
    yield from (f"        {one}," for one in rest)
    yield "    ) -> ModelAnswer: ..."


def _declared(one: Parameter) -> str:
    default = f" = {one.default}" if one.default else ""
    return f"{one.name}: {one.kind}{default}"


def main() -> int:
    """Write it."""
    PLACE.write_text(stub(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
