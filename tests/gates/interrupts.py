#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""interrupts.py LIST: a system call that a signal can end is made by base/os/calls alone, which makes it again. LIST
has the paths of the objects of the layers and programs, one a line (build/<preset>/interrupts.txt). What an object
outside of that room needs of the C library is looked at, so a macro or a header hides nothing. --self-test checks
that the gate finds what is wrong."""
import re
import sys

import tree

ROOM = "base_os_calls"
WAITS = {"poll", "ppoll", "select", "pselect", "epoll_wait", "epoll_pwait", "epoll_pwait2", "sleep", "usleep", "nanosleep",
         "clock_nanosleep", "pause", "sigsuspend", "sigwait", "sigwaitinfo", "sem_wait", "sem_timedwait", "sem_clockwait",
         "mq_receive", "mq_send", "mq_timedreceive", "mq_timedsend", "msgrcv", "msgsnd", "semop", "semtimedop"}
TRANSFERS = {"read", "write", "pread", "pwrite", "readv", "writev", "preadv", "pwritev", "preadv2", "pwritev2", "send", "sendto",
             "sendmsg", "sendmmsg", "recv", "recvfrom", "recvmsg", "recvmmsg", "getrandom", "getentropy", "sendfile", "splice",
             "tee", "vmsplice", "copy_file_range", "eventfd_read", "eventfd_write"}
FILES = {"open", "openat", "creat", "close", "dup2", "dup3", "flock", "lockf", "truncate", "ftruncate", "fallocate",
         "posix_fallocate", "opendir", "shm_open", "fsync", "fdatasync", "accept", "accept4", "connect", "wait", "wait3", "wait4", "waitpid", "waitid"}
RING = {"io_uring_enter", "io_uring_submit", "io_uring_submit_and_wait", "io_uring_submit_and_wait_timeout", "io_uring_wait_cqes",
        "io_uring_wait_cqe_timeout", "__io_uring_get_cqe"}
STREAMS = {"fopen", "fdopen", "freopen", "fread", "fwrite", "fputs", "fputc", "putc", "puts", "putchar", "fprintf", "printf", "vprintf",
           "vfprintf", "dprintf", "fstream", "fflush", "fclose", "fgets", "fgetc", "getc", "getline", "getdelim", "fscanf", "popen", "pclose", "system"}
# Rooms of programs, which install no handlers; a stream of theirs is not interrupted.
PROGRAMS = ("tools_", "kernels_compiler", "kernels_host", "firmware_sim_daemon", "firmware_sim_self_test", "kernels_worker_process",
            "firmware_sim_main")
KERNELS = "files of /proc and /sys, whose open does not wait"
# (room, call) -> why it may.
ALLOWED = {
    ("base_copy", "fprintf"): "Highway's last words: the process ends",
    ("base_copy", "fputc"): "Highway's last words: the process ends",
    ("base_copy", "vfprintf"): "Highway's last words: the process ends",
    ("base_os", "fstream"): KERNELS,
    ("hal", "fstream"): KERNELS,
    ("umd_api", "fstream"): KERNELS,
    ("umd_hccl_network", "fstream"): KERNELS,
    ("umd_hccl_network", "opendir"): KERNELS,
    ("umd_hccl_report", "fstream"): KERNELS,
    ("firmware_sim_core", "fstream"): KERNELS,
    ("firmware_sim_storage", "fstream"): KERNELS,
    ("base_sync", "fprintf"): "last words: the process ends",
    ("firmware_sim_schedule", "fprintf"): "last words: the process ends",
    ("firmware_sim_daemon", "__io_uring_get_cqe"): "the loop only looks",
    ("firmware_sim_daemon", "io_uring_submit"): "the loop takes any result as a turn without an end",
    ("firmware_sim_daemon", "io_uring_submit_and_wait"): "the loop takes -EINTR as a turn without an end",
    ("firmware_sim_storage", "io_uring_submit"): "what was not submitted is submitted with the next one",
    ("firmware_sim_storage", "__io_uring_get_cqe"): "the caller looks again",
    ("umd_core_report", "fflush"): "signals are held back meanwhile: the stream is the program's",
    ("umd_core_report", "fwrite"): "signals are held back meanwhile: the stream is the program's",
    ("umd_core_report", "fprintf"): "signals are held back meanwhile: the stream is the program's",
}
# Rooms whose rows stand for what only some builds have: another version of Highway has it in its library.
SOMETIMES = ("base_copy",)
# Not the function itself, where a library has one of that name.
SYSCALL = re.compile(r"\bsyscall\s*\(\s*(?!long call, \.\.\.)(?:(?:SYS|__NR)_)?(\w+)")
KNOWN = re.compile(r"\bsyscall\s*\(\s*(?:SYS|__NR)_")
SYSCALLS = WAITS | TRANSFERS | FILES | {"futex", "futex_wait", "futex_waitv", "io_uring_enter", "rt_sigsuspend", "rt_sigtimedwait"}
# A stream of C++ is opened by fopen() in its library.
FSTREAM = re.compile(r"_ZNSt1[34]basic_(?:filebuf|[io]fstream|fstream)IcSt11char_traitsIcEE(?:4open|C[12])E(?:PKc|RKNS)")
# The one place that calls futex().
FUTEX = "base/sync/futex.h"


def room_of(path):
    """The room of an object, as an identifier: base/CMakeFiles/unpu_base.dir/os/mapped.cpp.o -> base_os."""
    unity = re.search(r"/unity_(\w+)_cxx\.cxx\.o", path)
    if unity:
        return unity.group(1)
    path = re.sub(r"^.*?/build/[^/]+/", "", path)
    found = re.match(r"(?:(.*)/)?CMakeFiles/[^/]+\.dir/(.*?)([^/]*)\.c(?:pp)?\.o$", path)
    if not found:
        return path
    folder = "/".join(part for part in (found.group(1), found.group(2).rstrip("/") or None) if part)
    # A program of one file in its layer has a room of its own name.
    folder = folder if folder not in ("firmware_sim", ) else f"{folder}/{found.group(3)}"
    return re.sub(r"\W", "_", folder)


def plain(name):
    """The call behind a name of the C library: __read_chk, open64, __isoc99_fscanf."""
    name = name.split("@")[0]
    name = re.sub(r"^__isoc\d+_", "", name)
    if name in RING:
        return name
    if FSTREAM.match(name):
        return "fstream"
    name = re.sub(r"^__(\w+?)_(?:chk|2|64_2)$", r"\1", name)
    return re.sub(r"64(v2)?$", "", name)


def banned(room):
    return WAITS | TRANSFERS | FILES | RING | (set() if room.startswith(PROGRAMS) else STREAMS)


def problems_of(needs, allowed, used):
    """@needs: (object, undefined name). @used: gets the permissions that something needs."""
    seen = set()
    for path, name in needs:
        room, call = room_of(path), plain(name)
        if room == ROOM or call not in banned(room):
            continue
        if (room, call) in allowed:
            used.add((room, call))
        elif (room, call) not in seen:
            seen.add((room, call))
            yield f"{room} ({path.split('/')[-1]}): {call}: a signal can end it; base/os/calls has it without that"


def problems_of_text(path, text):
    for found in SYSCALL.finditer(tree.without_comments(text, literals=False)):
        if not KNOWN.match(found.group()):
            yield f"{path}: syscall({found.group(1)}): name the call, SYS_..., so that it can be judged"
        elif found.group(1) in SYSCALLS and path != FUTEX:
            yield f"{path}: syscall(SYS_{found.group(1)}): a signal can end it"


def check_self():
    part = "x/build/dev/base/CMakeFiles/unpu_base.dir/"
    rooms = {part + "os/mapped.cpp.o": "base_os", part + "os/calls/files.cpp.o": ROOM, part + "Unity/unity_base_os_calls_cxx.cxx.o": ROOM,
             "x/build/dev/umd/CMakeFiles/unpu_runtime.dir/core/check/fault.cpp.o": "umd_core_check",
             "x/build/dev/tools/CMakeFiles/unpu_tools.dir/common/screen.cpp.o": "tools_common",
             "x/build/dev/firmware_sim/CMakeFiles/firmware-sim.dir/main.cpp.o": "firmware_sim_main"}
    for path, room in rooms.items():
        if room_of(path) != room:
            yield f"the gate itself: the room of {path} is {room_of(path)}"
    cases = [("read", 1), ("__read_chk", 1), ("open64", 1), ("__open64_2", 1), ("fopen64", 1), ("poll@GLIBC_2.2.5", 1), ("readlink", 0),
             ("_ZN3umd4readEv", 0), ("__isoc99_fscanf", 1), ("pthread_create", 0), ("epoll_ctl", 0), ("preadv64v2", 1), ("opendir", 1), ("shm_open", 1),
             ("_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode", 1),
             ("_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode", 1), ("_ZNSt13basic_filebufIcSt11char_traitsIcEEC1Ev", 0)]
    for name, count in cases:
        found = list(problems_of([(part + "os/mapped.cpp.o", name)], {}, set()))
        if len(found) != count:
            yield f"the gate itself: {name}: {found}"
    if list(problems_of([(part + "os/calls/files.cpp.o", "close")], {}, set())):
        yield "the gate itself: refuses a call in its room"
    if list(problems_of([("x/build/dev/tools/CMakeFiles/unpu_tools.dir/common/screen.cpp.o", "fwrite")], {}, set())):
        yield "the gate itself: refuses the streams of a program"
    used = set()
    row = {("base_os", "read"): "a reason"}
    if list(problems_of([(part + "os/mapped.cpp.o", "read")], row, used)) or used != set(row):
        yield "the gate itself: does not take a permission"
    for text, count in (("syscall(SYS_futex, &word);", 1), ("syscall(SYS_gettid);", 0), ("/* syscall(SYS_read) */", 0),
                        ("syscall(SYS_futex_waitv, list);", 1), ("const long rc = syscall(number, 1);", 1),
                        ("long syscall(long call, ...) noexcept", 0)):
        if len(list(problems_of_text("hal/x.cpp", text))) != count:
            yield f"the gate itself: judges {text} wrongly"


def needs_of(objects):
    """(object, undefined name) of each object."""
    for line in tree.run(["nm", "-A", "--undefined-only", *objects]).stdout.splitlines():
        found = re.match(r"(.*?\.o):\s+[UwW] (\S+)$", line)
        if found:
            yield found.group(1), found.group(2)


def main():
    if "--self-test" in sys.argv:
        tree.verdict("interrupts --self-test", list(check_self()), 31)
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        objects = [line for line in file.read().split("\n") if line]
    needs = list(needs_of(objects))
    used = set()
    problems = list(problems_of(needs, ALLOWED, used))
    problems += [f"{room}: needs no permission for {call}" for room, call in sorted(set(ALLOWED) - used) if room not in SOMETIMES]
    for path in tree.files(("base", "san", "time", "hal", "drv", "umd", "firmware_sim", "kernels", "tools"), (".cpp", ".h")):
        problems += problems_of_text(path, tree.read(path))
    tree.verdict("interrupts", problems, len(needs))


main()
