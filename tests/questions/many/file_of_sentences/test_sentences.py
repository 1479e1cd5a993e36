import csv

import pytest

from explorer.api import UserMistake
from explorer.questions.many.file_of_sentences import sentences
from explorer.questions.many.file_of_sentences.sentences import (
    Sentence,
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
        Sentence(1, "The cat sat."),
        Sentence(3, "a dog ran"),
        Sentence(4, "the end"),
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
        Sentence(2, "a cat, and\na dog", "they ran"),
        Sentence(5, 'he said "no"', None),
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
        Sentence(2, "a; cat, it sat"),
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
