"""What is tried of a bundle, in order: each check gives figures, or fails with what was said."""

import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from explorer.installers.bare.debian import HOME, Root
from explorer.installers.bare.window import PATIENCE_S, opened
from explorer.installers.failures import CheckFailure

SENTENCE = "The chef cooked the [MASK] in the kitchen."
SENTENCES = 600

Check = Callable[[Root, Path], Mapping[str, object]]
"""Takes the root and a folder for logs and pictures; raises CheckFailure."""


def ran(
    root: Root,
    out: Path,
    name: str,
    arguments: Sequence[str],
    patience: float = PATIENCE_S,
    reaching: Mapping[str, str] | None = None,
) -> tuple[str, float]:
    """What the bundle said to a command, and after how many seconds it had ended.

    Args:
        root: Where it runs.
        out: For what it says.
        name: Of the file of that.
        arguments: Of the program.
        patience: Seconds.
        reaching: Variables by which it finds a network; without them it has none.

    Raises:
        CheckFailure: It ended with another status than 0, or not in time.
    """
    log = out / f"{name}.log"
    began = time.monotonic()
    process = root.start(
        [root.program, *arguments], reaching or {}, log, with_network=reaching is not None
    )
    try:
        status = process.wait(patience)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        process.kill()
        process.wait()
    said = log.read_text("utf-8", "replace")
    if status != 0:
        raise CheckFailure(f"{' '.join(arguments)} ended with {status}: {said[-2000:]}")
    return said, round(time.monotonic() - began, 1)


def sealed(root: Root, out: Path) -> Mapping[str, object]:
    """No network in there, and no Python."""
    log = out / "sealed.log"
    look = "cat /proc/net/dev; for one in python python3 pip; do command -v $one; done; true"
    root.start(["sh", "-c", look], {}, log).wait(PATIENCE_S)
    # Two lines of headings, and the loopback, which is down.
    found = [line.split()[0] for line in log.read_text("utf-8").splitlines()[2:]]
    if found != ["lo:"]:
        raise CheckFailure(f"There is a network or a Python: {found}")
    return {"interfaces": found, "pythons": 0}


def version(root: Root, out: Path) -> Mapping[str, object]:
    """The least that it can be asked; the second time, when the system has read its files."""
    _, first = ran(root, out, "version", ["--version"])
    said, again = ran(root, out, "version", ["--version"])
    return {"said": said.strip(), "seconds_first": first, "seconds": again}


def prediction(root: Root, out: Path) -> Mapping[str, object]:
    """A first answer without a window."""
    said, seconds = ran(root, out, "prediction", ["--offline", "fill", SENTENCE, "--json"])
    answer = json.loads(said)
    best = answer["masks"][0]["predictions"][0]
    return {"model": answer["model"]["id"], "best": best, "seconds": seconds}


def models(root: Root, out: Path) -> Mapping[str, object]:
    """Every bundled model is known, through plugins that all work."""
    said, seconds = ran(root, out, "models", ["--offline", "models", "--json"])
    if "Plugin" in said.partition("[")[0]:
        raise CheckFailure(said[:2000])
    rows = json.loads(said[said.index("[") :])
    inside = [row["id"] for row in rows if row["folder"]]
    if len(inside) < 20:
        raise CheckFailure(f"only {inside}")
    return {"models": len(inside), "seconds": seconds}


def window(root: Root, out: Path) -> Mapping[str, object]:
    """It opens on a screen, draws its first prediction by itself, and closes when it is asked."""
    with opened(root, out / "window.log", ["--offline"]) as one:
        answer, seconds = one.first_answer()
        colours = one.picture_at_rest(out / "window.png")
    return {"first_answer": answer, "seconds": seconds, "colours": colours}


def processes(root: Root, out: Path) -> Mapping[str, object]:
    """Two processes answer a file as one does: the same means, extremes and worst rows."""
    words = ("chef", "teacher", "gardener", "doctor", "farmer", "singer")
    lines = [f"The {words[i % 6]} cooked {i} meals in the kitchen.\n" for i in range(SENTENCES)]
    (root.home / "sentences.txt").write_text("".join(lines), "utf-8")
    answers, seconds = {}, {}
    for count in ("1", "2"):
        profile = ["--profile", f"/{HOME}/profile-{count}", "--offline"]
        asked = ["over", f"/{HOME}/sentences.txt", "--model", "bert-miniature", "--json"]
        said, took = ran(
            root, out, f"processes-{count}", [*profile, *asked, "--processes", count], 900
        )
        answers[count], seconds[count] = json.loads(said[said.index("{") :].splitlines()[0]), took
        # Each profile has a file of its own.
        del answers[count]["results"]
    if answers["1"] != answers["2"] or answers["2"]["done"] != SENTENCES:
        raise CheckFailure("two processes answered something else than one")
    return {"rows": answers["2"]["done"], "seconds": seconds}


def training(root: Root, out: Path) -> Mapping[str, object]:
    """A tokenizer is trained in a process of its own."""
    asked = ["--offline", "ask", "train_tokenizer", "--train", "--algorithms", "bpe"]
    said, seconds = ran(root, out, "training", [*asked, "--vocabulary", "300", "--json", SENTENCE])
    (trained,) = json.loads(said[said.index("{") :].splitlines()[0])["trained"]
    if len(trained["pieces"]) != 300:
        raise CheckFailure(f"a vocabulary of {len(trained['pieces'])} pieces")
    return {"pieces": len(trained["pieces"]), "seconds": seconds}


def lecture(root: Root, out: Path) -> Mapping[str, object]:
    """A bundled scene is played, and printed."""
    files = root.folder.glob("opt/bundle/**/resources/scenes/*.toml")
    scene = f"/{min(one for one in files if one.name != 'chapters.toml').relative_to(root.folder)}"
    target = f"/{HOME}/lecture.pdf"
    _, seconds = ran(root, out, "lecture", ["--offline", "scenes", "export", target, scene], 900)
    made = root.home / "lecture.pdf"
    if not made.read_bytes().startswith(b"%PDF"):
        raise CheckFailure("no PDF was made")
    return {"bytes": made.stat().st_size, "seconds": seconds}


def licences(root: Root, out: Path) -> Mapping[str, object]:
    """It says what it is made of."""
    said, seconds = ran(root, out, "licences", ["licences", "--json"])
    found = json.loads(said)
    names = {one["name"].casefold() for one in found}
    if not {"python", "torch", "pyside6", "transformers", "pyinstaller"} <= names:
        raise CheckFailure(f"not all is named: {sorted(names)}")
    without = [one["name"] for one in found if not one["texts"]]
    if without:
        raise CheckFailure(f"no text for {without}")
    return {"components": len(found), "seconds": seconds}


def tour(root: Root, out: Path) -> Mapping[str, object]:
    """Every view is drawn."""
    asked = ["--offline", "tour", "--out", f"/{HOME}/tour"]
    _, seconds = ran(root, out, "tour", asked, 10 * PATIENCE_S)
    pictures = sorted((root.home / "tour").glob("*.png"))
    if len(pictures) < 100:
        raise CheckFailure(f"only {len(pictures)} pictures")
    for one in pictures[:: max(1, len(pictures) // 12)]:
        (out / one.name).write_bytes(one.read_bytes())
    return {"pictures": len(pictures), "seconds": seconds}


ALL: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        sealed,
        version,
        prediction,
        models,
        window,
        licences,
        processes,
        training,
        lecture,
        tour,
    )
}
"""By name, in the order they are run."""
