"""What the program remembers between two starts: one JSON file, written whole or not at all."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from explorer.api.question import MachineFault
from explorer.document import Document
from explorer.export_choices import PictureChoice, TableChoice
from explorer.files.foreign import json_of
from explorer.files.private import make_file, make_folder
from explorer.given_answers import GivenAnswer
from explorer.serialise import to_builtins
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import N_, _


@dataclass(frozen=True)
class OwnPlace:
    """What was on screen before a lecture began.

    Attributes:
        operation: The question whose page was shown; "" for none.
        document: What was asked.
        models: The checkpoints that were loaded, by slot, as `Settings.checkpoints` has them.
    """

    operation: str = ""
    document: Document = field(default_factory=Document)
    models: Mapping[str, str] = field(default_factory=dict)


STARRED = N_("Starred and recent")
"""What the tree of pages has such pages under."""
Pixels = Annotated[int, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class PageLayout:
    """Which pages are seen, and where.

    Attributes:
        main: The question whose page is in the main place; "" for none.
        columns: The questions of pages beside it, from left to right, each column from above; ""
            stands for the main place.
        widths: Of the columns, in pixels.
        heights: Of the places in each, in pixels.
        floating: Pages in windows of their own: left, upper edge, width and height by question.
    """

    main: str = ""
    columns: tuple[tuple[str, ...], ...] = ()
    widths: tuple[Pixels, ...] = ()
    heights: tuple[tuple[Pixels, ...], ...] = ()
    floating: Mapping[str, tuple[int, int, int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelTableLook:
    """How the table of models is looked at.

    Attributes:
        columns: Names of those that are shown; none for the usual ones.
        widths: Of those that the user drew, in pixels, by their names.
        sorted_by: The name of the column that rows are sorted by, with "-" before it where they
            fall; "" for the library's order.
    """

    columns: tuple[str, ...] = ()
    widths: Mapping[str, Pixels] = field(default_factory=dict)
    sorted_by: str = ""


@dataclass(frozen=True)
class Settings:
    """The user's choices and what was last on screen.

    Attributes:
        color_scheme: "system" follows the desktop.
        device: Where models are loaded: "auto", "cpu", "cuda:1", "mps", "offload".
        dtype: In what precision: "auto", "float32", "float16", "bfloat16", "8bit", "4bit".
        top_k: Predictions for each mask in a new document.
        recent_folders: Checkpoint folders the user opened, newest first.
        checkpoints: The checkpoint last loaded in each slot ("A", "B"), by its id; with a number
            type of the slot's own after a colon.
        slot_devices: Devices that slots have of their own.
        document: The text, the pair and the masks that were last on screen.
        disabled_plugins: Ids of families the user switched off.
        window_geometry: The window's place and size, base64 of Qt's bytes.
        window_state: Its docks and toolbars, base64 of Qt's bytes; with a dot and more of them,
            older programs kept their pages there.
        pages: The pages that are seen; None before any were.
        open_topics: What the tree of pages shows besides the topic of the page that is seen.
        pages_folded: The tree is put away, or seen though there is little room; None for as there
            is room.
        starred: Pages with a star, by their questions, the first one first.
        recent_pages: Pages that were seen lately, by their questions, the latest first.
        scrolls: How far each page was scrolled, in pixels, by its question.
        debounce_ms: How long after the last key the model is asked, in milliseconds.
        log_enabled: Every run is written to the session database.
        keep_days: Older runs are deleted from it at the start, but for those with a star or a
            note; None keeps all.
        font_scale: The interface's text, 1.0 as the desktop has it.
        new_words_told: Words that a miniature does not know, after the user has put away the line
            that says so.
        picture: How pages become pictures in files.
        table: How tables become files.
        lecture: The lecture that is open: its folder or file; "" for the bundled one.
        scenes_seen: Scenes that were on screen, as "lecture#scene", the latest last.
        lesson_answers: What was answered in lessons, as "lecture#scene#step", the latest last.
        lesson_steps: The step of each lesson that was on screen last, as "lecture#scene".
        own_place: While a scene is on screen, what leaving the lecture brings back, as the next
            start does; None while there is none.
        language: Of the window's texts and numbers: a code as "en", or "system".
        options_open: The panel of a page's further options is open.
        first_steps: Ways in are offered: from the first start until one is taken, or none.
        recent_documents: Documents that were opened or saved, newest first.
        open_document: The one that is open; "" for none.
        document_digest: Of its file as the program left it: another one was changed elsewhere.
        training_at_close: What becomes of a training when the window is closed.
        film_pace: Frames a second of a film that plays, at most.
        film_repeats: After its last frame a film begins again.
        offline: The window and its engine never reach the network, as with `--offline`.
        model_table: How the table of models was looked at last.
    """

    color_scheme: Literal["system", "dark", "light"] = "system"
    device: Annotated[str, msgspec.Meta(min_length=1)] = "auto"
    dtype: Literal["auto", "float32", "float16", "bfloat16", "8bit", "4bit"] = "auto"
    top_k: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    recent_folders: tuple[str, ...] = ()
    checkpoints: Mapping[str, str] = field(default_factory=dict)
    slot_devices: Mapping[str, str] = field(default_factory=dict)
    document: Document = field(default_factory=Document)
    disabled_plugins: tuple[str, ...] = ()
    window_geometry: str = ""
    window_state: str = ""
    pages: PageLayout | None = None
    open_topics: tuple[str, ...] = (STARRED,)
    pages_folded: bool | None = None
    starred: tuple[str, ...] = ()
    recent_pages: tuple[str, ...] = ()
    scrolls: Mapping[str, Pixels] = field(default_factory=dict)
    debounce_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 250
    log_enabled: bool = True
    keep_days: Annotated[int, msgspec.Meta(ge=1)] | None = None
    font_scale: Annotated[float, msgspec.Meta(ge=0.5, le=4.0)] = 1.0
    new_words_told: tuple[str, ...] = ()
    picture: PictureChoice = field(default_factory=PictureChoice)
    table: TableChoice = field(default_factory=TableChoice)
    lecture: str = ""
    scenes_seen: tuple[str, ...] = ()
    lesson_answers: Mapping[str, GivenAnswer] = field(default_factory=dict)
    lesson_steps: Mapping[str, Pixels] = field(default_factory=dict)
    own_place: OwnPlace | None = None
    language: Annotated[str, msgspec.Meta(min_length=1)] = "system"
    first_steps: bool = False
    options_open: bool = False
    recent_documents: tuple[str, ...] = ()
    open_document: str = ""
    document_digest: str = ""
    training_at_close: Literal["ask", "continue", "pause"] = "ask"
    film_pace: Annotated[int, msgspec.Meta(ge=1, le=60)] = 3
    film_repeats: bool = False
    offline: bool = False
    model_table: ModelTableLook = field(default_factory=ModelTableLook)


class SettingsFile:
    """Reads and writes the settings; used from one thread at a time.

    Attributes:
        path: The JSON file.
        problem: One sentence after load() where not everything could be read; "" otherwise.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.problem = ""
        self._unknown: dict[str, Any] = {}
        self._unreadable = False

    def load(self) -> Settings:
        """Read the file; what is missing or damaged is at its default, and `problem` says so."""
        self.problem = ""
        self._unknown = {}
        self._unreadable = False
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return Settings()
        except OSError as error:
            # Nothing is known of what is in it, so it must not be overwritten either.
            self._unreadable = True
            self.problem = _(
                "The settings could not be read ({strerror}); the defaults are used, and "
                "nothing is saved. Check that you may read {path}.",
                strerror=error.strerror or error,
                path=self.path,
            )
            return Settings()
        try:
            stored = json_of(content)
            if not isinstance(stored, dict):
                raise ValueError("not an object")
        except ValueError:
            kept = self._set_aside(copy=False)
            self.problem = _(
                "The settings file was damaged, and the defaults are used;{kept}", kept=kept
            )
            return Settings()
        return self._read(stored)

    def save(self, settings: Settings) -> None:
        """Write the file; keys of another version of the program stay in it.

        Raises:
            MachineFault: It can't be written; the older file is as it was.
        """
        if self._unreadable:
            raise MachineFault(
                N_("The settings are not saved: {name} could not be read before."),
                N_("Check that you may read {path}, and start the program again."),
                name=self.path.name,
                path=self.path,
            )
        content = {**self._unknown, **to_builtins(settings)}
        text = json.dumps(content, ensure_ascii=True, indent=2) + "\n"
        try:
            make_folder(self.path.parent)
        except OSError as error:
            raise MachineFault(
                N_("The settings are not saved: {parent} can't be made ({strerror})."),
                N_("Check that you may write there."),
                parent=self.path.parent,
                strerror=error.strerror or error,
            ) from error
        write_atomically(self.path, text.encode("ascii"), private=True)

    def _read(self, stored: dict[str, Any]) -> Settings:
        kinds = get_type_hints(Settings, include_extras=True)
        known: dict[str, Any] = {}
        wrong: list[str] = []
        for one in fields(Settings):
            if one.name not in stored:
                continue
            try:
                known[one.name] = msgspec.convert(stored[one.name], kinds[one.name])
            except msgspec.ValidationError:
                wrong.append(one.name)
        self._unknown = {name: value for name, value in stored.items() if name not in kinds}
        if wrong:
            kept = self._set_aside(copy=True)
            self.problem = _(
                "Not understood in the settings, and at the default now: {wrong};{kept}",
                wrong=", ".join(wrong),
                kept=kept,
            )
        return Settings(**known)

    def _set_aside(self, *, copy: bool) -> str:
        """Keep the file under another name; returns the end of a sentence that says so."""
        damaged = self.path.with_name(f"{self.path.stem}-damaged{self.path.suffix}")
        try:
            if copy:
                make_file(damaged)
                shutil.copyfile(self.path, damaged)
            else:
                self.path.replace(damaged)
        except OSError as error:
            return _(
                " the old file could not be kept ({strerror}).", strerror=error.strerror or error
            )
        return _(" the old file is kept as {name}.", name=damaged.name)
