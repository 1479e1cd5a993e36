"""A message is known by its id: what was stored in other words is said as today."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from explorer.api.errors import Blame, Failure, UserMistake
from explorer.serialise import from_json, to_builtins, to_json
from explorer.sessions.log.headline import headline_said
from explorer.sessions.read.reader import SessionReader
from explorer.text import N_, NN_, Phrase, _, message_files, messages, ngettext
from explorer.text import language as languages
from explorer.text.language import Language
from explorer.text.message_files import FORMER, LISTED, Message, digest
from explorer.text.messages import Messages, today
from tests.speaking import Some

STORED = Path(__file__).parents[1] / "stored_runs" / "every-question-schema-5.db"
OLD, NOW = "{who} reads {what}.", "By {who}, {what} is read."
ONE, SEVERAL = "{count} row is kept.", "{count} rows are kept."
TABLE = f'[mended]\nsoup = ["broth"]\n"{NOW}" = ["{OLD}"]\n"{ONE}" = ["{{count}} row stays."]\n'
KOREAN = {NOW: "{what}: {who}", ONE: "{count}행"}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program whose messages are a few, and whose second one was mended."""
    listed = (
        Message(digest(OLD), NOW),
        Message(digest("{count} row stays."), ONE, SEVERAL),
        Message(digest("broth"), "soup"),
    )
    message_files.write_list(tmp_path / LISTED, listed)
    (tmp_path / FORMER).write_text(TABLE, "utf-8")
    made = Messages(tmp_path / FORMER, lambda _former: message_files.read_list(tmp_path / LISTED))
    monkeypatch.setattr(messages, "of_program", lambda: made)
    yield tmp_path
    messages.bring(tmp_path / "none")


@pytest.fixture
def korean(request):
    """Speaks it as a catalogue does, with today's texts alone."""

    def use():
        texts = Some(KOREAN)
        rewording = messages.Reworded(texts)
        texts.gettext = lambda text: KOREAN.get(text) or rewording.gettext(text)
        texts.ngettext = lambda one, more, n: KOREAN.get(one) or rewording.ngettext(one, more, n)
        languages.use(Language("ko", "ko", texts))

    return use


def stored(code, known=None, **values):
    named = {} if known is None else {"id": known}
    return json.dumps([{**named, "code": code, "values": values}])


def read(written):
    return from_json(Phrase, written)


def test_a_message_is_stored_with_its_id_and_its_english_text(program):
    kept = json.loads(to_json(Phrase(N_(NOW), who="Eva", what=Phrase(N_("soup")))))
    assert kept == [
        {
            "id": digest(OLD),
            "code": NOW,
            "values": {
                "who": "Eva",
                "what": [{"id": digest("broth"), "code": "soup", "values": {}}],
            },
        }
    ]
    assert json.loads(to_json(Phrase("a user's words"))) == [
        {"code": "a user's words", "values": {}}
    ]
    assert to_builtins(Phrase(N_(NOW), who="Eva", what="it")) == "By Eva, it is read."


@pytest.mark.parametrize("known", [None, digest(OLD)])
def test_what_was_stored_before_a_text_was_mended_is_said_as_today(program, korean, known):
    phrase = read(stored(OLD, known, who="Eva", what="it"))
    assert phrase == "By Eva, it is read."
    korean()
    assert phrase.said == "it: Eva"
    assert _(OLD, who="Eva", what="it") == "it: Eva"


def test_a_single_word_without_an_id_may_be_somebody_s_own(program):
    assert read(stored("broth")) == read('"broth"') == "broth"
    assert read(stored("broth", digest("broth"))) == "soup"


def test_a_count_keeps_both_its_texts(program, korean):
    old = NN_("{count} row stays.", "{count} rows stay.")
    phrase = read(stored(old, count=2))
    assert phrase == "2 rows are kept."
    assert read(to_json(phrase)).stored == phrase.stored
    korean()
    assert phrase.said == "2행"
    assert ngettext("{count} row stays.", "{count} rows stay.", 2) == "2행"


def test_words_of_a_newer_program_are_said_as_this_one_says_them(program, korean):
    newer = "What {who} reads is {what}."
    phrase = read(stored(newer, digest(OLD), who="Eva", what="it"))
    assert phrase == "By Eva, it is read."
    korean()
    assert phrase.said == "it: Eva"


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("{who} came.", "00000000"),
        ("{who} came.", "nobody/00000000"),
        ("{who} reads.", digest(OLD)),
        ("{who} came.", None),
    ],
    ids=["unknown id", "no such plugin", "other places", "no id"],
)
def test_what_nobody_knows_is_said_as_it_stands_there(program, korean, code, known):
    phrase = read(stored(code, known, who="Eva"))
    assert phrase.parts == ((code, {"who": "Eva"}),)
    korean()
    assert phrase.said == phrase == code.replace("{who}", "Eva")


