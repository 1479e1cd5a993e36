"""A scene's file: what is inherited, what is written back, what is said of malformed ones."""

from dataclasses import replace

import pytest

from explorer.api.question import UserMistake
from explorer.document import Document, Mask
from explorer.lectures import StepWords, bundled
from explorer.lectures.scene_file import read_scene, scene_text

WHOLE = """
chapter = "bert"
order = 3
shows = ["I6"]
sources = ["Hinton et al. 2015, section 2"]
[en]
title = "Title"
[ko]
title = "제목"
[[steps]]
models = ["bert-miniature", "distilbert-miniature"]
question = "soft_targets"
text = "The movie was fun."
pair = "Anna liked it."
masked = ["fun"]
pair_masked = ["Anna"]
entities = ["movie=Q1"]
options = { temperature = 2.0, "exact_answers.beside" = true, words = { json = '["a", null]' } }
claims = ["1 < 2"]
[steps.en]
look = ["One.", "Two.", "Three."]
claim = "In words."
[steps.ko]
look = ["하나."]
[[steps.controls]]
models = ["bert-miniature", "spanbert-miniature"]
options = { temperature = 1.0 }
[[steps]]
pair = ""
options = { temperature = 4.0 }
scroll_to = "At four temperatures, on one scale"
focus = ["Over epochs", "One head"]
unset = ["exact_answers.beside"]
[[steps]]
question = "masked_tokens"
masked = ["4-9"]
top_k = 3
focus = "Vocabulary"
"""


def read(text, file="some.toml"):
    return read_scene(text.encode("utf-8"), file)


def test_a_step_inherits_what_it_leaves_out():
    scene = read(WHOLE)
    first, second, third = scene.steps
    assert (scene.name, scene.chapter, scene.order, scene.shows) == ("some", "bert", 3, ("I6",))
    assert first.options == {
        "soft_targets.temperature": 2.0,
        "exact_answers.beside": True,
        "soft_targets.words": ["a", None],
    }
    assert second.models == third.models == first.models
    assert (second.text, second.masked, second.question) == (first.text, ("fun",), "soft_targets")
    assert (second.pair, second.pair_masked, second.claims) == (None, (), ())
    assert second.options == {
        "soft_targets.temperature": 4.0,
        "soft_targets.words": ["a", None],
    }
    assert [one.scroll_to for one in scene.steps] == ["", "At four temperatures, on one scale", ""]
    focuses = [(), ("Over epochs", "One head"), ("Vocabulary",)]
    assert [one.focus for one in scene.steps] == focuses
    assert [one.heading for one in scene.steps] == ["", second.scroll_to, "Vocabulary"]
    assert (third.question, third.masked, third.top_k, third.words) == (
        "masked_tokens",
        ("4-9",),
        3,
        {},
    )


def test_words_fall_back_to_english():
    scene = read(WHOLE)
    step = scene.steps[0]
    assert scene.title("ko") == "제목"
    assert scene.title() == scene.title("en") == scene.title("de") == "Title"
    assert step.look("ko") == ("하나.",)
    assert step.look("pt_BR") == ("One.", "Two.", "Three.")
    assert step.claim("en") == step.claim("ko") == "In words."
    assert (scene.steps[1].look(), scene.steps[1].claim()) == ((), "")
    assert replace(step, words={}).claim() == "1 < 2"
    only = read('[ko]\ntitle = "제목"\n[[steps]]\nquestion = "tokens"\n')
    assert only.title("en") == "제목"


def test_the_language_in_use_is_spoken(speak):
    speak("ko")
    assert read(WHOLE).title() == "제목"


def test_a_document_has_masks_entities_and_options():
    document = read(WHOLE).steps[0].document()
    assert document.masks == (Mask(14, 17), Mask(0, 4, 1))
    assert [(one.start, one.end, one.entity) for one in document.entities] == [(4, 9, "Q1")]
    assert document.option("soft_targets.temperature") == 2.0
    assert document.top_k == Document().top_k


def test_only_what_the_step_asks_is_set_anew_on_screen():
    before = (
        Document("old", top_k=3)
        .with_option("soft_targets.order", "x")
        .with_option("distillation_losses.swapped", True)
        .with_option("joint_decoding.method", "y")
    )
    step = read(WHOLE).steps[1]
    assert step.document(before).options == (
        Document()
        .with_option("joint_decoding.method", "y")
        .with_option("soft_targets.temperature", 4.0)
        .with_option("soft_targets.words", ["a", None])
        .options
    )


def test_an_option_of_an_older_program_means_what_it_meant():
    options = "options = { vector = '3' }"
    text = MINIMAL.replace('question = "tokens"', f'question = "word_journey"\n{options}')
    (step, *_rest) = read(text).steps
    assert step.options == {"word_journey.layer": "2"}


def test_what_is_written_is_read_as_the_same():
    for scene in (read(WHOLE), *bundled().scenes):
        assert read(scene_text(scene), f"{scene.name}.toml") == scene


def test_odd_texts_are_written():
    odd = 'a "quoted" \\ \x7f \t \n 한국어 \U0001f600 = ] #'
    text = WHOLE.replace("The movie was fun.", "x").replace('masked = ["fun"]', "")
    scene = read(text.replace('pair_masked = ["Anna"]', "").replace('entities = ["movie=Q1"]', "")
                 .replace('masked = ["4-9"]', ""))  # fmt: skip
    step = replace(scene.steps[0], text=odd, words={"en": StepWords((odd,), odd)})
    step = replace(
        step, options={"a.b c": {"json": "1"}, 'q"uote.x': [float("inf"), -1e-9, 2**70, {"": []}]}
    )
    changed = replace(scene, steps=(step,), titles={"en": odd})
    assert read(scene_text(changed)) == changed


