"""Korean has one word for one thing."""

import re
import tomllib

import pytest
from babel.messages.pofile import read_po

from explorer.api.family.tensors import Role
from explorer.paths import own_resources
from explorer.text.catalogues import LOCALE, texts_of
from explorer.text.language import DOMAIN

PATH = LOCALE / "ko" / "LC_MESSAGES" / f"{DOMAIN}.po"
DRAWN = "뽑"
EXTRACT = "추출"
"""GPT-1's extract token, and no draw at random."""
INSTEAD = {
    "거르기": "필터",
    "고정된 답": "고정한 답",
    "단추": "버튼",
    "대화상자": "대화 상자",
    "세션 로그": "세션 기록",
    "튜닝 렌즈(": "튜닝 렌즈",
    "되어지": "되",
    "에 의해": "이(가)",
    "십시오": "하세요",
}
"""What no text says, and what is said in its place: a thing has one word, a sentence one voice."""
OF_TRAINING = (
    "explorer/learning/",
    "explorer/over_steps/",
    "explorer/questions/learning/",
    "explorer/series/",
    "explorer/ui/export/film/",
    "explorer/ui/library/moments/film_menu.py",
    "explorer/ui/library/moments/step_slider.py",
    "resources/experiments/",
)
"""Whose steps are steps of training, called 스텝; 단계 is a stage, or a step of something else."""
AT_RANDOM = ("Resample", "Draw other orders")


@pytest.fixture(scope="module")
def korean():
    with PATH.open("rb") as stream:
        catalogue = read_po(stream, locale="ko")
    return {
        one.id if isinstance(one.id, str) else one.id[-1]: (
            one.string if isinstance(one.string, str) else one.string[-1]
        )
        for one in catalogue
        if one.id
    }


@pytest.mark.parametrize("text", AT_RANDOM)
def test_drawing_again_is_called_the_same_everywhere(korean, text):
    assert f"{DRAWN}기" in korean[text]


def test_what_is_drawn_is_not_extracted(korean):
    wrong = [
        f"{english!r}: {told!r}"
        for english, told in korean.items()
        if EXTRACT in told and "extract" not in english.lower()
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("words", INSTEAD)
def test_a_thing_has_one_name(korean, words):
    wrong = [f"{english!r}: {told!r}" for english, told in korean.items() if words in told]
    assert not wrong, f"{INSTEAD[words]} instead:\n" + "\n".join(wrong)


def test_a_step_of_training_is_no_stage():
    with PATH.open("rb") as stream:
        catalogue = read_po(stream, locale="ko")
    found = {}
    for one in catalogue:
        english, told = (
            " ".join(text) if isinstance(text, tuple) else text for text in (one.id, one.string)
        )
        if not any(place.startswith(OF_TRAINING) for place, _line in one.locations):
            continue
        if re.search(r"\bsteps?\b", english, re.IGNORECASE) and "stage" not in english:
            found[english] = told
    assert len(found) > 100
    wrong = [f"{english!r}: {told!r}" for english, told in found.items() if "단계" in told]
    assert not wrong, "\n".join(wrong)


def test_parts_of_models_have_korean_names(korean):
    assert not [role.value for role in Role if not korean.get(role.value)]


def test_what_was_published_is_said_in_korean(korean):
    texts = [
        one
        for name, keys in (("slips", ("says", "is")), ("scores", ("title", "note")))
        for one in texts_of(
            tomllib.loads((own_resources() / "figures" / f"{name}.toml").read_text("utf-8")), keys
        )
    ]
    assert texts
    assert not [one for one in texts if korean.get(one, one) == one]


def test_scenes_say_it_as_the_pages_do():
    lines = [
        f"{path.name}: {line.strip()}"
        for path in sorted((own_resources() / "scenes").glob("*.toml"))
        for line in path.read_text("utf-8").splitlines()
        if EXTRACT in line.replace(f"{EXTRACT} 토큰(extract)", "")
    ]
    assert not lines, "\n".join(lines)
