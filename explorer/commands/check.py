"""`check`: does a plugin keep the contract? For those who write one."""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.api.question import MachineFault, UserMistake
from explorer.files.typed_paths import typed_path
from explorer.headless import print_json
from explorer.program import Program
from explorer.system_libraries import draw_without_screen
from explorer.text import N_, _

if TYPE_CHECKING:
    from explorer.engine.plugins.conformance import Finding
    from explorer.engine.plugins.conformance.answer import TriedAnswer
    from explorer.engine.runner import Runner

NAME = "check"
HELP = N_("check a plugin with a tiny random model")

SIGNS = {"passed": "ok  ", "failed": "FAIL", "skipped": "-   ", "not tried": "?   "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which folder, and how the findings come out."""
    parser.add_argument("folder", type=Path, help=_("the plugin's folder, with plugin.toml"))
    parser.add_argument(
        "--question",
        action="append",
        metavar="NAME",
        help=_("ask nothing but this question; may be given again (all of them otherwise)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace, program: Program) -> int:
    """Check it; the exit status is 1 when something failed, or could not be tried.

    Raises:
        UserMistake: There is no such folder.
    """
    folder = typed_path(args.folder)
    if not folder.is_dir():
        raise UserMistake(
            N_("{folder} is not a folder."),
            N_("Name the folder that holds plugin.toml."),
            folder=folder,
        )
    from explorer.engine.plugins.conformance import check_plugin
    from explorer.engine.process.surroundings import prepare_environment

    prepare_environment()
    with contextlib.redirect_stdout(sys.stderr):
        findings = check_plugin(
            folder,
            program.paths.bundled_plugins,
            questions=args.question,
            draws=partial(_drawn, program),
        )
    if args.json:
        from explorer.serialise import to_builtins

        print_json({"findings": [to_builtins(finding) for finding in findings]})
    else:
        for finding in findings:
            where = f"{finding.checkpoint}: " if finding.checkpoint else ""
            print(f"{SIGNS[finding.outcome.value]}  {where}{finding.check}")
            for line in filter(None, (finding.message, finding.hint)):
                print(f"      {line}")
        print(_verdict(findings))
    return int(not all(finding.ok for finding in findings))


def _verdict(findings: "Sequence[Finding]") -> str:
    failures = sum(finding.failed for finding in findings)
    open_ = sum(not finding.ok for finding in findings) - failures
    if failures:
        return _("{failures} of {count} checks failed.", failures=failures, count=len(findings))
    if open_:
        return _(
            "{open_} of {count} checks were not tried: nobody knows whether it conforms.",
            open_=open_,
            count=len(findings),
        )
    return _("It conforms.")


def _drawn(program: Program, runner: "Runner", answer: "TriedAnswer") -> str:
    """What is wrong with the page of an answer; "" for nothing."""
    draw_without_screen()
    from explorer.headless import AnsweredRun, LoadedModels
    from explorer.ui.export.alone import details_wanted, draw_every_way

    answered = AnsweredRun(answer.result, answer.run)
    answered = LoadedModels(runner, program, answer.cast).with_details(answered, details_wanted)
    # Where this machine lacks a browser that a page needs, the page is not to blame.
    with contextlib.suppress(MachineFault):
        return draw_every_way(answered, program.paths.texts)
    return ""
