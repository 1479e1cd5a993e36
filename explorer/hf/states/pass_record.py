"""One pass of a model, recorded by hooks on its modules, as `explorer.api.StepwisePass`.

Every module without parts of its own is listened to. What one is given is looked for among what was
given before (`StepTrace`): so residuals, the order of norms and sublayers, gates and factors come
out as the model has them, whatever its modules are called. An attention is one step, since its
parts are known by its family's layout (`captured`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from explorer.api.family import Component, Context, LoadedModel, Query, Token
from explorer.api.ports.passes import (
    HEAD_ROW,
    PassAttention,
    PassStep,
    RecordedPass,
    StepKind,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.attention.projections import captured
from explorer.hf.attention.weights import eager_attention
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.rows import must_be_numbers
from explorer.hf.predict.traced import why_no_gradients
from explorer.hf.states.output_rows import rows_by_gradient
from explorer.hf.states.pass_attention import array_of, attention_of
from explorer.hf.states.pass_steps import StepTrace
from explorer.hf.states.patching import PreparedRun
from explorer.hf.states.taps import Tap, Tapped, TappedStack

PASSED_BY = ("Dropout", "Identity", "StableDropout")
"""Classes of modules that do nothing while a model is not trained."""


class HookedPass:
    """As `explorer.api.StepwisePass`.

    Args:
        model: Whose.
        tapped: Where its layers are.
        attentions: Its attentions, all of them.
        prepare: How it is run.
    """

    def __init__(
        self,
        model: LoadedModel,
        tapped: Tapped,
        attentions: Sequence[AttentionModule],
        prepare: Callable[[Query], PreparedRun],
    ) -> None:
        self._model, self._tapped = model, tapped
        self._attentions, self._prepare = attentions, prepare

    def record(
        self, query: Query, head: int, context: Context, read: int | None = None
    ) -> RecordedPass:
        """As `explorer.api.StepwisePass.record`."""
        import torch

        prepared = self._prepare(query)
        if read is not None and prepared.kind is AttentionKind.DECODER:
            # The encoder reads the text as it is, whatever the decoder is asked.
            inputs = {**prepared.inputs, "input_ids": query.encoded.input_ids}
            prepared = replace(
                prepared, inputs=inputs, head=None, place=read, kind=AttentionKind.ENCODER
            )
        own = [one for one in self._tapped.stacks if one.component is Component.RESIDUAL]
        stack = next((one for one in own if one.kind is prepared.kind), own[0])
        listener = PassListener(self._model, stack, self._attentions, prepared, head)
        inputs = {name: value.clone() for name, value in prepared.inputs.items()}
        with torch.inference_mode(), cancellable(context):
            with eager_attention(self._model.module), listener.hooked():
                states = prepared.states(inputs)
                logits = None if prepared.head is None else prepared.head(states)
            if logits is not None:
                must_be_numbers(self._model, logits)
        return listener.recorded(states, logits)


class PassListener:
    """Listens to one run.

    Args:
        model: Whose.
        stack: The states that the token's layers give.
        attentions: Of the model.
        prepared: The run.
        head: Whose keys and values are kept.
    """

    def __init__(
        self,
        model: LoadedModel,
        stack: TappedStack,
        attentions: Sequence[AttentionModule],
        prepared: PreparedRun,
        head: int,
    ) -> None:
        import torch

        self._model, self._prepared, self._head = model, prepared, head
        self._kind = stack.kind
        kinds = {self._kind}
        if self._kind is AttentionKind.DECODER:
            kinds.add(AttentionKind.CROSS)
        self._own = [one for one in attentions if one.kind in kinds]
        self._outputs = {one.output for one in self._own}
        self._inside = {part for one in self._own for part in one.module.modules()}
        self._is_attending = False
        self._paths = {module: path for path, module in model.module.named_modules()}
        self._place = prepared.place
        self._tokens = len(prepared.tokens[self._kind])
        dtype = next(model.module.parameters()).dtype
        dtype = dtype if dtype.is_floating_point else torch.float32
        self._trace = StepTrace(max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps))
        self._trace.row = stack.rows[0].name
        self._ends = _ends(stack)
        self._next = 0
        self._counts: dict[Any, int] = {}
        self._elsewhere = 0
        self._attending: tuple[int, ...] = ()
        self._seen: list[PassAttention] = []
        self._kept: list[Any] = []
        self._is_head = False

    # ---- listening --------------------------------------------------------------------------

    @contextmanager
    def hooked(self) -> Iterator[None]:
        """Listen while the block runs."""
        module = self._model.module
        others = self._roots_of_others()
        handles: list[Any] = []
        taps = {tap.module for _name, tap in self._ends}
        with captured(self._own) as self._kept:
            try:
                for part in module.modules():
                    if part in others:
                        handles.append(part.register_forward_pre_hook(self._leave))
                        handles.append(part.register_forward_hook(self._come_back))
                    is_leaf = not any(True for _ in part.children())
                    listens = is_leaf and type(part).__name__ not in PASSED_BY
                    if part in taps or listens:
                        handles.append(
                            part.register_forward_pre_hook(self._enter, with_kwargs=True)
                        )
                    if listens:
                        handles.append(part.register_forward_hook(self._step, with_kwargs=True))
                    if part in taps:
                        handles.append(part.register_forward_hook(self._end))
                for one in self._own:
                    begin = self._begin(one)
                    handles.append(one.module.register_forward_pre_hook(begin, with_kwargs=True))
                    handles.append(one.output.register_forward_pre_hook(self._heads(one)))
                    handles.append(one.module.register_forward_hook(self._attended(one)))
                yield
            finally:
                for handle in handles:
                    handle.remove()

    def _roots_of_others(self) -> set[Any]:
        """The stacks that the token is not in, as the encoder is for a decoder's."""
        if not getattr(self._model.config, "is_encoder_decoder", False):
            return set()
        whole = self._model.module
        of_encoder = self._kind is AttentionKind.DECODER
        other = getattr(whole, "get_encoder" if of_encoder else "get_decoder", lambda: None)()
        return set() if other is None or other is whole else {other}

    def _leave(self, *_call: Any) -> None:
        self._elsewhere += 1

    def _come_back(self, *_call: Any) -> None:
        self._elsewhere -= 1

    def _enter(self, module: Any, args: Any, kwargs: Any) -> None:
        if self._elsewhere:
            return
        call = self._counts[module] = self._counts.get(module, -1) + 1
        self._boundary(Tap(module, call, is_input=True), args[0] if args else _first_of(kwargs))

    def _end(self, module: Any, _args: Any, output: Any) -> None:
        if not self._elsewhere:
            states = output[0] if isinstance(output, tuple | list) else output
            self._boundary(Tap(module, self._counts[module]), states)

    def _boundary(self, tap: Tap, states: Any) -> None:
        """A row ends where the family says that its states are."""
        if self._next >= len(self._ends) or self._ends[self._next][1] != tap:
            return
        vector = self._at_place(states)
        if vector is not None:
            self._trace.end_row(self._trace.find(vector))
        self._next += 1
        self._is_head = self._next >= len(self._ends)
        self._trace.row = HEAD_ROW if self._is_head else self._ends[self._next][0]

    def _step(self, module: Any, args: Any, kwargs: Any, output: Any) -> None:
        if self._elsewhere or not hasattr(output, "shape"):
            return
        if module in self._outputs:
            self._is_attending = False
        elif self._is_attending and module in self._inside:
            return  # its queries, keys and values are kept with the attention
        kind = _kind_of(module)
        convolves = kind is StepKind.CONVOLUTION
        vector = self._at_place(output.transpose(1, 2) if convolves else output)
        if vector is None:
            return
        given: tuple[int, ...] = ()
        if module in self._outputs:
            kind, given = StepKind.OUTPUT, (len(self._trace.steps) - 1,)
        elif kind is not StepKind.TABLE:
            put_in = args[0] if args else _first_of(kwargs)
            own = self._at_place(put_in.transpose(1, 2) if convolves else put_in)
            if own is not None:
                given = (self._trace.find(own),)
        self._trace.add(
            kind,
            vector,
            given,
            module=self._paths[module],
            function=type(module).__name__,
            call=self._counts.get(module, 0),
        )

    def _begin(self, one: AttentionModule) -> Callable[..., None]:
        def begin(_module: Any, args: Any, kwargs: Any) -> None:
            if self._elsewhere:
                return
            self._is_attending = True
            given = [each for each in (*args, *kwargs.values()) if getattr(each, "ndim", 0) == 3]
            if one.kind is AttentionKind.CROSS:
                given = given[:1]  # what follows are the states of the encoder's tokens
            vectors = (self._at_place(each) for each in given)
            found = [self._trace.find(each) for each in vectors if each is not None]
            self._attending = tuple(dict.fromkeys(found))

        return begin

    def _heads(self, one: AttentionModule) -> Callable[..., None]:
        # Where the matrix after the heads is a part of the attention, that has not ended yet.
        begun = 0 if one.output in set(one.module.modules()) else 1

        def heads(_module: Any, args: Any) -> None:
            vector = None if self._elsewhere else self._at_place(args[0])
            if vector is not None:
                number = len(self._seen) - begun
                self._trace.add(StepKind.HEADS, vector, self._attending, attention=number)

        return heads

    def _attended(self, one: AttentionModule) -> Callable[..., None]:
        def attended(*_call: Any) -> None:
            if self._elsewhere:
                return
            self._is_attending = False
            row, made = self._trace.row, self._kept.pop()
            self._seen.append(
                attention_of(one, made, row, self._place, self._head, self._tokens_of(one.kind))
            )

        return attended

    def _tokens_of(self, kind: AttentionKind) -> tuple[Token, ...]:
        """Those that are looked at."""
        looked = AttentionKind.ENCODER if kind is AttentionKind.CROSS else self._kind
        return tuple(self._prepared.tokens[looked])

    def _at_place(self, states: Any) -> Any:
        """A tensor at the token's place, as an array; None where it has no such place."""
        shape: tuple[int, ...] = tuple(getattr(states, "shape", ()))
        if len(shape) == 3 and shape[0] == 1 and shape[1] == self._tokens:
            found = states[0, self._place]
        elif len(shape) == 2 and shape[0] == self._tokens and not self._is_head:
            found = states[self._place]  # a table's, or without the batch's dimension (OPT)
        elif self._is_head and len(shape) == 2 and shape[0] == 1:
            found = states[0]
        elif self._is_head and len(shape) == 3 and shape[:2] == (1, 1):
            found = states[0, 0]  # a class that is run with the states in its encoder's place
        else:
            return None
        return array_of(found) if found.is_floating_point() else None

    # ---- what was heard ---------------------------------------------------------------------

    def recorded(self, states: Any, logits: Any) -> RecordedPass:
        """All of it, as arrays.

        Args:
            states: What the head was given, 1 x width.
            logits: 1 x pieces; None without a head.
        """
        numbers = None if logits is None else array_of(logits[0])
        last, matrix = self._last(numbers)
        kept, attending = self._trace.leading_to(last)
        steps = tuple(kept)
        rows = None if numbers is None else self._rows(kept[-1], matrix, states)
        return RecordedPass(
            tokens=tuple(self._prepared.tokens[self._kind]),
            place=self._place,
            kind=self._kind.value,
            steps=steps,
            attentions=tuple(self._seen[one] for one in attending),
            logits=numbers,
            read=None if rows is None else steps[-1].vector,
            matrix_rows=rows,
        )

    def _last(self, logits: Any) -> tuple[int, Any]:
        """The step that the head's last matrix reads, or that leaves the last layer; the matrix.

        The matrix is None where no module does it, as where the table of pieces is used again.
        """
        steps = self._trace.steps
        if logits is None:
            end = max((n for n, one in enumerate(steps) if one.ends_row), default=0)
            normed = (n for n, one in enumerate(steps[end + 1 :], end + 1) if _norms(one, end))
            return next(normed, end), None
        for number in range(len(steps) - 1, -1, -1):
            step = steps[number]
            if step.kind is StepKind.MATRIX and self._trace.is_same(step.vector, logits):
                module = next(one for one, path in self._paths.items() if path == step.module)
                return step.given[0], module
        return len(steps) - 1, None

    def _rows(self, last: PassStep, matrix: Any, states: Any) -> Any:
        """From pieces to rows of the head's last matrix; None where they can't be had."""
        weight = getattr(matrix, "weight", None)
        if weight is not None and weight.ndim == 2:
            return lambda ids: weight[list(ids)].detach().float().cpu().numpy()
        module = next((one for one, path in self._paths.items() if path == last.module), None)
        head = self._prepared.head
        if last.row != HEAD_ROW or module is None or head is None:
            return None
        if why_no_gradients(self._model.stamp):
            return None
        return lambda ids: rows_by_gradient(head, module, states, ids)


