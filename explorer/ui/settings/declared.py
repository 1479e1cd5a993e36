"""What can be set, once for the dialog, the menus and the search: names, choices, explanations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.api.family.load_options import OFFLOAD
from explorer.settings import Settings
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.quantities import took
from explorer.text.language import SYSTEM, available, name_of
from explorer.ui.library.moments.moments import PACES

if TYPE_CHECKING:
    from explorer.ui.workbench.workbench import Workbench

Choices = Sequence[tuple[Any, str]]
"""Values and what they are called, with the letters that menus have."""
ZOOM_STEPS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
PAUSES_MS = (0, 100, 250, 500, 1000)
DTYPES = (
    ("auto", N_("&Automatic")),
    ("float32", "float&32"),
    ("float16", "float&16"),
    ("bfloat16", "&bfloat16"),
    ("8bit", N_("&8 bit (layers' weights)")),
    ("4bit", N_("&4 bit (layers' weights)")),
)
DEFAULTS = Settings()


@dataclass(frozen=True)
class Setting:
    """One field of Settings that its user may change.

    Attributes:
        field: Its name.
        section: The heading it stands below.
        title: What it is called, as it is marked.
        about: What it does, in one sentence.
        found_by: What else people call it.
        choices: What it can be; None for a switch.
    """

    field: str
    section: str
    title: str
    about: str = ""
    found_by: tuple[str, ...] = ()
    choices: Callable[[Workbench], Choices] | None = None

    @property
    def usual(self) -> Any:
        """Its value where nobody has set it."""
        return getattr(DEFAULTS, self.field)


@dataclass(frozen=True)
class Remembered:
    """What dialogs and hints remember by themselves, and can be made to forget.

    Attributes:
        fields: Of Settings.
        title: What it is, as it is marked.
        about: What forgetting it does.
        found_by: What else people call it.
    """

    fields: tuple[str, ...]
    title: str
    about: str
    found_by: tuple[str, ...] = ()


def schemes(_bench: Workbench) -> Choices:
    """Dark, light, or as the desktop has it."""
    return (("system", _("As the &system")), ("dark", _("&Dark")), ("light", _("&Light")))


def languages(bench: Workbench) -> Choices:
    """Each by its own name: whoever looks for it may read no other."""
    known = [(code, name_of(code)) for code in available(bench.folders.texts)]
    return [(SYSTEM, _("S&ystem language")), *known]


def devices(bench: Workbench) -> Choices:
    """Those that the engine found, and the one that is set."""
    ready, chosen = bench.bridge.latest_ready, bench.settings_store.settings.device
    found = ready.devices if ready is not None else ()
    names = dict.fromkeys(("auto", *found, OFFLOAD, chosen))
    texts = {"auto": _("&Automatic"), OFFLOAD: _("Layers on the &disk where there is no room")}
    return [(name, texts.get(name, name)) for name in names]


def number_types(_bench: Workbench) -> Choices:
    """In what precision weights are held."""
    return [(dtype, _(text)) for dtype, text in DTYPES]


def kept_days(_bench: Workbench) -> Choices:
    """How long runs are kept, in days."""
    return (
        (None, _("&For good")),
        (365, _("A &year")),
        (90, _("&90 days")),
        (30, _("&30 days")),
    )


def ends_of_training(_bench: Workbench) -> Choices:
    """What becomes of a training when the window is closed."""
    return (("ask", _("&Ask")), ("continue", _("It &continues")), ("pause", _("It is &paused")))


def sizes_of_text(bench: Workbench) -> Choices:
    """Steps of the zoom, and the size that is set, if it is none of them."""
    sizes = sorted({*ZOOM_STEPS, bench.settings_store.settings.font_scale})
    return [(size, percent(size)) for size in sizes]


def paces(bench: Workbench) -> Choices:
    """Frames a second, the pace that is set among them."""
    known = sorted({*PACES, bench.settings_store.settings.film_pace})
    return [
        (pace, ngettext("{count} step a second", "{count} steps a second", pace)) for pace in known
    ]


def pauses(bench: Workbench) -> Choices:
    """How long typing must pause, in milliseconds."""
    known = sorted({*PAUSES_MS, bench.settings_store.settings.debounce_ms})
    return [(pause, took(pause / 1000) if pause else _("None")) for pause in known]


APPEARANCE, MODELS, ASKING = N_("Appearance"), N_("Models"), N_("Questions")
LOG, NETWORK = N_("Session log"), N_("Network")

SETTINGS = (
    Setting(
        "language",
        APPEARANCE,
        N_("Language"),
        found_by=("locale", "translation", "Korean", "English", "한국어", "영어"),
        choices=languages,
    ),
    Setting(
        "color_scheme",
        APPEARANCE,
        N_("Colours"),
        found_by=("theme", "dark mode", "light mode", "다크 모드", "테마"),
        choices=schemes,
    ),
    Setting(
        "font_scale",
        APPEARANCE,
        N_("Size of text"),
        N_("Of everything in the window, against the desktop's own size."),
        found_by=("font size", "zoom", "글자 크기", "확대"),
        choices=sizes_of_text,
    ),
    Setting(
        "device",
        MODELS,
        N_("Device"),
        N_("Where models run. Those that are loaded move there at once."),
        found_by=("GPU", "CUDA", "CPU", "MPS", "장치"),
        choices=devices,
    ),
    Setting(
        "dtype",
        MODELS,
        N_("Number type"),
        N_("How weights are held in memory. Models that are loaded are loaded again."),
        found_by=("precision", "quantization", "half precision", "fp16", "정밀도", "양자화"),
        choices=number_types,
    ),
    Setting(
        "training_at_close",
        MODELS,
        N_("Training when the window closes"),
        N_("A model that is being trained continues without the window, or is paused."),
        found_by=("training", "close", "background", "학습", "닫기"),
        choices=ends_of_training,
    ),
    Setting(
        "film_pace",
        MODELS,
        N_("Speed of the film"),
        N_("How many steps of a model's training are shown in a second while they play."),
        found_by=("film", "animation", "frames per second", "영상", "재생 속도"),
        choices=paces,
    ),
    Setting(
        "film_repeats",
        MODELS,
        N_("Repeat from the first step"),
        N_("The film of a model's training begins again after its last step."),
        found_by=("film", "loop", "영상", "반복"),
    ),
    Setting(
        "debounce_ms",
        ASKING,
        N_("Pause before asking"),
        N_("How long typing must rest before the models are asked."),
        found_by=("debounce", "typing delay", "latency", "지연"),
        choices=pauses,
    ),
    Setting(
        "log_enabled",
        LOG,
        N_("Keep every run in the session log"),
        N_("Without it, answers can't be restored, compared or exported later."),
        found_by=("history", "recording", "privacy", "기록"),
    ),
    Setting(
        "keep_days",
        LOG,
        N_("Keep runs"),
        N_("Older runs are deleted at the next start, but for those with a star or a note."),
        found_by=("retention", "delete old runs", "보관 기간"),
        choices=kept_days,
    ),
    Setting(
        "offline",
        NETWORK,
        N_("Work offline"),
        N_("Nothing is downloaded, not even on a click. The engine starts anew when this changes."),
        found_by=("network", "internet", "proxy", "download", "오프라인", "네트워크"),
    ),
)
"""In the order of the dialog."""

REMEMBERED = (
    Remembered(
        ("picture", "table"),
        N_("Export dialogs"),
        N_("The form, size and caption that were chosen last."),
        found_by=("export settings", "내보내기"),
    ),
    Remembered(
        ("new_words_told",),
        N_("Hints about unknown words"),
        N_("Words a miniature does not know, whose hint you have dismissed."),
        found_by=("hints", "tips", "힌트"),
    ),
    Remembered(
        ("scenes_seen",),
        N_("Scenes you have seen"),
        N_("The ticks in the list of a lecture."),
        found_by=("lecture progress", "강의"),
    ),
)
"""What can be forgotten, below the settings."""


def setting_of(field: str) -> Setting:
    """The setting of a field.

    Raises:
        KeyError: No user sets it.
    """
    return {one.field: one for one in SETTINGS}[field]
