"""bertviz' own page, made to stand alone: its scripts come from installed packages."""

import json
import re
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from explorer.api.question import MachineFault, Token
from explorer.hf.attention.weights import AttendingStack
from explorer.questions.attention.bertviz.colours import style_of
from explorer.text import N_

SCRIPTS = (
    ("XStatic-jQuery", "xstatic/pkg/jquery/data/jquery.min.js"),
    # The third version, which mpld3 brings too, draws no model view.
    ("mpld3", "mpld3/js/d3.v5.min.js"),
)
"""Packages and the script in each that bertviz would fetch from the network."""

LOADER = (
    '<script src="https://cdnjs.cloudflare.com/ajax/libs/require.js/2.3.6/require.min.js"></script>'
)
"""What bertviz puts at the beginning of its page."""

SHIM = "window.requirejs = function (_names, run) { run(window.jQuery, window.d3); };\n"
"""All that is used of require.js: both scripts are there already."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'"
)
"""The page may run what is in it, and fetch nothing."""

COLUMNS, SQUARE = 335, 20
"""Pixels of the head view: its columns of tokens with the lines between, and a head's square."""

DIGITS = 4
"""Decimals of a weight in the page; bertviz uses them as opacities."""

_LESS = "\ue000"
"""Stands for "<" until the page is made; in JSON it then becomes an escape."""


def page_of(
    tokenizer: Any,
    stacks: Mapping[str, AttendingStack],
    *,
    view: str,
    dark: bool,
    from_right: bool = False,
    digits: int | None = DIGITS,
) -> str:
    """The HTML of bertviz for a model's attention.

    Args:
        tokenizer: Whose tokens they are.
        stacks: By kind.
        view: "head" or "model".
        dark: Light on dark.
        from_right: The text runs from the right: the head view's columns do so, too.
        digits: Decimals of a weight; None for all of them, as bertviz writes them.

    Raises:
        MachineFault: bertviz or a script it needs is not installed.
    """
    scripts = [_script(*one) for one in SCRIPTS]
    try:
        from bertviz import head_view, model_view
    except ImportError as error:
        raise _missing("bertviz", error) from error
    arguments = _arguments(tokenizer, stacks, digits)
    # It leaves the file of its script open until Python closes it.
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        if view == "model":
            mode = "dark" if dark else "light"
            made = model_view(**arguments, display_mode=mode, html_action="return")
        else:
            made = head_view(**arguments, html_action="return")
    body = str(made.data)
    if LOADER not in body:
        raise MachineFault(
            N_("The installed bertviz makes another page than this program knows."),
            N_("Install the version named in constraints.txt."),
        )
    # Its configuration only names addresses that nothing asks for any more.
    body = re.sub(r"require\.config\(\{.*?\}\);\s*", "", body, count=1, flags=re.DOTALL)
    heads = next(iter(stacks.values())).heads
    mirrored = _mirrored(heads) if view == "head" and from_right else ""
    body = body.replace(LOADER, "", 1).replace(_escaped(_LESS), "\\u003c")
    # Its element is named by chance, so that a notebook can hold several; here there is one.
    body = re.sub(r"bertviz-[0-9a-f]{32}", "bertviz-page", body)
    head = "\n".join(f"<script>\n{one}\n</script>" for one in (*scripts, SHIM))
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>bertviz {view} view</title>\n"
        f"{style_of(dark=dark, of_model=view == 'model')}{mirrored}\n"
        f"{head}\n</head><body>\n{body}\n</body></html>\n"
    )


def _arguments(
    tokenizer: Any, stacks: Mapping[str, AttendingStack], digits: int | None
) -> dict[str, Any]:
    """As bertviz takes them: tensors of batch, heads, queries and keys, and tokens."""
    import torch

    def tensors(stack: AttendingStack) -> list[Any]:
        layers = [torch.from_numpy(layer)[None] for layer in stack.weights]
        if digits is None:
            return layers
        # As float64, a rounded number is written with few digits; a page is three times smaller.
        return [layer.double().round(decimals=digits) for layer in layers]

    if "cross" in stacks:
        return {
            "encoder_attention": tensors(stacks["encoder"]),
            "decoder_attention": tensors(stacks["decoder"]),
            "cross_attention": tensors(stacks["cross"]),
            "encoder_tokens": _names(tokenizer, stacks["cross"].keys),
            "decoder_tokens": _names(tokenizer, stacks["cross"].queries),
        }
    stack = next(iter(stacks.values()))
    second = [position for position, token in enumerate(stack.queries) if token.part == 1]
    return {
        "attention": tensors(stack),
        "tokens": _names(tokenizer, stack.queries),
        "sentence_b_start": second[0] if second else None,
    }


def _mirrored(heads: int) -> str:
    """The head view as in a mirror, but for its words: its script knows but one place for each."""
    wide = max(COLUMNS, heads * SQUARE)
    return (
        f"<style>#bertviz-page {{ width: {wide}px; text-align: right; }} "
        "svg { transform: scaleX(-1); } svg text { "
        "transform: scaleX(-1); transform-box: fill-box; transform-origin: center; }</style>"
    )


def _names(tokenizer: Any, tokens: Sequence[Token]) -> list[str]:
    """Pieces as the tokenizer has them; bertviz takes marks of spaces off by itself.

    Byte-level pieces of letters beyond ASCII are made readable, which bertviz does not.
    """
    from explorer.hf.text.vocabularies.pieces import written

    names = []
    for token in tokens:
        name = token.text
        if not name.isascii() and not (token.special or token.masked or token.reserved):
            name = written(tokenizer, name)
        names.append(name.replace("<", _LESS))
    return names


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]


def _script(package: str, path: str) -> str:
    try:
        found = Path(str(distribution(package).locate_file(path)))
        return found.read_text(encoding="utf-8")
    except (PackageNotFoundError, OSError) as error:
        raise _missing(package, error) from error


def _missing(package: str, error: BaseException) -> MachineFault:
    return MachineFault(
        N_("{package}, which draws this page, is not installed ({error})."),
        N_("Install it: pip install {package}."),
        package=package,
        error=error,
    )