def _ends(stack: TappedStack) -> list[tuple[str, Tap]]:
    """Where each row's states are; of a layer that is applied again, its first call, too."""
    ends = [(one.name, one.taps[-1]) for one in stack.rows]
    again = next((n for n, (_, tap) in enumerate(ends) if n and tap.call and _repeats(ends, n)), 0)
    if again:
        layer = str(again - 1)
        ends.insert(again, (layer, Tap(ends[again][1].module, 0)))
    return ends


def _repeats(ends: Sequence[tuple[str, Tap]], number: int) -> bool:
    """Whether a row is the first of a decoder that applies the last layer again."""
    name, tap = ends[number]
    return not name.isdecimal() and not any(one.module is tap.module for _, one in ends[:number])


def _norms(step: PassStep, last: int) -> bool:
    """Whether a step is the norm after the last layer (T5, GPT-2)."""
    return step.kind is StepKind.NORM and step.row == HEAD_ROW and step.given == (last,)


def _first_of(kwargs: Any) -> Any:
    return next((one for one in kwargs.values() if hasattr(one, "shape")), None)


def _kind_of(module: Any) -> StepKind:
    """What a module without parts does, by its class and its weights."""
    import torch

    name = type(module).__name__
    weight = getattr(module, "weight", None)
    if isinstance(module, torch.nn.Embedding):
        return StepKind.TABLE
    if "norm" in name.lower():
        return StepKind.NORM
    if isinstance(module, torch.nn.Conv1d):
        return StepKind.CONVOLUTION
    if weight is not None and weight.ndim == 2:
        return StepKind.MATRIX
    return StepKind.ACTIVATION if not any(True for _ in module.parameters()) else StepKind.OTHER
