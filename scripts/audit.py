"""Looks for known vulnerabilities in what requirements/lock.txt pins: python scripts/audit.py.

pip-audit, which asks the package index, runs from a virtual environment of its own. What could not
be asked is said, and never counts as audited: exit code 0 means that everything was, and is fine.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".venv" / "audit"
LOCK = ROOT / "requirements" / "lock.txt"


def main() -> int:
    """Audit, print what was found, and return the exit code."""
    tool = ENVIRONMENT / "bin" / "pip-audit"
    if not tool.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        install = [ENVIRONMENT / "bin" / "python", "-m", "pip", "install", "--quiet", "pip-audit"]
        if subprocess.run(install).returncode:
            print("pip-audit cannot be installed; is the package index reachable? Not audited.")
            return 1
    words = [tool, "--no-deps", "--disable-pip", "--format", "json", "-r", LOCK]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        print("the service of the package index cannot be reached. Not audited.")
        print(done.stderr.strip()[-400:])
        return 1
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    known = [
        f"{one['name']} {one['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'no version yet'}"
        for one in packages
        for found in one.get("vulns", ())
    ]
    print(f"audited {len(packages) - len(skipped)} of {len(packages)} packages")
    if skipped:
        print(f"not known to the service, so not audited: {', '.join(skipped)}")
    print("\n".join(known) or "no vulnerability is known of those audited")
    return int(bool(known or skipped))


if __name__ == "__main__":
    sys.exit(main())
