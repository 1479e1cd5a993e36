import csv

import pytest

from explorer.api.question import UserMistake
from explorer.files_of_sentences import sentences
from explorer.files_of_sentences.sentences import (
    FileSentence,
    count_sentences,
    read_sentences,
    survey,
)


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def test_a_line_a_sentence(tmp_path):
    path = written(tmp_path / "some.txt", "The cat sat.\n\n  a dog ran \r\nthe end")
    assert list(read_sentences(path)) == [
        FileSentence(1, "The cat sat."),
        FileSentence(3, "a dog ran"),
        FileSentence(4, "the end"),
    ]
    assert count_sentences(path) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path, encoding):
    path = written(tmp_path / "some.txt", "고양이 a cat\n😀 été\n", encoding)
    assert [one.text for one in read_sentences(path)] == ["고양이 a cat", "😀 été"]


def test_another_encoding_is_the_users_mistake(tmp_path):
    path = written(tmp_path / "some.txt", "a cat\n고양이\n", "cp949")
    with pytest.raises(UserMistake, match="not in UTF-8") as caught:
        list(read_sentences(path))
    assert "UTF-8" in caught.value.hint


def test_not_a_text(tmp_path):
    path = tmp_path / "model.txt"
    path.write_bytes(b"ab\0c\n")
    with pytest.raises(UserMistake, match="not a text file"):
        count_sentences(path)


def test_no_such_file(tmp_path):
    with pytest.raises(UserMistake, match=r"gone\.txt can't be read"):
        list(read_sentences(tmp_path / "gone.txt"))


def test_a_column_of_a_table(tmp_path):
    path = tmp_path / "some.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [
                ["id", "Sentence", "pair", "note"],
                ["1", "a cat, and\na dog", "they ran", "x"],
                ["2", "", "nobody", "y"],
                ["3", 'he said "no"', "", "z"],
            ]
        )
    assert list(read_sentences(path)) == [
        FileSentence(2, "a cat, and\na dog", "they ran"),
        FileSentence(5, 'he said "no"', None),
    ]
    assert [one.text for one in read_sentences(path, "NOTE")] == ["x", "y", "z"]
    assert [one.text for one in read_sentences(path, "1")] == ["1", "2", "3"]
    told = survey(path)
    assert told.columns == ("id", "Sentence", "pair", "note")
    assert (told.count, told.column, told.pair_column) == (2, "Sentence", "pair")
    assert told.first == tuple(read_sentences(path))


def test_a_column_that_is_not_there(tmp_path):
    path = written(tmp_path / "some.csv", "a,b\n1,2\n")
    with pytest.raises(UserMistake, match='no column "c"') as caught:
        list(read_sentences(path, "c"))
    assert "a, b" in caught.value.hint
    with pytest.raises(UserMistake, match="has no columns"):
        list(read_sentences(written(tmp_path / "some.txt", "a\n"), "c"))


def test_a_table_without_names(tmp_path):
    path = written(tmp_path / "some.csv", "1,The cat sat on the mat.\n2,A dog.\n")
    assert [one.text for one in read_sentences(path, "2")] == ["The cat sat on the mat.", "A dog."]
    assert survey(path).columns == ("1", "2")


@pytest.mark.parametrize(
    ("name", "text"),
    [("s.csv", 'id;text\n1;"a; cat, it sat"\n'), ("s.tsv", "id\ttext\n1\ta; cat, it sat\n")],
)
def test_other_separators(tmp_path, name, text):
    assert list(read_sentences(written(tmp_path / name, text))) == [
        FileSentence(2, "a; cat, it sat"),
    ]


def test_no_more_than_so_many(tmp_path, monkeypatch):
    monkeypatch.setattr(sentences, "MOST", 5)
    path = written(tmp_path / "some.txt", "".join(f"line {n}\n" for n in range(8)))
    assert len(list(read_sentences(path))) == count_sentences(path) == 5
    assert (survey(path).count, survey(path).left_out) == (5, 3)


def test_a_line_that_never_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(sentences, "LONGEST_LINE", 50)
    path = written(tmp_path / "some.txt", "short\n" + "x" * 51)
    with pytest.raises(UserMistake, match=r"Line 2 of some\.txt is longer"):
        list(read_sentences(path))


