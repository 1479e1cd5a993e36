"""The process that writes what a model computes of a text, for the window.

The model is loaded once more, beside the one that answers: what takes long here stops no question.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.api.question import Mask
from explorer.processes.own_work import Say, serve
from explorer.program import Program
from explorer.text import said


def write(program: Program, wanted: Mapping[str, Any], say: Say) -> None:
    """Load the model, ask it, and write one file.

    Raises:
        ExplorerError: It can't be loaded, has nothing of what is wanted, or the file can't be
            written.
    """
    from explorer import headless
    from explorer.sessions.schema.atomic import refuse_unwritable
    from explorer.values.taken import take_values
    from explorer.values.written import check_values_file, save_values

    file = Path(wanted["file"])
    check_values_file(file)
    refuse_unwritable(file)
    runner = program.runner()
    headless.load(runner, program, wanted["model"], allow_pickle=wanted["allow_pickle"])
    say(stage="computing")
    masks = [Mask(**one) for one in wanted["masks"]]
    values = take_values(
        runner.models["A"], wanted["text"], wanted["pair"], masks, kinds=wanted["kinds"]
    )
    # The file is begun when all is known: one who cancels before leaves nothing behind.
    say(stage="writing")
    save_values(file, values)
    say(
        written=sorted(values.arrays),
        missing={kind: said(why) for kind, why in values.missing.items()},
        rounded=values.rounded,
    )


if __name__ == "__main__":
    serve(write)
