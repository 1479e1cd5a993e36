"""A plan of a run of training: everything that the run follows from, and nothing else."""

from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question import asked
from explorer.learning.plan import options
from explorer.learning.plan.choices import (
    FAMILIES,
    NORMS,
    Corpus,
    Fate,
    LayerSharing,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    Residual,
    SelectionUnit,
    Tables,
    TrainedOn,
)
from explorer.learning.plan.contradictions import refuse
from explorer.learning.plan.run_plan import RunPlan


@dataclass(frozen=True)
class TrainingPlan(RunPlan, question="train"):
    """What is to be trained, how, how long, and on what.

    The same plan gives the same losses to the digit on the same machine.

    Attributes:
        family: That of the objective where it is the usual one (`of_family`).
        selected: Share of the pieces that are told.
        fate: What the model reads in their place.
        unit: What is selected as one.
        dynamic: Masks are drawn anew each time a text is met.
        adversarial: Weight of the virtual adversarial loss; 0 for none.
        adversarial_step: How far embeddings are moved for it, in standard deviations of theirs.
        generator: Its width as a share of the discriminator's (`generator_width`).
        detection_weight: The paper's lambda.
        tables: How generator and discriminator have their embeddings together.
        width: Numbers a token in a layer.
        embedding_width: Numbers a piece has before its layers; 0 for as many as in them
            (`piece_width`).
        sharing: That of the family where it is the usual one (`shared`).
        norms: That of the family where it is the usual one (`of_norms`).
        residual: That of the family where it is the usual one (`is_scaled`).
        length: Tokens in the longest text, special ones included.
        batch: Texts a step.
        rate: The peak of the learning rate.
        warmup: Share of the steps in which it rises.
        corpus: Whose text, where no file is named.
        path: A text file; "" for none.
        rho: Correlation of job and pronoun in the smallest world.
        documents: How many there are; 0 for as many as are read, or all of a file.
        vocabulary: Pieces of the tokenizer.
    """

    kind: ClassVar = "train"
    later: ClassVar = ("adversarial", "adversarial_step", "rho", "trained_on")

    objective: Objective = asked(options.OBJECTIVE, made=Objective)
    family: ModelFamily = asked(options.FAMILY, made=ModelFamily)
    corpus: Corpus = asked(options.CORPUS, made=Corpus)
    rho: float = asked(options.RHO)
    path: str = asked(options.PATH)
    documents: int = asked(options.DOCUMENTS)
    vocabulary: int = asked(options.VOCABULARY)
    selected: float = asked(options.SELECTED)
    fate: Fate = asked(options.FATE, made=Fate)
    unit: SelectionUnit = asked(options.UNIT, made=SelectionUnit)
    dynamic: bool = asked(options.DYNAMIC)
    pairs: PairObjective = asked(options.PAIRS, made=PairObjective)
    adversarial: float = asked(options.ADVERSARIAL)
    adversarial_step: float = asked(options.ADVERSARIAL_STEP)
    generator: float = asked(options.GENERATOR)
    detection_weight: float = asked(options.DETECTION_WEIGHT)
    tables: Tables = asked(options.TABLES, made=Tables)
    layers: int = asked(options.LAYERS)
    width: int = asked(options.WIDTH)
    heads: int = asked(options.HEADS)
    embedding_width: int = asked(options.EMBEDDING_WIDTH)
    sharing: LayerSharing = asked(options.SHARING, made=LayerSharing)
    norms: Norms = asked(options.NORMS, made=Norms)
    residual: Residual = asked(options.RESIDUAL, made=Residual)
    length: int = asked(options.LENGTH)
    batch: int = asked(options.BATCH)
    rate: float = asked(options.RATE)
    warmup: float = asked(options.WARMUP)
    steps: int = asked(options.STEPS)
    seed: int = asked(options.SEED)
    trained_on: TrainedOn = asked(options.TRAINED_ON, made=TrainedOn)

    @property
    def of_family(self) -> ModelFamily:
        """The family, the usual one of the objective named."""
        return FAMILIES[self.objective][0] if self.family is ModelFamily.USUAL else self.family

    @property
    def of_norms(self) -> Norms:
        """Where the norms stand, the usual place of the family named."""
        return NORMS[self.of_family][0] if self.norms is Norms.USUAL else self.norms

    @property
    def shared(self) -> LayerSharing:
        """Which weights all layers have together, those of the family named."""
        if self.sharing is not LayerSharing.USUAL:
            return self.sharing
        return LayerSharing.ALL if self.of_family is ModelFamily.ALBERT else LayerSharing.NONE

    @property
    def is_scaled(self) -> bool:
        """Whether residual layers begin smaller the more of them there are."""
        if self.residual is Residual.USUAL:
            return self.of_family is ModelFamily.GPT2 and self.of_norms is Norms.PRE
        return self.residual is Residual.SCALED

    @property
    def piece_width(self) -> int:
        """Numbers a piece has before its layers."""
        return self.embedding_width or self.width

    @property
    def generator_width(self) -> int:
        """The generator's, which its heads share."""
        return max(1, round(self.generator * self.width / self.heads)) * self.heads

    @property
    def stem(self) -> str:
        """Runs are named after the objective."""
        return self.objective.value

    def check(self) -> None:
        """Refuse what can't be trained.

        Raises:
            UserMistake: A value is none of its option's, or two of them contradict each other.
        """
        super().check()
        refuse(self)
