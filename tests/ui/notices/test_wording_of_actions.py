"""What an action is called where no key is marked."""

import pytest

from explorer.ui.notices.wording import plain


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("&File", "File"),
        ("Save &picture…", "Save picture"),
        ("Cut && paste", "Cut & paste"),
        ("파일(&F)", "파일"),
        ("그림 저장(&P)…", "그림 저장"),
        ("학생(B)", "학생(B)"),
    ],
)
def test_marks_of_keys_are_taken_away(text, said):
    assert plain(text) == said
