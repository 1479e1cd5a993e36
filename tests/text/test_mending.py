"""An English text is mended: its id, its translations and the words of stored runs stay."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from explorer.text import Phrase, catalogues, messages
from explorer.text import language as languages
from explorer.text.catalogues.changes import brought, unwritten
from explorer.text.catalogues.mending import mend, write_former
from explorer.text.language import DOMAIN
from explorer.text.message_files import (
    FORMER,
    LISTED,
    FormerTexts,
    Message,
    digest,
    places_of,
    read_list,
)
from tests.program_texts import collected

ROOT = Path(__file__).resolve().parents[2]
LISTING, TABLE = catalogues.LOCALE / LISTED, catalogues.LOCALE / FORMER
OLD = "The model reads {count} pieces of the text."
NEW = "The model reads {count} tokens of the text, a sentence that is now too long for one line."
KOREAN = {OLD: "모델은 {count}조각을 읽습니다.", "{count} row": "{count}행", "A term": "용어"}
CODE = f'''"""A part."""

TEXT = N_(
    "The model reads {{count}} "
    "pieces of the text."
)
한글 = "가", N_({OLD!r}), NN_("{{count}} row", "{{count}} rows")
'''


def said_now():
    return [one.id if isinstance(one.id, tuple) else (one.id,) for one in collected() if one.id]


def test_every_text_is_listed_with_an_id_of_its_own():
    listed = list(read_list(LISTING))
    how = "python -m explorer.text.catalogues update ko"
    assert {one.code for one in listed} == {"\0".join(texts) for texts in said_now()}, how
    twice = [known for known, count in Counter(one.id for one in listed).items() if count > 1]
    assert not twice
    assert listed == sorted(listed)


def test_no_text_was_mended_without_its_former_text_written_down():
    before = [one.text for one in read_list(LISTING)]
    found = unwritten(before, [texts[0] for texts in said_now()], FormerTexts.read(TABLE))
    assert not found, "python -m explorer.text.catalogues mend OLD NEW:\n" + "\n".join(found)


def test_former_texts_are_of_texts_of_today_and_none_themselves():
    former = FormerTexts.read(TABLE)
    ids = {one.text: one.id for one in read_list(LISTING)}
    assert former.mended.keys() <= ids.keys()
    was = [text for texts in former.mended.values() for text in texts]
    assert not (set(was) | former.deleted) & ids.keys(), "a former text is said today"
    assert len(was) == len(set(was)), "a former text is of two of today"
    for now, texts in former.mended.items():
        assert all(places_of(one) == places_of(now) for one in texts), now


def test_a_mended_text_keeps_its_id_and_others_are_new():
    before = [Message("1", "a b"), Message("2", "c")]
    former = FormerTexts({"A, B": ("a b",), "D": ("d",)})
    made = list(brought(before, [("A, B",), ("c",), ("D",), ("e", "es")], former))
    assert made == [
        Message("1", "A, B"),
        Message("2", "c"),
        Message(digest("d"), "D"),
        Message(digest("e"), "e", "es"),
    ]
    (other,) = brought([Message(digest("e"), "x")], [("e",)], former)
    assert other.id not in ("", digest("e"))


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        (OLD, OLD.replace("pieces", "tokens"), True),
        (OLD, "Nothing is said of this text at all.", False),
        (OLD, OLD.replace("{count}", "{number}"), False),
        ("Correlation", "correlation", False),
    ],
    ids=["mended", "another", "other places", "a label"],
)
def test_a_text_that_looks_mended_is_found(old, new, is_found):
    assert bool(unwritten([old, "kept"], [new, "kept"], FormerTexts({}))) == is_found
    for former in (FormerTexts({new: (old,)}), FormerTexts({}, frozenset({old}))):
        assert not unwritten([old, "kept"], [new, "kept"], former)


@pytest.fixture
def root(tmp_path):
    """A program of one file, with Korean."""
    (tmp_path / "explorer").mkdir()
    (tmp_path / "plugins").mkdir()
    (tmp_path / "resources" / "glossary").mkdir(parents=True)
    (tmp_path / "explorer" / "part.py").write_text(CODE, "utf-8")
    terms = '[[terms]]\nterm = "A term"\n'
    (tmp_path / "resources" / "glossary" / "terms.toml").write_text(terms, "utf-8")
    folder = tmp_path / "resources" / "locale"
    path = catalogues.update("ko", folder, tmp_path)
    with path.open("rb") as stream:
        catalogue = read_po(stream, locale="ko")
    for text, told in KOREAN.items():
        message = catalogue.get(text)
        message.string = (told,) if isinstance(message.id, tuple) else told
    with path.open("wb") as stream:
        write_po(stream, catalogue)
    catalogues.compile_all(folder)
    return tmp_path


def mended(root, *texts, **wanted):
    return mend(*texts, folder=root / "resources" / "locale", root=root, **wanted)


def korean_of(root, text):
    with (root / "resources/locale/ko/LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as stream:
        return read_po(stream, locale="ko").get(text)


def test_a_sentence_is_mended_from_its_source_to_a_stored_run(root, monkeypatch):
    folder = root / "resources" / "locale"
    of_root = messages.Messages(folder / FORMER, lambda _former: read_list(folder / LISTED))
    monkeypatch.setattr(messages, "of_program", lambda: of_root)
    stored = Phrase(OLD, count=3).stored
    assert stored[0]["id"] == digest(OLD)

    changed = mended(root, OLD, NEW)
    assert root / "explorer" / "part.py" in changed
    source = (root / "explorer" / "part.py").read_text("utf-8")
    assert '한글 = "가", N_(' in source
    namespace = {"N_": str, "NN_": lambda *texts: texts}
    exec(compile(source, "part.py", "exec"), namespace)
    assert namespace["TEXT"] == namespace["한글"][1] == NEW

    today = messages.Messages(folder / FORMER, lambda _former: read_list(folder / LISTED))
    monkeypatch.setattr(messages, "of_program", lambda: today)
    assert today.by_text[NEW].id == digest(OLD)
    phrase = Phrase.read(stored)
    assert phrase == NEW.replace("{count}", "3")
    languages.use(languages.find("ko", folder))
    assert phrase.said == "모델은 3조각을 읽습니다."
    # Stored before there were ids, in the words of then, which nobody says any longer.
    assert Phrase.read([{"code": OLD, "values": {"count": 3}}]).said == phrase.said


def test_counts_and_terms_are_mended_and_marked_for_whoever_translates(root):
    mended(root, "{count} row", "{count} line", "{count} lines", review=True)
    assert '"{count} line", "{count} lines"' in (root / "explorer/part.py").read_text("utf-8")
    found = korean_of(root, "{count} line")
    assert (found.id, found.string) == (("{count} line", "{count} lines"), ("{count}행",))
    assert found.fuzzy
    assert found.user_comments == ["It was: {count} row"]
    languages.use(languages.find("ko", root / "resources" / "locale"))
    assert languages.current().texts.ngettext("{count} line", "{count} lines", 2) == "{count}행"
    mended(root, "A term", "The term")
    assert 'term = "The term"' in (root / "resources/glossary/terms.toml").read_text("utf-8")
    assert korean_of(root, "The term").string == "용어"
    assert not korean_of(root, "The term").fuzzy


def test_a_text_that_is_mended_twice_and_back_has_all_its_former_texts(root):
    table = root / "resources" / "locale" / FORMER
    mended(root, "A term", "The term")
    mended(root, "The term", "One term")
    assert FormerTexts.read(table).mended == {"One term": ("A term", "The term")}
    mended(root, "One term", "A term")
    assert FormerTexts.read(table).mended == {"A term": ("The term", "One term")}
    listed = {one.text: one.id for one in read_list(root / "resources" / "locale" / LISTED)}
    assert listed["A term"] == digest("A term")


def test_what_was_changed_by_hand_is_only_written_down(root):
    source = root / "explorer" / "part.py"
    source.write_text(CODE.replace("pieces", "tokens"), "utf-8")
    new = OLD.replace("pieces", "tokens")
    with pytest.raises(ValueError, match="look mended"):
        catalogues.update("ko", root / "resources" / "locale", root)
    assert korean_of(root, OLD).string == KOREAN[OLD]
    mended(root, OLD, new)
    assert korean_of(root, new).string == KOREAN[OLD]
    assert korean_of(root, OLD) is None


def test_what_can_not_be_mended_is_told(root):
    with pytest.raises(ValueError, match="other places"):
        mended(root, OLD, "The model reads.")
    with pytest.raises(ValueError, match="No source marks"):
        mended(root, "Nobody says this.", "Nor this.")
    with pytest.raises(ValueError, match="--plural"):
        mended(root, "{count} row", "{count} line")


def test_the_table_is_read_as_it_was_written(tmp_path):
    former = FormerTexts({'a "b"\n\\': ("c\x7f", "d")}, frozenset({"e"}))
    write_former(tmp_path / FORMER, former)
    assert FormerTexts.read(tmp_path / FORMER) == former


def test_the_command_tells_what_it_can_not_do():
    asked = [sys.executable, "-m", "explorer.text.catalogues", "mend", "a {b}", "c"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The texts have other places")
