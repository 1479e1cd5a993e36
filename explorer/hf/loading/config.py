"""A checkpoint's config as transformers has it, and what is told where it makes no model."""

from collections.abc import Callable
from typing import Any

from explorer.api.family import CheckpointFault, Files
from explorer.hf.loading.building import ALONE, unfilled
from explorer.hf.loading.config_fields import CORRECT_IT, at_fault, own_fields, refuse_endless
from explorer.text import N_
from explorer.text.printable import first_line


def read_config(model_class: Any, files: Files) -> Any:
    """The transformers config of a checkpoint, for a model class.

    Raises:
        CheckpointFault: Its values make no model.
    """
    if "quantization_config" in files.config:
        raise CheckpointFault(
            N_("{name} is quantised, which is not supported."),
            N_("Choose the checkpoint it was made from."),
            name=files.name,
        )
    given = own_fields(files.config)
    refuse_endless(given)
    try:
        return model_class.config_class.from_dict(dict(given))
    except Exception as error:
        fields = at_fault(given, model_class.config_class.from_dict)
        raise CheckpointFault(
            N_("config.json does not describe a {name}: {fields} ({first_line}).")
            if fields
            else N_("config.json does not describe a {name} ({first_line})."),
            CORRECT_IT,
            name=model_class.__name__,
            fields=fields,
            first_line=first_line(error),
        ) from error


def unbuildable(
    model_class: Any,
    config: Any,
    error: Exception,
    run: Callable[[Any], object] | None = None,
) -> CheckpointFault:
    """The fault of a config that a class makes no model of, or one that does not run.

    Args:
        model_class: The class.
        config: Its config.
        error: What came of it.
        run: Lets a text go through a module without weights, where it failed only then.
    """

    def attempt(given: dict[str, Any]) -> None:
        made = unfilled(model_class, model_class.config_class.from_dict(given), ALONE)
        if run is not None:
            run(made)

    usual = model_class.config_class().to_dict()
    fields = at_fault(own_fields(config.to_dict()), attempt, usual)
    return CheckpointFault(
        N_("No {name} can be made of these files: {fields} ({first_line}).")
        if fields
        else N_("No {name} can be made of these files ({first_line})."),
        CORRECT_IT if fields else N_("config.json and the weights may belong to different models."),
        name=model_class.__name__,
        fields=fields,
        first_line=first_line(error),
    )
