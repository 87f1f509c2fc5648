"""A vault, opened for one run: locked, read once, changed only by `apply`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from kbexport.errors import KbexportError, VaultError
from kbexport.flavors import FLAVORS
from kbexport.models import OnStep, Problem
from kbexport.vault.assets import loaders, without_assets
from kbexport.vault.changes import WRITES, Action, Change
from kbexport.vault.lock import lock
from kbexport.vault.plan import Plan, with_skipped
from kbexport.vault.scan import STATE, enclosing_vault, real_path
from kbexport.vault.snapshot import Restore, Snapshot, take_snapshot
from kbexport.vault.state import ADDRESSES, FIXED_FILES, MANIFEST, Manifest, base_path
from kbexport.vault.write import Kind, Operation, Writer, explain, perform


class Vault:
    """The folder of notes that the user opens and edits."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._root = snapshot.root

    @classmethod
    @contextmanager
    def open(cls, root: Path, restore: Restore, *, read_only: bool = False) -> Iterator[Vault]:
        """Read a vault, and keep other runs out of it until the end of the block.

        A read-only vault is neither made nor locked. Raises VaultError.
        """
        _refuse_other_than_folder(root)
        if read_only:
            yield cls(take_snapshot(root, restore))
            return
        made = _make_state_folder(root)
        try:
            with lock(root / STATE / "lock"):
                yield cls(take_snapshot(root, restore))
        except KbexportError:
            if not os.path.lexists(root / MANIFEST):
                _remove_empty(made, root / STATE / "lock")
            raise

    @cached_property
    def encloser(self) -> Path | None:
        """The folder above that an app opens as a vault, if there is one."""
        return enclosing_vault(self._root)

    @property
    def home_name(self) -> str:
        """Name of the starting note: inside a bigger vault it is called after the blog's folder."""
        return real_path(self._root).name if self.encloser else "Home"

    @property
    def folder_in_app(self) -> str:
        """Where the vault lies in the folder that the app opens; empty where it is that one."""
        inside = real_path(self._root).relative_to(self.encloser) if self.encloser else Path()
        return "" if inside == Path() else inside.as_posix()

    def choose_flavor(self, wanted: str) -> str:
        """The flavor of this vault; rule: `design.md`, `--flavor auto`. Raises VaultError."""
        written = self.snapshot.flavor
        if written is not None and written not in FLAVORS:
            problem = f"is in flavor {written}, which this kbexport does not know"
            raise VaultError(str(self._root), problem, "upgrade kbexport")
        if written is not None and (wanted == "auto" or not self.snapshot.is_new):
            if wanted not in ("auto", written):
                raise VaultError(
                    str(self._root),
                    f"its notes are in flavor {written}, not {wanted}",
                    f"leave --flavor out, or build {wanted} into another folder",
                )
            return written
        if wanted != "auto":
            return wanted
        for folder in filter(None, (self._root, self.encloser)):
            obsidian, logseq = (os.path.isdir(folder / app) for app in (".obsidian", "logseq"))
            if obsidian or logseq:
                both = obsidian and logseq
                return "both" if both else "obsidian" if obsidian else "logseq"
        return "both"

    def absent_app_files(self, files: Mapping[str, str]) -> dict[str, str]:
        """Of the files of the apps those to ship: in a new vault of its own, where absent."""
        if not self.snapshot.is_new or self.encloser is not None:
            return {}
        return {path: text for path, text in files.items() if not self._is_there(path)}

    def _is_there(self, path: str) -> bool:
        """Whether there is such a file already; behind a symlink all count as there."""
        target = self._root / path
        return os.path.lexists(target) or target.parent.is_symlink()

    def apply(self, plan: Plan, *, on_step: OnStep | None = None) -> Plan:
        """Carry a plan out; what could not be written is in the plan that comes back.

        Raises VaultError where the disk is full or failing, or the state cannot be written;
        every note is then whole, and the next run finishes the job.
        """
        if not self._is_needed(plan):
            return plan
        writer = Writer(self._root)
        try:
            return self._apply(plan, writer, on_step)
        except OSError as error:
            writer.clear()
            place, problem = explain(error, self._root)
            raise VaultError(place, problem, "move it away, or mend its permissions") from error

    def _is_needed(self, plan: Plan) -> bool:
        writes = any(change.action in WRITES for change in plan.changes)
        state = plan.posts or plan.bases or plan.stale_bases or plan.app_files or plan.addresses
        aside = plan.parked or plan.stale_parked
        files = plan.assets or plan.downloads
        return bool(writes or state or aside or files) or plan.manifest != self.snapshot.manifest

    def _apply(self, plan: Plan, writer: Writer, on_step: OnStep | None) -> Plan:
        bases = {base_path(base): text for base, text in plan.bases.items()}
        notes = {change.path: change.after for change in plan.changes if change.after is not None}
        texts = {**self._fixed(plan), **self._removals(plan), **bases, **plan.parked}
        unread: dict[str, Problem] = {}
        files = loaders(plan.assets, unread)
        staged = writer.stage({**texts, **notes, **plan.posts, **plan.app_files, **files})
        for path in texts:
            writer.replace(staged[path], path)
        unwritten = unread | self._name_new(
            [path for path in files if path in staged], writer, staged
        )
        writer.barrier()

        reasons = {}
        for done_so_far, change in enumerate(plan.changes, start=1):
            if reason := self._carry_out(change, writer, staged):
                reasons[change.uid] = reason
            if on_step:
                on_step("writing", done_so_far, len(plan.changes))
        unshipped = self._name_new(plan.app_files, writer, staged)
        writer.barrier()

        done = with_skipped(plan, reasons, self.snapshot)
        done = without_assets(done, unwritten)
        # Of a folder that cannot be written one line is enough.
        news = dict.fromkeys([*unwritten.values(), *unshipped.values()])
        done = replace(done, problems=(*done.problems, *news))
        for path in done.posts:
            writer.replace(staged[path], path)
        self._write_state(writer, self._records(done))
        writer.barrier()
        for path in (*map(base_path, done.stale_bases), *done.stale_parked, *done.downloads):
            writer.remove(path)
        writer.clear()
        return done

    def _records(self, done: Plan) -> dict[str, str]:
        """What of the records of all notes and pictures has changed."""
        records = {}
        if done.manifest != self.snapshot.manifest:
            records[MANIFEST] = done.manifest.text
        if done.addresses is not None:
            records[ADDRESSES] = done.addresses.text
        return records

    def _removals(self, plan: Plan) -> dict[str, str]:
        """A manifest that says what is about to be removed, where something is.

        Else a note that a killed run has removed would count as deleted by its owner.
        """
        going = {change.uid for change in plan.changes if change.action is Action.REMOVE}
        known = self.snapshot.records
        if not going & known.keys():
            return {}
        records = {
            uid: record.model_copy(update={"going": uid in going}) for uid, record in known.items()
        }
        return {MANIFEST: Manifest(plan.manifest.flavor, records).text}

    def _fixed(self, plan: Plan) -> dict[str, str]:
        """What git must know, and an empty manifest, where there is none yet.

        Without it a first run that crashes among its notes would look like a loss of state.
        """
        fixed = {
            path: text for path, text in FIXED_FILES.items() if not (self._root / path).is_file()
        }
        if self.snapshot.manifest is None and not self.snapshot.lost:
            fixed[MANIFEST] = Manifest(plan.manifest.flavor).text
        return fixed

    def _write_state(self, writer: Writer, files: Mapping[str, str]) -> None:
        for path, staged in writer.stage(files).items():
            writer.replace(staged, path)

    def _carry_out(self, change: Change, writer: Writer, staged: Mapping[str, Path]) -> str | None:
        """Write or remove one note; why it was skipped, where it was."""
        try:
            match change.action:
                case Action.CREATE:
                    writer.create(staged[change.path], change.path)
                    done = True
                case Action.UPDATE | Action.MERGE | Action.CONFLICT:
                    done = writer.replace_if(staged[change.path], change.path, change.before)
                case Action.REMOVE:
                    done = writer.remove_if(change.path, change.before)
                case _:
                    done = True
        except OSError as error:
            place, problem = explain(error, self._root)
            return f"{place} {problem}; the next run tries again"
        return None if done else "it changed while kbexport ran; the next run tries again"

    def _name_new(
        self, paths: Iterable[str], writer: Writer, staged: Mapping[str, Path]
    ) -> dict[str, Problem]:
        """Give files that are not there yet their names; why not, for those that cannot have it."""
        problems = {}
        for path in paths:
            try:
                writer.create(staged[path], path)
            except OSError as error:
                place, problem = explain(error, self._root)
                problems[path] = Problem(source=place, reason=f"{problem}: not written")
        return problems


