"""`scenes`: lectures of scenes: list them, show one, play them and judge what they claim."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.question import Failure, Table, UserMistake
from explorer.command_line.options.global_options import add_global_options
from explorer.command_line.options.shared_options import (
    add_form_option,
    form_of_programs,
    is_standard_output,
)
from explorer.headless import Wants, print_json
from explorer.machine.drawn_by_qt import need_qt
from explorer.printing.progress import TerminalProgress
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.system_libraries import draw_without_screen
from explorer.text import N_, _, ngettext

if TYPE_CHECKING:
    from explorer.lectures import Lecture, Scene, Step
    from explorer.lectures.claims.claim import JudgedClaim
    from explorer.lectures.playing import Played, PlayedAsk, PlayedControl, ScenePlayer

    Controls = Sequence[tuple[PlayedControl, ...]]
    Asks = Sequence[PlayedAsk | None]

NAME = "scenes"
HELP = N_("lectures and lessons: list, show, check, export")

SIGNS = {True: "ok  ", False: "FAIL"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with scenes; without a word, list the bundled ones."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    # SUPPRESS below: without it, its absence after the action would undo it before the action.
    absent = argparse.SUPPRESS
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help=_("by chapter (what happens without an action)"))
    listing.add_argument(
        "lecture",
        nargs="?",
        metavar="LECTURE",
        help=_(
            "a scene's file, a folder or a zip file, or “lessons”; the bundled lecture otherwise"
        ),
    )
    show = actions.add_parser("show", help=_("everything a scene says, asks and claims"))
    show.add_argument("scene", metavar="NAME", help=_("a bundled scene's name, or a scene's file"))
    check = actions.add_parser("check", help=_("play scenes; exit status 1 if a claim fails"))
    check.add_argument(
        "scenes",
        nargs="*",
        metavar="NAME|LECTURE",
        help=_(
            "names of bundled scenes or lessons, files, folders or zip files, or “lessons”; all "
            "bundled ones otherwise"
        ),
    )
    export = actions.add_parser("export", help=_("play a lecture into a web page or a PDF"))
    export.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help=_("ends in .html or .pdf; .ipynb, .py or .md for programs"),
    )
    export.add_argument(
        "lecture",
        nargs="?",
        metavar="LECTURE",
        help=_(
            "a scene's file, a folder or a zip file, or “lessons”; the bundled lecture otherwise"
        ),
    )
    add_form_option(export)
    export.add_argument("--title", metavar="T", help=_("what is above it"))
    site = actions.add_parser(
        "site", help=_("play a lecture into a folder of web pages, with a picture of every page")
    )
    site.add_argument("folder", type=Path, metavar="FOLDER", help=_("is made where it is not"))
    site.add_argument(
        "lecture",
        nargs="?",
        metavar="LECTURE",
        help=_(
            "a scene's file, a folder or a zip file, or “lessons”; the bundled lecture otherwise"
        ),
    )
    site.add_argument("--title", metavar="T", help=_("what is above it"))
    answers = actions.add_parser("answers", help=_("what a class answered in lessons"))
    answers.add_argument(
        "places", nargs="+", metavar="FOLDER|FILE", help=_("files that “Save my answers” wrote")
    )
    answers.add_argument("--csv", type=Path, metavar="FILE", help=_("write the table as CSV"))
    for subparser in (listing, show, check, export, site, answers):
        subparser.add_argument("--json", action="store_true", default=absent)
        add_global_options(subparser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it; the exit status is 1 when a claim does not hold.

    Raises:
        UserMistake: There is no such scene, or one sentence on what is wrong in its file.
    """
    if args.action == "show":
        return _show(args)
    if args.action == "check":
        return _check(args, program)
    if args.action == "export":
        return _export(args, program)
    if args.action == "site":
        return _site(args, program)
    if args.action == "answers":
        return _answers(args)
    return _list(args)


def _answers(args: argparse.Namespace) -> int:
    """What a class answered; the exit status is 1 where a file is left out."""
    from explorer.files.typed_paths import unwritable
    from explorer.lectures.lessons.classroom import SIGNS_OF_ANSWERS, read_class

    found = read_class(args.places)
    if args.csv is not None:
        try:
            args.csv.write_text(found.csv(), "utf-8-sig", newline="")
        except OSError as error:
            raise unwritable(args.csv, error) from error
    if args.json:
        print_json({"sheets": [asdict(one) for one in found.sheets], "broken": found.broken})
        return int(bool(found.broken))
    for one in found.questions:
        print(f"{one.lesson} {one.step}: {one.question}")
        print(f"   {one.told}")
        for given in one.distribution:
            print(f"   {given.count:4} {SIGNS_OF_ANSWERS[given.right]} {given.said}")
    heading, *rows = found.rows()
    print_table(Table(tuple(heading), tuple(map(tuple, rows))))
    for sentence in found.broken:
        print(sentence, file=sys.stderr)
    return int(bool(found.broken))


