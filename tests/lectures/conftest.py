"""One player for all tests of a worker: each model is loaded once."""

from collections.abc import Callable, Iterator

import pytest

from explorer.lectures import Scene
from explorer.lectures.playing import Played, ScenePlayer
from explorer.paths import Paths
from explorer.program import Program
from tests.hf import kept


@pytest.fixture(scope="session")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScenePlayer]:
    profile = tmp_path_factory.mktemp("lectures") / "profile"
    with pytest.MonkeyPatch.context() as patch:
        kept.lend_to_commands(patch)
        yield ScenePlayer(Program(Paths.profile(profile), device="cpu"))


@pytest.fixture(scope="session")
def played(player: ScenePlayer) -> Callable[[Scene], Played]:
    """Play a scene, once."""
    known: dict[str, Played] = {}

    def play(scene: Scene) -> Played:
        if scene.name not in known:
            known[scene.name] = player.play(scene)
        return known[scene.name]

    return play
