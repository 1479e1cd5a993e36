"""Options behind prompts: lm-evaluation-harness' rules made anew, other families, limits."""

import json
import math

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.document import Document
from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.examples.drawing import draw
from explorer.questions.generation.prompt.examples.rows import rows_of, world_rows
from explorer.questions.generation.prompt.question import (
    QUESTION,
    RULES,
    PromptRequest,
    derived,
    summary,
    table,
)
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

TEMPLATE = "Question: {question}\nAnswer: {answer}"
FILE = """\
question,answer,options
The chef cooked in the,kitchen,kitchen|field of corn|garage
The farmer fed the,cow,cow|excavator|old clock
The pilot flew the,plane,plane|soup|blue helicopters
The baker baked the,bread,bread|bridge|sky
The gardener planted the,flower,flower|train|Monday
The painter painted the,picture,picture|fish|loud song
"""


def ask(name, text, context=None, **fields):
    return tiny.ask_within(miniature(name), PromptRequest(text, **fields), context)


@pytest.fixture
def table_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(FILE, "utf-8")
    return str(path)


class Harness:
    """Log-likelihoods as lm-evaluation-harness has them, by transformers alone."""

    def __init__(self, name):
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(MODELS / name)
        self.model = AutoModelForCausalLM.from_pretrained(MODELS / name).eval()

    def log_likelihood(self, context, continuation):
        """Spaces that end the context belong to the continuation, which ends the whole's pieces."""
        import torch

        spaces = len(context) - len(context.rstrip())
        if spaces:
            context, continuation = context[:-spaces], context[-spaces:] + continuation
        begin = self.tokenizer(context)["input_ids"]
        ids = self.tokenizer(context + continuation)["input_ids"]
        with torch.inference_mode():
            logs = self.model(torch.tensor([ids])).logits[0].log_softmax(-1)
        return sum(float(logs[at - 1, ids[at]]) for at in range(len(begin), len(ids)))


@pytest.fixture(scope="module")
def harness():
    return Harness("gpt2-miniature")


def written(examples, question):
    told = [TEMPLATE.format(question=one.question, answer=one.answer) for one in examples]
    return " ".join([*told, f"Question: {question}\nAnswer:"])


def test_options_are_scored_as_by_the_harness(table_file, harness):
    """One question: every option's log-likelihood, and what acc and acc_norm take."""
    for row in rows_of(table_file)[:3]:
        found = ask(
            "gpt2-miniature",
            row.question,
            path=table_file,
            template=TEMPLATE,
            examples=2,
            asked=0,
            orders=1,
        )
        assert (found.right, found.curve) == (row.answer, None)
        assert len(found.examples) == 2
        examples = [
            one for one in rows_of(table_file) if (one.question, one.answer) in found.examples
        ]
        assert row not in examples
        # In their order.
        examples.sort(key=lambda one: found.examples.index((one.question, one.answer)))
        context = written(examples, row.question)
        assert found.prompt == context
        logs = [harness.log_likelihood(context, f" {option}") for option in row.options]
        assert [one.log_probability for one in found.scores] == pytest.approx(logs, abs=1e-4)
        said = derived(found)["chosen"]
        assert said["sum"] == row.options[int(np.argmax(logs))]
        lengths = [len(option) for option in row.options]
        assert said["character"] == row.options[int(np.argmax(np.divide(logs, lengths)))]
        neutral = [harness.log_likelihood("Answer:", f" {option}") for option in row.options]
        assert [one.neutral for one in found.scores] == pytest.approx(neutral, abs=1e-4)
        assert said["mutual_information"] == row.options[int(np.argmax(np.subtract(logs, neutral)))]
        free = [
            harness.log_likelihood(written(examples, "N/A"), f" {option}") for option in row.options
        ]
        # Zhao et al. 2021: W is the inverse of the options' own probabilities, and b is 0.
        p, q = np.exp(logs), np.exp(free)
        assert said["calibrated"] == row.options[int(np.argmax((p / p.sum()) / (q / q.sum())))]


def test_bytes_are_counted_as_the_harness_counts_them(harness):
    """Letters of two and three bytes: per byte and per character other answers win."""
    options = ("été été", "국", "soup", "crème brûlée")
    found = ask("gpt2-miniature", "it", options=options, examples=0, asked=0, orders=1)
    logs = [harness.log_likelihood(found.prompt, f" {option}") for option in options]
    assert [one.log_probability for one in found.scores] == pytest.approx(logs, abs=1e-4)
    lengths = {
        Rule.CHARACTER: [len(option) for option in options],
        Rule.BYTE: [len(option.encode("utf-8")) for option in options],
    }
    assert lengths[Rule.CHARACTER] != lengths[Rule.BYTE]
    for rule, counts in lengths.items():
        scores = np.divide(logs, counts)
        assert [one.by(rule) for one in found.scores] == pytest.approx(scores.tolist(), abs=1e-4)
        assert derived(found)["chosen"][rule.value] == options[int(np.argmax(scores))]


