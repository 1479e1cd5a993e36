"""A case of every question for `ask`: arguments, the request that they make, and who answers."""

from pathlib import Path

from explorer.api.question import HeadPlace, Mask, Mention
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.plan.choices import ModelFamily
from explorer.learning.tuning.choices import Tuned
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesRequest,
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
from explorer.questions.cause.attribution.options import ExplainedMeasure
from explorer.questions.cause.attribution.question import AttributionRequest
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkRequest
from explorer.questions.cause.edits.question import EditsRequest
from explorer.questions.cause.logit_parts.question import LogitPartsRequest
from explorer.questions.cause.patching.question import PatchingRequest
from explorer.questions.detection.many_draws.question import ManyDrawsRequest
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest, Replacement
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
from explorer.questions.layers.word_journey.question import OccurrencePieces, WordJourneyRequest
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
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.joint_decoding.question import DecodingMethod, JointDecodingRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.masking_policy.question import MaskingPolicyRequest, Policy
from explorer.questions.masking.span_boundary.question import SpanBoundaryRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.questions.pairs.answer_span.options import Align
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from explorer.questions.pairs.bias.question import BiasRequest
from explorer.questions.pairs.minimal_pairs.question import MinimalPairsRequest
from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
from explorer.questions.pairs.token_labels.question import TokenLabelsRequest
from explorer.questions.tokenizers.merge_steps.question import MergeStepsRequest
from explorer.questions.tokenizers.side_by_side.question import SideBySideRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm, World
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerRequest
from explorer.questions.tokenizers.vocabulary.options import (
    NearnessMeasure,
    SearchMode,
    Sort,
    Which,
)
from explorer.questions.tokenizers.vocabulary.question import VocabularyRequest
from explorer.serialise import to_json

CHEF = "the chef cooked the [MASK] in the kitchen ."
PLAIN = "the chef cooked the meal ."
BERT = {"model": "bert-miniature"}
ERNIE = "ernie-thu-miniature"
PAIR = {"teacher": "bert-miniature", "student": "tinybert-miniature"}
ELECTRA = {
    "discriminator": "electra-miniature-discriminator",
    "generator": "electra-miniature-generator",
}
REFERENCE = Path(__file__).resolve().parents[1] / "reference"
QA, LABELS = (str(REFERENCE / name) for name in ("qa", "labels"))
PUT_IN = '[{"start": 9, "end": 15, "word": "ate"}]'

