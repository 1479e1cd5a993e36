"""The questions a plugin brings: questions/<topic>/<question>/question.py in its folder."""

import dataclasses
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from explorer.api.family import Context, PluginFault
from explorer.api.question import Question
from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.border.code import answer_of_plugin, blamed, in_words
from explorer.engine.plugins.installed import installed
from explorer.questions import own_questions
from explorer.questions.brought import Brought
from explorer.samples.sample_files import FILE, Sample, read_samples
from explorer.text import N_, Phrase

FOLDER = "questions"


def some_bring_questions(*parents: Path | None) -> bool:
    """Whether any plugin in some folders may; most bring none, and need not be read for that."""
    found = (place for parent in parents if parent is not None for place in parent.glob("*/"))
    return any((place / FOLDER).is_dir() for place in found) or bool(installed())


def question_folders(plugin: Path) -> Iterator[Path]:
    """The folders of a plugin's questions, topic by topic."""
    for topic in sorted(plugin.glob(f"{FOLDER}/*/")):
        for place in sorted(topic.glob("*/")):
            if not {topic.name[0], place.name[0]} & set("._"):
                yield place


def make_package(name: str, folder: Path) -> None:
    """Let what lies in a plugin's folder be imported without the plugin's own module.

    The window reads a plugin's questions and has no use for its family.
    """
    known = sys.modules.get(name)
    if known is not None and list(getattr(known, "__path__", ())) == [str(folder)]:
        return
    # Of another program in this process, as tests make several: its files may be gone. Taken at
    # once, for another thread may be importing torch.
    for held in tuple(sys.modules):
        if held == name or held.startswith(f"{name}."):
            del sys.modules[held]
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules[name] = importlib.util.module_from_spec(spec)


def load_question(package: str, place: Path) -> Question[Any, Any]:
    """Import a question.py and look at what it declares.

    Args:
        package: The question's folder as a module.
        place: The folder.

    Raises:
        PluginFault: It is no question.
        Exception: Whatever its code raises.
    """
    if not place.name.isidentifier() or not place.parent.name.isidentifier():
        raise PluginFault(
            N_(
                "The folder {topic}/{question} can't be imported: name it with letters, digits and "
                "underscores."
            ),
            topic=place.parent.name,
            question=place.name,
        )
    if not (place / "question.py").is_file():
        raise PluginFault(N_("It has no question.py."))
    importlib.invalidate_caches()
    module = importlib.import_module(f"{package}.question")
    question = getattr(module, "QUESTION", None)
    if not isinstance(question, Question):
        raise PluginFault(N_("Its question.py holds no QUESTION."))
    for what in ("request", "result"):
        kind = getattr(question, what)
        if not (dataclasses.is_dataclass(kind) and isinstance(kind, type)):
            raise PluginFault(N_("Its {what} is no dataclass."), what=what)
        if not kind.__module__.startswith(f"{package}."):
            raise PluginFault(N_("Its {what} is not defined in its own folder."), what=what)
    return question


def samples_of(place: Path, question: str) -> tuple[Sample, ...]:
    """What a question's page can be tried with: the samples.toml in its folder, where there is one.

    Raises:
        PluginFault: It does not work.
    """
    path = place / FILE
    if not path.is_file():
        return ()
    try:
        found = read_samples(path, question)
    except Exception as error:  # noqa: BLE001 - whatever somebody has written there
        # Its words say all that there is to say; where it was raised is nobody's code.
        raise PluginFault(
            N_("Its samples.toml does not work ({error})."), error=in_words(error)
        ) from None
    if any(one.view != question for one in found):
        raise PluginFault(N_("Its samples.toml has a sample for another question."))
    return found


def watched(question: Question[Any, Any], title: str, package: str) -> Question[Any, Any]:
    """The same question; what it raises and answers is looked at as the plugin's.

    Args:
        question: What was declared.
        title: The plugin's.
        package: The module that its code is in.
    """
    run, run_many = question.run, question.run_many

    def one(model: Any, request: Any, context: Context) -> Any:
        return answer_of_plugin(title, package, lambda: run(model, request, context), request)

    def many(model: Any, requests: Sequence[Any], context: Context) -> Sequence[Any]:
        assert run_many is not None
        return blamed(title, package, lambda: run_many(model, requests, context))

    return dataclasses.replace(question, run=one, run_many=many if run_many else None)


def check_name(name: str, others: Mapping[str, str]) -> None:
    """Refuse a name that another question has.

    Args:
        name: The question's.
        others: Titles of the plugins that bring the questions known so far, by their names.

    Raises:
        PluginFault: It is taken.
    """
    if name in others:
        raise PluginFault(
            N_("The plugin {plugin} brings a question named {name} too: give it another."),
            plugin=others[name],
            name=name,
        )
    own = next((one for one in own_questions().values() if name in _names(one)), None)
    if own is not None:
        raise PluginFault(
            N_("The program has a question named {name} itself ({title}): give it another."),
            name=name,
            title=Phrase(own.title),
        )


def _names(question: Question[Any, Any]) -> tuple[str, ...]:
    """What a question is called, and was: what is stored under either is its own."""
    return (question.name, *question.formerly, *question.replaces)


def broken_question(plugin: PluginRecord | Brought, place: Path, error: Exception) -> PluginRecord:
    """The row of a question that does not work.

    Args:
        plugin: The plugin that brings it, or the question itself, where only its page fails.
        place: Its folder.
        error: What was raised.
    """
    name = f"{place.parent.name}/{place.name}"
    plugin_id = plugin.id if isinstance(plugin, PluginRecord) else plugin.plugin
    cause = error.__cause__ if isinstance(error, PluginFault) else error
    problem = (
        error.problem
        if isinstance(error, PluginFault) and cause is None
        else Phrase(N_("It does not work ({error})."), error=in_words(cause or error))
    )
    return PluginRecord(
        id=f"{plugin_id}/{name}",
        title=f"{plugin.title}: {name}",
        source=plugin.source,
        location=str(place),
        version=plugin.version,
        problem=problem,
        traceback="" if cause is None else "".join(traceback.format_exception(cause)),
        part_of=plugin_id,
    )
