"""Files of words with labels: what is read, and the one sentence where it can't be."""

import pytest

from explorer.api.question import UserMistake
from explorer.files_of_sentences.formats.labelled_words import read_labels
from explorer.questions.layers.probe.question import ProbeRequest
from explorer.questions.layers.probe.texts import file_texts
from tests.hf import tiny
from tests.hf.kept import miniature

HEAD = "# sent_id = 1\n# text = He doesn't cook.\n"
ROWS = (
    "1\tHe\the\tPRON\tPRP\tNumber=Sing|Person=3\t4\tnsubj\t_\t_",
    "2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_",
    "2\tdoes\tdo\tAUX\tVBZ\tNumber=Sing\t4\taux\t_\t_",
    "3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_",
    "4\tcook\tcook\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No",
    "4.1\tfood\tfood\tNOUN\tNN\t_\t_\t_\t_\t_",
    "5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_",
)


def conllu(path, times=1):
    path.write_text("\n".join((HEAD + "\n".join(ROWS) + "\n") for _ in range(times)), "utf-8")
    return path


def pairs(path, sentences):
    path.write_text("\n\n".join("\n".join(one) for one in sentences), "utf-8")
    return path


def test_conllu_is_read_as_it_is_written(tmp_path):
    (sentence,) = read_labels(conllu(tmp_path / "a.conllu"))
    assert [(one.word, one.label) for one in sentence] == [
        ("He", "PRON"),
        ("doesn't", ""),
        ("cook", "VERB"),
        (".", "PUNCT"),
    ]
    assert "".join(one.word + one.after for one in sentence).rstrip() == "He doesn't cook."


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        ("xpos", ["PRP", "", "VB", "."]),
        ("DEPREL", ["nsubj", "", "root", "punct"]),
        ("Number", ["Sing", "", "", ""]),
    ],
)
def test_other_columns_and_features_by_name(tmp_path, column, labels):
    (sentence,) = read_labels(conllu(tmp_path / "a.conllu"), column)
    assert [one.label for one in sentence] == labels


def test_words_and_labels_with_empty_lines_between_sentences(tmp_path):
    path = pairs(tmp_path / "a.tsv", [["the\tD", "cat\tN"], ["it\tP", "sat\tV"]])
    assert [[(w.word, w.label) for w in one] for one in read_labels(path)] == [
        [("the", "D"), ("cat", "N")],
        [("it", "P"), ("sat", "V")],
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.tsv", "", "There is no word with a label in a.tsv."),
        ("a.conllu", "# text = nothing\n\n", "There is no word with a label in a.conllu."),
        ("a.tsv", "the\tD\ncat N\n", "Line 2 of a.tsv is not a word, a tab and a label."),
        ("a.tsv", "the\tD\n\ncat\t\n", "Line 3 of a.tsv is not a word, a tab and a label."),
        ("a.conllu", "# x\n1 He he PRON\n", "Line 2 of a.conllu has 1 columns"),
        ("a.conllu", "x\tHe" + 8 * "\t_" + "\n", "Line 1 of a.conllu begins with “x”"),
    ],
)
def test_what_can_not_be_read_is_said_with_its_line(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(UserMistake) as mistake:
        list(read_labels(path))
    assert mistake.value.message.startswith(said)
    assert "\n" not in mistake.value.message


def test_too_few_sentences_one_label_and_no_such_column(tmp_path):
    few = pairs(tmp_path / "few.tsv", [["the\tD", "cat\tN"]] * 20)
    with pytest.raises(UserMistake, match=r"few\.tsv has 1 sentence, and a probe needs 10"):
        file_texts(few, "", 100)
    same = pairs(tmp_path / "same.tsv", [[f"w{n}\tN"] for n in range(20)])
    with pytest.raises(UserMistake, match=r"All words of same\.tsv have one label"):
        file_texts(same, "", 100)
    rows = (f"1\tw{n}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n" for n in range(20))
    none = tmp_path / "none.conllu"
    none.write_text("\n".join(rows), "utf-8")
    with pytest.raises(UserMistake, match=r"No word of none\.conllu has a label in “Mood”"):
        file_texts(none, "Mood", 100)


def test_a_missing_file_and_none_at_all(tmp_path):
    model = miniature("bert-miniature")
    with pytest.raises(UserMistake, match=r"gone\.tsv can't be read"):
        tiny.ask(model, ProbeRequest(label="file", path=str(tmp_path / "gone.tsv")))
    with pytest.raises(UserMistake, match="There is no file yet"):
        tiny.ask(model, ProbeRequest(label="file"))
