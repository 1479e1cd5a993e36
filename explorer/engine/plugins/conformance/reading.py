"""What can be checked of a plugin before a model is loaded: its manifest and its imports."""

import ast
import gettext
import json
import struct
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.engine.plugins.conformance.finding import Finding, failed, passed
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import Manifest, missing_requirement, read_manifest
from explorer.faces import FACES, VERSIONS, homes, not_shown
from explorer.processes.own_processes import command_line, environment
from explorer.questions.brought import Brought
from explorer.text.language import name_of
from explorer.text.marked import marked_in

ROOMS = ("explorer.api", "explorer.hf", "explorer.ui")
MADE_AGAIN = (
    "pybabel update brings the .po up to date, and pybabel compile makes the .mo of it: entries "
    "that are marked fuzzy are left out of that."
)
PATIENCE = 120
"""Seconds that importing a plugin may take at most, on a slow machine."""


def check_manifest(folder: Path) -> tuple[Manifest | None, list[Finding]]:
    """The manifest, if it can be read, and what was found."""
    check = "plugin.toml"
    try:
        manifest = read_manifest(folder / "plugin.toml")
        missing = missing_requirement(manifest.requires)
    except (OSError, ValueError) as error:
        return None, [failed(check, f"It can't be read: {error}.", "Correct it.")]
    brings_family = (folder / "__init__.py").exists()
    problems = list(_in_manifest(manifest, missing, brings_family=brings_family))
    return manifest, problems or [passed(check)]


def _in_manifest(manifest: Manifest, missing: str, *, brings_family: bool) -> Iterator[Finding]:
    check = "plugin.toml"
    if misfit := manifest.does_not_fit:
        face, wanted, own = misfit
        yield failed(check, f"It is written for {face} {wanted}; this is {own}.")
    if missing:
        yield failed(check, f"It needs {missing}, which is not installed.", "Install it.")
    if brings_family and not manifest.model_types:
        yield failed(
            check, "model_types is empty.", "Name the values of config.json's model_type it takes."
        )
    if not manifest.version:
        yield failed(check, "version is missing.")
    names = [one.id for one in manifest.published]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield failed(check, f"{name} is published twice.", "Leave one.")
    for one in manifest.published:
        if one.parameters <= 0 or (one.size_bytes is not None and one.size_bytes <= 0):
            yield failed(check, f"{one.id} has no parameters or no size.", "Correct the numbers.")


def check_faces(folder: Path, declared: Collection[str] | None = None) -> Finding:
    """Whether a plugin imports from faces alone: what lies deeper moves without a new version.

    Args:
        folder: The plugin's.
        declared: The faces that its manifest names; None where nobody asks.
    """
    deeper, lacking, used = [], [], set[str]()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
                continue
            where = f"{path.relative_to(folder).as_posix()} line {node.lineno}: "
            if node.module in FACES:
                used.add(FACES[node.module])
                known = homes(node.module)
                names = (one.name for one in node.names)
                lacking += [
                    f"{where}{not_shown(node.module, one)}." for one in names if one not in known
                ]
            elif node.module.startswith(ROOMS):
                deeper.append(f"{where}{node.module}")
    check, hint = "imports from faces", "docs/plugins.md names the faces."
    if deeper:
        return failed(check, f"It imports {', '.join(deeper)}.", hint)
    if lacking:
        return failed(check, " ".join(lacking), hint)
    if undeclared := sorted(used - {*(used if declared is None else declared)}):
        one = undeclared[0]
        return failed(
            check,
            f"It imports from {' and '.join(undeclared)}, which its plugin.toml does not say.",
            f"faces = {{ ..., {one} = {VERSIONS[one]} }}",
        )
    return passed(check)


def check_catalogues(folder: Path) -> Iterator[Finding]:
    """Whether the languages that a plugin brings have all its texts: the rest is in English."""
    for path in sorted(folder.glob("locale/*/LC_MESSAGES/*.mo")):
        check = f"says all its texts in {name_of(path.parts[-3])}"
        try:
            with path.open("rb") as stream:
                texts = gettext.GNUTranslations(stream)
        except (OSError, ValueError, LookupError, struct.error) as error:
            yield failed(check, f"{path.name} can't be read: {error}.", MADE_AGAIN)
            continue
        lacking = [
            repr(one.text)
            for one in marked_in(folder)
            if one.text
            == (texts.ngettext(one.text, one.plural, 1) if one.plural else texts.gettext(one.text))
        ]
        if lacking:
            yield failed(check, f"Without words are {', '.join(lacking)}.", MADE_AGAIN)
        else:
            yield passed(check)


def check_import(plugins: Path, manifest: Manifest) -> list[Finding]:
    """Whether the module can be imported and holds a FAMILY, and whether its questions can."""
    host = PluginHost(plugins, None, entry_points=False)
    findings = []
    for record in host.records:
        if record.problem and manifest.id in (record.id, record.part_of):
            last = record.traceback.strip().splitlines()[-3:]
            where = f"{record.title}: " if record.part_of else ""
            findings.append(failed("import", " ".join([where + record.problem, *last])))
    return findings or [passed("import")]


def check_questions(questions: Sequence[Brought]) -> Iterator[Finding]:
    """What a question and its page import, in a fresh interpreter each."""
    for one in questions:
        name = one.question.name
        found, said = _probed("--question", one.folder, str(one.place))
        for part, without in (("question", "torch and Qt"), ("page", "torch")):
            title = f"{part} {name}: imports without {without}"
            heavy = found.get(part)
            if said:
                yield failed(title, f"It failed ({said}).")
            elif heavy:
                yield failed(
                    title,
                    f"It imports {', '.join(heavy)}.",
                    "What answers belongs into compute.py, what draws into page.py.",
                )
            elif heavy is not None:
                yield passed(title)
        if one.question.has_parts and not one.question.part_kinds:
            yield failed(
                f"question {name}: says which kinds of parts it has",
                "What its parts() returns is not typed.",
                "Annotate it: def parts(result: ...) -> tuple[Rows | Amounts, ...].",
            )
        for sample in one.samples:
            if lacks := one.question.hint(sample.whole()):
                yield failed(
                    f"question {name}: each of its samples has all that it needs",
                    f"{sample.title} is not enough: {lacks}",
                    "Mask a word, or set what is missing under options.",
                )


def check_lightness(plugins: Path, name: str, checkpoints: list[Path]) -> list[Finding]:
    """What importing the plugin and listing its checkpoints import, in a fresh interpreter."""
    found, said = _probed(str(plugins), name, *map(str, checkpoints))
    if said:
        return [failed("import in a fresh interpreter", f"It failed ({said}).")]
    findings = []
    for stage, title in (
        ("importing", "imports without torch and Qt"),
        ("listing", "lists checkpoints without torch and Qt"),
    ):
        if found[stage]:
            findings.append(
                failed(
                    title,
                    f"It imports {', '.join(found[stage])}.",
                    "Import them inside functions that only load() calls; Qt never.",
                )
            )
        else:
            findings.append(passed(title))
    findings += [failed("lists checkpoints", problem) for problem in found["problems"]]
    return findings


def _probed(*arguments: str) -> tuple[Mapping[str, Any], str]:
    """What the probe found in a fresh interpreter; or why it could not."""
    answer = subprocess.run(
        command_line(f"{__package__}.probe", *arguments),
        capture_output=True,
        encoding="utf-8",
        env=environment(PYTHONIOENCODING="utf-8"),
        timeout=PATIENCE,
        check=False,
    )
    if answer.returncode:
        return {}, (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
    return json.loads(answer.stdout.splitlines()[-1]), ""
