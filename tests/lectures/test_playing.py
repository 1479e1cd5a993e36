"""Playing: models that stay loaded, roles that are cast, what goes wrong in a step."""

import pytest

from explorer.lectures.scene_file import read_scene

HEAD = '[en]\ntitle = "T"\n'
BOTH = 'models = ["bert-miniature", "distilbert-miniature"]\n'


def scene_of(*steps):
    text = HEAD + "".join(f"[[steps]]\n{step}\n" for step in steps)
    return read_scene(text.encode("utf-8"), "some.toml")


def step_of(question="masked_tokens", rest="", models='models = ["bert-miniature"]\n'):
    return f'question = "{question}"\n{models}text = "The movie was fun."\nmasked = ["fun"]\n{rest}'


def test_a_model_that_is_needed_again_stays_loaded(player, monkeypatch):
    loads = []
    load = player._runner.load
    monkeypatch.setattr(
        player._runner,
        "load",
        lambda slot, model, *rest: loads.append(model) or load(slot, model, *rest),
    )
    player._lies.clear()
    play = [step_of(), step_of("soft_targets", models=BOTH), step_of()]
    assert player.play(scene_of(*play)).holds
    assert loads == ["bert-miniature", "distilbert-miniature"]


def test_roles_are_cast_as_in_the_window(player):
    turned = 'options = { "distillation_losses.swapped" = true }'
    claims = "\nclaims = [\"model.id == 'distilbert-miniature' and other.id == 'bert-miniature'\"]"
    played = player.play(scene_of(step_of("soft_targets", turned + claims, BOTH)))
    assert played.steps[0].claims[0].holds


def test_a_model_of_an_earlier_step_takes_no_part(player):
    """The generator is optional: beside a discriminator alone there is none."""
    both = 'models = ["electra-miniature-discriminator", "electra-miniature-generator"]\n'
    alone = 'models = ["electra-miniature-discriminator"]\n'
    played = player.play(
        scene_of(step_of("replaced_tokens", models=both), step_of("replaced_tokens", models=alone))
    )
    first, second = (step.cells["other"] for step in played.steps)
    assert first["id"] == "electra-miniature-generator"
    assert second is None


def test_words_of_ones_own_replace_others(player):
    """The option holds more than its widget: the words beside the seed of the draw."""
    put = '{ start = 14, end = 17, part = 0, was = "fun", word = "telescope" }'
    rest = f"masked = []\noptions = {{ corruption = {{ seed = 3, words = [{put}] }} }}\n"
    rest += "claims = [\"tokens[4].text == 'telescope' and original[4] == 'fun'\"]"
    models = 'models = ["electra-miniature-discriminator"]\n'
    step = step_of("replaced_tokens", rest, models).replace('masked = ["fun"]\n', "")
    played = player.play(scene_of(step))
    assert played.holds, played.steps[0].failures or played.steps[0].claims


def test_an_option_without_a_widget_is_known_by_what_it_changes(player):
    step = 'question = "joint_decoding"\nmodels = ["bert-miniature"]\ntext = "The movie was fun."\n'
    step += 'masked = ["movie", "fun"]\noptions = { method = "by_hand", order = [1, 0] }'
    step += '\nclaims = ["order == [1, 0]"]'
    assert player.play(scene_of(step)).holds


def test_a_question_without_a_sentence_is_asked_of_who_is_loaded(player):
    """What is asked depends on the models in the slots, or names a model that is not loaded."""
    rest = "claims = [\"blueprints[1].layers == 2 and titles[0] == 'BERT miniature'\"]"
    named = 'options = { checkpoint = "gpt3-175b" }\nclaims = ["layers == 96 and not loaded"]'
    played = player.play(
        scene_of(step_of("compare_architectures", rest, BOTH), step_of("architecture", named))
    )
    assert played.holds, [step.failures or step.claims for step in played.steps]


def test_exact_answers_are_laid_beside(player):
    rest = 'options = { "exact_answers.beside" = true }\nclaims = ["len(exact_answers) > 0"]'
    assert player.play(scene_of(step_of(rest=rest))).holds


def test_table_and_summary_can_be_named(player):
    rest = 'claims = ["table[0].rank == 1", "summary.masks == 1"]'
    assert player.play(scene_of(step_of(rest=rest))).holds


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (step_of("maskd_tokens"), "There is no question maskd_tokens."),
        (step_of(models='models = ["bert-tiny-x"]\n'), "bert-tiny-x"),
        (step_of(rest="masked = []").replace('masked = ["fun"]\n', ""), "mask"),
        (step_of("soft_targets", "options = { temprature = 2.0 }", BOTH), "soft_targets has no option temprature; it has "),  # noqa: E501
        (step_of("soft_targets", "options = { temperature = 0 }", BOTH), "--temperature can't be 0."),  # noqa: E501
        (step_of("soft_targets", 'options = { words = "a, b" }', BOTH), "--words can't be a, b."),
        (step_of("soft_targets"), "student"),
        (step_of(rest='claims = ["mask == 1"]'), "there is no mask; there are answer, before, "),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_with_its_step(player, step, said):
    played = player.play(scene_of(step_of(), step, step_of()))
    assert [one.holds for one in played.steps] == [True, False, True]
    (failure,) = played.steps[1].failures
    assert said in failure.message
    assert not played.holds


def test_a_control_is_judged_by_the_claims_that_must_fail_in_it(player):
    claims = 'claims = ["len(tokens) == 7", "len(masks) == 1"]\n'
    for text, fails, is_so in (
        ("The name was a fun one.", "", False),
        ("The name was a fun one.", "fails = [1]\n", True),
        ("The movie was fun.", "fails = [1]\n", False),
    ):
        # The step itself has seven tokens.
        control = f'[[steps.controls]]\ntext = "{text}"\n{fails}'
        played = player.play(scene_of(step_of(rest=claims + control)))
        (found,) = player.play_controls(played, 0)
        assert not found.failures
        assert found.fails is is_so
