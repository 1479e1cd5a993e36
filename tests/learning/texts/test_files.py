import dataclasses
import itertools

import pytest

from explorer.api.question import UserMistake
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Objective, PairObjective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.files import FileText
from explorer.world.corpus import training_documents

LINES = [document.text for document in training_documents(300)]
PLAN = TrainingPlan(layers=1, width=16, heads=2, batch=4, length=32, vocabulary=300)


@pytest.fixture
def written(tmp_path):
    def write(content, name="own.txt", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return str(path)

    return write


def test_each_line_is_a_document_where_no_line_is_empty(written):
    text = FileText(written("\n".join(LINES)))
    documents = text.documents(0, 1)
    assert sorted(one.text for one in documents) == sorted(LINES)
    assert sorted(one.text for one in text.documents(7, 2)) == sorted(LINES[:7])
    assert text.documents(0, 1) == documents != text.documents(0, 2), "an order of each seed's own"
    assert list(text.vocabulary_texts()) == LINES
    first = next(one for one in documents if one.text == LINES[0])
    assert first.sentences == training_documents(1)[0].sentences


def test_paragraphs_stand_between_empty_lines(written):
    pairs = list(itertools.pairwise(LINES))
    content = "\r\n\r\n".join(f"{one}\r\n{other}" for one, other in pairs)
    documents = FileText(written(f"\n\n{content}")).documents(0, 1)
    assert {one.text for one in documents} == {f"{one} {other}" for one, other in pairs}
    assert all(len(one.sentences) > 1 for one in documents)


def test_rows_of_a_table_are_documents(written):
    rows = "\n".join(f'"{line}",x' for line in LINES)
    documents = FileText(written(f"sentence,label\n{rows}", "own.csv")).documents(0, 1)
    assert sorted(one.text for one in documents) == sorted(LINES)


@pytest.mark.parametrize(
    ("content", "encoding", "said"),
    [
        ("", "utf-8", "There is no text in own.txt"),
        (" \n \n", "utf-8", "There is no text in own.txt"),
        ("The chef cooked.\n" * 20, "utf-8", "only 60 words in own.txt: choose a text of 500"),
        ("... !!! ???\n" * 900, "utf-8", "only 0 words in own.txt"),
        ("Das Café öffnet früh.\n" * 300, "latin-1", "own.txt is not in UTF-8"),
        (b"\x7fELF\0\0\0" * 900, "", "own.txt is not a text file"),
    ],
    ids=["empty", "spaces", "little", "marks", "latin", "binary"],
)
def test_what_is_no_text_to_learn_from_is_refused(written, content, encoding, said):
    with pytest.raises(UserMistake, match=said):
        recipe_of(dataclasses.replace(PLAN, path=written(content, encoding=encoding)))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UserMistake, match=r"gone.txt can't be read"):
        recipe_of(dataclasses.replace(PLAN, path=str(tmp_path / "gone.txt")))


def test_pairs_are_of_paragraphs_with_two_sentences(written):
    path = written("\n".join(["The chef cooked the soup in the kitchen"] * 100))
    with pytest.raises(UserMistake, match=r"No paragraph of own.txt has two sentences"):
        recipe_of(dataclasses.replace(PLAN, path=path, pairs=PairObjective.NEXT))
    recipe_of(dataclasses.replace(PLAN, path=path))


def test_a_vocabulary_has_room_for_the_letters(written):
    letters = "".join(chr(0xAC00 + number) for number in range(400))
    path = written("\n".join(f"{letters[at]}{letters[-at]}" for at in range(400)) * 2)
    run = recipe_of(dataclasses.replace(PLAN, path=path))
    with pytest.raises(UserMistake, match=r"letters of the text alone are \d+ pieces"):
        run.begin()


@pytest.mark.parametrize("objective", list(Objective))
def test_every_objective_learns_from_a_file(written, objective):
    path = written("\n".join(LINES))
    run = recipe_of(dataclasses.replace(PLAN, path=path, objective=objective)).begin()
    first = run.advance()
    assert sum(value for name, value in first.items() if name.startswith("loss")) > 0


def test_letters_keep_their_marks(written):
    lines = ["한국어 문장은 조각으로 나뉜다. 카페 café 문을 연다."] * 100
    run = recipe_of(dataclasses.replace(PLAN, path=written("\n".join(lines))))
    tokenizer = run.make_tokenizer()
    assert tokenizer.tokenize("한국어 Café") == ["한국어", "café"]


def test_a_run_is_known_by_the_whole_path(written, monkeypatch, tmp_path):
    path = written("\n".join(LINES))
    monkeypatch.chdir(tmp_path)
    one, other = (dataclasses.replace(PLAN, path=name) for name in ("own.txt", path))
    assert one.fingerprint == other.fingerprint
