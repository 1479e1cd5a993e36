"""The models of a run, loaded once more: what a process does that answers for another one."""

from collections.abc import Iterator, Sequence

from explorer.api.question import SLOTS, CheckpointFault, Context, ExplorerError
from explorer.api.worker_context import WorkerContext
from explorer.files_of_sentences.answering import Answering, reading_of
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.sentences import FileSentence
from explorer.text import N_


class Copy:
    """Models through the same plugins and the same loader as those they are copies of.

    Args:
        elsewhere: How they are loaded.
        question: The question that is asked.
        template: Its request as JSON, the text empty.
    """

    def __init__(self, elsewhere: WorkerContext, question: str, template: str) -> None:
        self._elsewhere = elsewhere
        self._question = question
        self._template = template

    def load(self, threads: int = 0) -> None:
        """Load them, and look whether they are the same.

        Args:
            threads: How many there may be; 0 leaves torch's own number.

        Raises:
            ExplorerError: One can't be loaded, or its files are others here.
        """
        from explorer.engine.configuration import EngineConfiguration, build_parts
        from explorer.engine.runner import Runner
        from explorer.questions import all_questions
        from explorer.serialise import from_json

        configuration = self._elsewhere.configuration
        assert isinstance(configuration, EngineConfiguration)
        runner = build_parts(configuration).runner
        assert isinstance(runner, Runner)
        question = all_questions()[self._question]
        import torch

        if threads:
            torch.set_num_threads(threads)
        cast = dict(zip(self._elsewhere.models, SLOTS, strict=False))
        for role, slot in cast.items():
            wanted = self._elsewhere.models[role]
            card = runner.load(slot, wanted.checkpoint, wanted.options, Context())
            if card.stamp.fingerprint != wanted.fingerprint:
                raise CheckpointFault(
                    N_("The files of {title} are not the same everywhere."),
                    N_("Load the model again, and copy the same files to every machine."),
                    title=card.title,
                )
        context = runner.with_models(cast, Context(cache=configuration.cache))
        self._watched = runner.watched
        self._slot = cast.get(question.first_role, "")
        model = context.models.get(question.first_role)
        template = from_json(question.request, self._template)
        model, template, self._context = reading_of(model, template, context)
        self._answering = Answering(model, question, template)

    def steps(self, sentences: Sequence[FileSentence]) -> Iterator[list[SentenceOutcome]]:
        """What comes of each sentence, as many at a time as are answered together."""
        steps = self._answering.steps(sentences, self._context)
        while (some := self._watched(self._slot, lambda: next(steps, None))) is not None:
            yield some


def portable(error: Exception) -> Exception:
    """An error as it can be told to another process: the same where it can be pickled."""
    import pickle
    import traceback

    told: Exception = error
    if not isinstance(error, ExplorerError):
        try:
            told = pickle.loads(pickle.dumps(error))  # noqa: S301 - written in the same line
        except Exception:  # noqa: BLE001 - an error of anybody's
            told = RuntimeError(f"{type(error).__name__}: {error}")
    told.add_note("".join(traceback.format_exception(error)))
    return told
