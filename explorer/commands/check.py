"""`check`: does a plugin keep the contract? For those who write one."""

import argparse
import contextlib
import sys
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.headless import print_json
from explorer.program import Program
from explorer.text import N_, _

NAME = "check"
HELP = N_("check a plugin with a tiny random model")

SIGNS = {"passed": "ok  ", "failed": "FAIL", "skipped": "-   "}


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
    """Check it; the exit status is 1 when something failed.

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
        findings = check_plugin(folder, program.paths.bundled_plugins, questions=args.question)
    if args.json:
        from explorer.serialise import to_builtins

        print_json({"findings": [to_builtins(finding) for finding in findings]})
    else:
        for finding in findings:
            where = f"{finding.checkpoint}: " if finding.checkpoint else ""
            print(f"{SIGNS[finding.outcome.value]}  {where}{finding.check}")
            for line in filter(None, (finding.message, finding.hint)):
                print(f"      {line}")
        failures = sum(finding.failed for finding in findings)
        print(
            _("{failures} of {count} checks failed.", failures=failures, count=len(findings))
            if failures
            else _("It conforms.")
        )
    return int(any(finding.failed for finding in findings))
