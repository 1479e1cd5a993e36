"""Tables of words with labels, of answers and of choices: what is read, left out and refused."""

import json

import pytest

from explorer.api.question import UserMistake
from explorer.learning.tuning.labelled import labelled_table
from explorer.text import said

PASSAGE = "Anna baked bread in town {0}. The smith of place {0} made a nail."


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def words(labels=("PER", "O"), sentences=20, between="\t"):
    return "\n".join(
        f"Anna{number}{between}{labels[0]}\nsleeps{between}{labels[-1]}\n"
        for number in range(sentences)
    )


@pytest.mark.parametrize("name", ["words.txt", "words.tsv"])
def test_a_word_and_its_label_on_every_line(tmp_path, name):
    found = labelled_table(written(tmp_path, name, words()))
    assert found.form.name == "words"
    assert found.names == ("O", "PER")
    first = found.training[0]
    assert [first.text[start:end] for start, end in first.words][1] == "sleeps"
    assert first.labels == (1, 0)
    assert len(found.held_out) == 4
    assert not {one.text for one in found.held_out} & {one.text for one in found.training}


def test_a_treebank_teaches_parts_of_speech(tmp_path):
    rows = "".join(
        f"# text = Anna{n} sleeps.\n1\tAnna{n}\t_\tPROPN\t_\t_\t2\t_\t_\t_\n"
        "2\tsleeps\t_\tVERB\t_\t_\t0\t_\t_\tSpaceAfter=No\n3\t.\t_\t_\t_\t_\t2\t_\t_\t_\n\n"
        for n in range(15)
    )
    found = labelled_table(written(tmp_path, "bank.conllu", rows))
    assert found.names == ("PROPN", "VERB")
    assert found.training[0].labels[2] < 0, "a word without a label is not asked"
    assert found.training[0].text.endswith("sleeps.")


def test_texts_with_labels_are_no_words_with_labels(tmp_path):
    rows = "text\tlabel\n" + "".join(f"film {n}\t{'good' if n % 2 else 'bad'}\n" for n in range(20))
    assert labelled_table(written(tmp_path, "texts.tsv", rows)).form.name == "classes"


def test_answers_of_a_table_and_of_squad_are_places_in_their_passages(tmp_path):
    rows = [
        (PASSAGE.format(n), f"Who baked in town {n}?", "Anna" if n % 3 else "") for n in range(20)
    ]
    table = "context,question,answers\n" + "".join(f"{c},{q},{a}\n" for c, q, a in rows)
    squad = {
        "data": [
            {"paragraphs": [
                {"context": c, "qas": [{"question": q, "answers": [{"text": a}] if a else []}]}
            ]} for c, q, a in rows
        ]
    }  # fmt: skip
    for path in (
        written(tmp_path, "asked.csv", table),
        written(tmp_path, "asked.json", json.dumps(squad)),
    ):
        found = labelled_table(path)
        assert found.form.name == "spans"
        every = [*found.training, *found.held_out]
        assert len(every) == 20
        assert {one.right for one in every} == {("Anna",), ("",)}
        assert len(found.held_out) == 4


def test_endings_as_swag_has_them_and_choices_of_questions(tmp_path):
    names = "sent1,sent2,ending0,ending1,ending2,ending3,label\n"
    rows = "".join(f"Anna wakes {n}.,She,eats.,flies.,sings.,rusts.,{n % 4}\n" for n in range(20))
    found = labelled_table(written(tmp_path, "swag.csv", names + rows))
    assert found.form.name == "choices"
    one = found.training[0]
    assert one.choices == ("She eats.", "She flies.", "She sings.", "She rusts.")
    assert one.choices[one.label] == one.choices[int(one.text.split()[-1][:-1]) % 4]
    asked = "question,choices,answer\n" + "".join(
        f"What is {n} + 1?,{n}|{n + 1}|{n + 2},{('B', n + 1)[n % 2]}\n" for n in range(20)
    )
    found = labelled_table(written(tmp_path, "asked.csv", asked))
    assert {one.label for one in found.training} == {1}
    # Who names a column asks for classes.
    assert (
        labelled_table(written(tmp_path, "both.csv", names + rows), "sent1").form.name == "classes"
    )


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("w.txt", words(("X", "X")), "All labelled texts of w.txt have the label “X”"),
        ("w.txt", words(sentences=4), "w.txt has 4 labelled texts: a model needs 10 or more"),
        (
            "a.csv",
            "context,question,answer\n" + "".join(f"Rain {n},Who {n}?,sun\n" for n in range(20)),
            "No answer of a.csv is written in its passage.",
        ),
        (
            "c.csv",
            "question,choices,answer\n" + "".join(f"Who {n}?,one,one\n" for n in range(20)),
            "c.csv has 0 labelled texts",
        ),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_sentence(tmp_path, name, text, told):
    with pytest.raises(UserMistake, match=told):
        labelled_table(written(tmp_path, name, text))


def test_what_is_left_out_is_said(tmp_path):
    asked = "question,choices,answer\n" + "".join(
        f"What is {n}?,{n}|x,{n or 'nothing'}\n" for n in range(20)
    )
    found = labelled_table(written(tmp_path, "asked.csv", asked))
    assert [said(one) for one in found.notes] == [
        "1 row has no text, no two choices, or none that is right, and is left out."
    ]
    passages = "context,question,answers\n" + "".join(
        f"{PASSAGE.format(n)},Who?,{'Anna' if n else 'Berta'}\n" for n in range(20)
    )
    found = labelled_table(written(tmp_path, "passages.csv", passages))
    assert [said(one) for one in found.notes] == [
        "1 answer is not written in its passage and is left out."
    ]
    rare = words() + "\nstone\tRARE\nfalls\tO\n"
    notes = [said(one) for one in labelled_table(written(tmp_path, "rare.txt", rare)).notes]
    assert len(notes) == 1
    assert "“RARE”" in notes[0]
