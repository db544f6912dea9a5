# SPDX-License-Identifier: MIT
"""What the blocks of the pages are, for check_page.py: how each begins, in the order of the page, and how it is checked. A block
that is not here is wrong."""
from dataclasses import dataclass, field


@dataclass
class Run:
    """Commands, and what they print if they begin with "$ "."""
    vary: tuple = ()  # patterns of what differs from run to run, or between machines
    makes: tuple = ()  # files
    ends: int = 0
    device: str = ""  # UNPU_DEVICE, where the page does not say it and what other programs do would be seen
    any_order: bool = False  # of the lines of several programs
    without: dict = field(default_factory=dict)  # lines that are not run, and why


@dataclass
class Part:
    """A part of what the last block printed, or what these commands print."""
    of: str = ""
    vary: tuple = ()


@dataclass
class C:
    """Lines of a function in C."""
    before: str
    variables: str = ""


@dataclass
class Devices:
    """Device strings, with each of which the examples run."""


@dataclass
class Data:
    """JSON."""


@dataclass
class Skip:
    reason: str


UNIT = r"(?:B|KiB|MiB|GiB)"
# Lines of unpu-info about the machine and about time.
INFO = tuple(rf"(?<=^  {name} ) +.*" for name in (
    "nodes", "cpus", "membarrier", "memory", "page", "huge_page", "huge_pages_free", "thp", "memlock_limit", "pid", "features",
    "generation", "engines", "node", "placement", "sleeping", "uptime_ns", "busy_ns", "engines_busy_ns", "kicks")) + (
        r"(?<=^       0 ) +\d+ +\S+",)
OBJECT = r"\b0x[0-9a-f]+"
# The program hangs, so it is killed once the log has the line.
CIRCLE = """firmware-sim --listen /tmp/npu --memory 64M --watchdog-ms 300 2>log &
UNPU_DEVICE=unix:/tmp/npu mistakes hang-of-streams-in-a-circle &
until grep -q 'wait for each other' log; do sleep 0.05; done
kill -9 $!
sed 's/^[^ ]* //' log"""
ACL = "#include <acl/acl.h>"

CUDA_PROGRAM = """#include <cuda.h>
#include <unistd.h>
static void wait(void *data) { (void)data; usleep(200000); }
int main(void)
{
	CUcontext context; CUstream stream; CUevent event; CUmodule module;
	if (cuInit(0) || cuCtxCreate(&context, NULL, 0, 0) || cuStreamCreate(&stream, 0) || cuEventCreate(&event, 0))
		return 1;
	if (cuLaunchHostFunc(stream, wait, NULL) || cuEventRecord(event, stream) || cuEventQuery(event) != CUDA_ERROR_NOT_READY)
		return 2;
	if (cuModuleLoad(&module, "kernels") != CUDA_ERROR_NOT_SUPPORTED)
		return 3;
	return cuCtxSynchronize() || cuCtxDestroy(context);
}
"""
# Failures of the program above, which the first block of the page has built.
CUDA_FAILURES = ". $T/set_env.sh --cuda; UNPU_LOG_ERRORS=2 ./a.out"

