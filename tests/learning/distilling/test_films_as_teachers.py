"""A bundled film's frame teaches: its weights are read as they are stored, beside its numbers."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from explorer.api.question import UserMistake
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.presets import PRESETS
from explorer.learning.distilling.teachers.outline import name_of, outline_of, teacher_folder
from explorer.learning.distilling.teachers.teacher import loaded_teacher
from explorer.series.row_scales import FILE

NAME = PRESETS["film"].teacher


def test_a_frame_of_a_film_is_found_by_its_name():
    folder = teacher_folder(NAME)
    film, _, step = NAME.partition("@step")
    assert (folder.parent.name, folder.name) == (film, f"checkpoint-{step}")
    assert teacher_folder(film) == folder
    assert name_of(folder) == NAME
    # A film by its name is its last frame, and a plan says which that was.
    assert DistilPlan(teacher=film).anchored().teacher == NAME
    outline = outline_of(NAME)
    assert (outline.name, outline.layers, outline.width) == (film, 2, 32)


def test_it_teaches_with_the_weights_that_are_stored():
    folder = teacher_folder(NAME)
    teacher = loaded_teacher("any", folder)
    stored = load_file(folder / FILE)
    had = teacher.model.state_dict()
    for name, whole in stored.items():
        if name.endswith(".row_scale"):
            continue
        scales = stored.get(f"{name}.row_scale")
        told = whole if scales is None else whole.astype(np.float32) * scales[:, None]
        assert np.allclose(had[name].numpy(), told, rtol=1e-6, atol=0), name
    assert not {name for name in had if name not in stored} - {
        "cls.predictions.decoder.weight",
        "cls.predictions.decoder.bias",
        "bert.embeddings.position_ids",
        "bert.embeddings.token_type_ids",
    }
    assert not teacher.model.training
    assert teacher.tokenizer.tokenize("the chef cooked the soup .")[1] == "chef"


def test_a_frame_that_lacks_weights_does_not_teach(tmp_path):
    whole = teacher_folder(NAME)
    film = tmp_path / "film"
    shutil.copytree(whole.parent, film)
    frame = film / whole.name
    assert loaded_teacher("copied", frame).model is not None
    stored = load_file(frame / FILE)
    lost = "cls.predictions.transform.dense.weight"
    kept = {name: one for name, one in stored.items() if not name.startswith(lost)}
    assert len(kept) < len(stored)
    save_file(kept, frame / FILE)
    with pytest.raises(UserMistake, match=lost):
        loaded_teacher("damaged", frame)