def test_accuracies_are_those_of_the_harness(table_file, harness):
    """Many rows: acc and acc_norm, and the loss of the right answer, by number of examples."""
    asking = {"examples": 2, "asked": 4, "orders": 2, "seed": 3}
    found = ask(
        "gpt2-miniature", "The chef cooked in the", path=table_file, template=TEMPLATE, **asking
    )
    drawn = draw(rows_of(table_file), "The chef cooked in the", **asking)
    assert found.rows == len(drawn.asked) == 4
    curve = found.curve
    assert curve.counts == (0, 1, 2)
    assert curve.chance == pytest.approx(1 / 3)
    for at, count in enumerate(curve.counts):
        for number, order in enumerate(drawn.orders):
            acc, acc_norm, losses = [], [], []
            for row in drawn.asked:
                context = written(order[:count], row.question)
                logs = [harness.log_likelihood(context, f" {option}") for option in row.options]
                gold = row.options.index(row.answer)
                acc.append(np.argmax(logs) == gold)
                acc_norm.append(np.argmax(np.divide(logs, [*map(len, row.options)])) == gold)
                losses.append(-logs[gold])
            assert curve.right[RULES.index(Rule.SUM), at, number] == np.mean(acc)
            assert curve.right[RULES.index(Rule.CHARACTER), at, number] == np.mean(acc_norm)
            assert curve.loss[at, number] == pytest.approx(np.mean(losses), abs=1e-4)


def test_the_answer_is_told_piece_by_piece(table_file, harness):
    """Every piece with the chance that transformers' own forward gives it."""
    import torch

    options = ("field of corn", "blue helicopters")
    found = ask("gpt2-miniature", "The king walked in the", path=table_file, options=options)
    ids = harness.tokenizer(f"{found.prompt} {found.answer.option}")["input_ids"]
    count = len(found.tokens)
    assert [one.id for one in found.tokens] == ids[-count:]
    assert [one.token for one in found.tokens] == harness.tokenizer.convert_ids_to_tokens(
        ids[-count:]
    )
    with torch.inference_mode():
        rows = harness.model(torch.tensor([ids])).logits[0].softmax(-1)
    wanted = [float(rows[at - 1, ids[at]]) for at in range(len(ids) - count, len(ids))]
    assert [one.probability for one in found.tokens] == pytest.approx(wanted, abs=1e-6)
    assert count == found.answer.pieces > 1
    told = derived(found)
    assert told["text"] == found.answer.option == told["chosen"]["sum"]


@pytest.mark.parametrize(
    "name", ["bert-miniature", "t5-miniature", "t5-tasks-miniature", "gpt2-miniature"]
)
def test_the_pieces_of_an_answer_have_its_log_probability_together(name):
    found = ask(name, "the chef cooked", asked=0, orders=1, examples=2)
    together = sum(math.log(one.probability) for one in found.tokens)
    assert together == pytest.approx(found.answer.log_probability, abs=1e-9)
    assert found.answer == max(found.scores, key=lambda one: one.log_probability)


@pytest.mark.parametrize("name", ["bert-miniature", "roberta-miniature"])
def test_masks_are_filled_as_by_candidate_words(name):
    options = ("soup", "fried rice", "hammer")
    found = ask(name, "the chef cooked", asked=0, orders=1, examples=2, options=options)
    gap = f"{found.prompt} [MASK]."
    known = tiny.ask(miniature(name), CandidateWordsRequest(gap, words=options)).gaps[0].scores
    for one, other in zip(found.scores, known, strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)
        assert one.pieces == len(other.pieces)
    assert "both sides" in str(found.note)


def test_t5_writes_the_answer_behind_its_sentinel():
    from explorer.api.question import SpanPredictor

    model = miniature("t5-miniature")
    found = ask("t5-miniature", "the chef", asked=0, orders=1, examples=1, options=("pan", "bread"))
    text = f"{found.prompt} pan."
    document = Document(text).with_mask(len(found.prompt) + 1, len(text) - 1)
    encoded = model.encode(text, None, document.masks)
    (ids,) = encoded.hidden
    rows, _ = model.port(SpanPredictor).piece_rows(encoded, (), ids, Context())
    logs = sum(float(row[piece]) for row, piece in zip(rows, ids, strict=True))
    assert found.scores[0].option == "pan"
    assert found.scores[0].log_probability == pytest.approx(logs, abs=1e-4)