def test_an_empty_table(tmp_path):
    with pytest.raises(UserMistake, match="is empty"):
        list(read_sentences(written(tmp_path / "some.csv", "")))


def test_a_cell_that_is_too_long(tmp_path):
    rows = "\n".join(["x" * 90_000] * 3)
    path = written(tmp_path / "some.csv", f'text\n"{rows}"\n')
    with pytest.raises(UserMistake, match=r"Line 2 of some\.csv can't be read"):
        list(read_sentences(path))


@pytest.mark.parametrize(
    ("name", "text", "column", "read"),
    [
        ("s.tsv", "The cat sat on the mat\t1\nA dog ran away\t0\n", "1", 2),
        ("s.csv", "나는 학교에 간다,1\n너는 집에 간다,0\n", "1", 2),
        ("s.csv", "apple\npear\nplum\n", "1", 3),
        ("s.csv", "positive,Great fun from start to end\nnegative,I left after an hour\n", "2", 2),
        ("s.csv", "Wow!,good\nThis is far too long for me,bad\n", "1", 2),
        ("s.csv", "fun,good\nThis is far too long for me,bad\nI liked all of it,good\n", "1", 3),
    ],
)
def test_the_first_row_is_a_sentence_where_nothing_says_that_it_names_columns(
    tmp_path, name, text, column, read
):
    told = survey(written(tmp_path / name, text))
    assert (told.has_names, told.column, told.count) == (False, column, read)


@pytest.mark.parametrize(
    ("text", "column", "pair"),
    [
        ("index,question1,question2\n0,How are you?,Are you well?\n", "question1", "question2"),
        (
            "id,qid1,qid2,question1,question2,is_duplicate\n7,1,2,Why?,What for?,0\n",
            "question1",
            "question2",
        ),
        ("id,review,label\n0,What a film that was,1\n1,I left,0\n", "review", ""),
        ("Unnamed: 0,Age,Review Text\n0,33,I like this dress\n1,34,Too small\n", "Review Text", ""),
        (
            "sent_more,sent_less\nShe was late again today,He was late again today\n",
            "sent_more",
            "",
        ),
    ],
)
def test_the_column_with_text_is_read_and_not_the_one_with_numbers(tmp_path, text, column, pair):
    told = survey(written(tmp_path / "some.csv", text))
    assert (told.has_names, told.column, told.pair_column) == (True, column, pair)


def test_columns_that_are_named_are_read_and_tell_that_the_first_row_has_names(tmp_path):
    path = written(tmp_path / "some.csv", "first,second\nHe ran,She ran\n")
    assert not survey(path).has_names, "nothing tells"
    assert list(read_sentences(path, "first", "Second")) == [FileSentence(2, "He ran", "She ran")]
    assert list(read_sentences(path, pair_column="first")) == [FileSentence(2, "She ran", "He ran")]
    assert list(read_sentences(path, "2", "1"))[1] == FileSentence(2, "She ran", "He ran")
    with pytest.raises(UserMistake, match='no column "third"'):
        survey(path, "first", "third")
    with pytest.raises(UserMistake, match="has no columns"):
        count_sentences(written(tmp_path / "some.txt", "a\n"), pair_column="first")


def test_a_quotation_mark_between_tabs_is_one(tmp_path):
    rows = ['"No', 'He said "no"', '"Yes," he said.', '"He said ""no"""', '5" of it']
    path = written(tmp_path / "some.tsv", "sentence\tlabel\n" + "".join(f"{r}\t1\n" for r in rows))
    told = [one.text for one in read_sentences(path)]
    assert told == [*rows[:3], 'He said "no"', rows[4]]
    assert [one.number for one in read_sentences(path)] == [2, 3, 4, 5, 6]


def test_a_table_with_tabs_in_which_all_is_quoted_is_read_so(tmp_path):
    path = tmp_path / "some.tsv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL)
        writer.writerows([["sentence", "label"], ['two\nlines and a "mark"', "1"]])
    assert [one.text for one in read_sentences(path)] == ['two\nlines and a "mark"']


def test_a_mark_that_is_never_closed_swallows_no_rows(tmp_path):
    path = written(tmp_path / "some.csv", 'text,label\nfirst,1\n"second,0\nthird,1\n')
    with pytest.raises(UserMistake, match=r"Line 3 of some\.csv can't be read") as caught:
        survey(path)
    assert "never closed" in caught.value.hint
