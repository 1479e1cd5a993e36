"""What the menus do that is more than one call: pick files, export, zoom, show pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog

from explorer.api.family.checkpoint import Source
from explorer.api.question import Failure
from explorer.lectures.lessons.answers_file import ENDING as ANSWERS
from explorer.questions import all_questions
from explorer.sessions.bundle.reading import is_bundle
from explorer.sessions.records import StoredRun
from explorer.text import N_, Phrase, _
from explorer.text.printable import shortened
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.document import dropping
from explorer.ui.document.second_page import question_of
from explorer.ui.document.text_files import MOST_CHARACTERS, TextFiles
from explorer.ui.export.exporting import Exporter
from explorer.ui.export.film.exporting import FilmExporter
from explorer.ui.export.values.exporting import ValuesExporter
from explorer.ui.lectures.files.reading import PACKED, may_be_lecture
from explorer.ui.saved_documents.file import ENDING
from explorer.ui.settings.declared import ZOOM_STEPS
from explorer.ui.settings.in_force import SettingsInForce
from explorer.ui.views.frame.view_frame import (
    AT_EVERY_STEP,
    COMPARISON_TO_SHEET,
    FILM,
    TO_SHEET,
    VALUES,
    ViewFrame,
)
from explorer.ui.views.page_view import PageView

ON_STAGE = (*ZOOM_STEPS, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0)
"""Sizes of texts in presenter mode: a large screen takes larger ones."""

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.session_log.file_session import FileSession
    from explorer.ui.sheet.sheet import Sheet
    from explorer.ui.window.host import HostWindow

WEIGHTS = N_("Model files (config.json *.safetensors *.bin *.pt)")
TEXTS = N_("Texts (*.txt *.md *.text)")
BUNDLES = N_("Bundles of runs (*.zip)")


class Commands(QObject):
    """The window's commands.

    Args:
        window: Where they are done.
        lectures: What is done with lectures.
        sheet: The comparison sheet.
        file_session: Asks every sentence of a file.
        open_document: Opens a document.
        groups: Gives the titles of the menus and their actions.
    """

    def __init__(
        self,
        window: "HostWindow",
        lectures: "LectureActions",
        sheet: "Sheet",
        file_session: "FileSession",
        open_document: Callable[[Path], object],
        groups: Callable[[], Iterable[tuple[str, list[QAction]]]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._lectures, self._sheet, self._file_session = lectures, sheet, file_session
        self._open_document, self._groups = open_document, groups
        self._bench = window.bench
        self.in_force = SettingsInForce(window)
        self.dialogs = window.dialogs
        self.texts = TextFiles(self)
        self.texts.opened.connect(self._text_opened)
        self.texts.failed.connect(lambda failure: window.notifications.failure("text", failure))
        self.exporting = Exporter(self.dialogs, self._bench.settings_store, window, self)
        self.values, self.films = ValuesExporter(window), FilmExporter(window)
        self.films.left_out = self.exporting.left_out
        self.exporting.done.connect(lambda said: window.status.showMessage(said, 6000))
        self.exporting.done.connect(lambda _said: window.notices.dismiss("export"))
        self.exporting.failed.connect(
            lambda failure: window.notifications.failure("export", failure)
        )

    # ---- files -------------------------------------------------------------------------------

    def pick_folder(self) -> None:
        """Open a model folder for the slot that answers."""
        self.pick_folder_for("")

    def pick_folder_for(self, slot: str) -> None:
        """Open a model folder for a slot; "" for the one that answers."""
        open_path = self._bench.actions.open_path
        self.dialogs.folder(_("Open a model folder"), lambda path: open_path(path, slot))

    def pick_config(self) -> None:
        """Open a config or a weight file."""
        self.dialogs.file(_("Open a config or weights"), _(WEIGHTS), self._bench.actions.open_path)

    def pick_text(self) -> None:
        """Open a text file as the sentence."""
        self.dialogs.file(_("Open a text file"), _(TEXTS), self.texts.open)

    def pick_bundle(self) -> None:
        """Open a bundle of runs."""
        self.dialogs.file(_("Open a bundle of runs"), _(BUNDLES), self.open_bundle)

    def take_drop(self, dropped: dropping.Dropped) -> None:
        """Do what a drop means."""
        open_model = partial(self._bench.actions.open_path, dropped.path)
        places, classroom = dropped.paths or (dropped.path,), self._lectures.classroom
        open_other = partial(self._lectures.open_or, dropped.path, open_model)
        if any(path.name.endswith(ANSWERS) for path in places):
            classroom.open_or(places, open_other)
        elif dropped.is_text:
            self.texts.open(dropped.path)
        elif dropped.path.suffix.lower() == ENDING:
            self._open_document(dropped.path)
        elif dropped.path.suffix.lower() == PACKED and is_bundle(dropped.path):
            self.open_bundle(dropped.path)
        elif may_be_lecture(dropped.path):
            self._lectures.open(str(dropped.path))
        else:
            classroom.open_or(places, open_other)

    def open_bundle(self, path: Path) -> None:
        """Ask the runs of a bundle again, and say of each what it is on this machine."""
        from explorer.ui.session_log.opened_bundle import BundlePage

        if self._bench.program is not None:
            BundlePage(path, self._bench.program, self._bench.actions, self._window).open()

    def _text_opened(self, text: str, name: str, cut: bool) -> None:
        self._window.notices.dismiss("text")
        self._bench.edits.take_text(text, name)
        if cut:
            self._window.notifications.say_of_text(
                "text",
                Phrase(
                    N_("Only the first {count} characters of {name} were taken."),
                    count=MOST_CHARACTERS,
                    name=name,
                ),
            )

    # ---- export and log ----------------------------------------------------------------------

    def export_view(self, kind: str) -> None:
        """Export the view that was used last."""
        view = self._window.current_view()
        if view is not None:
            self.export(view, kind)

    def export(self, view: PageView, kind: str) -> None:
        """Export a view, or put it on the comparison sheet."""
        if kind == TO_SHEET:
            self._sheet.add(view)
        elif kind == COMPARISON_TO_SHEET:
            self._sheet.add_pinned(view)
        elif kind == VALUES:
            self.values.pick_of(view)
        elif kind == FILM:
            self.films.pick_of(view)
        elif kind == AT_EVERY_STEP:
            self.ask_at_every_step(view)
        else:
            self.exporting.view(view, kind)

    def export_run(self, run_id: str, kind: str) -> None:
        """Export a logged run's rows."""
        if self._bench.queries is not None:
            self._bench.queries.read_for_export(run_id, kind)

    def restore_run(self, run_id: str) -> None:
        """Bring a logged run back."""
        if self._bench.queries is not None:
            self._bench.queries.open_run(run_id)

    def run_opened(self, stored: StoredRun) -> None:
        """A logged run was read: show it."""
        undrawn = stored.result is None or not self._window.view_area.has(stored.summary.operation)
        if undrawn and (stored.table is not None or stored.summary_row):
            from explorer.ui.notices.reading_pages import RowsPage

            RowsPage(stored, self._window).open()
        self._window.view_area.bring_forward(stored.summary.operation)
        name = _("bring back '{text}'", text=shortened(stored.document.text, 20))
        self._bench.asking.restore(stored, name)
        self._window.notifications.restored(stored)

    def press(self, key: Qt.Key) -> None:
        """Press Ctrl and a letter where the keyboard is: each part knows its own way."""
        holder = self._window.focusWidget()
        if holder is not None:
            control = Qt.KeyboardModifier.ControlModifier
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QCoreApplication.sendEvent(holder, QKeyEvent(kind, key, control))

    def copy_text(self) -> None:
        """Copy the sentence, and the second one in a line of its own."""
        document = self._bench.state.document
        texts = [document.text] if document.pair is None else [document.text, document.pair]
        QGuiApplication.clipboard().setText("\n".join(texts))

    # ---- models ------------------------------------------------------------------------------

    def load_chosen(self, slot: str) -> None:
        """Load what is chosen in the library."""
        chosen = self._window.library.chosen
        if chosen is None:
            return
        if chosen.source is Source.HUB:
            self._bench.actions.download(chosen)
        else:
            self._bench.actions.load(chosen, slot)

    def get_real_model(self) -> None:
        """Offer published models that know ordinary English."""
        self.search_hub("")

    def search_hub(self, words: str) -> None:
        """The same, and search the hub for some words at once."""
        from explorer.ui.library.hub.real_models import open_real_models

        bench = self._bench
        open_real_models(bench.actions, bench.bridge, self.pick_folder, self._window, words)

    def show_model_table(self) -> None:
        """Show the library as a table, with the question of the page in front."""
        from explorer.ui.model_table.opening import open_model_table

        open_model_table(self._window, self._window.view_area.current.question)

    def choose_revision(self, name: str, revision: str, slot: str) -> None:
        """Offer what a repository of the hub has beside its main branch."""
        from explorer.ui.library.hub.revisions_dialog import open_revisions

        bench, typed = self._bench, (name, revision, slot)
        open_revisions(bench.actions, bench.bridge, self._window, typed)

    def swap_models(self) -> None:
        """Let the other loaded model answer."""
        models = self._bench.models
        other = "B" if models.active == "A" else "A"
        if other in models.cards:
            models.set_active(other)

    def take_apart(self, checkpoint_id: str) -> None:
        """Show what a checkpoint is made of; its weights need not be here."""
        self._bench.edits.set_option("architecture.checkpoint", checkpoint_id)
        self._window.view_area.bring_forward("architecture")

    def save_film(self) -> None:
        """Write the page that was used last as a film."""
        self.export_view(FILM)

    def make_film(self, checkpoint_id: str) -> None:
        """Train a model's like anew, on the page that shows how far it is."""
        from explorer.ui.window.menus.making_film import make_film

        make_film(self._window, checkpoint_id)

    def compare(self) -> None:
        """Show a teacher and its student side by side, unless a view of the two does already."""
        from explorer.questions.distillation.soft_targets.question import QUESTION
        from explorer.questions.distillation.soft_targets.settings import SWAPPED

        self._bench.edits.set_option(SWAPPED, None)
        area = self._window.view_area
        of_the_two = [name for name, one in all_questions().items() if one.swap == SWAPPED]
        if not any(map(area.is_seen, of_the_two)):
            area.bring_forward(QUESTION.name)

    def ask_at_every_step(self, view: PageView | None = None) -> None:
        """Ask what a page asks at every step of the loaded series; of none the one used last."""
        from explorer.ui.window.menus.step_commands import ask_at_every_step

        ask_at_every_step(self._window, view or self._window.current_view())

    def cancel(self) -> None:
        """Stop whatever the user waits for."""
        self._bench.asking.cancel()
        # Between two questions of a round the engine has nothing to stop.
        self._file_session.stop()
        self._sheet.asking.cancel()
        self._window.status.cancel()

    # ---- appearance --------------------------------------------------------------------------

    def zoom(self, step: int) -> None:
        """Larger (1), smaller (-1) or usual (0) text; while presenting, of that alone."""
        presenting = self._lectures.presenting
        if presenting.is_on:
            presenting.write_at(_next_step(presenting.scale, step, ON_STAGE) if step else None)
            return
        now = self._bench.settings_store.settings.font_scale
        self.in_force.put("font_scale", 1.0 if step == 0 else _next_step(now, step))

    def set_full_screen(self, wanted: bool) -> None:
        """Fill the screen, or not."""
        if wanted:
            self._window.showFullScreen()
        else:
            self._window.showNormal()

    # ---- pages -------------------------------------------------------------------------------

    @property
    def to_read(self) -> Mapping[str, Callable[[], object]]:
        """What opens each dialog that can be read beside the window, by the dialog's name."""
        return {
            "page_help": self.show_page_help,
            "shortcut_sheet": self.show_shortcuts,
            "glossary": self.show_glossary,
            "about": self.show_about,
            "plugins_dialog": self.show_plugins,
            "settings_dialog": self.show_settings,
        }

    def star(self) -> None:
        """Give the page that was used last a star in the tree, or take it away."""
        self._window.tree.star(question_of(self._window.view_area.current.question))

    def focus_page(self) -> None:
        """Go to what can be set on the page that was used last, or to what it shows."""
        self._frame.focus_first()

    def pin(self) -> None:
        """Pin the answer of the page that was used last, or let the pinned one go."""
        button = self._frame.pin_button
        if button is not None and button.isEnabled():
            button.click()
        else:
            self._window.status.showMessage(_("This page has no answer to pin yet."), 6000)

    @property
    def _frame(self) -> ViewFrame:
        area = self._window.view_area
        return area.frames[area.current.question]

    def find_command(self) -> None:
        """Find pages, options, models, samples, scenes, lessons, terms and actions."""
        from explorer.text.every_language import EveryLanguage
        from explorer.ui.views import listed
        from explorer.ui.window.menus.command_finder import CommandFinder
        from explorer.ui.window.menus.menu_commands import in_menus
        from explorer.ui.window.menus.model_commands import models_of, samples_of
        from explorer.ui.window.menus.scene_commands import add_scenes
        from explorer.ui.window.menus.setting_commands import settings_of
        from explorer.ui.window.menus.word_commands import options_of, terms_of

        everywhere = EveryLanguage(self._bench.folders.texts)
        actions = [one for _title, group in self._groups() for one in group]
        finder = CommandFinder(self._window)
        finder.add(
            [
                *in_menus(actions, listed(), everywhere),
                *settings_of(self.show_settings, finder, everywhere),
                *models_of(self._window, finder),
                *samples_of(self._window, finder, everywhere),
                *options_of(listed(), self.show_option, finder, everywhere),
                *terms_of(self.show_glossary, finder),
            ]
        )
        add_scenes(finder, self._lectures)
        finder.show_over(self._window, self._window.sidebar.find_button)

    def show_option(self, question: str, key: str) -> None:
        """Show a page, and put the keyboard at one of its options where that can be set now."""
        self._window.view_area.bring_forward(question)
        view = self._window.view_of(question)
        if key in view.bar.others:
            view.options.open_panel(True)
        widget = view.bar.widgets.get(key)
        if widget is not None and widget.isVisible():
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_page_help(self) -> None:
        """The page that is open: what it shows, how it is read; every key where there is none."""
        from explorer.ui.notices.page_help import PageHelp

        view = self._window.current_view()
        if view is None:
            self.show_shortcuts()
            return
        links = {"glossary": self.show_glossary, "shortcuts": self.show_shortcuts}
        page = view.page.page if view.result is not None else None
        explained = view.explanations if page is not None else ()
        PageHelp(view.of, page, explained, lambda name: links[name](), self._window).show()

    def show_shortcuts(self) -> None:
        """Every key."""
        from explorer.ui.notices.shortcut_sheet import ShortcutSheet

        ShortcutSheet(self._groups(), self._window).show()

    def show_glossary(self, filtered: str = "") -> None:
        """The field's terms, or those with some words."""
        from explorer.ui.window.menus.opened_glossary import opened_glossary

        opened_glossary(self._window, self._lectures, filtered).show()

    def show_about(self) -> None:
        """Versions and licence."""
        from explorer.ui.notices.reading_pages import AboutPage

        ready = self._bench.bridge.latest_ready
        AboutPage(ready.versions if ready is not None else {}, self._window).show()

    def show_licences(self) -> None:
        """What the program is made of."""
        from explorer.ui.notices.licences_page import LicencesPage

        LicencesPage(self._window).show()

    def show_settings(self, field: str = "") -> None:
        """Everything that is remembered; a field of Settings is turned to."""
        from explorer.ui.settings.dialog import SettingsDialog

        dialog = self._window.findChild(SettingsDialog)
        if dialog is None:
            dialog = SettingsDialog(self._bench, self.in_force, self._window)
            dialog.folder_wanted.connect(self._open_folder)
            dialog.plugins_wanted.connect(self.show_plugins)
            self._window.setting_changed.connect(dialog.refresh)
            dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        dialog.turn_to(field)

    def show_plugins(self) -> QDialog:
        """Every plugin."""
        from explorer.ui.library.plugins.dialog import PluginsDialog

        settings = self._bench.settings_store.settings
        folder = self._bench.folders.plugins
        disabled = frozenset(settings.disabled_plugins)
        dialog = PluginsDialog(self._bench.bridge, disabled, folder, self._window)
        dialog.disabled_changed.connect(self._disable)
        dialog.restart_wanted.connect(self._window.restart_wanted)
        dialog.reload_wanted.connect(self._window.reload_wanted)
        # A notice may switch one off as well.
        self._bench.settings_store.changed.connect(dialog.follow)
        self._window.restart_wanted.connect(dialog.engine_restarts)
        dialog.folder_wanted.connect(lambda: self._open_folder(folder))
        dialog.show()
        return dialog

    def open_logs(self) -> None:
        """Open the folder of the log files."""
        self._open_folder(self._bench.folders.logs)

    def report_problem(self, failure: Failure | None = None) -> None:
        """Gather what a developer needs to know, for the user to read and save."""
        from explorer.ui.notices.problem_report import ProblemReport, report_of

        dialog = ProblemReport(report_of(self._bench, failure), self._window)
        dialog.failed.connect(lambda failed: self._window.notifications.failure("export", failed))
        dialog.saved.connect(
            lambda path: self._window.status.showMessage(_("Saved {path}.", path=path), 6000)
        )
        dialog.show()

    def _disable(self, ids: Iterable[str]) -> None:
        self._bench.settings_store.change(disabled_plugins=tuple(sorted(ids)))

    def _open_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._window.notifications.failure("folder", Failure.of(error))
            return
        open_in_system(folder)


def _next_step(now: float, step: int, steps: Sequence[float] = ZOOM_STEPS) -> float:
    if step > 0:
        return next((s for s in steps if s > now + 0.01), steps[-1])
    return next((s for s in reversed(steps) if s < now - 0.01), steps[0])
