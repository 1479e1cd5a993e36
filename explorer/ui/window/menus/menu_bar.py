"""The menu bar: every action of the window, each with a name, and a key where it has one."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from explorer.text import N_, _
from explorer.ui import overview
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.notices.wording import menu_text, plain
from explorer.ui.settings.declared import setting_of
from explorer.ui.sheet.templates import templates as every_template
from explorer.ui.views import listed
from explorer.ui.window.pages.second_pages import OTHER_MODEL, WAYS

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow
    from explorer.ui.window.menus.receivers import Receivers

Keys = str | QKeySequence.StandardKey
RESTART = N_("Restart the &engine")


class Menus:
    """Builds the menus once; `refresh` brings them up to what is possible now."""

    def __init__(self, window: "HostWindow", does: "Receivers") -> None:
        self._window, self._does, self._commands = window, does, does.commands
        self.menus: list[QMenu] = []
        self._actions: dict[str, QAction] = {}
        self.chosen: dict[str, QActionGroup] = {}
        """Of settings that have a menu of choices, by their fields."""
        window.setting_changed.connect(self.refresh)
        self._file()
        self._edit()
        self._model()
        self._view()
        self._run()
        self._help()

    def groups(self) -> Iterable[tuple[str, list[QAction]]]:
        """Titles of the menus and their actions, those of submenus included."""
        self._name_history()
        for menu in self.menus:
            yield menu.title(), list(_leaves(menu))

    def action(self, name: str) -> QAction:
        """An action by its name.

        Raises:
            KeyError: There is no such action.
        """
        return self._actions[name]

    # ---- the menus ---------------------------------------------------------------------------

    def _file(self) -> None:
        window, menu = self._window, self._menu("file", _("&File"))
        self._add(
            menu, "open_folder", _("Open &model folder…"), self._commands.pick_folder, "Ctrl+O"
        )
        self._add(menu, "open_config", _("Open &config or weights…"), self._commands.pick_config)
        self._add(
            menu, "open_text", _("Open &text file…"), self._commands.pick_text, "Ctrl+Shift+O"
        )
        self._add(menu, "open_bundle", _("Open &bundle of runs…"), self._commands.pick_bundle)
        self._documents(menu)
        menu.addSeparator()
        lectures = self._does.lectures
        for action in (lectures.open_file, lectures.open_folder, lectures.save):
            self._put(menu, action)
        for action in (lectures.export_page, lectures.export_pdf):
            self._put(menu, action)
        menu.addSeparator()
        exports = menu.addMenu(_("&Export page"))
        exports.setObjectName("menu_export")
        for kind, text, keys in (
            ("picture", _("&Picture…"), "Ctrl+E"),
            ("film", _("&Film…"), None),
            ("table", _("&Table…"), "Ctrl+Shift+E"),
            ("copy_picture", _("Copy p&icture"), None),
            ("copy_table", _("&Copy table"), "Ctrl+Shift+C"),
            ("copy_python", _("Copy as P&ython"), None),
            ("copy_command", _("Copy as c&ommand"), None),
            ("copy_transformers", _("Copy as Python with t&ransformers alone"), None),
        ):
            does = _with(self._commands.export_view, kind)
            action = self._add(exports, f"export_view_{kind}", text, does, keys)
            action.setToolTip(plain_tip(_("Export page: {what}", what=plain(text))))
        values = self._commands.values
        self._add(menu, "export_values", _("E&xport values of the model…"), values.pick)
        menu.addSeparator()
        self._add(
            menu, "open_sheet", _("&Comparison sheet…"), self._does.sheet.open, "Ctrl+Shift+S"
        )
        templates = menu.addMenu(_("Compare by &template"))
        templates.setObjectName("menu_templates")
        for template in every_template():
            does = _with(self._does.sheet.take_template, template.name)
            action = self._add(
                templates, f"take_{template.name}", menu_text(_(template.title)), does
            )
            action.setToolTip(plain_tip(_(template.explanation)))
        menu.addSeparator()
        self._session_log(menu.addMenu(_("&Session log")))
        menu.addSeparator()
        quit_action = self._add(
            menu, "quit", _("&Quit"), window.close, QKeySequence.StandardKey.Quit
        )
        quit_action.setMenuRole(QAction.MenuRole.QuitRole)
        if not quit_action.shortcuts():
            quit_action.setShortcut("Ctrl+Q")

    def _documents(self, menu: QMenu) -> None:
        documents = self._does.documents
        menu.addSeparator()
        self._add(menu, "open_document", _("Open &document…"), documents.pick, "Ctrl+Alt+O")
        self._recent = menu.addMenu(_("Open rece&nt"))
        self._recent.setObjectName("menu_recent")
        self._add(menu, "save_document", _("Sa&ve document"), documents.save, "Ctrl+S")
        self._add(menu, "save_document_as", _("Save as doc&ument…"), documents.save_as)
        self._add(menu, "close_document", _("Cl&ose document"), documents.let_go)
        documents.changed.connect(self._list_recent)
        self._list_recent()

    def _list_recent(self) -> None:
        documents = self._does.documents
        for action in self._recent.actions():
            self._window.removeAction(action)
            self._actions.pop(action.objectName(), None)
            action.deleteLater()
        self._recent.clear()
        for number, path in enumerate(documents.recent):
            words = menu_text(path.name)
            action = self._add(self._recent, f"recent_{number}", words, _with(documents.open, path))
            action.setToolTip(plain_tip(str(path)))
        self._recent.setEnabled(bool(documents.recent))
        self.action("close_document").setEnabled(documents.path is not None)

    def _session_log(self, menu: QMenu) -> None:
        actions = self._does.log
        menu.setObjectName("menu_session_log")
        self._add(menu, "name_session", _("&Name this session…"), actions.name_session)
        file_session = self._does.file_session
        self._add(menu, "file_session", _("Ask every sentence of a &file…"), file_session.pick)
        self._add(menu, "export_runs", _("&Export the runs listed…"), actions.export_listed)
        self._add(menu, "copy_log", _("Save a &copy…"), actions.save_copy)
        self._add(menu, "merge_log", _("&Import a log…"), actions.merge)
        self._choices(menu.addMenu(_("&Keep runs")), "keep_days", "keep")

    def _edit(self) -> None:
        window, menu = self._window, self._menu("edit", _("&Edit"))
        undo, redo = window.bench.state.undo_action(window), window.bench.state.redo_action(window)
        for action, name, key in (
            (undo, "undo", QKeySequence.StandardKey.Undo),
            (redo, "redo", QKeySequence.StandardKey.Redo),
        ):
            action.setObjectName(name)
            action.setShortcuts(_of_letters(key))
            self._put(menu, action)
        menu.aboutToShow.connect(self._name_history)
        menu.addSeparator()
        for name, text, letter in (
            ("cut", _("Cu&t"), Qt.Key.Key_X),
            ("copy", _("Cop&y"), Qt.Key.Key_C),
            ("paste", _("Past&e"), Qt.Key.Key_V),
            ("select_all", _("Select &all"), Qt.Key.Key_A),
        ):
            press = _with(self._commands.press, letter)
            self._add(menu, name, text, press, f"Ctrl+{letter.name[-1]}")
        menu.addSeparator()
        self._add(
            menu, "mask_selection", _("&Mask selection"), window.sentence.mask_selection, "Ctrl+M"
        )
        self._add(
            menu, "clear_masks", _("&Clear masks"), window.bench.edits.clear_masks, "Ctrl+Shift+M"
        )
        menu.addSeparator()
        self._add(menu, "copy_text", _("Copy se&ntence"), self._commands.copy_text)
        self._add(
            menu,
            "second_text",
            _("&Second text"),
            window.sentence.set_pair,
            "Ctrl+2",
            checkable=True,
        )
        menu.addSeparator()
        self._add(menu, "go_to_text", _("Go to &text"), window.sentence.focus_text, "Ctrl+T")
        tokens = window.sentence.focus_tokens
        self._add(menu, "go_to_tokens", _("Go to t&okens"), tokens, "Ctrl+Shift+T")
        details = window.sentence.strip.details_wanted.emit
        self._add(menu, "token_details", _("&Details of the token"), details, "Ctrl+I")
        self._add(menu, "find_model", _("&Find a model"), window.open_library, "Ctrl+F")
        finder = self._commands.find_command
        find = self._add(
            menu, "find_command", _("Find a &page, model or command…"), finder, "Ctrl+K"
        )
        window.sidebar.find_button.offer(find)
        self._add(menu, "find_run", _("Find in the &log"), window.focus_log, "Ctrl+Shift+F")
        menu.addSeparator()
        settings = self._add(
            menu, "settings", _("Sett&ings…"), self._commands.show_settings, "Ctrl+,"
        )
        settings.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _name_history(self) -> None:
        """Say what is taken back, in the order of words of the language.

        Qt's own actions put the verb before the step's name, as English does.
        """
        stack = self._window.bench.state.stack
        undone, redone = menu_text(stack.undoText()), menu_text(stack.redoText())
        self.action("undo").setText(_("&Undo {what}", what=undone) if undone else _("&Undo"))
        self.action("redo").setText(_("&Redo {what}", what=redone) if redone else _("&Redo"))

    def _model(self) -> None:
        window, menu = self._window, self._menu("model", _("&Model"))
        choose = self._add(menu, "open_library", _("Choose a &model…"), window.open_library)
        choose.setShortcuts([QKeySequence("Ctrl+L"), QKeySequence("F6")])
        self._add(
            menu,
            "model_table",
            _("Models in a &table…"),
            self._commands.show_model_table,
            "Ctrl+Shift+L",
        )
        get = self._commands.get_real_model
        self._add(menu, "get_real_model", _("&Get a real model…"), get)
        menu.addSeparator()
        for slot in ("A", "B"):
            self._add(
                menu,
                f"load_{slot}",
                _("Load chosen as &{slot}", slot=slot),
                _with(self._commands.load_chosen, slot),
                f"Ctrl+Shift+{slot}",
            )
        menu.addSeparator()
        for slot in ("A", "B"):
            self._add(
                menu,
                f"unload_{slot}",
                _("Unload {slot}", slot=slot),
                _with(window.bench.models.unload, slot),
            )
        self._add(
            menu,
            "swap",
            _("Let the &other model answer"),
            self._commands.swap_models,
            "Ctrl+J",
        )
        menu.addSeparator()
        self._device_menu = menu.addMenu(_("&Device"))
        self._choices(menu.addMenu(_("&Number type")), "dtype")
        menu.addSeparator()
        self._add(
            menu, "refresh_library", _("&Refresh the library"), window.bench.checkpoints.refresh
        )
        if window.preparing is not None:
            offer = window.preparing.show
            self._add(menu, "install_engine", _("&Install the packages that run models…"), offer)
        restart = self._add(menu, "restart_engine", _(RESTART), window.restart_wanted.emit)
        restart.setToolTip(_("End the engine's process and start it again with the same models"))

    def _view(self) -> None:
        window, menu = self._window, self._menu("view", _("&View"))
        topics: dict[str, QMenu] = {}
        first = _with(window.view_area.bring_forward, overview.NAME)
        self._add(menu, f"show_view_{overview.NAME}", _("&Overview"), first, "Alt+Home")
        for one in listed():
            question = one.of
            if one.heading not in topics:
                topics[one.heading] = menu.addMenu(menu_text(_(one.heading)))
                topics[one.heading].setObjectName(f"menu_topic_{one.heading}")
            show = _with(window.view_area.bring_forward, question.name)
            keys = question.listing.shortcut
            action = self._add(
                topics[one.heading],
                f"show_view_{question.name}",
                menu_text(_(question.title)),
                show,
                keys or None,
            )
            action.setWhatsThis(_(question.asks))
            if keys:
                said = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
                window.tree.pages.tell_keys(question.name, said)
        menu.addSeparator()
        step = window.view_area.step
        self._add(menu, "next_view", _("&Next page"), _with(step, 1), "Ctrl+PgDown")
        self._add(menu, "previous_view", _("&Previous page"), _with(step, -1), "Ctrl+PgUp")
        self._add(menu, "go_to_page", _("&Go to the page"), self._commands.focus_page, "Ctrl+G")
        self._add(menu, "pin_answer", _("P&in the answer"), self._commands.pin, "Ctrl+Shift+P")
        self._add(menu, "star_page", _("&Star this page"), self._commands.star, "Ctrl+D")
        twice = menu.addMenu(_("Page &twice"))
        twice.setObjectName("menu_twice")
        for way, words in WAYS.items():
            key = "Ctrl+Shift+J" if way == OTHER_MODEL else None
            does = _with(self._does.second_pages.open, way)
            self._add(twice, f"twice_{way}", _(words), does, key)
        menu.addSeparator()
        for dock, keys in zip(window.drawers, ("F7", "F8", "F12"), strict=True):
            toggle = dock.toggleViewAction()
            toggle.setObjectName(f"toggle_{dock.objectName()}")
            toggle.setShortcut(keys)
            if dock is window.lecture_dock:
                # With all that goes on in it: two entries would have one word for it.
                self._lecture(menu.addMenu(_("Lect&ure")), toggle)
            else:
                self._put(menu, toggle)
        self._add(menu, "more_room", _("&More room for the pages"), window.toggle_room, "F9")
        self._add(menu, "reset_layout", _("&Reset layout"), window.reset_layout)
        menu.addSeparator()
        self._choices(menu.addMenu(_("&Colours")), "color_scheme", "scheme")
        self._choices(menu.addMenu(_("L&anguage")), "language")
        menu.addSeparator()
        larger = self._add(menu, "larger", _("&Larger text"), _with(self._commands.zoom, 1))
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self._add(menu, "smaller", _("&Smaller text"), _with(self._commands.zoom, -1), "Ctrl+-")
        self._add(menu, "usual_size", _("&Usual size"), _with(self._commands.zoom, 0), "Ctrl+0")
        menu.addSeparator()
        self._add(
            menu,
            "fill_screen",
            _("&Page fills the screen"),
            window.fill_screen,
            "F11",
            checkable=True,
        )
        self._put(menu, self._does.lectures.present)
        stage = menu.addMenu(_("On the s&tage"))
        stage.setObjectName("menu_stage")
        for action in self._does.on_stage:
            self._put(stage, action)
        self._add(
            menu,
            "full_screen",
            _("&Full screen"),
            self._commands.set_full_screen,
            "Shift+F11",
            checkable=True,
        )

    def _lecture(self, menu: QMenu, toggle: QAction) -> None:
        lectures = self._does.lectures
        menu.setObjectName("menu_lecture")
        self._put(menu, toggle)
        menu.addSeparator()
        for action in (lectures.on, lectures.back, lectures.again, lectures.anew, lectures.leave):
            self._put(menu, action)
        menu.addSeparator()
        self._put(menu, lectures.bundled)
        for action in (lectures.lessons, lectures.save_answers, lectures.open_answers):
            self._put(menu, action)

    def _run(self) -> None:
        window, menu = self._window, self._menu("run", _("&Run"))
        again = self._add(menu, "run_again", _("&Run again"), window.bench.asking.run_again, "F5")
        again.setShortcuts([QKeySequence("F5"), QKeySequence("Ctrl+Return")])
        self._add(
            menu, "ask_steps", _("Ask at every &step"), self._commands.ask_at_every_step, "Ctrl+F5"
        )
        self._add(menu, "cancel", _("&Cancel"), self._commands.cancel, "Ctrl+.")

    def _help(self) -> None:
        window, menu = self._window, self._menu("help", _("&Help"))
        self._add(
            menu, "page_help", _("&What this page shows"), self._commands.show_page_help, "F1"
        )
        self._add(
            menu, "shortcuts", _("&Keyboard shortcuts"), self._commands.show_shortcuts, "Ctrl+F1"
        )
        self._add(menu, "first_steps", _("&First steps"), self._does.first_steps.offer)
        self._add(menu, "glossary", _("&Glossary"), self._commands.show_glossary, "Shift+F1")
        self._add(menu, "plugins", _("&Plugins…"), self._commands.show_plugins)
        menu.addSeparator()
        self._add(menu, "check_updates", _("Check for &updates…"), window.updates.ask)
        self._add(menu, "open_logs", _("Open &log folder"), self._commands.open_logs)
        self._add(menu, "report_problem", _("&Report a problem…"), self._commands.report_problem)
        self._add(menu, "licences", _("L&icences"), self._commands.show_licences)
        about = self._add(menu, "about", _("&About PLM Explorer"), self._commands.show_about)
        about.setMenuRole(QAction.MenuRole.AboutRole)

    # ---- what is possible now ----------------------------------------------------------------

    def refresh(self) -> None:
        """Tick and grey out by what the window holds now."""
        window = self._window
        document, models = window.bench.state.document, window.bench.models
        self.action("clear_masks").setEnabled(bool(document.masks))
        self.action("second_text").setChecked(document.pair is not None)
        self.action("swap").setEnabled(len(models.cards) > 1)
        self.action("fill_screen").setChecked(window.fills_screen)
        self._does.lectures.present.setChecked(self._does.lectures.presenting.is_on)
        for slot in ("A", "B"):
            self.action(f"unload_{slot}").setEnabled(slot in models.cards)
        settings = window.bench.settings_store.settings
        for field, group in self.chosen.items():
            for action in group.actions():
                action.setChecked(action.data() == getattr(settings, field))

    def show_devices(self) -> None:
        """Offer the devices the engine found."""
        known = self.chosen.pop("device", None)
        for action in known.actions() if known is not None else ():
            self._device_menu.removeAction(action)
            del self._actions[action.objectName()]
            action.deleteLater()
        self._choices(self._device_menu, "device")
        self.refresh()

    # ---- making ------------------------------------------------------------------------------

    def _menu(self, name: str, title: str) -> QMenu:
        menu = self._window.menu_titles.add(title)
        menu.setObjectName(f"menu_{name}")
        self.menus.append(menu)
        return menu

    def _add(
        self,
        menu: QMenu,
        name: str,
        text: str,
        does: Callable[..., object],
        keys: Keys | None = None,
        *,
        checkable: bool = False,
    ) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        if checkable:
            action.setCheckable(True)
            action.triggered.connect(does)
        else:
            action.triggered.connect(lambda _checked=False: does())
        if isinstance(keys, str):
            action.setShortcut(QKeySequence(keys))
        elif keys is not None:
            action.setShortcuts(_of_letters(keys))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self._put(menu, action)
        return action

    def _put(self, menu: QMenu, action: QAction) -> None:
        self._actions[action.objectName()] = action
        # Qt's own would keep the letter of a key that stands in brackets: "(F)".
        action.setToolTip(plain_tip(plain(action.text())))
        menu.addAction(action)
        # The keys work on while the menu bar is hidden.
        self._window.addAction(action)

    def _choices(self, menu: QMenu, field: str, name: str = "") -> None:
        """A setting's choices, exactly one of them ticked.

        Args:
            menu: Of these alone.
            field: Of Settings.
            name: What the actions' names begin with; "" for the field's.
        """
        menu.setObjectName(f"menu_{name or field}")
        group = self.chosen[field] = QActionGroup(self._window)
        choices = setting_of(field).choices
        for value, text in choices(self._window.bench) if choices is not None else ():
            put = _with(self._commands.in_force.put, field, value)
            action = self._add(menu, f"{name or field}_{value}", text, put)
            action.setCheckable(True)
            action.setData(value)
            group.addAction(action)


def _of_letters(key: QKeySequence.StandardKey) -> list[QKeySequence]:
    """The usual keys of an action, without those that only some keyboards have, as Exit."""
    return [one for one in QKeySequence.keyBindings(key) if one.toString().startswith("Ctrl+")]


def _with(does: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """Call with these arguments, whatever the signal brings."""
    return lambda: does(*arguments)


def _leaves(menu: QMenu) -> Iterable[QAction]:
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _leaves(below)
        elif not action.isSeparator():
            yield action
