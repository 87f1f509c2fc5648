"""Where the pictures and files lie that bodies name: in the vault, or on the web."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kbexport.assets import asset_of, hash_of, is_shown
from kbexport.content.scope import PlaceFile
from kbexport.models import CollatedPost
from kbexport.text.urls import web_address


@dataclass(frozen=True)
class Files:
    """What is known of the files that bodies name."""

    paths: Mapping[str, str] = field(default_factory=dict)
    """Hash -> where the file of that content lies in the vault, or will lie."""
    fetched: Mapping[str, str] = field(default_factory=dict)
    """Address of a picture on the web -> the asset that was made of it."""

    def placed(self, post: CollatedPost, note: str, remote: dict[str, str]) -> PlaceFile:
        """How the body of a post names its files in a note at this path of the vault.

        A path leads up from the note's folder, which both apps read alike (`formats.md`,
        section 3). Pictures that stay on the web are put into ``remote``, with the post's address.
        """
        up = "../" * note.count("/")

        def place(address: str, picture: bool) -> tuple[str, bool]:
            asset = asset_of(address)
            if asset is None and picture:
                web = web_address(address)
                asset = self.fetched.get(web) if web else None
                if web and not asset:
                    remote.setdefault(web, post.url or "")
            if asset is None:
                return address, picture
            path = self.paths.get(hash_of(asset), asset)
            return up + path, picture and is_shown(path)

        return place
