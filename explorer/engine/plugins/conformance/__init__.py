"""Checks whether a plugin keeps the contract, with a tiny random model of its family.

A plugin's module may help with two functions. `tiny(folder)` writes one tiny checkpoint into the
folder, or several into folders inside it; families described by `TransformersFamily` need none.
`plain_logits(folder, input_ids)` gives the logits (tokens x vocabulary) that filling masks is
compared with, where transformers' own class for masked LM is not the reference.

It lies in the engine and not in `explorer.api`, because it uses the plugin host and the runner
that the program itself uses: what passes here works there.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.family import Context, ExplorerError, Family, LoadOptions, PluginFault
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.conformance.fault import CHECKED, told, trace_of
from explorer.engine.plugins.conformance.finding import (
    CheckOutcome,
    Finding,
    failed,
    not_tried,
    passed,
)
from explorer.engine.plugins.conformance.reading import (
    check_catalogues,
    check_faces,
    check_import,
    check_lightness,
    check_manifest,
    check_questions,
)
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import Manifest
from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.engine.runner import Runner
from explorer.files.temporary import prefix
from explorer.questions import all_questions, answered_with, only
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.plugins.conformance.answering import Draws

__all__ = ["CheckOutcome", "Finding", "check_plugin"]

TRIED_WITH = "bert"
"""The family that the questions of a plugin without one are asked of."""

TINY_HINT = "Let the plugin's module have tiny(folder), which writes a tiny random checkpoint."


def check_plugin(
    folder: Path,
    others: Path | None = None,
    *,
    questions: Collection[str] | None = None,
    draws: "Draws | None" = None,
) -> list[Finding]:
    """Check a plugin's folder.

    The plugin is copied and checked alone, so that it can use nothing but its own files.

    Args:
        folder: Holds plugin.toml and __init__.py.
        others: A folder of plugins that must not take this one's checkpoints away.
        questions: Names of those to ask, while one of them is being worked on; None for all.
        draws: Draws the page of an answer; None where there is nothing to draw with.

    Returns:
        Every check and its outcome, in the order they were made. Checks that make no sense after
        one that failed are left out.
    """
    folder = folder.resolve()
    manifest, findings = check_manifest(folder)
    if manifest is None or any(one.failed for one in findings):
        return findings
    name = f"{folder.name}{CHECKED}"
    with tempfile.TemporaryDirectory(prefix=prefix("check")) as place:
        plugins = Path(place) / "plugins"
        shutil.copytree(folder, plugins / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        try:
            copied = PluginHost(plugins, None, entry_points=False)
            with only(lambda: copied.questions):
                checkpoints = Path(place) / "checkpoints"
                tried = _Tried(questions, draws, Path(place))
                findings += _check_copy(plugins, name, manifest, checkpoints, others, tried)
            if (folder / "__init__.py").exists() and not any(
                one.failed and one.check == "import" for one in findings
            ):
                findings += _check_claims(plugins, others, folder, manifest, Path(place))
        finally:
            _forget(name)
    return findings


def _check_copy(
    plugins: Path,
    name: str,
    manifest: Manifest,
    checkpoints: Path,
    others: Path | None,
    tried: "_Tried",
) -> Iterator[Finding]:
    found = check_import(plugins, manifest)
    yield from found
    if any(one.failed for one in found):
        return
    host = PluginHost(plugins, None, entry_points=False)
    yield from check_questions(host.questions)
    # One written before there were several faces says `api`, which shows most of them.
    yield check_faces(plugins / name, None if manifest.api else manifest.faces)
    yield from check_catalogues(plugins / name)
    if none := sorted(set(tried.questions or ()) - set(all_questions())):
        yield failed("knows the questions to ask", f"There is no question {', '.join(none)}.")
        return
    if not (plugins / name / "__init__.py").exists():
        # It brings questions alone: they are tried with the program's own BERT.
        yield from _check_questions_alone(host, plugins, others, checkpoints, tried)
        return
    family = host.family(manifest.id)
    module = sys.modules[_module_name(name)]
    folder = checkpoints / f"{manifest.id}-tiny"
    heads: Sequence[Path] = ()
    try:
        heads = _write_tiny(family, module, folder)
        made = sorted(path.parent for path in folder.rglob("config.json"))
    except Exception as error:  # noqa: BLE001 - a plugin can raise anything
        yield failed("makes a tiny model", told(error), TINY_HINT, traceback=trace_of(error))
        made = []
    else:
        if made:
            yield passed("makes a tiny model")
        else:
            yield failed("makes a tiny model", "There is no config.json.", TINY_HINT)
    yield from check_lightness(plugins, manifest.id, [*made, *heads])
    asked: set[str] = set()
    for checkpoint in made:
        yield from _check_checkpoint(host, manifest.id, module, checkpoint, tried, asked)
    for checkpoint in heads:
        # What the model without such a head has answered need not be asked again.
        rest = {*(tried.questions or all_questions())} - asked
        left = replace(tried, questions=rest)
        yield from _check_checkpoint(host, manifest.id, module, checkpoint, left, asked)


@dataclass(frozen=True)
class _Tried:
    """What is asked, how answers are drawn, and where there is room for what is written."""

    questions: Collection[str] | None
    draws: "Draws | None"
    place: Path


def _check_questions_alone(
    host: PluginHost, plugins: Path, others: Path | None, checkpoints: Path, tried: _Tried
) -> Iterator[Finding]:
    """Try a plugin's questions with a tiny model of a family of the program's own."""
    names = frozenset(one.question.name for one in host.questions)
    if tried.questions is not None:
        names &= set(tried.questions)
    if others is None:
        yield not_tried("its questions answer", "There is no family to ask.")
        return
    both = PluginHost(others, plugins, entry_points=False)
    folder = checkpoints / f"{TRIED_WITH}-tiny"
    _write_tiny(both.family(TRIED_WITH), None, folder, heads=False)
    runner = Runner(both, Catalogue(both, folder / "none", folder / "none", offline=True))
    runner.load("A", str(folder), LoadOptions(device="cpu", family=TRIED_WITH), Context())
    checks = _of_answers(runner, folder.name, replace(tried, questions=names))
    yield from _made(checks[:-1], runner, folder.name)


def _of_answers(runner: Runner, title: str, tried: _Tried) -> list[Callable[[], Iterator[Finding]]]:
    """What is asked of a loaded model and done with its answers; the last one stops it."""
    from explorer.engine.plugins.conformance.answer import TriedAnswer
    from explorer.engine.plugins.conformance.answering import answers_of, check_answers
    from explorer.engine.plugins.conformance.asking import (
        check_cancelling,
        check_repeats,
        check_texts,
    )

    answers: dict[str, TriedAnswer] = {}

    def ask() -> Iterator[Finding]:
        found, findings = answers_of(runner, title, tried.place, tried.questions)
        answers.update(found)
        yield from findings

    return [
        ask,
        lambda: check_answers(runner, answers, title, tried.draws),
        lambda: check_texts(runner, title, tried.questions),
        lambda: _one(check_repeats(runner, answers, title)),
        lambda: _one(check_cancelling(runner, answers, title)),
    ]


def _write_tiny(family: Family, module: Any, folder: Path, *, heads: bool = True) -> Sequence[Path]:
    """Write a tiny checkpoint, or several.

    Args:
        family: Whose.
        module: The plugin's, which may write its own.
        folder: Where.
        heads: Beside it one is written of each class that has a head and no other.

    Returns:
        The folders of these.
    """
    own = getattr(module, "tiny", None)
    if own is not None:
        own(folder)
        return ()
    from explorer.hf.family.base import TransformersFamily
    from explorer.hf.family.tiny import classes_of_heads, write_tiny

    if not isinstance(family, TransformersFamily):
        raise PluginFault(N_("Its module has no tiny(folder)."))
    write_tiny(family, folder)
    return [
        write_tiny(family, folder.with_name(f"{folder.name}-{head}"), model_class=name)
        for head, name in (classes_of_heads(family) if heads else {}).items()
    ]


def _check_checkpoint(
    host: PluginHost, name: str, module: Any, folder: Path, tried: _Tried, asked: set[str]
) -> Iterator[Finding]:
    """Everything that takes a loaded model; what it answers is put among what was asked."""
    from explorer.engine.plugins.conformance.asking import (
        SLOT,
        check_claims,
        check_plain_forward,
        check_questions,
    )

    title = folder.name
    runner = Runner(host, Catalogue(host, folder / "none", folder / "none", offline=True))
    files = inspect_folder(folder)
    try:
        host.family_of(files)
        yield passed("recognises its own", title)
    except ExplorerError as error:
        yield failed("recognises its own", error.message, "Look at recognise().", title)
    try:
        declared = answered_with(host.family(name).offers(files))
        runner.load("A", str(folder), LoadOptions(device="cpu", family=name), Context())
        yield passed("loads", title)
    except Exception as error:  # noqa: BLE001 - a plugin can raise anything
        yield failed("loads", told(error), checkpoint=title, traceback=trace_of(error))
        return
    checks: list[Callable[[], Iterator[Finding]]] = [
        lambda: check_claims(runner, title),
        lambda: check_questions(runner, declared, title),
        lambda: _one(
            check_plain_forward(runner, folder, getattr(module, "plain_logits", None), title)
        ),
    ]
    offered = set(runner.cards[SLOT].operations)
    if tried.questions is None or offered & set(tried.questions):
        checks += _of_answers(runner, title, tried)
    asked |= offered
    yield from _made(checks, runner, title)


def _made(
    checks: Sequence[Callable[[], Iterator[Finding]]], runner: Runner, title: str
) -> Iterator[Finding]:
    """What checks of a loaded model find; the model is unloaded in the end."""
    try:
        for check in checks:
            try:
                yield from check()
            except Exception as error:  # noqa: BLE001 - a plugin can raise anything
                yield failed("answers", told(error), checkpoint=title, traceback=trace_of(error))
    finally:
        runner.unload("A")


def _one(finding: Finding) -> Iterator[Finding]:
    yield finding


def _check_claims(
    plugins: Path, others: Path | None, folder: Path, manifest: Manifest, place: Path
) -> Iterator[Finding]:
    """Whether another plugin claims the tiny checkpoints with a higher score."""
    check = "keeps its checkpoints among other plugins"
    if others is None:
        return
    own = folder.parent == others.resolve()
    host = PluginHost(others, None if own else plugins, entry_points=False)
    for record in host.records:
        if record.problem and Path(record.location).is_relative_to(place):
            yield failed(check, record.problem, "Choose another id.")
            return
    for config in sorted(place.glob("checkpoints/**/config.json")):
        try:
            family, recognition = host.family_of(inspect_folder(config.parent))
        except ExplorerError as error:
            yield failed(check, error.message, checkpoint=config.parent.name)
            continue
        if family.id == manifest.id:
            yield passed(check, config.parent.name)
        else:
            yield failed(
                check,
                f"{family.title} takes it with a score of {recognition.score} "
                f"({recognition.reason})",
                "Claim a higher score where it is certain, or another model_type.",
                config.parent.name,
            )


def _module_name(folder_name: str) -> str:
    return f"{MODULE_PREFIX}bundled_{folder_name}".replace("-", "_")


def _forget(folder_name: str) -> None:
    """Drop the copy's modules: their files are gone."""
    prefix = _module_name(folder_name)
    for name in tuple(sys.modules):
        if name == prefix or name.startswith(f"{prefix}."):
            del sys.modules[name]
