"""Writes every-question-schema-<n>.db: an answer to every question, as this version keeps it.

The bundled miniatures answer. Run it once for each schema of the database, and never again for an
older one. For a question that is new, or whose request or result has other fields, add a request
below and name the question, which writes <question>-schema-<n>.db with its answers alone:

    PYTHONPATH=. python tests/stored_runs/make_every_question.py [QUESTION ...]
"""

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from explorer.api.question import SLOTS, HeadPlace
from explorer.attribution.kinds import Baseline
from explorer.command_line.asking.request_arguments import document_asking
from explorer.document import Document, Mention
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.headless import LoadedModels, Log, load
from explorer.learning.distilling.choices import TaughtBy
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions import all_questions
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesRequest,
    Level,
)
from explorer.questions.architecture.weights.question import Drawn, WeightsRequest
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.attention.bertviz.question import BertvizRequest
from explorer.questions.attention.disentangled_attention.question import (
    DisentangledAttentionRequest,
    Off,
)
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.attention.query_key.question import QueryKeyRequest
from explorer.questions.cause.attribution.question import AttributionRequest
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkRequest
from explorer.questions.cause.edits.question import EditsRequest
from explorer.questions.cause.logit_parts.question import LogitPartsRequest
from explorer.questions.cause.patching.question import PatchingRequest
from explorer.questions.detection.many_draws.question import ManyDrawsRequest
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest
from explorer.questions.distillation.cost.question import CostRequest
from explorer.questions.distillation.distillation_losses.question import DistillationLossesRequest
from explorer.questions.distillation.numerical_precision.question import (
    NumericalPrecisionRequest,
)
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.generation.continuation.options import Strategy
from explorer.questions.generation.continuation.question import ContinuationRequest
from explorer.questions.generation.prompt.question import PromptRequest
from explorer.questions.generation.task_layout.question import TaskLayoutRequest
from explorer.questions.knowledge.entities.question import EntitiesRequest
from explorer.questions.knowledge.graph_question.question import GraphQuestionRequest
from explorer.questions.layers.contexts.question import ContextsRequest
from explorer.questions.layers.forward_pass.question import ForwardPassRequest
from explorer.questions.layers.layer_similarity.question import LayerSimilarityRequest
from explorer.questions.layers.logit_lens.question import LogitLensRequest
from explorer.questions.layers.neurons.question import NeuronsRequest
from explorer.questions.layers.probe.question import ProbeRequest
from explorer.questions.layers.tuned_lens.question import TunedLensRequest
from explorer.questions.layers.word_journey.question import WordJourneyRequest
from explorer.questions.learning.distil.question import DistilRequest
from explorer.questions.learning.experiments.question import ExperimentsRequest
from explorer.questions.learning.learnt_rules.question import LearntRulesRequest
from explorer.questions.learning.over_steps.question import OverStepsRequest
from explorer.questions.learning.train.question import TrainRequest
from explorer.questions.learning.training_curves.question import TrainingCurvesRequest
from explorer.questions.learning.tune.question import TuneRequest
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.calibration.question import CalibrationRequest
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.joint_decoding.question import JointDecodingRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.masking_policy.question import MaskingPolicyRequest
from explorer.questions.masking.span_boundary.question import SpanBoundaryRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from explorer.questions.pairs.bias.question import BiasRequest
from explorer.questions.pairs.minimal_pairs.question import MinimalPairsRequest
from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
from explorer.questions.pairs.token_labels.question import TokenLabelsRequest
from explorer.questions.tokenizers.merge_steps.question import MergeStepsRequest
from explorer.questions.tokenizers.side_by_side.question import SideBySideRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerRequest
from explorer.questions.tokenizers.vocabulary.options import SearchMode
from explorer.questions.tokenizers.vocabulary.question import VocabularyRequest
from explorer.serialise import to_json
from explorer.sessions.schema import migrations

ANSWERS, LABELS = "answers-of-the-reference", "labels-of-the-reference"
REFERENCE = Path(__file__).resolve().parents[1] / "reference"
SENTENCES = "the cat sat on the mat\nthe chef cooked a soup\n"
PLAIN = "the chef cooked a soup for the guests"
MASKED = "the chef [MASK] a soup"
WHO = "who cooked the soup ?"
FOLLOWING = "the chef cooked the soup in the kitchen .", "he used a pan ."
TWICE = "the [MASK] cooked a [MASK]"
# More pairs of tokens than there are rows in the log.
MIXED = "The chef's Café, 한국어 and 😀"
TOKENIZERS = tuple(f"{name}-miniature" for name in ("bert", "gpt1", "gpt2", "t5", "xlm"))
LONG = "the chef cooked a soup for the guests and the farmer carried a basket to the market"

