"""A plan of a run of training: everything that the run follows from, and nothing else."""

import dataclasses
import hashlib
from dataclasses import dataclass
from typing import Any, Self

from explorer.api.question import Asks, asked
from explorer.api.question.asks import asked_fields
from explorer.api.question.values import as_kept
from explorer.files.typed_paths import typed_path
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
)
from explorer.learning.plan.contradictions import refuse


@dataclass(frozen=True)
class TrainingPlan(Asks, question="train"):
    """What is to be trained, how, how long, and on what.

    The same plan gives the same losses to the digit on the same machine.

    Attributes:
        family: That of the objective where it is the usual one (`of_family`).
        selected: Share of the pieces that are told.
        fate: What the model reads in their place.
        unit: What is selected as one.
        dynamic: Masks are drawn anew each time a text is met.
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
        documents: How many there are; 0 for as many as are read, or all of a file.
        vocabulary: Pieces of the tokenizer.
    """

    objective: Objective = asked(options.OBJECTIVE, made=Objective)
    family: ModelFamily = asked(options.FAMILY, made=ModelFamily)
    corpus: Corpus = asked(options.CORPUS, made=Corpus)
    path: str = asked(options.PATH)
    documents: int = asked(options.DOCUMENTS)
    vocabulary: int = asked(options.VOCABULARY)
    selected: float = asked(options.SELECTED)
    fate: Fate = asked(options.FATE, made=Fate)
    unit: SelectionUnit = asked(options.UNIT, made=SelectionUnit)
    dynamic: bool = asked(options.DYNAMIC)
    pairs: PairObjective = asked(options.PAIRS, made=PairObjective)
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
    def settings(self) -> "PlanSettings":
        """Itself, as conditions of options look at it."""
        return PlanSettings(self)

    def matters(self, name: str) -> bool:
        """Whether a field changes anything with what else is planned."""
        return asked_fields(self)[name].option.applies(self.settings)

    def settled(self) -> Self:
        """The same run: what changes nothing is at its default, a file has its whole path."""
        idle: dict[str, Any] = {
            one.name: one.default for one in dataclasses.fields(self) if not self.matters(one.name)
        }
        if self.path:
            idle["path"] = str(typed_path(self.path).absolute())
        return dataclasses.replace(self, **idle)

    @property
    def fingerprint(self) -> str:
        """The same for plans of the same run, 16 hexadecimal digits; of a file it has the path."""
        written = self.settled().to_json()
        return hashlib.blake2b(written.encode(), digest_size=8).hexdigest()

    def to_json(self) -> str:
        """As a line of JSON."""
        from explorer.serialise import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, written: str | bytes) -> Self:
        """What `to_json` wrote.

        Raises:
            ValueError: It is no plan.
        """
        from explorer.serialise import from_json

        return from_json(cls, written)

    def check(self) -> None:
        """Refuse what can't be trained.

        Raises:
            UserMistake: A value is none of its option's, or two of them contradict each other.
        """
        super().check()
        refuse(self)


@dataclass(frozen=True)
class PlanSettings:
    """A plan as what holds options."""

    plan: TrainingPlan

    def option(self, key: str, default: Any = None) -> Any:
        """What is planned under an option's key."""
        name = key.rpartition(".")[2]
        found = asked_fields(self.plan).get(name)
        return default if found is None else as_kept(found.kept(getattr(self.plan, name)))
