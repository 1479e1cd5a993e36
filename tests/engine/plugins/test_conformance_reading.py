"""What the conformance kit finds in a plugin's files, before anything of it is loaded."""

import pytest

from explorer.engine.plugins.border.code import in_words
from explorer.engine.plugins.conformance.reading import check_catalogues, check_faces
from tests.text.test_translation import mo_of


def test_imports_from_deeper_than_the_faces(tmp_path):
    folder, module = tmp_path, "from explorer.hf.family.specs import HeadSpec\n"
    (folder / "__init__.py").write_text(module, encoding="utf-8")
    found = check_faces(folder)
    assert found.failed
    assert "__init__.py line 1: explorer.hf.family.specs" in found.message
    (folder / "__init__.py").write_text("from explorer.api import Family", encoding="utf-8")
    assert not check_faces(folder).failed
    text = "from explorer.ui.blocks import Numbers, BarTables"
    (folder / "__init__.py").write_text(text, encoding="utf-8")
    said = check_faces(folder).message
    assert "explorer.ui.blocks shows no Numbers (" in said
    assert "explorer.api.question has one)" in said
    assert "shows no BarTables (near are BarTable" in said


def test_a_name_that_a_face_lacks_is_told_with_the_nearest():
    with pytest.raises(ImportError) as raised:
        from explorer.ui.blocks import Numbers  # noqa: F401
    said = in_words(raised.value)
    assert said.startswith("ImportError: explorer.ui.blocks shows no Numbers (")


def test_texts_without_words_in_a_language_that_it_brings(tmp_path):
    folder = tmp_path
    folder.joinpath("code.py").write_text(
        'TEXTS = N_("One."), N_("Two."), NN_("{count} mask", "{count} masks")\n'
    )
    path = folder / "locale/ko/LC_MESSAGES/words.mo"
    path.parent.mkdir(parents=True)
    for translated, lacks in (
        ({"One.": "하나"}, "'Two.', '{count} mask'"),
        ({"One.": "하나", "Two.": "둘", ("{count} mask", "{count} masks"): ("{count}개",)}, ""),
    ):
        path.write_bytes(mo_of(translated))
        (found,) = check_catalogues(folder)
        assert found.failed == bool(lacks)
        assert lacks in found.message
        assert found.check == "says all its texts in 한국어"
