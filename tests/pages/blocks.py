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
    before: str = ""  # commands that the page does not show, of which those of the block have need
    shorter: dict = field(default_factory=dict)  # words of the commands that would take long, and those that are run instead


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
    language: str = "c++"


@dataclass
class Devices:
    """Device strings, with each of which the examples run."""


@dataclass
class Data:
    """JSON."""


@dataclass
class Text:
    """A file of the folder, between what it has before and behind that."""
    name: str
    before: str = ""
    behind: str = ""


@dataclass
class Named:
    """Commands that are not run. The scripts, programs, options, presets and tests that they name are there."""
    reason: str


@dataclass
class Skip:
    reason: str


UNIT = r"(?:B|KiB|MiB|GiB)"
# Lines of unpu-info about the machine and about time.
INFO = tuple(rf"(?<=^  {name} ) +.*" for name in (
    "nodes", "cpus", "membarrier", "memory", "page", "huge_page", "huge_pages_free", "thp", "memlock_limit", "pid", "features",
    "generation", "engines", "node", "placement", "sleeping", "uptime_ns", "busy_ns", "engines_busy_ns", "kernels_busy_ns", "kicks")) + (
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
KERNEL = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y)
{
	*(__gm__ int *)y += *(__gm__ int *)x;
}
"""
LAUNCH = """#include "acl/acl.h"
#include "aclrtlaunch_add.h"
int main()
{
	void *x;
	int one = 1;
	aclInit(nullptr);
	aclrtSetDevice(0);
	aclrtMalloc(&x, 4, ACL_MEM_MALLOC_NORMAL_ONLY);
	aclrtMemcpy(x, 4, &one, 4, ACL_MEMCPY_HOST_TO_DEVICE);
	ACLRT_LAUNCH_KERNEL(add)(1, nullptr, x, x);
	aclrtSynchronizeDevice();
	aclrtMemcpy(&one, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST);
	return aclFinalize() + one - 2;
}
"""
# A program that copies wrongly, as COPY says.
COPY = """#include <acl/acl.h>
int main(void)
{
	static char host[4096];
	void *device;
	aclInit(NULL);
	aclrtSetDevice(0);
	aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_NORMAL_ONLY);
	COPY;
	aclrtFree(device);
	return aclFinalize();
}
"""
# What the folder has beside the programs of README.md and of the build.
FILES = {
    "program.c": CUDA_PROGRAM,
    "add.cpp": KERNEL,
    "main.cpp": LAUNCH,
    "count.cpp": COPY.replace("COPY", "aclrtMemcpy(device, 4095, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE)"),
    "kind.cpp": COPY.replace("COPY", "aclrtMemcpy(device, 4096, host, 4096, ACL_MEMCPY_DEVICE_TO_HOST)"),
    "train.py": "import subprocess\nsubprocess.run(['./program'], check=True)\n",
}
KERNEL_BUILD = """cmake_minimum_required(VERSION 3.16)
project(page LANGUAGES CXX)
add_executable(program main.cpp)
"""
TOOLKIT = "export ASCEND_HOME_PATH=$BUILD ASCEND_TOOLKIT_HOME=$BUILD"
# Failures of the program above, which the first block of the page has built.
CUDA_FAILURES = ". $T/set_env.sh --cuda; UNPU_LOG_ERRORS=2 ./a.out"

# Ranks of several processes; a firmware serves them.
RANKS = """firmware-sim --listen /tmp/npu --devices 4 --memory 64M &
UNPU_DEVICE=unix:/tmp/npu python3 -B $SOURCES/tests/pages/hccl_ranks.py """
# A model with the input that a page names.
IMAGE_MODEL = """PYTHONPATH=$SOURCES/tests/models python3 -B - <<'end'
from onnx_bytes import node, number, part, port
dims = (-1, 3, 224, 224)
graph = node("Relu", "r", "image", "y") + port(11, "image", dims) + port(12, "y", dims)
with open("resnet50.onnx", "wb") as file:
    file.write(number(1, 8) + part(7, graph) + part(8, number(2, 17)))
