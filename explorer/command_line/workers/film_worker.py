"""The process that makes a film of a page, for the window: a model at each step, asked and drawn.

The models are loaded once more, beside those that answer: what takes long here stops no question.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer import headless
from explorer.api.question import SLOTS, CheckpointFault
from explorer.document import Document
from explorer.export_choices import PictureChoice
from explorer.headless import AnsweredRun, LoadedModels
from explorer.machine.drawn_by_qt import need_qt
from explorer.processes.own_work import Say, serve
from explorer.program import Program
from explorer.serialise import from_json
from explorer.text import said


def write(program: Program, wanted: Mapping[str, Any], say: Say) -> None:
    """Ask every frame, draw what it answers, and write one film.

    Raises:
        ExplorerError: Nobody can be asked, or the film can't be written.
    """
    need_qt()
    from explorer.ui.export.film.drawing import AnsweredFrame, drawn
    from explorer.ui.export.film.writing import check_film, write_film

    path = Path(wanted["file"])
    check_film(path)
    choice = from_json(PictureChoice, wanted["choice"])
    left_out: dict[str, str] = {}
    frames = [
        AnsweredFrame(step, answered)
        for step, answered in _answers(program, wanted, say, left_out).items()
    ]
    count = len(frames)
    pictures = drawn(
        frames,
        choice,
        tuple(wanted["parts"]),
        lambda done: say(stage="drawing", done=done, count=count),
    )
    write_film(
        path,
        pictures,
        [one.step for one in frames],
        choice,
        float(wanted["seconds"]),
        lambda done: say(stage="writing", done=done, count=count),
    )
    say(written=count, left_out=left_out)


def _answers(
    program: Program, wanted: Mapping[str, Any], say: Say, left_out: dict[str, str]
) -> dict[int, AnsweredRun]:
    """What each frame answers, by its step; damaged frames are left out by their names.

    Raises:
        CheckpointFault: All of them are damaged.
    """
    from explorer.questions import all_questions
    from explorer.ui.export.alone import details_wanted

    program.bring_questions()
    question = all_questions()[wanted["question"]]
    request = from_json(question.request, wanted["request"])
    document = from_json(Document, wanted["document"])
    runner, models = program.runner(), None
    found: dict[int, AnsweredRun] = {}
    for number, (step, frame) in enumerate(wanted["frames"]):
        say(stage="asking", done=number, count=len(wanted["frames"]))
        try:
            # The frames of all roles that are moved: a teacher stays who it is.
            for role, slot in zip(wanted["models"], SLOTS, strict=False):
                name = frame if role == wanted["role"] else wanted["models"][role]
                if models is None or role == wanted["role"]:
                    consent = wanted["allow_pickle"]
                    headless.load(runner, program, name, allow_pickle=consent, slot=slot)
        except CheckpointFault as error:
            left_out[frame] = said(error.problem)
            if len(left_out) == len(wanted["frames"]):
                raise
            continue
        models = LoadedModels(runner, program, dict(zip(wanted["models"], SLOTS, strict=False)))
        answered = models.ask(request, document, log=False)
        found[step] = models.with_details(answered, details_wanted)
    return found


if __name__ == "__main__":
    serve(write)
