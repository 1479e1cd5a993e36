"""A run as a program that imports `explorer`."""

from explorer.api.question import ModelStamp
from explorer.as_code.asked import TEXT, AskedRun, call, literal

IMPORT = "import explorer\n"
"""What each program begins with."""


def in_python(run: AskedRun) -> str:
    """A program that asks the same, with the weights that answered named beside their models."""
    options = run.options()
    text = options.pop(TEXT, None)
    said = [] if text is None else [literal(text)]
    more = [f"{name}={literal(value)}" for name, value in options.items()]
    lines = [IMPORT]
    own = run.question.delegates_to is None
    if list(run.models) == [run.question.first_role] and own and run.question.name.isidentifier():
        (stamp,) = run.models.values()
        lines += [f"model = explorer.open({literal(stamp.as_asked)})  # {_weights(stamp)}"]
        lines += [f"answer = {call(f'model.{run.question.name}', [*said, *more])}"]
    else:
        roles = [f"{role}={literal(stamp.as_asked)}" for role, stamp in run.models.items()]
        lines += [f"# {stamp.id}: {_weights(stamp)}" for stamp in run.models.values()]
        asked = [literal(run.question.name), *said, *roles, *more]
        lines += [f"answer = {call('explorer.ask', asked)}"]
    lines += ["", "print(answer.headline)", "answer.frame()  # the rows, with pandas or polars"]
    return "\n".join(lines) + "\n"


def _weights(stamp: ModelStamp) -> str:
    return f"weights {stamp.fingerprint[:12]}, {stamp.dtype} on {stamp.device}"