BERT = {"model": "bert-miniature"}
TAUGHT = {"teacher": "bert-miniature", "student": "distilbert-miniature"}
JUDGED = {
    "discriminator": "electra-miniature-discriminator",
    "generator": "electra-miniature-generator",
}
TWO = {"first": "bert-miniature", "second": "roberta-miniature"}
TWO_PREDICT = {"model": "bert-miniature", "second": "gpt2-miniature"}
PAIR = {"first": JUDGED["discriminator"], "second": JUDGED["generator"]}
WANTED: tuple[tuple[Any, Mapping[str, str]], ...] = (
    (ArchitectureRequest(), BERT),
    (AttentionRequest(MASKED, heads=("0.0", "1.1")), BERT),
    (AttentionRequest(PLAIN), {"model": "t5-miniature"}),
    (BertvizRequest("a soup"), BERT),
    (CompareArchitecturesRequest(), TWO),
    (CostRequest(PLAIN, seconds=0.05), TAUGHT),
    (ManyDrawsRequest(PLAIN, draws=5), JUDGED),
    (ReplacedTokensRequest(PLAIN, seed=7, rate=0.5), JUDGED),
    (DisentangledAttentionRequest(LONG, off=(Off("c2p"),)), {"model": "deberta-v3-miniature"}),
    (DistillationLossesRequest(MASKED), TAUGHT),
    (
        CompareArchitecturesRequest(level=Level.TENSORS),
        {"first": JUDGED["discriminator"], "second": JUDGED["generator"]},
    ),
    (JointDecodingRequest(TWICE), BERT),
    (ExactAnswersRequest(MASKED), BERT),
    (ExactAnswersRequest(*FOLLOWING, about=About.PAIR), BERT),
    (
        ExactAnswersRequest(" ".join(FOLLOWING), about=About.ANSWER, question=WHO),
        {"model": "bert-answers-miniature"},
    ),
    (
        ExactAnswersRequest("The chef cooked the", about=About.NEXT, taken=("Ġmeal", "Ġon", "Ġin")),
        {"model": "gpt2-miniature"},
    ),
    (
        LayerSimilarityRequest(most=150),
        {"first": "bert-miniature", "second": "tinybert-miniature"},
    ),
    (LogitLensRequest(MASKED, words=("soup",)), BERT),
    (WordJourneyRequest(LONG, "the soup was good", word="soup"), BERT),
    (TunedLensRequest(MASKED, words=("soup",)), BERT),
    (MaskedTokensRequest(MASKED), BERT),
    (ProbeRequest(PLAIN, label="role", withheld=True), BERT),
    (NeuronsRequest(MASKED, layer=2), BERT),
    (FileOfSentencesRequest("two.txt", "surprisal", to_json(SurprisalRequest(""))), BERT),
    (ForwardPassRequest(MASKED, head=1), BERT),
    (QueryKeyRequest(LONG + " " + LONG, layer=1, head=1), BERT),
    (CandidateWordsRequest(MASKED, words=("soup", "cooked")), BERT),
    (CalibrationRequest(PLAIN), BERT),
    (SoftTargetsRequest(MASKED), TAUGHT),
    (
        NumericalPrecisionRequest(PLAIN),
        {"reference": "bert-miniature", "rounded": "bert-miniature:bfloat16"},
    ),
    (SoftTargetsRequest(MASKED, what="words"), {"teacher": TWO["first"], "student": TWO["second"]}),
    (
        SpanBoundaryRequest("the chef [MASK] [MASK] [MASK] for the guests"),
        {"model": "spanbert-miniature"},
    ),
    (SurprisalRequest(PLAIN), BERT),
    (
        ContinuationRequest("the chef cooked", strategy=Strategy.BEAM, max_new_tokens=4),
        {"model": "gpt2-miniature"},
    ),
    (HeadAblationRequest(MASKED, heads=(HeadPlace("encoder", 0, 1),), every=True), BERT),
    (AttributionRequest(MASKED, beside="shapley", baseline=Baseline.PAD), BERT),
    (AttributionBenchmarkRequest(10, 4, 2), BERT),
    (EditsRequest(MASKED, against="served"), BERT),
    (ExperimentsRequest("next_sentence"), {}),
    (BiasRequest(pairs=8), BERT),
    (MinimalPairsRequest(pairs=24), TWO_PREDICT),
    (PatchingRequest(MASKED, swap=("chef > waiter",)), BERT),
    (LogitPartsRequest(MASKED, words=("cooked", "washed")), BERT),
    (
        SentencePairRequest(PLAIN, "they liked it"),
        {"model": "bert-miniature", "second": "tinybert-miniature"},
    ),
    (TokenLabelsRequest("the cat sat on the mat"), {"model": LABELS}),
    (
        AnswerSpanRequest(
            PLAIN, "what did the chef cook ?", max_seq_len=18, doc_stride=2, no_answer=True
        ),
        {"model": ANSWERS},
    ),
    (PromptRequest("chef", examples=4, orders=3, asked=6), {"model": "gpt2-miniature"}),
    (TaskLayoutRequest(PLAIN, "what did she use ?", "squad"), {"model": "t5-miniature"}),
    (
        EntitiesRequest("Anna used a [MASK].", other="Q20", entities=(Mention(0, 4, "Q10"),)),
        {"model": "ernie-thu-miniature"},
    ),
    (TokensRequest(PLAIN, "두 번째 문장"), BERT),
    (MergeStepsRequest(PLAIN, "soup", "t5-miniature"), BERT),
    (TrainTokenizerRequest(MIXED), {}),
    (
        DistilRequest(
            targets=TaughtBy.EXACT, layers=1, width=16, heads=1, batch=2, steps=4, vocabulary=200
        ),
        {},
    ),
    (LearntRulesRequest("small"), BERT),
    (
        OverStepsRequest(
            "masked_tokens",
            to_json(MaskedTokensRequest("the [MASK] cooked the soup", top_k=3)),
            steps="0,64,8000",
        ),
        {"model": "bert-film"},
    ),
    (TuneRequest(examples=16, epochs=1, batch=8, length=32), {}),
    (TrainRequest(layers=1, width=16, heads=1, batch=2, steps=4, vocabulary=200), {}),
    (TrainingCurvesRequest(("bert-labels-miniature", "kagnet-miniature")), {}),
    (SideBySideRequest(MIXED, TOKENIZERS, "The chef cooked the meal ."), BERT),
    (
        VocabularyRequest(
            "", "gpt2-miniature", "co", SearchMode.BEGINS, piece="cooked", partly=True
        ),
        BERT,
    ),
    (MaskingPolicyRequest(PLAIN), BERT),
    (ContextsRequest(PLAIN, layer=2, most=2000, count=8), BERT),
    (WeightsRequest(PLAIN, Drawn.CIRCUITS, layer=2, head=1), BERT),
    (
        GraphQuestionRequest(
            "I will plant flowers, so I dug the ground. With what?",
            ("excavator", "trowel", "pan"),
            cut_paths=("plant > trowel",),
        ),
        {"reasoner": "kagnet-miniature", "encoder": "bert-miniature"},
    ),
)


