"""An invented blog, and a vault that is built of it again and again; for tests of the vault."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kbexport.config import Config
from kbexport.models import Asset
from kbexport.pipeline import build_vault, read_posts
from kbexport.vault import Plan

NIGHTS = "零 点灯 擦镜 听雾 换油 数船 补墙 收旗 看潮".split()


def part(number: int, **more: object) -> dict[str, Any]:
    """A part of the numbered series 灯塔手记."""
    return {
        "title": f"灯塔手记({number}) {NIGHTS[number]}",
        "url": f"https://blog.example/p/{number}",
        "published": f"2024-05-{number:02}",
        "reads": 100 + number,
        "body_markdown": f"第{number}晚的灯。",
        **more,
    }


GULL: dict[str, Any] = {
    "title": "[杂记] 海鸥",
    "published": "2024-06-01",
    "body_markdown": "海鸥又来了。",
}


def written(path: Path, *posts: dict[str, Any]) -> Path:
    """A source in the interchange format that holds these posts."""
    path.write_text("".join(json.dumps(post, ensure_ascii=False) + "\n" for post in posts))
    return path


def quick_folder() -> Path:
    """A new folder, on a disk in memory where there is one."""
    memory = Path("/dev/shm")  # noqa: S108 - no secrets lie there
    return Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))


class Blog:
    """A blog of which a vault is built, and built again."""

    def __init__(self, folder: Path) -> None:
        self.vault = folder / "vault"
        self.state = self.vault / ".kbexport"
        self.source = folder / "posts.jsonl"

    def build(
        self,
        *posts: dict[str, Any],
        assets: Iterable[Asset] = (),
        fetched: Mapping[str, Asset] | None = None,
        dry_run: bool = False,
        **options: Any,  # noqa: ANN401
    ) -> Plan:
        """Bring the vault up to date with these posts, and with files that came with them."""
        written(self.source, *posts)
        config = Config(sources=(self.source,), out=self.vault, **options)
        reading = replace(read_posts(config), assets=tuple(assets), fetched=fetched or {})
        return build_vault(config, reading, dry_run=dry_run)

    def note(self, stem: str) -> Path:
        """The one note of this name."""
        (path,) = self.notes(stem)
        return path

    def notes(self, stem: str = "*") -> list[Path]:
        """All notes, or those of this name."""
        return [path for path in self.vault.rglob(f"{stem}.md") if ".kbexport" not in path.parts]

    def files(self) -> dict[str, tuple[bytes, int, int]]:
        """Each file: its bytes, when it was written, and which file it is."""
        return {
            path.relative_to(self.vault).as_posix(): (
                path.read_bytes(),
                path.stat().st_mtime_ns,
                path.stat().st_ino,
            )
            for path in sorted(self.vault.rglob("*"))
            if path.is_file()
        }

    def records(self) -> list[dict[str, Any]]:
        """The lines of the manifest after its header."""
        lines = (self.state / "manifest.jsonl").read_text().splitlines()[1:]
        return [json.loads(line) for line in lines]
