# SPDX-License-Identifier: MIT
"""The sanitizer for Python programs: their frames in a report."""
import subprocess
import sys

from unpu import places

pytest_plugins = "pytester"

# Two streams use one block of memory; the right one waits for the copy.
PIPELINE = """import acl

BYTES = 4096

def prefetch(npu):
    return acl.rt.memcpy_async(npu.input, BYTES, npu.staging, BYTES, 1, npu.copies)

def step(npu):
    return acl.rt.memcpy_async(npu.result, BYTES, npu.input, BYTES, 3, npu.compute)

class Buffers:
    def __init__(self):
        self.copies, self.compute = acl.rt.create_stream()[0], acl.rt.create_stream()[0]
        self.ready = acl.rt.create_event()[0]
        self.staging = acl.rt.malloc_host(BYTES)[0]
        self.input, self.result = acl.rt.malloc(BYTES, 2)[0], acl.rt.malloc(BYTES, 2)[0]
        assert acl.rt.memset(self.staging, BYTES, 1, BYTES) == 0

    def run(self, waits):
        assert prefetch(self) == 0
        if waits:
            assert acl.rt.record_event(self.ready, self.copies) == 0
            assert acl.rt.stream_wait_event(self.compute, self.ready) == 0
        assert step(self) == 0
        assert acl.rt.synchronize_device() == 0
"""
PREFETCH, STEP = 6, 9  # lines of PIPELINE

def test_program_under_the_tool(pytester):
    """Frames of a module, of more functions than are shown, and of code that has no file."""
    pytester.makepyfile(pipeline=PIPELINE, program="""
        import acl
        import pipeline

        def deep(n, buffers):
            if n:
                deep(n - 1, buffers)
            else:
                exec("buffers.run(waits=False)", {"buffers": buffers})

        assert acl.init() == 0 == acl.rt.set_device(0)
        deep(12, pipeline.Buffers())
        memory, host = acl.rt.malloc(64, 2)[0], acl.rt.malloc_host(64)[0]
        assert acl.rt.memcpy(host, 64, memory, 64, 2) == 0
    """)
    done = subprocess.run([places.program("unpu-san"), "run", "--", sys.executable, "program.py"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 66, done.stderr
    later, = [line for line in done.stderr.splitlines() if line.startswith("  later") and "step()" in line]
    frames = later.partition(", at ")[2].split(" <- ")
    assert frames[0] == f"step() pipeline.py:{STEP}" and frames[1].startswith("run() pipeline.py:")
    assert frames[2] == "<string>:1" and frames[3] == "deep() program.py:8" and len(frames) == 8, frames
    assert set(frames[4:]) == {"deep() program.py:6"}
    assert "UNINIT" in done.stderr and ", at program.py:13\n" in done.stderr, done.stderr


def test_more_places_than_are_kept(pytester):
    """Calls from one place leave no object; code that is made anew has its own lines, also when nothing more is kept."""
    pytester.makepyfile(pipeline=PIPELINE, program="""
        import sys
        import acl
        import pipeline

        def call(times):
            for _ in range(times):
                acl.rt.get_device()

        assert acl.init() == 0 == acl.rt.set_device(0)
        call(100)
        before = sys.getallocatedblocks()
        call(10000)
        assert sys.getallocatedblocks() < before + 100
        buffers = pipeline.Buffers()
        for i in range(5000):
            exec(compile("acl.rt.get_device()", f"made_{i}.py", "exec"))
        exec(compile("pipeline.prefetch(buffers)", "made_before.py", "exec"))
        exec(compile("\\n" * 41 + "pipeline.step(buffers)", "made_last.py", "exec"))
        assert acl.rt.synchronize_device() == 0
    """)
    done = subprocess.run([places.program("unpu-san"), "run", "--", sys.executable, "program.py"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 66, done.stderr
    assert f"at step() pipeline.py:{STEP} <- made_last.py:42 <- program.py:18\n" in done.stderr, done.stderr
    assert f"at prefetch() pipeline.py:{PREFETCH} <- made_before.py:1 <- program.py:17\n" in done.stderr, done.stderr
