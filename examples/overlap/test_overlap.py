# SPDX-License-Identifier: MIT
"""A test of overlap that no load of the machine makes fail. OVERLAP is the path of the program."""
import os

import pytest

PROGRAM = os.environ.get("OVERLAP", "./overlap")


def test_copies_overlap_products(npu_time):
    npu_time([PROGRAM], "overlap(copy_in, matmul) > 80%", "overlap(copy_out, copy_in) > 60%", "elapsed < 250us")


def test_the_mistake_is_found(npu_time):
    with pytest.raises(pytest.fail.Exception, match="fails: overlap"):
        npu_time([PROGRAM, "broken"], "overlap(copy_in, matmul) > 80%")