def test_examples_end_where_the_model_does():
    found = ask("gpt2-miniature", "chef", examples=32, orders=1, asked=2)
    assert found.left_out > 0
    assert len(found.examples) + found.left_out == 32
    assert found.curve.counts[-1] < found.too_long <= 32
    assert len(found.written) <= 128
    assert ask("gpt2-miniature", "chef", examples=1, orders=1, asked=2).too_long is None
    # One more would not have fitted.
    longest = max(len(one.option) for one in found.scores)
    assert len(found.written) + 12 + longest > 128


def test_questions_of_a_table_may_be_too_long_for_any_curve(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"{'chef ' * 200},pan\n{'baker ' * 200},oven\n", "utf-8")
    found = ask("gpt2-miniature", "chef", path=str(path), examples=0, orders=1, asked=1)
    assert (found.curve, found.rows, found.too_long) == (None, 1, 0)


def test_other_orders_are_of_the_same_examples_however_many_fit():
    asking = {"examples": 32, "orders": 3, "asked": 0}
    found = ask("gpt2-miniature", "chef", **asking)
    count = len(found.examples)
    assert found.left_out > 0
    assert found.permutations[0] == tuple(range(count))
    assert len(set(found.permutations)) == 3
    assert all(sorted(one) == list(range(count)) for one in found.permutations)
    model = miniature("gpt2-miniature")
    for order, logs in zip(found.permutations, found.by_order, strict=True):
        told = " ".join(f"{q} -> {a}." for q, a in (found.examples[n] for n in order))
        gap = f"{told} chef -> [MASK]"
        words = tuple(one.option for one in found.scores)
        known = tiny.ask(model, CandidateWordsRequest(gap, words=words)).gaps[0].scores
        assert [one.log_probability for one in known] == pytest.approx(logs.tolist(), abs=1e-4)


