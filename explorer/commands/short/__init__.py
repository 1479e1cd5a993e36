"""Commands of one question each: other names of its options, and a way to read its answer."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explorer import headless
from explorer.api.question import Operation
from explorer.command_line.shared_options import add_consent, add_model_option, add_output_options
from explorer.program import Program

Args = argparse.Namespace


class Models:
    """Who plays which role, loaded when it is first needed.

    Attributes:
        runner: What asks them.
    """

    def __init__(self, args: Args, program: Program, named: Mapping[str, str]) -> None:
        self._args, self._program, self._named = args, program, named
        self.runner = program.runner()

    @cached_property
    def loaded(self) -> headless.Loaded:
        """They are loaded when they are first needed.

        Raises:
            ExplorerError: One is unknown, damaged, or needs a consent that was not given.
        """
        allowed = self._args.allow_pickle
        return headless.load_all(self.runner, self._program, self._named, allow_pickle=allowed)

    def first(self) -> Any:
        """The model of the first role."""
        return self.runner.models[next(iter(self.loaded.cast.values()))]

    def ask(self, request: Any, document: Any, *, log: bool) -> headless.Answered:
        """Ask them."""
        return self.loaded.ask(request, document, log=log)


@dataclass(frozen=True)
class Short:
    """A command of one question.

    Attributes:
        question: Its name.
        flags: Which fields of its request can be typed, and what they are called.
        show: Prints an answer for people.
        model: Who plays the first role where nobody is named; "" where --model names nobody.
        more: Declares what is typed in another way.
        fields: The request's fields that are typed in another way; it may look at the models.
        named: Who plays which role; None for --model alone.
        shape: What --json prints of a result; None for its fields.
    """

    question: str
    flags: Mapping[str, str]
    show: Callable[[headless.Answered, Args], None]
    model: str = headless.DEFAULT_MODEL
    more: Callable[[argparse.ArgumentParser], None] | None = None
    fields: Callable[[Args, Models], Mapping[str, Any]] | None = None
    named: Callable[[Args], Mapping[str, str]] | None = None
    shape: Callable[[Any, Args], Any] | None = None

    @property
    def operation(self) -> Operation[Any, Any]:
        """The question."""
        from explorer.questions import all_operations

        return all_operations()[self.question]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """The question's options, who answers, how the answer comes out."""
        from explorer.command_line.request_arguments import add_arguments

        add_arguments(parser, self.operation, self.flags)
        if self.more is not None:
            self.more(parser)
        if self.model:
            add_model_option(parser, self.model)
        else:
            add_consent(parser)
        add_output_options(parser)

    def run(self, args: Args, program: Program) -> int:
        """Ask and print."""
        self.print(args, self.asked(args, self.models(args, program)))
        return 0

    def models(self, args: Args, program: Program) -> Models:
        """Who answers."""
        named = {self.operation.first_role: args.model} if self.named is None else self.named(args)
        return Models(args, program, named)

    def asked(self, args: Args, models: Models) -> headless.Answered:
        """What came of the question."""
        from explorer.command_line.request_arguments import asked

        typed = {} if self.fields is None else self.fields(args, models)
        request, document = asked(self.operation, args, **typed)
        return models.ask(request, document, log=not args.no_log)

    def print(self, args: Args, answered: headless.Answered) -> None:
        """For people, or as JSON; and the table where one is asked for."""
        shape = self.shape
        headless.write_answer(
            answered,
            args,
            lambda one: self.show(one, args),
            None if shape is None else lambda result: shape(result, args),
        )
