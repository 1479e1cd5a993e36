"""What pyproject.toml asks for is used."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

from tests.source_facts import facts_of

ROOT = Path(__file__).parents[1]
USED_BY_OTHERS = {
    "protobuf",  # transformers reads SentencePiece models with it
    "sacremoses",  # transformers cuts text for XLM with it
}


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked_for = ("parquet", "tsne", "cluster", "video", "quantised", "gguf")
    lines = sum((extras[name] for name in asked_for), project["dependencies"])
    return {normalise(Requirement(line).name) for line in lines}


QUOTED = re.compile(r"""["']([\w.-]+)["']""")


@cache
def used() -> tuple[frozenset[str], frozenset[str]]:
    """The modules that are imported, and the packages whose files are looked up by name."""
    modules, named = set(), set()
    wanted = declared()
    for folder in ("explorer", "plugins"):
        for path in (ROOT / folder).rglob("*.py"):
            for one in facts_of(path).imports:
                asked = (one.module,) if one.module else one.names
                modules |= {name.partition(".")[0] for name in asked}
            text = path.read_text("utf-8")
            # To read all files as Python does takes seconds; most name no package in a string.
            if not any(normalise(one) in wanted for one in QUOTED.findall(text)):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    named.add(node.value)
    names = {normalise(name) for name in named if re.fullmatch(r"[\w.-]+", name)}
    return frozenset(modules), frozenset(names)


def test_every_dependency_is_used():
    modules, named = used()
    owners = packages_distributions()
    imported = {normalise(owner) for module in modules for owner in owners.get(module, [module])}
    idle = declared() - imported - named - USED_BY_OTHERS
    assert idle == set(), "nobody imports these"


def test_what_is_imported_is_declared():
    modules, _ = used()
    modules -= set(sys.stdlib_module_names) | {"explorer", "plugins"}
    owners = packages_distributions()
    owned = {
        module: {normalise(owner) for owner in owners.get(module, [module])} for module in modules
    }
    # Qt's own binding, what transformers and huggingface_hub bring with them, and what matplotlib
    # does: with it the screens are read on which installers, which are in no wheel, are tried.
    brought = {"shiboken6", "packaging", "PIL"}
    missing = {module for module, names in owned.items() if not names & declared()}
    assert missing <= brought


def test_an_exception_is_still_declared():
    assert declared() >= USED_BY_OTHERS
