"""`trial`: a bundle in a bare Debian without Python and without a network.

Root is made by debootstrap with nothing but what a Debian desktop has anyway; the bundle runs in it
under chroot, in a network namespace of its own in which not even the loopback is up, as a person
would use it: a question on the command line, the window under Xvfb until its first prediction is
drawn, a file answered by two processes, a tokenizer trained, a lecture as a PDF, the tour. A thin
bundle is started first of all without what runs models, which is then installed by a command that
reaches the package index as this machine does (uv's variables are handed on). Needs
Linux, root's rights, debootstrap.
"""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from explorer.installers.bare import checks, debian, first_start
from explorer.installers.failures import BuildFailure, CheckFailure

NAME = "trial"
HELP = "run a bundle in a bare Debian root without Python or network: prediction, window, tour"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is tried, where, and what is left out."""
    parser.add_argument("bundle", type=Path, help="its folder, .tar.zst, .squashfs or .AppImage")
    parser.add_argument("--root", type=Path, required=True, metavar="DIR", help="made if not there")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="pictures, figures")
    parser.add_argument("--suite", default="bookworm", help="of Debian (default: %(default)s)")
    parser.add_argument("--mirror", default="", help="of Debian, as debootstrap takes it")
    parser.add_argument(
        "--only",
        action="append",
        choices=list({**checks.ALL, **first_start.THIN}),
        help="this check; can be given several times (default: all of them)",
    )


def run(args: argparse.Namespace) -> int:
    """Try it; the exit status is 1 where a check fails."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        raise BuildFailure("A trial needs Linux and root's rights. Run it with sudo.")
    args.out.mkdir(parents=True, exist_ok=True)
    root = debian.Root(args.root.absolute())
    root.make(args.suite, args.mirror)
    root.hold(args.bundle.absolute())
    figures: dict[str, Mapping[str, object]] = {}
    failed = []
    known = first_start.THIN if root.is_thin else checks.ALL
    for name in args.only or known:
        print(f"{name} …", flush=True)
        try:
            figures[name] = known[name](root, args.out)
        except CheckFailure as failure:
            failed.append(name)
            figures[name] = {"failed": str(failure)}
        print(f"  {json.dumps(figures[name])}", flush=True)
    (args.out / "trial.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    shutil.rmtree(root.home, ignore_errors=True)
    return 1 if failed else 0