PAGES = {
    "ascendcl": (
        ("cmake --preset release", Skip("builds all; the test toolkit installs a build")),
        (". $T/set_env.sh", Run()),
        ("UNPU_DEVICE=sim:memory=1G", Devices()),
        ("#include <unpu/unpu.h>", C(ACL + "\n#include <unpu/unpu.h>", "aclrtStream stream = 0; aclrtStreamStatus status;\n")),
        ("{\n\t\"defaultDevice\"", Data()),
        ("export INSTALL_DIR=", Run()),
        ("mkdir -p /usr/local/Ascend", Skip("as root; the test toolkit has the places")),
    ),
    "cuda": (
        (". $T/set_env.sh --cuda", Run()),
        ("firmware-sim --listen", Run()),
        ("unpu: CUDA_ERROR_NOT_READY", Part(CUDA_FAILURES, vary=(OBJECT, r"(?<=call\s)\d+", r"(?<=thread\s)\d+", r"(?<=packet )\d+",
                                                                 r"(?<=has done )\d+"))),
        ("unpu: CUDA_ERROR_NOT_SUPPORTED", Part(CUDA_FAILURES)),
    ),
    "debugging": (
        ("(gdb) info locals", Skip("gdb; the test tools.printers")),
        ("firmware-sim --listen", Run(ends=1)),
        ("client channel state", Part(vary=(r"\d+ ms",))),
        ("aclrtSynchronizeStream(stream): error 507010", Part()),
        ("unpu: KERNEL_TRAP: stream 0", Part("UNPU_LOG_ERRORS=1 UNPU_DEVICE='sim:faults=fail:op=fill' ./program")),
        ("UNPU_DEVICE='sim:caller-runs=off", Run(makes=("trace.json",))),
    ),
    "process-mode": (
        ("firmware-sim --listen", Run()),
    ),
    "sharing": (
        ("firmware-sim --listen", Run()),
        ("$ firmware-sim --listen", Run(any_order=True)),
        ("unpu_file weights;", C("#include <acl/acl.h>\n#include <unpu/file.h>", "int fd = 0; void *device_memory = 0; aclrtStream stream = 0; "
                                 "const uint64_t bytes = 1;\n")),
    ),
    "tools": (
        ("unpu run --device", Run(makes=("trace.json",), without={
            "unpu kernel debug --break add -- ./program": "gdb; the test kernels.debugger",
            "unpu model show resnet50.om": "needs a model; the test models.show",
            "unpu top": "runs until a key; the test tools.command",
            "unpu bench": "measures for seconds; the test tools.command"})),
        ("$ unpu doctor", Run(vary=(r"^\w+ +CPUs .*", r"^\w+ +memory .*", rf"\d+ {UNIT}", r"^\w+ +devices .*",
                                    r"^\d+ (?=ok, \d)", r"\d+(?= with less)", r"\d+(?= missing)"))),
        ("$ UNPU_DEVICE=sim:memory=1G unpu-info", Run(vary=INFO)),
        ("$ UNPU_DEVICE=sim:memory=64M,node=1", Skip("needs two NUMA nodes; the tests tools.sim, tools.unix")),
        ("$ npu-smi info", Run(vary=(r"\d+ +/ \d+",), device="sim:")),
        ("$ firmware-sim", Run(vary=(r"\d+(?= doorbells)", r"\d+(?= kicks)"))),
    ),
    "tour": (
        ("./scripts/demo.sh", Skip("builds all; the test demo")),
        (". build/toolkit/set_env.sh", Run(makes=("trace.json",))),
        ("sent: 0 1 4 9", Part()),
        ("build/demo/decoder --time", Run()),
        ("unpu-info", Run(device="sim:")),
        ("firmware-sim --listen", Run()),
    ),
    "tracing": (
        ("$ UNPU_TRACE=trace.json ./program", Run(makes=("trace.json",))),
        ("unpu_trace_begin(0);", C("#include <unpu/unpu.h>", "uint64_t overwritten;\n")),
        ("firmware-sim --listen", Run(makes=("firmware.json",))),
        ("unpu-info --merge-trace", Run(makes=("all.json",))),
        ("aclprofInit(", C(ACL + "\n#include <acl/acl_prof.h>", "uint32_t devices[1] = {0};\n")),
        ("int ends[2];", C(ACL + "\n#include <acl/acl_prof.h>\n#include <unistd.h>", "aclmdlRI model = 0;\n")),
        ("{\n\t\"dump\"", Data()),
        ("{dump_path}/{time}", Skip("names of files; the conformance tests of dumps")),
        ("{path}/extra-info/data-dump/{device}/exception_info", Skip("names of files; the conformance tests of dumps")),
        ("{path}/extra-info/data-dump/{device}/{fileName}", Skip("names of files; the conformance tests of dumps")),
    ),
    "troubleshooting": (),
    "watchdog": (
        ("unpu: an end by force drops", Part("UNPU_DEVICE=sim: mistakes work-left-at-finalize", vary=(OBJECT,))),
        ("client 0 of process", Part(CIRCLE, vary=(r"(?<=process )\d+", r"(?<=semaphore )\d+"))),
        ("stream 1 did not finish", Part("UNPU_DEVICE=sim: mistakes limit-behind-another-stream", vary=(OBJECT,))),
        ("... task 1 of stream 1", Skip("a kernel that spins; the test kernels.limits")),
        ("UNPU_DEVICE='sim:faults=delay", Run()),
        ("firmware-sim --listen", Run()),
    ),
}