def _refuse_other_than_folder(root: Path) -> None:
    try:
        is_folder = root.is_dir() or not root.exists()
    except OSError as error:
        raise VaultError(
            str(root), error.strerror or "cannot be read", "choose another --out"
        ) from error
    if not is_folder:
        raise VaultError(str(root), "is a file, not a folder", "choose another --out")


def _make_state_folder(root: Path) -> list[Path]:
    """Make the folder of the state, and the vault's; those that were made, inner ones first."""
    state = root / STATE
    if state.is_symlink():
        raise VaultError(str(state), "is a symlink", "kbexport writes only inside the vault")
    if os.path.isfile(state):
        raise VaultError(str(state), "is a file, not a folder", "move it away")
    made = [folder for folder in (state, root, *root.parents) if not os.path.lexists(folder)]
    try:
        for folder in reversed(made):
            perform(Operation(Kind.MKDIR, folder))
    except OSError as error:
        problem = error.strerror or "cannot be written"
        raise VaultError(str(root), problem, "choose another --out") from error
    return made


def _remove_empty(made: list[Path], lock_file: Path) -> None:
    """Take back the folders of a run that wrote nothing."""
    if made and list(lock_file.parent.iterdir()) == [lock_file]:
        perform(Operation(Kind.UNLINK, lock_file))
        for folder in made:
            perform(Operation(Kind.RMDIR, folder))