def main(names: Sequence[str]) -> int:
    """Make the file, unless it is there."""
    name = f"{'-'.join(names) or 'every-question'}-schema-{len(migrations.STEPS)}.db"
    target = Path(__file__).resolve().parent / name
    if target.exists():
        print(f"{name} exists and is kept.", file=sys.stderr)
        return 2
    missing = set(names or all_questions()) - {_name(request) for request, _ in WANTED}
    if missing:
        print(f"No request is here for {', '.join(sorted(missing))}.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("two.txt").write_text(SENTENCES, "utf-8")
        # Models of the reference answer these: small ones with random weights.
        for name, where in ((ANSWERS, "qa"), (LABELS, "labels")):
            shutil.copytree(REFERENCE / where, name)
        program = Program(Paths.profile(Path(folder) / "profile"), device="cpu", offline=True)
        runner = program.runner()
        with Log(program, "Every question") as log:
            for request, models in WANTED:
                if names and _name(request) not in names:
                    continue
                cast = dict(zip(models, SLOTS, strict=False))
                for role, slot in cast.items():
                    load(runner, program, models[role], allow_pickle=False, slot=slot)
                document = document_of(request)
                LoadedModels(runner, program, cast).ask(request, document, log=log)
        with closing(sqlite3.connect(program.paths.sessions)) as connection:
            # The machine it was made on does not matter.
            connection.execute("UPDATE sessions SET platform = 'Linux-6.1-x86_64'")
            for column in ("runs.model_id", "run_models.model_id", "models.checkpoint_id"):
                table, name = column.split(".")
                update = f"UPDATE {table} SET {name} = replace({name}, ?, '')"
                connection.execute(update, (f"{folder}/",))
            for own in (ANSWERS, LABELS):
                connection.execute(
                    "UPDATE run_details SET result = replace(result, ?, ?)",
                    (f"{folder}/{own}", own),
                )
            connection.execute("UPDATE run_details SET result = replace(result, ?, '')", (folder,))
            connection.commit()
            connection.execute("VACUUM INTO ?", (str(target),))
    return 0


def document_of(request: Any) -> Document:
    """The document that asks a request, with its masks and options."""
    document = Document(
        getattr(request, "text", ""), getattr(request, "pair", None), getattr(request, "masks", ())
    )
    return document_asking(all_questions()[_name(request)], request, document)


def _name(request: object) -> str:
    return next(o.name for o in all_questions().values() if o.request is type(request))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
