"""The command line: every question without a window, and the window where no command is given.

A path in the place of a command is opened in the window.

Each file in `explorer/commands` with a NAME is a command, registered by being there: it has HELP,
`add_arguments(parser)` and `run(args, program) -> int`, and FORMERLY where it had other names.
Exit statuses: 0 done, 2 the user's mistake (one line on stderr), 1 a fault, 130 stopped by Ctrl-C.
"""

import argparse
import contextlib
import errno
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from explorer import __version__
from explorer import commands as command_folder
from explorer.command_line.completion import complete, is_asked, typed_so_far
from explorer.command_line.opening import path_among
from explorer.command_line.options.global_options import (
    add_global_options,
    choose_language,
    options_anywhere,
)
from explorer.command_line.parsing import DONE, FAULT, INTERRUPTED, MISTAKE, Declare, Help, Parser
from explorer.printing.streams import give_up_output, printable_output, refuse_closed_output
from explorer.processes import beginning, blas_threads
from explorer.text import N_, _

if TYPE_CHECKING:
    from explorer.program import Program

TOUR_FOLDER = Path("tour")


class Command(Protocol):
    """What a file in `explorer/commands` holds."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the command takes."""

    def run(self, args: argparse.Namespace, program: "Program") -> int:
        """Do it; returns the exit status."""


