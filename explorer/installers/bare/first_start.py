"""What is tried of a thin bundle before anything else: its first start."""

import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from explorer.installers.bare.checks import ALL, SENTENCE, Check, ran
from explorer.installers.bare.debian import HOME, Root
from explorer.installers.bare.window import PATIENCE_S, opened
from explorer.installers.failures import CheckFailure

PACKAGES = f"{HOME}/.local/share/plm-explorer/engine/packages"
DRAWN_S = 10
"""Seconds after which all of a window is drawn."""

LATER = ("prediction", "models", "window", "training", "lecture")
"""Not what has profiles of its own: packages lie in the profile that installed them."""


def first_start(root: Root, out: Path) -> Mapping[str, object]:
    """A sentence where a prediction would stand; a failure without a network; then the answer."""
    refused(root, out, ["fill", SENTENCE], "not installed yet")
    refused(root, out, ["engine", "install", "--for", "cpu"], "index can't be reached")
    reaching = network(root)
    with opened(root, out / "first_start.log") as window:
        seen = window.wait(window.database.is_file, "no window")
        # A line that moves says that it waits: the screen is never at rest.
        time.sleep(DRAWN_S)
        colours = window.picture(out / "waiting.png")
        if window.answers:
            raise CheckFailure("something was answered without what runs models")
        asked = ["engine", "install", "--for", "cpu"]
        _, installed = ran(root, out, "install", asked, 900, reaching)
        answer, answered = window.first_answer()
        window.picture_at_rest(out / "answered.png")
    files = (root.folder / PACKAGES).rglob("*")
    return {
        "seconds_to_window": seen,
        "colours_while_waiting": colours,
        "seconds_to_install": installed,
        "bytes_installed": sum(one.stat().st_size for one in files if one.is_file()),
        "seconds_to_answer": answered,
        "first_answer": answer,
    }


def refused(root: Root, out: Path, arguments: list[str], words: str) -> None:
    """A command ends with a fault's status, and with words in one line.

    Raises:
        CheckFailure: It ended otherwise.
    """
    log = out / "refused.log"
    hurry = {"UV_HTTP_RETRIES": "0"}
    status = root.start([root.program, *arguments], hurry, log).wait(PATIENCE_S)
    said = log.read_text("utf-8", "replace")
    if status != 1 or words not in said or len(said.splitlines()) != 1:
        raise CheckFailure(f"{' '.join(arguments)} ended with {status}: {said[-2000:]}")


def network(root: Root) -> Mapping[str, str]:
    """Let a root find the package index as this machine does; gives the variables for it."""
    for file in ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"):
        if Path(file).is_file():
            target = root.folder / file.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    told = {name: text for name, text in os.environ.items() if name.startswith("UV_")}
    told.pop("UV_CACHE_DIR", None)
    told["SSL_CERT_FILE"] = "/etc/ssl/certs/ca-certificates.crt"
    for place in filter(None, told.get("UV_FIND_LINKS", "").split(",")):
        if Path(place).is_dir():
            target = root.folder / place.lstrip("/")
            target.mkdir(parents=True, exist_ok=True)
            for wheel in Path(place).glob("torch-*.whl"):
                shutil.copy(wheel, target)
    return told


THIN: Mapping[str, Check] = {
    "sealed": ALL["sealed"],
    "version": ALL["version"],
    "first_start": first_start,
    **{name: ALL[name] for name in LATER},
}
"""By name, in the order they are run: what a full bundle is asked comes after the first start."""
