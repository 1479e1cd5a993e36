"""Other names of `ask` with a question: the options that are typed most, under short names."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explorer import headless
from explorer.api.question import Question
from explorer.command_line.options.shared_options import (
    add_consent,
    add_model_option,
    add_output_options,
)
from explorer.document import Document
from explorer.program import Program

Args = argparse.Namespace


class RoleModels:
    """Who plays which role, loaded when it is first needed.

    Attributes:
        runner: What asks them.
    """

    def __init__(self, args: Args, program: Program, named: Mapping[str, str]) -> None:
        self._args, self._program, self._named = args, program, named
        self.runner = program.runner()

    @cached_property
    def loaded(self) -> headless.LoadedModels:
        """They are loaded when they are first needed.

        Raises:
            ExplorerError: One is unknown, damaged, or needs a consent that was not given.
        """
        allowed = self._args.allow_pickle
        return headless.load_all(self.runner, self._program, self._named, allow_pickle=allowed)

    def first(self) -> Any:
        """The model of the first role."""
        return self.runner.models[next(iter(self.loaded.cast.values()))]

    def ask(self, request: Any, document: Document, *, log: bool) -> headless.AnsweredRun:
        """Ask them."""
        return self.loaded.ask(request, document, log=log)


@dataclass(frozen=True)
class Alias:
    """A command that is `ask` with a question.

    Attributes:
        question: Its name.
        flags: Which fields of its request can be typed, and what they are called here.
        model: Who plays the first role where nobody is named; "" where --model names nobody.
        more: Declares what is typed in another way.
        fields: The request's fields that are typed in another way; it may look at the models.
        named: Who plays which role; None for --model alone.
        looked_at: Options that its answer is looked at with, by what holds them among the
            arguments: {"threshold": "replaced_tokens.threshold"}.
        turned: Which question is asked instead, by what was typed; None for always this one.
        then: From the answer to what is asked of the same models and text besides, or None.
    """

    question: str
    flags: Mapping[str, str]
    model: str = headless.DEFAULT_MODEL
    more: Callable[[argparse.ArgumentParser], None] | None = None
    fields: Callable[[Args, RoleModels], Mapping[str, Any]] | None = None
    named: Callable[[Args], Mapping[str, str]] | None = None
    looked_at: Mapping[str, str] | None = None
    turned: Callable[[Args], str] | None = None
    then: Callable[[headless.AnsweredRun, Args], Any] | None = None

    @property
    def of(self) -> Question[Any, Any]:
        """The question."""
        return _question(self.question)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The question's options, who answers, how the answer comes out."""
        from explorer.command_line.asking.request_arguments import add_arguments

        add_arguments(parser, self.of, self.flags)
        if self.more is not None:
            self.more(parser)
        if self.model:
            add_model_option(parser, self.model)
        else:
            add_consent(parser)
        add_output_options(parser)

    def run(self, args: Args, program: Program) -> int:
        """Ask and print."""
        models = self.models(args, program)
        answered = self.asked(args, models)
        self.write(answered, args, models)
        return 0

    def write(self, answered: headless.AnsweredRun, args: Args, models: RoleModels) -> None:
        """Print an answer as `ask` does, and what is asked besides; write the table."""
        from explorer.printing.parts.answer import print_answer

        further = None if self.then is None else self.then(answered, args)
        on = answered.run.document
        besides = [] if further is None else [models.ask(further, on, log=not args.no_log)]
        headless.write_answer(answered, args, print_answer, besides)

    def models(self, args: Args, program: Program) -> RoleModels:
        """Who answers; a file that can't be written is told of before they are loaded.

        Raises:
            MachineFault: It can't.
        """
        from explorer.sessions.schema.atomic import refuse_unwritable

        refuse_unwritable(args.csv)
        named = {self.of.first_role: args.model} if self.named is None else self.named(args)
        return RoleModels(args, program, named)

    def asked(self, args: Args, models: RoleModels) -> headless.AnsweredRun:
        """What came of the question."""
        from explorer.command_line.asking.request_arguments import asked

        question = self.of if self.turned is None else _question(self.turned(args))
        typed = {} if self.fields is None else self.fields(args, models)
        request, document = asked(question, args, **typed)
        for name, key in (self.looked_at or {}).items():
            document = document.with_option(key, getattr(args, name))
        return models.ask(request, document, log=not args.no_log)


def _question(name: str) -> Question[Any, Any]:
    from explorer.questions import all_questions

    return all_questions()[name]
