"""Pages and actions of the menus, as they are found by words."""

from collections.abc import Iterable, Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from explorer.text import _
from explorer.text.every_language import EveryLanguage
from explorer.text.messages import of_program
from explorer.ui.notices.wording import plain
from explorer.ui.theme.icons import icon
from explorer.ui.views import Listed
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand

EVERYDAY: Mapping[str, tuple[str, ...]] = {
    "open_folder": ("load my own model", "local model", "checkpoint", "내 모델", "체크포인트"),
    "open_document": ("project", "workspace", "plm file", "프로젝트", "문서"),
    "save_document": ("project", "workspace", "프로젝트 저장", "문서 저장"),
    "open_config": ("config.json", "safetensors"),
    "open_text": ("import a text", "텍스트 불러오기"),
    "open_bundle": ("check runs", "reproduce", "zip", "번들", "재현", "결과 확인"),
    "export_view_picture": (
        *("save picture", "save image", "figure", "PNG", "PDF", "SVG", "그림 저장", "이미지"),
    ),
    "export_view_film": (
        *("gif", "mp4", "video", "animation", "movie of training", "checkpoints"),
        *("동영상", "애니메이션", "영화 저장", "체크포인트"),
    ),
    "export_view_table": ("export csv", "CSV", "spreadsheet", "Excel", "save numbers", "표 저장"),
    "export_values": (
        *("hidden states", "embeddings", "activations", "npz", "safetensors", "save logits"),
        *("은닉 상태 저장", "임베딩 저장", "활성값"),
    ),
    "export_view_copy_picture": ("screenshot", "스크린샷"),
    "open_sheet": ("compare figures", "report", "screenshots side by side", "비교 그림"),
    "file_session": ("batch", "일괄 처리"),
    "merge_log": ("import a log", "로그 가져오기"),
    "find_run": ("history", "earlier answers", "기록", "이력"),
    "toggle_dock_log": ("history", "기록", "이력"),
    "twice_other_model": (
        *("compare two models", "side by side", "split view"),
        *("두 모델 비교", "나란히", "모델 비교"),
    ),
    "twice_held_text": ("compare two texts", "two sentences side by side", "두 텍스트 비교"),
    "twice_own_settings": ("compare two settings", "두 설정 비교"),
    "second_text": ("sentence pair", "two sentences", "문장 쌍", "두 문장"),
    "star_page": ("favourites", "bookmark", "star", "즐겨찾기", "북마크", "별표"),
    "open_library": ("choose a model", "switch model", "change model", "모델 바꾸기", "모델 선택"),
    "model_table": (
        *("compare models", "sort models", "which model", "speed", "size of models", "licence"),
        *("모델 비교", "모델 표", "어느 모델", "속도", "모델 크기"),
    ),
    "get_real_model": ("download", "Hugging Face", "hub", "pretrained", "내려받기", "다운로드"),
    "dtype_float16": ("half precision", "fp16"),
    "dtype_bfloat16": ("half precision", "bf16"),
    "dtype_8bit": ("quantization", "int8", "양자화"),
    "dtype_4bit": ("quantization", "int4", "양자화"),
    "device_auto": ("GPU", "CUDA", "CPU"),
    "scheme_dark": ("dark mode", "dark theme", "night mode", "다크 모드", "어두운 화면"),
    "scheme_light": ("light mode", "light theme", "라이트 모드", "밝은 화면"),
    "language_en": ("language", "in English", "영어", "언어"),
    "language_ko": ("language", "in Korean", "한국어", "언어"),
    "larger": ("zoom in", "font size", "bigger", "확대", "글자 크기"),
    "smaller": ("zoom out", "font size", "축소", "글자 크기"),
    "present": ("slides", "projector", "presentation", "발표", "슬라이드"),
    "ask_steps": (
        *("checkpoints", "training dynamics", "over training", "learning curve of an answer"),
        *("모든 단계", "체크포인트", "학습 과정"),
    ),
    "run_again": ("refresh", "reload", "새로 고침"),
    "page_help": ("help", "explain", "how to read", "도움말", "설명", "읽는 법"),
    "shortcuts": ("hotkeys", "keys", "단축키"),
    "first_steps": ("tutorial", "getting started", "help", "시작하기", "도움말"),
    "glossary": ("definitions", "terms", "dictionary", "용어 사전", "정의"),
    "plugins": ("extensions", "add-ons", "확장"),
    "check_updates": ("new version", "upgrade", "새 버전"),
    "report_problem": ("bug", "error", "crash", "버그", "오류"),
    "licences": ("license", "copyright", "라이선스"),
    "about": ("version", "버전"),
}
"""What people look for an action by, where its own words are others; by the action's name."""


def in_menus(
    actions: Iterable[QAction], pages: Iterable[Listed], everywhere: EveryLanguage
) -> list[MenuCommand]:
    """The actions of the menus that do something now, those that show pages as such."""
    by_action = {f"show_view_{one.of.name}": one for one in pages}
    return [
        _page(action, page, everywhere)
        if (page := by_action.get(action.objectName())) is not None
        else _command(action, everywhere)
        for action in actions
        if action.isEnabled() and action.isVisible()
    ]


def _page(action: QAction, page: Listed, everywhere: EveryLanguage) -> MenuCommand:
    question = page.of
    title, topic, asked = (_(one) for one in (question.title, page.heading, question.asks))
    return MenuCommand(
        action,
        title,
        topic,
        "\n".join((asked, *everywhere.of(asked), *everywhere.of(topic))),
        EntryKind.PAGE,
        everywhere.of(title),
        (*question.found_by, *of_program().former.mended.get(question.title, ())),
        icon(question.listing.icon, "text"),
    )


def _command(action: QAction, everywhere: EveryLanguage) -> MenuCommand:
    text = action.text()
    return MenuCommand(
        action,
        plain(text),
        _place(action),
        "",
        EntryKind.COMMAND,
        tuple(plain(one) for one in everywhere.of(text)),
        EVERYDAY.get(action.objectName(), ()),
    )


def _place(action: QAction) -> str:
    menus = (one for one in action.associatedObjects() if isinstance(one, QMenu))
    return next((plain(menu.title()) for menu in menus), "")
