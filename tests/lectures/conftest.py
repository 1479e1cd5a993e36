"""One player for all tests of a worker: each model is loaded once, each scene played once."""

from collections.abc import Callable

import pytest

from explorer.lectures import Scene
from explorer.lectures.playing import Played, ScenePlayer
from explorer.paths import Paths
from explorer.program import Program
from tests.hf import kept


@pytest.fixture(scope="session")
def one_player(tmp_path_factory: pytest.TempPathFactory) -> ScenePlayer:
    profile = tmp_path_factory.mktemp("lectures") / "profile"
    return ScenePlayer(Program(Paths.profile(profile), device="cpu"))


@pytest.fixture
def player(one_player: ScenePlayer, monkeypatch: pytest.MonkeyPatch) -> ScenePlayer:
    """Is lent models as long as a test lasts: what comes after loads its own."""
    kept.lend_to_commands(monkeypatch)
    return one_player


@pytest.fixture(scope="session")
def known() -> dict[str, Played]:
    """Scenes that were played, by their names."""
    return {}


@pytest.fixture
def played(player: ScenePlayer, known: dict[str, Played]) -> Callable[[Scene], Played]:
    """Play a scene, once."""

    def play(scene: Scene) -> Played:
        if scene.name not in known:
            known[scene.name] = player.play(scene)
        return known[scene.name]

    return play
