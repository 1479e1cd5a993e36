"""Sentences that come more than once are one question, and each has its row."""

from explorer.files_of_sentences.repeated import Repeats, RowsOfAll
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.sentences import FileSentence

TEXTS = ("a", "b", "a", "c", "b", "a")
EVERY = [FileSentence(line, text, kept=(f"k{line}",)) for line, text in enumerate(TEXTS, start=1)]
KEY = ResultsKey("digest", "text", "tokens", "{}", ("bert float32",))


def answered(sentence):
    if sentence.text == "c":
        return SentenceOutcome(sentence, failure="no answer")
    return SentenceOutcome(sentence, {"length": ord(sentence.text)})


def test_what_is_asked_comes_once_and_in_order():
    repeats = Repeats.of(EVERY, apart=False)
    assert [*repeats.whose] == [0, 1, 0, 2, 1, 0]
    assert [one.number for one in repeats.once(EVERY)] == [1, 2, 4]
    assert repeats.again == {0, 1}
    assert [repeats.asked(rows) for rows in range(7)] == [0, 1, 2, 2, 3, 3, 3]


def test_another_second_text_or_right_answer_is_another_question():
    every = [FileSentence(1, "a"), FileSentence(2, "a", "b"), FileSentence(3, "a", None, "yes")]
    assert [*Repeats.of(every, apart=False).whose] == [0, 1, 2]


def test_where_the_line_belongs_to_the_question_each_is_its_own():
    repeats = Repeats.of(EVERY, apart=True)
    assert [*repeats.whose] == [*range(6)]
    assert not repeats.again


def test_every_sentence_has_its_row_wherever_a_run_was_stopped(tmp_path):
    """Whatever was written before, the rows are the same in the end."""
    repeats = Repeats.of(EVERY, apart=False)
    asked = [answered(one) for one in repeats.once(EVERY)]
    whole = [
        (line, text, None, None if text == "c" else ord(text), f"k{line}", why)
        for line, text in enumerate(TEXTS, start=1)
        for why in ("no answer" if text == "c" else None,)
    ]
    for stopped in range(len(TEXTS) + 1):
        place = tmp_path / f"{stopped}.results.db"
        with ResultsWriter(place, KEY) as writer:
            writer.keep(("note",))
            first = RowsOfAll(repeats, EVERY, 0, ResultsReader(place))
            writer.append([*first.add(asked)][:stopped])
        with ResultsWriter(place, KEY) as writer:
            again = RowsOfAll(repeats, EVERY, stopped, ResultsReader(place))
            writer.append([*again.add(())])
            for one in asked[repeats.asked(stopped) :]:
                writer.append([*again.add([one])])
        reader = ResultsReader(place)
        assert reader.columns == ("line", "text", "pair", "length", "note", "failure")
        assert [*reader.every()] == whole, stopped