def all_commands() -> Mapping[str, Command]:
    """The commands by name, in alphabetical order."""
    names = pkgutil.walk_packages(command_folder.__path__, f"{command_folder.__name__}.")
    modules = [importlib.import_module(found.name) for found in names]
    commands = [cast("Command", module) for module in modules if hasattr(module, "NAME")]
    return {command.NAME: command for command in sorted(commands, key=lambda one: one.NAME)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    beginning.put_last()
    _make_output_readable()
    with printable_output():
        return _main(arguments)


def _main(arguments: Sequence[str] | None) -> int:
    try:
        with contextlib.ExitStack() as meanwhile:
            status = _dispatch(arguments, meanwhile)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt as stop:
        waited_for = getattr(stop, "waited_for", "")
        if waited_for:
            sys.stderr.write(
                _(
                    "Stopped while the plugin {title} was waited for. --safe-mode starts the "
                    "program without your plugins; Help, Plugins in the window switches one "
                    "off.\n",
                    title=waited_for,
                )
            )
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has had enough.
        give_up_output()
        return DONE
    except Exception as error:  # noqa: BLE001  the last place where anything can be said
        status = _report(error)
        give_up_output()
        return status
    return status


def _dispatch(arguments: Sequence[str] | None, meanwhile: contextlib.ExitStack) -> int:
    from explorer.files.private import tighten
    from explorer.files.temporary import remove_left_over

    blas_threads.start_none()
    choose_language(sys.argv[1:] if arguments is None else arguments)
    available = all_commands()
    brought: list[Program] = []
    if is_asked(os.environ):
        arguments = typed_so_far(os.environ)

    def bring_questions() -> None:
        from explorer.command_line.waiting_for_plugins import telling_of_hanging

        meanwhile.enter_context(telling_of_hanging())
        # The arguments of `ask` depend on the plugins, and those on options that stand anywhere.
        brought.append(read_program(options_anywhere(arguments)))
        brought[0].bring_questions()

    if is_asked(os.environ):
        parser = build_parser(available, bring_questions)
        complete(parser, lambda: read_program(options_anywhere(arguments)))
    named = path_among(
        sys.argv[1:] if arguments is None else arguments,
        {name for one in available.values() for name in (one.NAME, *_formerly(one))},
    )
    if named is not None:
        opened, args = named
        program = read_program(args)
        tighten(program.paths)
        remove_left_over()
        return _open_window(program, opened)
    try:
        args = build_parser(available, bring_questions).parse_args(arguments)
    except SystemExit as end:  # help, version, or a mistake that has been told
        return end.code if isinstance(end.code, int) else FAULT
    program = read_program(args)
    if args.command is not None and program not in brought:
        program.bring_questions()
    tighten(program.paths)
    remove_left_over()
    if args.command is None:
        return _open_window(program)
    command = next(
        one for name, one in available.items() if args.command in (name, *_formerly(one))
    )
    return _run(command, args, program)


def _run(command: Command, args: argparse.Namespace, program: "Program") -> int:
    from explorer.engine.environment.waiting import use_if_ready
    from explorer.processes.collector import collect_seldom

    collect_seldom()
    refuse_closed_output()
    is_ready = use_if_ready(program.paths.engine)
    try:
        return command.run(args, program)
    except ModuleNotFoundError as error:
        if is_ready:
            raise
        from explorer.api.question import MachineFault

        raise MachineFault(
            N_("The packages that run models are not installed yet."),
            N_("plm-explorer engine install installs them."),
        ) from error


def build_parser(
    available: Mapping[str, Command], before: Callable[[], object] = lambda: None
) -> Parser:
    """The parser with every command; the global options stand before or after a command.

    Args:
        available: The commands by name.
        before: Called before the arguments of the command that is typed are declared.
    """
    parser = Parser(
        prog="plm-explorer",
        formatter_class=partial(Help, max_help_position=28),
        description=_(
            "Look inside pretrained language models. Without a command, opens the window; with "
            "the path of a lecture, a model or a text instead of a command, opens that in it."
        ),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=_("PLM Explorer {version}", version=__version__),
        # Before Python 3.12 argparse says this in English alone.
        help=_("show program's version number and exit"),
    )
    add_global_options(parser)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, command in available.items():
        subcommand = subparsers.add_parser(
            name,
            help=_(command.HELP),
            description=_(command.HELP),
            declare=_arguments_of(command, before),
        )
        # Not as aliases, which --help would list.
        subparsers.choices.update(dict.fromkeys(_formerly(command), subcommand))
    return parser


def _formerly(command: Command) -> tuple[str, ...]:
    """Names that a command had."""
    return tuple(getattr(command, "FORMERLY", ()))


def _arguments_of(command: Command, before: Callable[[], object]) -> Declare:
    def declare(parser: argparse.ArgumentParser) -> None:
        before()
        add_global_options(parser)
        command.add_arguments(parser)

    return declare


def read_program(args: argparse.Namespace) -> "Program":
    """The global options as a Program; sets the environment that libraries read at import."""
    from explorer.paths import Paths
    from explorer.program import Program

    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    offline = getattr(args, "offline", False)
    if offline:
        os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
    profile: Path | None = getattr(args, "profile", None)
    if profile is not None:
        from explorer.files.typed_paths import profile_folder

        profile = profile_folder(profile)
    if profile is not None and profile.exists() and not profile.is_dir():
        from explorer.api.question import UserMistake

        raise UserMistake(
            N_("{profile} is not a folder."), N_("Name a folder as the profile."), profile=profile
        )
    paths = Paths.standard() if profile is None else Paths.profile(profile)
    if paths.hub_cache is not None:
        os.environ["HF_HUB_CACHE"] = str(paths.hub_cache)
    return Program(
        paths,
        device=getattr(args, "device", "auto"),
        dtype=getattr(args, "dtype", "auto"),
        offline=offline,
        safe_mode=getattr(args, "safe_mode", False),
        language=getattr(args, "language", ""),
    )


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown: always, but on a Linux without a display server."""
    if not platform.startswith("linux"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(environment.get(name) for name in names)


def _open_window(program: "Program", opened: Path | None = None) -> int:
    from explorer.system_libraries import QT_GUI, X11, SystemLibrary, advice, missing

    if opened is not None and not has_display(os.environ):
        from explorer.api.question import MachineFault

        raise MachineFault(
            N_("There is no display here that could show {name}."),
            N_("plm-explorer scenes check plays a lecture without a window."),
            name=opened.name,
        )
    if importlib.util.find_spec("PySide6") is None:
        from explorer.api.question import MachineFault

        raise MachineFault(
            N_("The window is drawn by PySide6, which is not installed."),
            N_("Install it: pip install PySide6. Commands need none: plm-explorer --help."),
        )
    if not has_display(os.environ):
        sys.stderr.write(
            _(
                "There is no display here: taking the tour instead, into {resolve}.\n",
                resolve=TOUR_FOLDER.resolve(),
            )
        )
        from explorer.commands import tour

        return tour.take(program, TOUR_FOLDER)
    wanted: tuple[SystemLibrary, ...] = QT_GUI
    if os.environ.get("QT_QPA_PLATFORM", "xcb") == "xcb" and not os.environ.get("WAYLAND_DISPLAY"):
        wanted += X11
    absent = missing(wanted)
    if absent:
        sys.stderr.write(advice(absent) + "\n")
        return FAULT
    from explorer.engine.process.engine_handle import begin

    begun = None
    # It has torch to import, which takes longer than the window and all that fills it. A system
    # that starts no further process is told of in the window.
    with contextlib.suppress(OSError):
        begun = begin(ahead=True)
    from explorer import app
    from explorer.command_line.waiting_for_plugins import telling_of_hanging

    # Plugins' questions are imported before there is a window that could tell of one.
    with telling_of_hanging():
        return app.run(program, opened, begun)


def _report(error: Exception) -> int:
    """Say what went wrong, in one line where it is expected, with the traceback where not."""
    from explorer.api.question import Blame, Failure

    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        sys.stderr.write(_("A path is longer than this system allows. Give a shorter one.\n"))
        return MISTAKE
    failure = Failure.of(error)
    if failure.blame is Blame.BUG:
        sys.stderr.write(failure.traceback)
    sys.stderr.write(" ".join(filter(None, (failure.said, failure.advice))) + "\n")
    return MISTAKE if failure.blame is Blame.USER else FAULT


def _make_output_readable() -> None:
    """Keep any text printable: Korean, bars, emoji, on consoles that know only a code page."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
            # A file or a pipe gets UTF-8; a console keeps its own and shows "?" for the rest.
            reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
        elif reconfigure is not None and stream.errors == "strict":
            # The name of a file may be no text in any encoding.
            reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