def test_a_failure_is_said_as_today(program, korean):
    kept = json.loads(to_json(Failure.of(UserMistake(N_(NOW), N_("soup"), who="Eva", what="it"))))
    assert (kept["id"], kept["hint_id"]) == (digest(OLD), digest("broth"))
    kept |= {"code": OLD, "message": "Eva reads it."}
    for known in ("id", "hint_id"):
        del kept[known]
    failure = from_json(Failure, json.dumps(kept))
    assert failure.message == failure.said == "By Eva, it is read."
    assert failure.advice == "soup"
    assert Failure(Blame.USER, "soup").id == digest("broth")
    korean()
    assert failure.said == "it: Eva"


def test_a_plugin_s_messages_have_ids_of_their_own_and_former_texts(program):
    folder = program / "plugins" / "rhymes"
    (folder / "locale").mkdir(parents=True)
    (folder / "code.py").write_text('A = N_("It rhymes with {word}.")\nB = N_("soup")\n', "utf-8")
    (folder / "broken.py").write_text("def", "utf-8")
    table = '[mended]\n"It rhymes with {word}." = ["{word} rhymes.", "soup"]\n'
    (folder / "locale" / FORMER).write_text(table, "utf-8")
    (program / "plugins" / "other" / "locale").mkdir(parents=True)
    (program / "plugins" / "other" / "locale" / FORMER).write_text("[damaged", "utf-8")
    messages.bring(program / "plugins")
    phrase = Phrase(N_("It rhymes with {word}."), word="cat")
    known = f"rhymes/{digest('{word} rhymes.')}"
    assert phrase.stored == [{"id": known, "code": phrase.parts[0][0], "values": {"word": "cat"}}]
    for then in (("{word} rhymes.",), ("Rhyme: {word}", known)):
        assert read(stored(*then, word="cat")) == phrase
    # What the program says itself no plugin rewords.
    assert read(stored("soup")) == Phrase("soup")
    assert Phrase("soup").stored[0]["id"] == digest("broth")


def test_a_run_of_another_day_is_worded_as_today(tmp_path, monkeypatch):
    """One that was stored before there were ids, as the log lists it and opens it."""
    then = "{one} has {first} parameters, {other} {second}."
    now = "Of parameters, {one} has {first}, {other} {second}."
    (tmp_path / FORMER).write_text(f'[mended]\n"{now}" = ["{then}"]\n', "utf-8")
    made = Messages(tmp_path / FORMER, lambda _former: [Message(digest(then), now)])
    monkeypatch.setattr(messages, "of_program", lambda: made)
    reader = SessionReader(Path(shutil.copy(STORED, tmp_path / "runs.db")))
    found = [run for run in reader.runs() if run.operation == "compare_architectures"]
    told = [headline_said(run) for run in found]
    assert "Of parameters, BERT miniature has 1.0 M, RoBERTa miniature 1.1 M." in told
    assert reader.run(found[0].id).summary.headline.startswith("Of parameters, ")


def test_a_list_is_read_as_it_was_written(tmp_path):
    listed = [Message("1", "a\tb\nc\\n"), Message("2", "{count} row", "{count} rows")]
    message_files.write_list(tmp_path / LISTED, listed)
    assert list(message_files.read_list(tmp_path / LISTED)) == listed


def test_a_text_is_not_looked_for_in_a_circle(tmp_path):
    (tmp_path / FORMER).write_text('[mended]\n"a" = ["b"]\n"b" = ["a", "c"]\n', "utf-8")
    assert message_files.FormerTexts.read(tmp_path / FORMER).today == {"c": "b"}


def test_nothing_is_read_before_somebody_asks(tmp_path):
    made = Messages(tmp_path / FORMER, lambda _former: pytest.fail("the list is read"))
    assert made.former.today == {}


def test_ids_are_in_what_this_program_stores(tmp_path):
    """The real ones: a run that is worded has the id of its sentence in the database."""
    with closing(sqlite3.connect(f"file:{STORED}?immutable=1", uri=True)) as connection:
        worded = [said for (said,) in connection.execute("SELECT said FROM runs") if said]
    known = [part for said in worded for part in read(said).stored if "id" in part]
    assert known
    for part in known:
        assert today(part["code"], part["id"]) == part["code"]