def _list(args: argparse.Namespace) -> int:
    from explorer import lectures

    named = getattr(args, "lecture", None)
    lecture = lectures.opened(named or "")
    if args.json:
        print_json({"chapters": _listed(lecture)})
        return 0
    for number, chapter in enumerate(lecture.chapters):
        if number:
            print()
        print(chapter.title())
        rows = tuple((scene.name, " ".join(scene.shows), scene.title()) for scene in chapter.scenes)
        print_table(Table(("name", "shows", "title"), rows), heading=False, indent="  ")
    return 0


def _listed(lecture: "Lecture") -> Sequence[Mapping[str, Any]]:
    return [
        {
            "key": chapter.key,
            "titles": chapter.titles,
            "scenes": [
                {
                    "name": one.name,
                    "titles": one.titles,
                    "shows": one.shows,
                    "steps": len(one.steps),
                }
                for one in chapter.scenes
            ],
        }
        for chapter in lecture.chapters
    ]


def _show(args: argparse.Namespace) -> int:
    (scene, *others) = _named(args.scene)
    if others:
        raise UserMistake(
            N_("{name} is a lecture of several scenes."),
            N_("Name one of its files, or list it with `scenes list`."),
            name=args.scene,
        )
    if args.json:
        print_json(asdict(scene))
        return 0
    print(scene.title())
    for source in scene.sources:
        print(f"  {source}")
    for number, step in enumerate(scene.steps, 1):
        print()
        _show_step(number, step)
    return 0


def _show_step(number: int, step: "Step") -> None:
    print(f"{number}. {step.question} ({', '.join(step.models) or '-'})")
    masked = [*step.masked, *step.pair_masked]
    for line in filter(None, (step.text, step.pair)):
        print(f"   {line}")
    if masked:
        print(f"   [MASK]: {', '.join(masked)}")
    for key, value in step.options.items():
        print(f"   {key} = {value}")
    for sentence in step.look():
        print(f"   - {sentence}")
    if step.claim():
        print(f"   => {step.claim()}")
    for claim in step.claims:
        print(f"      {claim}")
    if step.ask is not None:
        words = step.ask.said()
        print(f"   ? {words.question}")
        for choice in words.choices:
            print(f"      - {choice}")
        print(f"      {step.ask.answer}")


def _check(args: argparse.Namespace, program: Program) -> int:
    from explorer import lectures
    from explorer.lectures.playing import ScenePlayer

    # All are read before any is played: what is mistyped in the last one is said at once.
    scenes = [scene for name in args.scenes for scene in _named(name)]
    if not args.scenes:
        scenes = [*lectures.bundled().scenes, *lectures.lessons().scenes]
    player = ScenePlayer(program)
    found: list[tuple[Played, Controls, Asks]] = []
    for scene in scenes:
        played = player.play(scene)
        asks = [player.play_ask(played, number) for number in range(len(played.steps))]
        found.append(one := (played, _controls(player, played), asks))
        if not args.json:
            _print(*one)
            sys.stdout.flush()
    failed = sum(not _holds(*one) for one in found)
    if args.json:
        print_json({"scenes": [_told(*one) for one in found]})
    elif failed:
        print(_("{failed} of {count} scenes do not hold.", failed=failed, count=len(found)))
    else:
        print(ngettext("{count} scene holds.", "{count} scenes hold.", len(found)))
    return int(failed > 0)


def _export(args: argparse.Namespace, program: Program) -> int:
    """Play a lecture into a file; the exit status is 1 when a claim in it does not hold."""
    draw_without_screen()
    if form := form_of_programs(args):
        return _as_programs(args, program, form)
    need_qt()
    from explorer.ui.export.alone import tell_of_boxes
    from explorer.ui.export.handout.making import Handout, make

    tell = TerminalProgress()
    try:
        wanted = Handout(str(args.file), args.lecture or "", args.title or "")
        made = make(program, wanted, tell)
    finally:
        tell.end()
    tell_of_boxes(made.texts)
    if args.json:
        print_json({"file": str(args.file), "scenes": made.scenes, "failed": made.failed})
    else:
        file = str(args.file)
        print(
            ngettext(
                "{count} scene in {file}.", "{count} scenes in {file}.", made.scenes, file=file
            )
        )
        if made.failed:
            print(_("These do not hold: {names}.", names=", ".join(made.failed)))
    return int(bool(made.failed))


def _site(args: argparse.Namespace, program: Program) -> int:
    """Write a lecture and the gallery as a folder; the status is 1 when a claim does not hold."""
    draw_without_screen()
    need_qt()
    from explorer.ui.export.alone import tell_of_boxes
    from explorer.ui.export.handout.gallery import make_site

    tell = TerminalProgress()
    try:
        made = make_site(program, args.folder, args.lecture or "", args.title or "", tell)
    finally:
        tell.end()
    tell_of_boxes(made.texts)
    for one in made.left_out:
        sys.stderr.write(_("The gallery leaves out {page}", page=one) + "\n")
    if args.json:
        told = {"folder": str(args.folder), "files": made.files, "failed": made.failed}
        print_json({**told, "left_out": made.left_out})
    else:
        folder = str(args.folder / "index.html")
        print(
            ngettext(
                "{count} file; open {path}.", "{count} files; open {path}.", made.files, path=folder
            )
        )
        if made.failed:
            print(_("These do not hold: {names}.", names=", ".join(made.failed)))
    return int(bool(made.failed))


