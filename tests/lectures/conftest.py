"""One player for all tests of a worker: its models stay loaded from scene to scene."""

from collections.abc import Callable

import pytest

from explorer.lectures import Scene
from explorer.lectures.playing import Played, Player
from explorer.paths import Paths
from explorer.program import Program


@pytest.fixture(scope="session")
def player(tmp_path_factory: pytest.TempPathFactory) -> Player:
    profile = tmp_path_factory.mktemp("lectures") / "profile"
    return Player(Program(Paths.profile(profile), device="cpu"))


@pytest.fixture(scope="session")
def played(player: Player) -> Callable[[Scene], Played]:
    """Play a scene, once."""
    kept: dict[str, Played] = {}

    def play(scene: Scene) -> Played:
        if scene.name not in kept:
            kept[scene.name] = player.play(scene)
        return kept[scene.name]

    return play
