"""Sentences to begin with: the program's own, and those that a plugin's question brings."""

import pytest

from explorer.api.question import UserMistake
from explorer.files.foreign import Unfit
from explorer.files_of_sentences.sentences import survey
from explorer.questions import all_questions
from explorer.samples.sample_files import FILE, read_samples
from explorer.samples.samples import first_sample, sample_of, samples


def write(folder, content):
    path = folder / FILE
    path.write_text(content, encoding="utf-8")
    return path


def test_every_question_that_needs_an_input_has_a_sample_with_it():
    for name, question in all_questions().items():
        usable = [one for one in samples() if one.view in ("", name)]
        assert any(not question.hint(one.whole()) for one in usable), name


def test_a_file_that_lies_beside_the_samples_is_opened(tmp_path):
    (tmp_path / "some.csv").write_text("text\na\n")
    options = '[samples.options]\n"file_of_sentences.path" = { file = "some.csv" }\n'
    path = write(tmp_path, f'[[samples]]\ntitle = "t"\ntext = "a"\n{options}')
    (one,) = read_samples(path, "file_of_sentences")
    assert one.view == "file_of_sentences"
    assert dict(one.options) == {"file_of_sentences.path": str(tmp_path / "some.csv")}
    (tmp_path / "some.csv").unlink()
    with pytest.raises(FileNotFoundError):
        read_samples(path)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("samples = ", ValueError),
        ('[[samples]]\ntitle = "t"', ValueError),
        ('[[samples]]\ntitle = 3\ntext = "a"', ValueError),
        ('[[samples]]\ntitle = "t"\ntext = "a"\nmasked = ["b"]', UserMistake),
    ],
)
def test_what_is_no_sample_is_refused(tmp_path, content, error):
    with pytest.raises(error):
        read_samples(write(tmp_path, content))


def test_the_sentences_of_the_example_are_pairs_of_which_one_makes_sense():
    sample = sample_of("file_of_sentences")
    told = survey(dict(sample.options)["file_of_sentences.path"])
    assert (told.count % 2, told.column, told.columns) == (0, "text", ("text", "plausible"))
    assert told.count >= 20


def test_a_first_start_shows_the_first_of_the_program_s_own():
    assert first_sample() == samples()[0]


def test_what_others_wrote_is_read_as_far_as_it_may_be_samples(tmp_path):
    with pytest.raises(Unfit, match="it takes more than 1 MB"):
        read_samples(write(tmp_path, "#" * (1 << 20) + "\n"))
    with pytest.raises(Unfit, match="it is nested too deeply"):
        read_samples(write(tmp_path, f"a = {'[' * 400}{']' * 400}\n"))