CASES = {
    "architecture": (
        ["--length", "64", "--part", "bert.pooler", "-m", "bert-miniature"],
        ArchitectureRequest(length=64, part="bert.pooler"),
        BERT,
    ),
    "attention": (
        [CHEF, "--words", "--special", "hidden", "--heads", "1.2,mean"],
        AttentionRequest(CHEF, words=True, special="hidden", heads=("1.2", "mean")),
        BERT,
    ),
    "bertviz": (
        [CHEF, "--view", "model", "--dark"],
        BertvizRequest(CHEF, view="model", dark=True),
        BERT,
    ),
    "compare_architectures": (
        ["--first", "distilbert-miniature", "--second", "bert-miniature"],
        CompareArchitecturesRequest(),
        {"first": "distilbert-miniature", "second": "bert-miniature"},
    ),
    "cost": (
        [PLAIN, "--student", "tinybert-miniature", "--mask", "meal", "--seconds", "0.01"],
        CostRequest(PLAIN, masks=(Mask(20, 24, 0),), seconds=0.01),
        PAIR,
    ),
    "many_draws": (
        [PLAIN, "--draws", "3", "--rate", "0.4", "--no-greedy"],
        ManyDrawsRequest(PLAIN, draws=3, rate=0.4),
        ELECTRA,
    ),
    "replaced_tokens": (
        [PLAIN, "--replacements", PUT_IN],
        ReplacedTokensRequest(PLAIN, replacements=(Replacement(9, 15, "ate"),)),
        {"discriminator": ELECTRA["discriminator"]},
    ),
    "disentangled_attention": (
        [CHEF, "--layer", "1", "--off", '[{"part": "c2p", "layer": 1}]'],
        DisentangledAttentionRequest(CHEF, layer=1, off=(Off("c2p", 1),)),
        {"model": "deberta-v1-miniature"},
    ),
    "distillation_losses": (
        [CHEF, "--student", "tinybert-miniature", "--temperature", "3"],
        DistillationLossesRequest(CHEF, temperature=3.0),
        PAIR,
    ),
    "joint_decoding": (
        ["[MASK] [MASK] cooked", "--method", "by-hand", "--order", "1,0", "--width", "2"],
        JointDecodingRequest(
            "[MASK] [MASK] cooked", method=DecodingMethod.BY_HAND, order=(1, 0), width=2
        ),
        BERT,
    ),
    "masked_tokens": (
        [PLAIN, "--pair", "the meal .", "--mask", "chef", "--mask", "pair:4-8", "--top-k", "3"],
        MaskedTokensRequest(PLAIN, "the meal .", (Mask(4, 8, 0), Mask(4, 8, 1)), 3),
        BERT,
    ),
    "file_of_sentences": (
        ["{file}", "surprisal", "--model", "gpt2-miniature"],
        FileOfSentencesRequest("{file}", "surprisal"),
        {
            "model": "gpt2-miniature",
        },
    ),
    "weights": (
        [PLAIN, "--drawn", "circuits", "--layer", "2", "--head", "1"],
        WeightsRequest(PLAIN, Drawn.CIRCUITS, layer=2, head=1),
        BERT,
    ),
    "forward_pass": (
        [CHEF, "--position", "2", "--layer", "1", "--head", "2"],
        ForwardPassRequest(CHEF, position=2, layer=1, head=2),
        BERT,
    ),
    "query_key": (
        [PLAIN, "--kind", "encoder", "--layer", "1", "--head", "2"],
        QueryKeyRequest(PLAIN, kind="encoder", layer=1, head=2),
        BERT,
    ),
    "exact_answers": (
        [CHEF, "--top-k", "3"],
        ExactAnswersRequest(CHEF, top_k=3),
        BERT,
    ),
    "layer_similarity": (
        ["--second", "tinybert-miniature", "--most", "200"],
        LayerSimilarityRequest(most=200),
        {"first": "bert-miniature", "second": "tinybert-miniature"},
    ),
    "logit_lens": (
        [CHEF, "--words", "soup, bread", "--top-k", "3"],
        LogitLensRequest(CHEF, words=("soup", "bread"), top_k=3),
        BERT,
    ),
    "word_journey": (
        [PLAIN, "--word", "THE", "--pieces", "first", "--standardise"],
        WordJourneyRequest(PLAIN, word="THE", pieces=OccurrencePieces.FIRST, standardise=True),
        BERT,
    ),
    "entities": (
        ["Anna used a [MASK].", "--entity", "Anna=Q10", "--other", "Q20", "-m", ERNIE],
        EntitiesRequest("Anna used a [MASK].", other="Q20", entities=(Mention(0, 4, "Q10"),)),
        {"model": ERNIE},
    ),
    "sentence_pair": (
        [
            PLAIN,
            "--pair",
            "it was good .",
            "--second",
            "tinybert-miniature",
            "-m",
            "bert-miniature",
        ],
        SentencePairRequest(PLAIN, "it was good ."),
        {"model": "bert-miniature", "second": "tinybert-miniature"},
    ),
    "token_labels": (
        [PLAIN, "--pair", "it was good .", "-m", LABELS],
        TokenLabelsRequest(PLAIN, "it was good ."),
        {"model": LABELS},
    ),
    "answer_span": (
        [
            *(
                PLAIN,
                "--question",
                "what was cooked ?",
                "-m",
                QA,
                "--no-answer",
                "--align",
                "pieces",
            ),
            *["--top-k", "2", "--max-answer-len", "3", "--max-seq-len", "16", "--doc-stride", "2"],
        ],
        AnswerSpanRequest(
            PLAIN,
            "what was cooked ?",
            2,
            max_answer_len=3,
            max_seq_len=16,
            doc_stride=2,
            no_answer=True,
            align=Align.PIECES,
        ),
        {"model": QA},
    ),
    "continuation": (
        [
            *(PLAIN, "-m", "gpt2-miniature", "--strategy", "top-k", "--max-new-tokens", "3"),
            *("--top-k", "4", "--temperature", "0.8", "--seed", "5", "--taken", "Ġthe"),
        ],
        ContinuationRequest(
            PLAIN,
            strategy=Strategy.TOP_K,
            max_new_tokens=3,
            top_k=4,
            temperature=0.8,
            seed=5,
            taken=("Ġthe",),
        ),
        {"model": "gpt2-miniature"},
    ),
    "tuned_lens": (
        [CHEF, "--words", "soup, bread", "--top-k", "3"],
        TunedLensRequest(CHEF, words=("soup", "bread"), top_k=3),
        BERT,
    ),
    "prompt": (
        [
            *("baker", "--examples", "2", "--orders", "1", "--asked", "2", "--seed", "4"),
            *("--options", "pan,oven", "--template", "{question}: {answer}"),
            *("-m", "gpt2-miniature"),
        ],
        PromptRequest(
            "baker",
            template="{question}: {answer}",
            examples=2,
            options=("pan", "oven"),
            orders=1,
            asked=2,
            seed=4,
        ),
        {"model": "gpt2-miniature"},
    ),
    "task_layout": (
        [
            *(PLAIN, "--pair", "it was good .", "--task", "copa", "--choices", "a | b"),
            *("--asks", "cause", "--max-new-tokens", "3", "-m", "t5-miniature"),
        ],
        TaskLayoutRequest(PLAIN, "it was good .", "copa", "a | b", "cause", 3),
        {"model": "t5-miniature"},
    ),
    "probe": (
        [PLAIN, "--label", "tense", "--texts", "60", "--pieces", "mean"],
        ProbeRequest(PLAIN, label="tense", texts=60, pieces="mean"),
        BERT,
    ),
    "neurons": (
        [CHEF, "--layer", "1", "--number", "7", "--label", "tense", "--texts", "40"],
        NeuronsRequest(CHEF, layer=1, number=7, label="tense", texts=40),
        BERT,
    ),
    "candidate_words": (
        [CHEF, "--words", "fried rice, soup"],
        CandidateWordsRequest(CHEF, words=("fried rice", "soup")),
        BERT,
    ),
    "soft_targets": (
        [CHEF, "--student", "tinybert-miniature", "--temperatures", "1,4", "--keep-all"],
        SoftTargetsRequest(CHEF, temperatures=(1.0, 4.0), keep_all=True),
        PAIR,
    ),
    "calibration": (
        [PLAIN, "--method", "whole-word"],
        CalibrationRequest(PLAIN, method=ScoringMethod.WHOLE_WORD),
        BERT,
    ),
    "numerical_precision": (
        [PLAIN, "--reference", "gpt2-miniature", "--rounded", "gpt2-miniature:bfloat16"],
        NumericalPrecisionRequest(PLAIN),
        {"reference": "gpt2-miniature", "rounded": "gpt2-miniature:bfloat16"},
    ),
    "span_boundary": (
        [PLAIN, "--mask", "4-15", "--top-k", "2"],
        SpanBoundaryRequest(PLAIN, (Mask(4, 15, 0),), 2),
        {"model": "spanbert-miniature"},
    ),
    "surprisal": (
        [PLAIN, "--method", "whole-word"],
        SurprisalRequest(PLAIN, method=ScoringMethod.WHOLE_WORD),
        BERT,
    ),
    "attribution": (
        [CHEF, "--method", "occlusion", "--beside", "shapley", "--measure", "difference"],
        AttributionRequest(
            CHEF,
            method="occlusion",
            beside="shapley",
            measure=ExplainedMeasure.DIFFERENCE,
        ),
        BERT,
    ),
    "attribution_benchmark": (
        ["--places", "4", "--steps", "4", "--samples", "2"],
        AttributionBenchmarkRequest(4, 4, 2),
        BERT,
    ),
    "bias": (["--pairs", "6"], BiasRequest(pairs=6), BERT),
    "minimal_pairs": (
        ["--pairs", "12", "--method", "whole-word"],
        MinimalPairsRequest(pairs=12, method=ScoringMethod.WHOLE_WORD),
        BERT,
    ),
    "experiments": (
        ["--claim", "static-masks"],
        ExperimentsRequest("static_masks"),
        {},
    ),
    "edits": (
        [CHEF, "--word", "meal", "--against", "soup", "--neighbours", "2"],
        EditsRequest(CHEF, word="meal", against="soup", neighbours=2),
        BERT,
    ),
    "patching": (
        [CHEF, "--swap", "chef > waiter", "--words", "meal, soup", "--component", "attention"],
        PatchingRequest(
            CHEF, words=("meal", "soup"), swap=("chef > waiter",), component="attention"
        ),
        BERT,
    ),
    "logit_parts": (
        [CHEF, "--words", "meal, soup", "--opened", "head 3.1", "--no-totals"],
        LogitPartsRequest(CHEF, words=("meal", "soup"), opened="head 3.1", totals=False),
        BERT,
    ),
    "head_ablation": (
        [CHEF, "--heads", "encoder:1:2", "--every"],
        HeadAblationRequest(CHEF, heads=(HeadPlace("encoder", 1, 2),), every=True),
        BERT,
    ),
    "merge_steps": (
        [PLAIN, "--word", "kitchens", "--tokenizer", "t5-miniature"],
        MergeStepsRequest(PLAIN, "kitchens", "t5-miniature"),
        {},
    ),
    "graph_question": (
        [
            *("With what did she dig ?", "--choices", "trowel,pan", "--edges", "3"),
            *("--kept-from", "0.3", "--cut-paths", "dig > trowel, dig > plant > trowel"),
            *("--cut-edges", "dig > spade"),
        ],
        GraphQuestionRequest(
            "With what did she dig ?",
            ("trowel", "pan"),
            edges=3,
            kept_from=0.3,
            cut_paths=("dig > trowel", "dig > plant > trowel"),
            cut_edges=("dig > spade",),
        ),
        {"reasoner": "kagnet-miniature", "encoder": "bert-miniature"},
    ),
    "side_by_side": (
        [PLAIN, "--tokenizers", "gpt2-miniature, bert-miniature", "--english", "the chef"],
        SideBySideRequest(PLAIN, ("gpt2-miniature", "bert-miniature"), "the chef"),
        {},
    ),
    "distil": (
        ["--targets", "exact", "--steps", "3", "--temperature", "4", "--no-train"],
        DistilRequest(targets=TaughtBy.EXACT, steps=3, temperature=4.0, train=False),
        {},
    ),
    "contexts": (
        [PLAIN, "--layer", "2", "--most", "500", "--count", "4"],
        ContextsRequest(PLAIN, layer=2, most=500, count=4),
        BERT,
    ),
    "learnt_rules": (["--world", "small"], LearntRulesRequest("small"), BERT),
    "over_steps": (
        [
            *("masked_tokens", "--request", to_json(MaskedTokensRequest(CHEF, top_k=3))),
            *("--steps", "64,8000", "--model", "bert-film@step8000"),
        ],
        OverStepsRequest(
            "masked_tokens", to_json(MaskedTokensRequest(CHEF, top_k=3)), steps="64,8000"
        ),
        {"model": "bert-film@step8000"},
    ),
    "tune": (
        ["--base", "gpt2-miniature", "--tuned", "lora", "--examples", "40", "--no-train"],
        TuneRequest(base="gpt2-miniature", tuned=Tuned.LORA, examples=40, train=False),
        {},
    ),
    "train": (
        ["--family", "albert", "--steps", "3", "--seed", "5", "--no-train"],
        TrainRequest(family=ModelFamily.ALBERT, steps=3, seed=5, train=False),
        {},
    ),
    "training_curves": (
        ["--sources", "bert-miniature,gpt2-miniature"],
        TrainingCurvesRequest(("bert-miniature", "gpt2-miniature")),
        {},
    ),
    "train_tokenizer": (
        [PLAIN, "--algorithms", "unigram,byte-level-bpe", "--world", "ko"],
        TrainTokenizerRequest(PLAIN, (Algorithm.UNIGRAM, Algorithm.BYTES), world=World.KOREAN),
        {},
    ),
    "vocabulary": (
        [
            *("--search", "^co", "--by", "pattern", "--which", "words", "--sort", "uses-down"),
            *("--piece", "cooked", "--measure", "dot", "--top-k", "3", "--most", "4"),
            *("--tokenizer", "gpt2-miniature", "-m", "gpt2-miniature"),
        ],
        VocabularyRequest(
            "gpt2-miniature",
            search="^co",
            by=SearchMode.PATTERN,
            which=Which.WORDS,
            sort=Sort.USES_DOWN,
            piece="cooked",
            measure=NearnessMeasure.DOT,
            top_k=3,
            most=4,
        ),
        {"model": "gpt2-miniature"},
    ),
    "tokens": (
        ["the cats", "-m", "t5-miniature"],
        TokensRequest("the cats"),
        {
            "model": "t5-miniature",
        },
    ),
    "masking_policy": (
        [PLAIN, "--policy", "whole-words", "--selected", "0.3", "--epochs", "2", "--seed", "5"],
        MaskingPolicyRequest(PLAIN, policy=Policy.WHOLE_WORDS, selected=0.3, epochs=2, seed=5),
        BERT,
    ),
}
"""Of every question: what is typed, what is asked, and who answers where nobody is named."""
