"""One run at a time: a lock that names its owner and vanishes with it, however it ends."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from silverspan.errors import WorkspaceError

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows)
    fcntl = None  # type: ignore[assignment]  # checked where it is used


@contextmanager
def locked(workspace: Path) -> Iterator[None]:
    """Hold the workspace for the time of the block.

    Raises:
        WorkspaceError: another process holds it; the message names it.
    """
    workspace.mkdir(parents=True, exist_ok=True)
    path = workspace / "lock"
    with path.open("a+", encoding="utf-8") as file:
        if fcntl is not None:
            try:
                # The system lets go when the process dies, so no stale lock can stay behind.
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise WorkspaceError(
                    f"in use by {_owner(path)}; wait for it, or stop it", path=workspace
                ) from None
        file.truncate(0)
        owner = {
            "process": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        file.write(json.dumps(owner))
        file.flush()
        yield


def _owner(path: Path) -> str:
    try:
        owner = json.loads(path.read_text(encoding="utf-8"))
        return f"process {owner['process']} on {owner['host']} since {owner['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
