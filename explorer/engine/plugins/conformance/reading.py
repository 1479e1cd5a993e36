"""What can be checked of a plugin before a model is loaded: its manifest and its imports."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import explorer
from explorer.api import API_VERSION
from explorer.engine.plugins.conformance.finding import Finding, failed, passed
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import Manifest, missing_requirement, read_manifest

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
    problems = list(_in_manifest(manifest, missing))
    return manifest, problems or [passed(check)]


def _in_manifest(manifest: Manifest, missing: str) -> Iterator[Finding]:
    check = "plugin.toml"
    if manifest.api > API_VERSION:
        yield failed(check, f"It is written for api {manifest.api}; this is {API_VERSION}.")
    if missing:
        yield failed(check, f"It needs {missing}, which is not installed.", "Install it.")
    if not manifest.model_types:
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


def check_import(plugins: Path, manifest: Manifest) -> list[Finding]:
    """Whether the module can be imported and holds a FAMILY."""
    host = PluginHost(plugins, None, entry_points=False)
    record = next(one for one in host.records if one.id == manifest.id)
    if record.problem:
        last = record.traceback.strip().splitlines()[-3:]
        return [failed("import", " ".join([record.problem, *last]))]
    return [passed("import")]


def check_lightness(plugins: Path, name: str, checkpoints: list[Path]) -> list[Finding]:
    """What importing the plugin and listing its checkpoints import, in a fresh interpreter."""
    root = str(Path(explorer.__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", f"{__package__}.probe", str(plugins), name]
    answer = subprocess.run(
        [*command, *map(str, checkpoints)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE,
        check=False,
    )
    if answer.returncode:
        last = (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return [failed("import in a fresh interpreter", f"It failed ({last}).")]
    found = json.loads(answer.stdout.splitlines()[-1])
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