MINIMAL = '[en]\ntitle = "T"\n[[steps]]\nquestion = "tokens"\ntext = "Some words."\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = = 1", "some.toml is no TOML: Invalid value (at line 1, column 5)."),
        ("", "some.toml: the key steps is missing."),
        ("steps = []", "some.toml: the key en.title is missing."),
        ('steps = []\n[en]\ntitle = "T"', "some.toml: a scene has from 1 to 50 steps."),
        ('steps = 3\n[en]\ntitle = "T"', "some.toml: the key steps must be a list."),
        (MINIMAL.replace("title", "titel"), "some.toml: there is no key en.titel in a scene."),
        ("claim = 1\n" + MINIMAL, "some.toml: there is no key claim in a scene."),
        ("order = 'x'\n" + MINIMAL, "some.toml: the key order must be a whole number."),
        (MINIMAL.replace('"T"', "1"), "some.toml: the key en.title must be a text."),
        (MINIMAL.replace("question", "aks"), "some.toml: there is no key steps[0].aks in a scene."),
        (MINIMAL.replace('question = "tokens"', ""), "some.toml: the key steps[0].question is missing."),  # noqa: E501
        (MINIMAL + "masked = 'x'", "some.toml: the key steps[0].masked must be a list."),
        (MINIMAL + "masked = [1]", "some.toml: the key steps[0].masked[0] must be a text."),
        (MINIMAL + "[[steps]]\ntop_k = 'x'", "some.toml: the key steps[1].top_k must be a whole number."),  # noqa: E501
        (MINIMAL + "top_k = 0", "some.toml: the key steps[0].top_k can't be read (Expected `int` >= 1)."),  # noqa: E501
        (MINIMAL + "models = ['a','b','c']", "some.toml: the key steps[0].models can't be read (Expected `array` of length <= 2)."),  # noqa: E501
        (MINIMAL + "masked = ['other']", 'some.toml: the key steps[0].masked can\'t be so: There is no word "other" in the text that is not masked yet.'),  # noqa: E501
        (MINIMAL + "options = { words = { json = '[' } }", "some.toml: the key steps[0].options can't be read (Expecting value: line 1 column 2 (char 1))."),  # noqa: E501
        (MINIMAL + "[steps.en]\nlook = 'x'", "some.toml: the key steps[0].en.look must be a list."),
        (MINIMAL + "[steps.en]\nsee = ['x']", "some.toml: there is no key steps[0].en.see in a scene."),  # noqa: E501
        (MINIMAL + "en = 3", "some.toml: there is no key steps[0].en in a scene."),
        ("x = " + "[" * 5000 + "]" * 5000, "some.toml is no TOML: it is nested too deeply."),
        (MINIMAL + "options = { words = { json = '" + "[" * 5000 + "' } }", "some.toml: the key steps[0].options can't be read (it is nested too deeply)."),  # noqa: E501
        (MINIMAL + "options.a" + ".a" * 20_000 + " = 1", "some.toml is no TOML: a key in it has more than 20 parts."),  # noqa: E501
        (MINIMAL + "claims = [" + "'1 < 2', " * 21 + "]", "some.toml: the key steps[0].claims can't be read (Expected `array` of length <= 20)."),  # noqa: E501
    ],
)  # fmt: skip
def test_malformed_files_have_one_clear_sentence(text, said):
    with pytest.raises(UserMistake) as found:
        read(text)
    assert found.value.message == said
    assert found.value.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("é".encode("latin-1"), "some.toml is not written in UTF-8."),
        (MINIMAL.encode("utf-16"), "some.toml is not written in UTF-8."),
        (b"#" * (2 << 20), "some.toml is larger than any scene."),
        (MINIMAL.encode("utf-8")[:20], "some.toml is no TOML: "),
    ],
)
def test_bytes_that_are_no_scene(content, said):
    with pytest.raises(UserMistake) as found:
        read_scene(content, "some.toml")
    assert found.value.message.startswith(said)


def test_what_windows_editors_write_is_read():
    content = b"\xef\xbb\xbf" + MINIMAL.replace("\n", "\r\n").encode("utf-8")
    assert read_scene(content, "some.toml") == read(MINIMAL)


def test_a_control_is_its_step_with_something_else():
    first, second, _third = read(WHOLE).steps
    (control,) = first.controls
    assert control.fails == (0,)
    asked = control.step
    assert asked.models == ("bert-miniature", "spanbert-miniature")
    assert (asked.text, asked.masked, asked.pair) == (first.text, first.masked, first.pair)
    assert asked.options == {**first.options, "soft_targets.temperature": 1.0}
    assert (asked.claims, asked.words, asked.controls) == ((), {}, ())
    assert second.controls == ()


@pytest.mark.parametrize("fails", ["[]", "[2]", "[0]"])
def test_a_control_names_claims_of_its_step(fails):
    with pytest.raises(UserMistake) as found:
        read(WHOLE.replace("[[steps.controls]]", f"[[steps.controls]]\nfails = {fails}"))
    assert found.value.message == (
        "some.toml: the key steps[0].controls[0].fails must name claims of its step, from 1 to 1."
    )