end
"""
COMPILE = ". $T/set_env.sh; g++ -I$T/include -L$T/lib64 -o prog -Wl,--no-as-needed -lascendcl "
# A program that hangs, until the commands have ended.
HANGING = """cp $(command -v mistakes) prog
./prog hang-at-a-flag-never-recorded >hanging 2>&1 &
firmware="$firmware $!"
until unpu-info --pid $! 2>&1 | grep -q 'which no call has recorded'; do sleep 0.05; done"""
TAKES_LONG = "takes minutes, or builds another tree"

# Pages whose blocks have tests of their own.
ELSEWHERE = {
    "hccl-plan": "tools.plan.full",
    "python": "python.book",
    "sanitizer": "san.page",
    "supported": "gate.states",
}

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
    "bench": (
        ("scripts/bench.sh", Named("takes an hour")),
    ),
    "capture": (
        ("NONE --- aclmdlRICaptureBegin", Skip("a drawing of states; the conformance tests of captures")),
    ),
    "debugging": (
        ("(gdb) info locals", Skip("gdb; the test tools.printers")),
        ("firmware-sim --listen", Run(ends=1)),
        ("client channel state", Part(vary=(r"\d+ ms",))),
        ("aclrtSynchronizeStream(stream): error 507010", Part()),
        ("unpu: KERNEL_TRAP: stream 0", Part("UNPU_LOG_ERRORS=1 UNPU_DEVICE='sim:faults=fail:op=fill' ./program")),
        ("UNPU_DEVICE='sim:caller-runs=off", Run(makes=("trace.json",))),
    ),
    "graphs": (
        ("capture, or node by node", Skip("a drawing of layers")),
    ),
    "hccl": (
        ("unpu: a thread has waited for 1.0 s", Part(RANKS + "circle $T/lib64", vary=(
            r"(?<=process )\d+", r"(?<=communicator )[\w-]+", r"(?<=task )\d+"))),
        ("communicator hccl-", Part(RANKS + "missing $T/lib64 unpu-info", vary=(
            r"(?<=process )\d+ \(python[\d.]*\)", r"(?<=communicator )[\w-]+"))),
        ("UNPU_DEVICE='unix:/tmp/npu,faults", Run(before="firmware-sim --listen /tmp/npu --memory 64M &")),
        ("hccl_bench all_reduce", Run(device="sim:devices=4,memory=64M", shorter={"-e 64M": "-e 64K", "-n 20": "-n 2"})),
    ),
    "kernels": (
        ("set(SOC_VERSION", Text("CMakeLists.txt", KERNEL_BUILD,
                                 "target_link_libraries(program PRIVATE ${ASCEND_CANN_PACKAGE_PATH}/lib64/libascendcl.so)\n")),
        ("cmake -S . -B build", Run(before=TOOLKIT, makes=("build/include/kernels/aclrtlaunch_add.h", "build/program"))),
        ("unpu-ascendcc -O2 --headers=include", Run(before=TOOLKIT, makes=("add.d", "a.out"))),
        ("aclrtcProg program;", C("#include <acl/acl_rt_compile.h>", "const char *source = 0, *name = 0; char image[1]; size_t bytes;\n")),
        ("$ unpu kernel debug", Skip("gdb; the test kernels.debugger")),
        ("ascendc_compile_options", Skip("a Debug build with a sanitizer; the test kernels.kinds")),
    ),
    "models": (
        ("atc --model=resnet50.onnx", Run(before=IMAGE_MODEL, makes=("resnet50.om",))),
        ("uint32_t id;", C(ACL + "\n#include <acl/acl_mdl.h>")),
        ("python3 examples/classify/make_model.py", Run(before=". $T/set_env.sh")),
        ("aclTensorDesc *shape", C(ACL + "\n#include <acl/acl_mdl.h>", "aclmdlDataset *input = 0; const int64_t rows = 1;\n", "c")),
        ("aipp_op {", Text("aipp.cfg")),
        ("aclmdlAIPP *steps", C(ACL + "\n#include <acl/acl_mdl.h>", "aclmdlDesc *desc = 0; aclmdlDataset *input = 0; uint32_t id = 0;\n")),
        ('[{"op"', Data()),
        ("$ unpu model show resnet.om", Skip("the model is not part of this tree; the test models.show")),
        ("$ unpu model explain detector.om", Skip("the model is not part of this tree; the test models.show")),
        ('{"Switch"', Data()),
    ),
    "packages": (
        ("cmake -B build", Named(TAKES_LONG)),
        ("scripts/arm64.sh  ", Named("downloads, and builds another tree")),
        ("scripts/arm64.sh --test", Named("needs the tree of another processor")),
        ("scripts/arm64.sh --guest", Named("downloads, and starts a virtual machine")),
        ("scripts/arm64.sh --tsan", Named("builds another tree")),
        ("scripts/arm64.sh --herd", Named("downloads")),
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
    "surroundings": (
        ("scripts/numa_guest.sh", Named("starts a virtual machine")),
        ("==== two nodes", Skip("of a virtual machine; the tests with the label numa-guest")),
    ),
    "synchronization": (
        ("host thread", Skip("a drawing of two threads; the test litmus")),
    ),
    "testing": (
        ("./scripts/test.sh fast", Named(TAKES_LONG)),
        ("S=build/release/bin; $S/unpu_soak", Named(TAKES_LONG)),
        ("B=build/release/bin; E=", Named(TAKES_LONG)),
        ("UNPU_DEVICE=sim: tests/san/suite", Named(TAKES_LONG)),
        ("P=build/release/bin/unpu_operator_cases", Named(TAKES_LONG)),
        ("ctest --preset release -R gate.instructions", Named(TAKES_LONG)),
        ("tests/mutants/mutants.py", Named(TAKES_LONG)),
        ("scripts/fuzz.sh", Named(TAKES_LONG)),
        ("UNPU_FUZZ_SEEDS=FOLDER", Named("needs a build with a sanitizer")),
        ("cmake --preset dev", Named(TAKES_LONG)),
        ("UNPU_DEVICE=sim:step build", Named(TAKES_LONG)),
        ("UNPU_TEST_GRAPHS=10000", Named(TAKES_LONG)),
        ("UNPU_LONG_TESTS=1", Named(TAKES_LONG)),
        ("python3 tests/gates/words.py", Named("these are tests themselves")),
    ),
    "time": (
        ("unpu time run --keep traces", Skip("the tests example.overlap type it")),
        ("name mine", Skip("a file of figures; the tests of unpu-time")),
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
    "tutorial": (
        ("./scripts/demo.sh", Skip("builds all; the test demo")),
        ("T=/usr/lib/", Skip("needs the packages; debian/tests/tutorial")),
        ("g++ examples/stream_sync.cpp", Run(before=". $T/set_env.sh")),
        ("g++ examples/stream_wait.cpp", Run(before=". $T/set_env.sh")),
        ("unpu run --sanitize -- ./prog", Run()),
        ("g++ examples/cross_stream_capture.cpp", Run(before=". $T/set_env.sh")),
        ("g++ examples/load_weights.cpp", Run(before=". $T/set_env.sh")),
        ("g++ examples/parallel/two_devices.cpp", Run(before=". $T/set_env.sh")),
        ("unpu daemon", Skip("stays in the background; the test tools.command")),
        ("$ UNPU_LOG_ERRORS=1 ./prog", Run(before=COMPILE + "count.cpp")),
        ("$ UNPU_CHECK=warn ./prog", Run(before=COMPILE + "kind.cpp", vary=(OBJECT,))),
        ("unpu-info --pid $(pidof prog)", Run(before=HANGING)),
        ("streams", Part(vary=(OBJECT, r"(?<=stream )\d+", r"(?<=task )\d+"))),
        ("UNPU_DEVICE=sim:step ./prog", Run(before=COMPILE + "examples/stream_wait.cpp")),
    ),
    "watchdog": (
        ("unpu: an end by force drops", Part("UNPU_DEVICE=sim: mistakes work-left-at-finalize", vary=(OBJECT,))),
        ("client 0 of process", Part(CIRCLE, vary=(r"(?<=process )\d+", r"(?<=semaphore )\d+"))),
        ("stream 1 did not finish", Part("UNPU_DEVICE=sim: mistakes limit-behind-another-stream", vary=(OBJECT,))),
        ("... task 1 of stream 1", Skip("a kernel that spins; the test kernels.limits")),
        ("UNPU_DEVICE='sim:faults=delay", Run()),
        ("firmware-sim --listen", Run()),
    ),
}
