"""What is told of a plugin, in the window and in a terminal."""

from collections.abc import Iterator

from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.purpose import needing_ports
from explorer.text import N_, Phrase, _, ngettext, said

SOURCES = {
    "bundled": N_("comes with the program"),
    "folder": N_("your folder"),
    "package": N_("Python package"),
}
FOLDER, PACKAGE = "folder", "package"
NONE_PUBLISHED = N_(
    "No plugin of other people is known to this version of the program. To put yours here, publish "
    "it under a free licence, let “plm-explorer check” find nothing wrong with it, and propose an "
    "entry for resources/plugins/published.toml; docs/plugins.md says what it holds."
)


def state_of(record: PluginRecord) -> str:
    """One word on a plugin."""
    if not record.enabled:
        return _("switched off")
    return _("does not work") if record.problem else _("works")


def source_of(record: PluginRecord) -> str:
    """Where a plugin comes from."""
    return _(SOURCES.get(record.source, record.source))


def purpose_of(record: PluginRecord) -> str:
    """One line: why it can't be used, or else what it is for."""
    if record.enabled and record.problem:
        return said(record.problem)
    if record.about:
        return said(record.about)
    parts = []
    if record.model_types:
        types = ", ".join(record.model_types)
        parts.append(_("Models of type {model_types}.", model_types=types))
    if record.questions:
        parts.append(_("Brings {questions}.", questions=_titles(record.questions)))
    return " ".join(parts)


def details_of(record: PluginRecord) -> Iterator[str]:
    """All that is known of it, a line each; what is wrong with it first."""
    if record.problem:
        yield said(record.problem)
        yield ""
    if record.about:
        yield said(record.about)
    if record.model_types:
        types = ", ".join(record.model_types)
        yield _("Model types (model_type in config.json): {model_types}", model_types=types)
    if record.models:
        yield ngettext(
            "Names {count} model: {models}",
            "Names {count} models: {models}",
            len(record.models),
            models=", ".join(record.models),
        )
    if record.asked:
        yield ngettext(
            "Its models can be asked {count} question: {questions}",
            "Its models can be asked {count} questions, each the heads that it needs given: "
            "{questions}",
            len(record.asked),
            questions=_titles(record.asked),
        )
        left = [one.title for one in needing_ports() if one.title not in record.asked]
        if left:
            yield _("They cannot be asked: {questions}", questions=_titles(left))
    if record.questions:
        yield _("Questions that it brings: {questions}", questions=_titles(record.questions))
    yield _("Id: {id}", id=record.id)
    if record.version:
        yield _("Version: {version}", version=record.version)
    yield _("Where: {location} ({source})", location=record.location, source=source_of(record))
    if record.traceback:
        yield ""
        yield record.traceback


def why_it_stays(record: PluginRecord) -> Phrase:
    """Why a plugin that is not in the user's folder is not removed here, and what can be done."""
    if record.source == PACKAGE:
        return Phrase(
            N_(
                "{title} came with the Python package {package}: uninstall that with pip, or "
                "switch the plugin off."
            ),
            title=record.title,
            package=record.location,
        )
    return Phrase(
        N_("{title} comes with the program: it can be switched off, and not removed."),
        title=record.title,
    )


def _titles(titles: tuple[str, ...] | list[str]) -> str:
    return ", ".join(_(one) for one in titles)
