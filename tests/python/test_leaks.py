# SPDX-License-Identifier: MIT
"""No call leaves memory behind, whether it succeeds, is refused, or gets arguments of other types."""
import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif("UNPU_SANITIZED" in os.environ, reason="a sanitizer keeps freed memory")

# Sentences, caches and dicts grow now and then; a leak grows with each call.
MOST_BLOCKS, MOST_BYTES = 0.1, 4.0


@pytest.fixture(scope="module")
def left():
    script = os.path.join(os.path.dirname(__file__), "leaks.py")
    done = subprocess.run([sys.executable, "-W", "ignore", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_count_finds_a_leak():
    """The measure itself: a function that keeps one object a call."""
    code = ("import leaks\nkept = []\n"
            "print(*leaks.left(lambda: kept.append(object())))")
    done = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(__file__), capture_output=True, text=True,
                          check=True)
    assert float(done.stdout.split()[0]) >= 0.9


def test_no_call_leaves_memory(left):
    assert len(left) > 500
    bad = {name: pair for name, pair in left.items()
           if any(blocks > MOST_BLOCKS or size > MOST_BYTES for blocks, size in pair)}
    assert not bad