def test_another_model_answers_the_same_prompt_behind_the_same_examples():
    asking = {"examples": 2, "orders": 2, "asked": 2}
    request = PromptRequest("chef", **asking)
    models = {"model": miniature("gpt2-miniature"), "second": miniature("t5-miniature")}
    both = tiny.ask(models["model"], request, Context(models=models))
    alone = [ask(name, "chef", **asking) for name in ("gpt2-miniature", "t5-miniature")]
    for one, other in zip(both.every, alone, strict=True):
        assert one.model == other.model
        assert one.scores == other.scores
        assert one.examples == both.examples
        np.testing.assert_array_equal(one.curve.right, other.curve.right)
    rows = table(both)
    assert rows.column("model") == tuple(
        one.model.id for one in both.every for _ in table(one).rows[: len(rows.rows) // 2]
    )
    assert summary(both)["second_answer"] == summary(alone[1])["answer"]
    assert summary(both)["second_right"] == summary(alone[1])["right"]
    told = derived(both)["second"]
    assert told["text"] == both.second.answer.option
    assert [one["id"] for one in told["tokens"]] == [one.id for one in both.second.tokens]
    assert {name: told[name] for name in derived(alone[1])} == derived(alone[1])
    assert [one["option"] for one in told["scores"]] == [one.option for one in alone[1].scores]
    json.dumps(told)


def test_another_model_that_can_not_answer_says_why_beside_the_one_that_can():
    request = PromptRequest("it", options=("☃",), orders=1, asked=0)
    models = {"model": miniature("gpt2-miniature"), "second": miniature("bert-miniature")}
    found = tiny.ask(models["model"], request, Context(models=models))
    assert found.second is None
    assert "does not answer. This vocabulary has no pieces for “☃”." in found.refused
    assert models["second"].stamp.id in found.refused
    assert {one.option for one in found.scores} == {"☃"}


def test_the_other_loaded_model_is_asked_unless_one_alone_is_wanted():
    cards = {slot: type("", (), {"operations": ("prompt",)})() for slot in "AB"}
    document = Document("chef")
    assert QUESTION.cast(cards, "B", document) == {"model": "B", "second": "A"}
    alone = document.with_option("prompt.alone", True)
    assert QUESTION.cast(cards, "B", alone) == {"model": "B"}
    cards["A"].operations = ()
    assert QUESTION.cast(cards, "B", document) == {"model": "B"}


def test_the_best_learner_stands_beside_rows_of_the_small_world(table_file):
    found = ask("gpt2-miniature", "chef", examples=4, orders=2, asked=3)
    assert found.right == "pan"
    assert dict(found.best) == pytest.approx(dict.fromkeys(dict(found.best), 1 / len(found.best)))
    assert found.curve.best_loss.shape == found.curve.loss.shape
    assert (found.curve.best_loss[0] > found.curve.best_loss[-1]).any()
    told = ask("gpt2-miniature", "chef", examples=0, orders=1, asked=0, description="Jobs: tool.")
    assert told.best == (("pan", 1.0),)
    other = ask("gpt2-miniature", "chef", examples=0, orders=1, asked=0, description="Say it.")
    assert other.best == ()
    own = ask(
        "gpt2-miniature", "The farmer fed the", path=table_file, examples=1, asked=2, orders=1
    )
    assert own.best == ()
    assert own.curve.best_loss is None


def test_the_miniature_of_prompts_learns_from_examples_as_well_as_can_be():
    """From none to four examples accuracy rises, and the loss stays beside the best learner's."""
    curve = ask("gpt2-prompts-miniature", "chef", examples=4, orders=6, asked=12).curve
    assert curve.counts == (0, 1, 2, 4)
    right, loss = curve.right[0].mean(axis=1), curve.loss.mean(axis=1)
    assert right[0] + 0.2 < right[-1]
    assert abs(right[-1] - curve.best_right[-1].mean()) < 0.1
    assert (abs(loss - curve.best_loss.mean(axis=1)) < 0.1)[[0, 2, 3]].all()


def test_commonest_and_last_answers_are_counted(tmp_path):
    path = tmp_path / "yes.tsv"
    path.write_text("".join(f"word {n}\t{'yes' if n % 4 else 'no'}\n" for n in range(12)), "utf-8")
    found = ask("gpt2-miniature", "it", path=str(path), examples=3, orders=4, asked=4)
    drawn = draw(rows_of(str(path)), "it", examples=3, asked=4, orders=4, seed=0)
    right = [row.answer for row in drawn.asked]
    for number, order in enumerate(drawn.orders):
        answers = [row.answer for row in order]
        most = max(set(answers), key=answers.count)
        assert found.curve.due[0, -1, number] == np.mean([one == most for one in right])
        assert found.curve.due[1, -1, number] == np.mean([one == answers[-1] for one in right])
    assert [one.option for one in found.scores] == ["no", "yes"]


def test_tables_are_read_as_files_of_sentences_are(tmp_path):
    path = tmp_path / "rows.csv"
    # What spreadsheets write where the comma is the decimal point.
    path.write_text("Answer;Question\npan;chef\n\noven;baker, early\n", "utf-8")
    assert [(row.question, row.answer) for row in rows_of(str(path))] == [
        ("chef", "pan"),
        ("baker, early", "oven"),
    ]
    path.write_text('chef,"pan\nof iron"\nbaker\n', "utf-8")
    with pytest.raises(UserMistake, match=r"Line 3 of rows\.csv"):
        rows_of(str(path))
    path.write_text("chef,pan\n" + 'baker,"oven\n' + f"{'x' * 90_000}\n" * 2, "utf-8")
    with pytest.raises(UserMistake, match=r"Line 2 of rows\.csv can't be read as a row"):
        rows_of(str(path))


def test_what_is_no_prompt_is_refused(tmp_path):
    for fields in (
        {"template": "{question}"},
        {"template": "{answer} {question}"},
        {"template": "{question} {answer} {answer}"},
        {"neutral": " "},
        {"free": ""},
        {"examples": -1},
        {"orders": 0},
        {"asked": 201},
        {"path": str(tmp_path / "missing.csv")},
    ):
        with pytest.raises(UserMistake):
            ask("gpt2-miniature", "chef", **fields)
    with pytest.raises(UserMistake):
        ask("gpt2-miniature", " ")
    with pytest.raises(UserMistake):
        ask("bert-miniature", "it", options=("☃",), orders=1, asked=0)


def test_a_run_can_be_cancelled_and_grows_before():
    seen = []
    context = Context(show=lambda make: seen.append(make()), is_cancelled=lambda: len(seen) == 2)
    with pytest.raises(Cancelled):
        ask("gpt2-miniature", "chef", context, examples=4, orders=1, asked=2)
    assert [one.curve.counts for one in seen] == [(0,), (0, 1)]


def test_rows_are_told_in_a_table_a_line_and_json():
    found = ask("gpt2-miniature", "chef", examples=1, orders=2, asked=2)
    rows = table(found)
    assert rows.column("what") == ("option",) * len(found.scores) + ("curve",) * 4
    assert rows.column("accuracy_sum")[-1] == found.curve.right[0, -1, -1]
    assert summary(found)["answer"] == derived(found)["chosen"]["sum"]
    assert summary(found)["right"] in (0, 1)
    assert math.isclose(
        summary(found)["share"],
        max(np.exp([one.log_probability for one in found.scores]))
        / sum(np.exp([one.log_probability for one in found.scores])),
    )
    json.dumps(dict(derived(found)))


def test_rows_of_the_world_have_their_answer_among_the_options():
    assert all(row.answer in row.options for row in world_rows())