def _as_programs(args: argparse.Namespace, program: Program, form: str) -> int:
    """Play scenes into a notebook, a script or a document."""
    from explorer import lectures
    from explorer.as_code.notebook import write_scenes
    from explorer.lectures.playing import ScenePlayer

    wants: Wants | None = None
    if form == "ipynb":
        from explorer.ui.export.alone import details_wanted

        wants = details_wanted
    scenes = lectures.bundled().scenes if args.lecture is None else _named(args.lecture)
    player = ScenePlayer(program, wants=wants)
    played = [player.play(scene) for scene in scenes]
    write_scenes(played, args.file, form)
    failed = [one.scene.name for one in played if not one.holds]
    if is_standard_output(args):
        return int(bool(failed))
    if args.json:
        print_json({"file": str(args.file), "scenes": len(played), "failed": failed})
        return int(bool(failed))
    file = str(args.file)
    print(ngettext("{count} scene in {file}.", "{count} scenes in {file}.", len(played), file=file))
    if failed:
        print(_("These do not hold: {names}.", names=", ".join(failed)))
    return int(bool(failed))


def _named(name: str) -> Sequence["Scene"]:
    """The bundled scene of this name, or those that lie there.

    Raises:
        UserMistake: There is neither.
    """
    from explorer import lectures
    from explorer.files.typed_paths import typed_path

    if name == lectures.LESSONS:
        return lectures.lessons().scenes
    bundled = lectures.bundled()
    for lecture in (bundled, lectures.lessons()):
        if any(scene.name == name for scene in lecture.scenes):
            return [lecture.scene(name)]
    is_place = Path(name).suffix or len(Path(name).parts) > 1 or typed_path(name).exists()
    return lectures.read(name).scenes if is_place else [bundled.scene(name)]


def _controls(player: "ScenePlayer", played: "Played") -> "Controls":
    """The controls of every step."""
    return [player.play_controls(played, number) for number in range(len(played.steps))]


def _holds(played: "Played", controls: "Controls", asks: "Asks") -> bool:
    """What is claimed holds, and fails where it must; and what is asked has its answer."""
    answered = all(one is None or one.holds for one in asks)
    return played.holds and answered and all(one.fails for step in controls for one in step)


def _print(played: "Played", controls: "Controls", asks: "Asks") -> None:
    holds = _holds(played, controls, asks)
    print(f"{SIGNS[holds]}  {played.scene.name}: {played.scene.title()}")
    whole = zip(played.steps, controls, asks, strict=True)
    for number, (step, others, asked) in enumerate(whole, 1):
        print(f"      {number}. {step.step.question}")
        for line in _lines(step.claims, step.failures):
            print(f"         {line}")
        for other in others:
            heading = _("Must fail in the control:")
            print(f"         {heading}")
            for line in _lines(other.claims, other.failures, wanted=False):
                print(f"            {line}")
        if asked is not None and step.step.ask is not None:
            print(f"         {SIGNS[asked.holds]}  {step.step.ask.said().question}")
            for line in (asked.told, *_lines((), asked.failures)):
                print(f"               {line}")


def _lines(
    claims: Sequence["JudgedClaim"], failures: Sequence[Failure], *, wanted: bool = True
) -> Iterator[str]:
    for one in claims:
        yield f"{SIGNS[one.holds is wanted]}  {one.claim}"
        for side in one.sides:
            yield f"      {side.source} = {side.value}"
    for failure in failures:
        yield f"{SIGNS[False]}  {failure.said}"
        if failure.advice:
            yield f"      {failure.advice}"


def _told(played: "Played", controls: "Controls", asks: "Asks") -> Mapping[str, Any]:
    return {
        "name": played.scene.name,
        "holds": _holds(played, controls, asks),
        "steps": [
            {
                "question": step.step.question,
                "holds": step.holds,
                "claims": [asdict(one) for one in step.claims],
                "failures": [_in_short(one) for one in step.failures],
                "controls": [
                    {
                        "fails": one.fails,
                        "claims": [asdict(claim) for claim in one.claims],
                        "failures": [_in_short(failure) for failure in one.failures],
                    }
                    for one in others
                ],
                "ask": asked and _told_ask(asked),
            }
            for step, others, asked in zip(played.steps, controls, asks, strict=True)
        ],
    }


def _told_ask(asked: "PlayedAsk") -> Mapping[str, Any]:
    return {
        "holds": asked.holds,
        "answer": asked.live,
        "done": asked.done,
        "failures": [_in_short(one) for one in asked.failures],
    }


def _in_short(failure: Failure) -> Mapping[str, str]:
    return {"message": failure.message, "hint": failure.hint}
