"""Lectures in folders and zip files: their order, what is refused, the bundled one."""

import os
import zipfile

import pytest

from explorer import lectures
from explorer.api.question import MachineFault, UserMistake
from explorer.lectures.lecture import MOST_FILES
from explorer.questions import all_questions

SCENE = '{head}\n[en]\ntitle = "T"\n[[steps]]\nquestion = "tokens"\ntext = "Words."\n'


def put(folder, **scenes):
    folder.mkdir(exist_ok=True)
    for name, head in scenes.items():
        (folder / f"{name}.toml").write_text(SCENE.format(head=head), "utf-8")
    return folder


def chaptered(folder):
    put(folder, a='chapter = "two"', b='chapter = "one"\norder = 2', c='chapter = "one"\norder = 1')
    titles = '[one]\nen = "One"\nko = "하나"\n[empty]\nen = "E"\n[two]\nko = "둘"\n'
    (folder / "chapters.toml").write_text(titles, "utf-8")
    return folder


def test_chapters_stand_as_their_file_has_them(tmp_path):
    lecture = lectures.read(chaptered(tmp_path / "my.lecture"))
    assert lecture.name == "my.lecture"
    assert [chapter.title("ko") for chapter in lecture.chapters] == ["하나", "둘"]
    assert [chapter.title("en") for chapter in lecture.chapters] == ["One", "둘"]
    assert [scene.name for scene in lecture.scenes] == ["c", "b", "a"]
    assert lecture.scene("b") is lecture.scenes[1]
    with pytest.raises(UserMistake, match=r"There is no scene x in my\.lecture\."):
        lecture.scene("x")


def test_a_folder_does_without_chapters(tmp_path):
    lecture = lectures.read(put(tmp_path / "some", b="", a="order = 2"))
    (chapter,) = lecture.chapters
    assert (chapter.key, chapter.title()) == ("", "")
    assert [scene.name for scene in lecture.scenes] == ["b", "a"]


def test_one_scene_is_a_lecture(tmp_path):
    put(tmp_path / "some", a="")
    assert [one.name for one in lectures.read(tmp_path / "some" / "a.toml").scenes] == ["a"]


def test_a_zip_file_is_read_as_what_was_written(tmp_path):
    for lecture in (lectures.bundled(), lectures.read(chaptered(tmp_path / "mine"))):
        path = tmp_path / f"{lecture.name}.zip"
        lectures.write(lecture, path)
        assert lectures.read(path) == lecture
        first = path.read_bytes()
        lectures.write(lecture, path)
        assert path.read_bytes() == first
    assert not list(tmp_path.glob("*.part"))


def test_a_scene_is_written_by_itself(tmp_path):
    scene = lectures.bundled().scenes[0]
    path = tmp_path / f"{scene.name}.toml"
    lectures.write_scene(scene, path)
    assert lectures.read(path).scenes == (scene,)
    with pytest.raises(MachineFault, match=r"can't be written"):
        lectures.write_scene(scene, tmp_path / "nowhere" / "a.toml")


def zipped(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def test_a_zip_file_of_a_folder_is_read(tmp_path):
    members = [("my lecture/a.toml", SCENE.format(head="")), ("my lecture/notes.pdf", b"x")]
    lecture = lectures.read(zipped(tmp_path / "x.zip", members))
    assert [scene.name for scene in lecture.scenes] == ["a"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("../a.toml", SCENE)], "do not lie in one folder"),
        ([("/a.toml", SCENE)], "do not lie in one folder"),
        ([("x/a.toml", SCENE), ("y/b.toml", SCENE)], "do not lie in one folder"),
        ([("notes.txt", "x")], "There is no scene in x."),
        ([("a.toml", b"#" * (3 << 20))], "a.toml is larger than any scene."),
        ([(f"{n}.toml", b"#" * (1 << 20)) for n in range(25)], "x.zip is larger than any lecture."),
        ([(f"{n}.toml", b"") for n in range(MOST_FILES + 1)], "There are 501 scenes in x.zip"),
    ],
)
def test_zip_files_that_are_refused(tmp_path, members, said):
    with pytest.raises(UserMistake) as found:
        lectures.read(zipped(tmp_path / "x.zip", members))
    assert said in found.value.message


def test_damaged_zip_files_are_refused(tmp_path):
    whole = zipped(tmp_path / "x.zip", [("a.toml", SCENE.format(head="") * 50)]).read_bytes()
    at = len(whole) // 8
    for content in (b"", b"text", whole[:-30], whole[:at] + b"\xff" * 20 + whole[at + 20 :]):
        (tmp_path / "y.zip").write_bytes(content)
        with pytest.raises(UserMistake, match=r"^y\.zip is no scene, .* or is damaged\.$"):
            lectures.read(tmp_path / "y.zip")


@pytest.mark.parametrize(
    ("titles", "said"),
    [
        ('[one]\nen = "One"', 'a.toml: the chapter "" is not in chapters.toml.'),
        ("one = 1", "chapters.toml: the key one must be a table."),
        ("[one]\nen = 1", "chapters.toml: the key one.en must be a text."),
        ('[one]\ntitle = "x"', "chapters.toml: there is no key one.title in a scene."),
        ("[one]", "chapters.toml: the key one.en is missing."),
    ],
)
def test_chapters_that_are_refused(tmp_path, titles, said):
    put(tmp_path, a="")
    (tmp_path / "chapters.toml").write_text(titles, "utf-8")
    with pytest.raises(UserMistake) as found:
        lectures.read(tmp_path)
    assert found.value.message == said


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(UserMistake, match=r"nothing can't be read"):
        lectures.read(tmp_path / "nothing")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("name", ["pipe.toml", "pipe.zip"])
def test_a_pipe_is_no_lecture(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(UserMistake, match=r"is a pipe, a device or a file of the system's own"):
        lectures.read(tmp_path / name)


def test_the_bundled_scenes_say_everything_in_both_languages():
    assert lectures.bundled().scenes
    for chapter in lectures.bundled().chapters:
        assert set(chapter.titles) == {"en", "ko"}
    for scene in lectures.bundled().scenes:
        assert set(scene.titles) == {"en", "ko"}, scene.name
        assert scene.sources, scene.name
        assert scene.shows, scene.name
        for step in scene.steps:
            assert step.question in all_questions(), scene.name
            assert step.claims, scene.name
            for language in ("en", "ko"):
                assert len(step.words[language].look) == 3, scene.name
                assert step.words[language].claim, scene.name
