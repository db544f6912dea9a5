# SPDX-License-Identifier: MIT
"""For gdb: unpu kernel debug -- PROGRAM, which is gdb -x TOOLKIT/share/gdb/unpu.py --args PROGRAM. Kernels of the program
run in a process of their own, the worker. gdb follows the program into it, and breakpoints of kernels stop there.

gdb disables a breakpoint that it set in the program and does not find in the worker, although the image that has it comes
later. So those that were enabled when the worker began are enabled again with each file that the worker loads.

The program has a function of each kernel's name, too, whose body names the image of the kernel; a breakpoint does not stop
there. It has no code for the lines of a kernel, where gdb takes a later one; such a breakpoint waits for the worker.
kernel-break PLACE [if CONDITION] sets a breakpoint in the worker alone. A check that fails stops at the user's call, and
$_block() is the block that the selected thread runs."""
import os
import re

import gdb

WORKER = "unpu-kernel-worker"
wanted = []     # breakpoints that are enabled in the program
places = []     # of kernel-break
held = []       # breakpoints whose line has no code in the program
is_worker = False
FAILS = "unpu::lang::end_kernel"
failed = []     # the breakpoint at FAILS


def note_file(event):
    """A new program or library. gdb looks for the breakpoints after this."""
    global is_worker
    name = os.path.basename(event.new_objfile.filename or "")
    if name == WORKER and not is_worker:
        is_worker = True
        wanted[:] = [point for point in gdb.breakpoints() if point.enabled or point in held]
        for place in places:
            gdb.execute("break " + place, to_string=True)
            wanted.append(gdb.breakpoints()[-1])
    elif is_worker:
        if not failed and gdb.lookup_global_symbol(FAILS):
            failed.append(gdb.Breakpoint(FAILS, internal=True))
        for point in wanted:
            if point.is_valid() and not point.enabled:
                point.enabled = True


class IsOfUser(gdb.Function):
    """$_is_of_user(): 0 in the function that the program has in the place of a kernel, which only a launch calls, and in
    the worker's own code."""

    def __init__(self):
        super().__init__("_is_of_user")

    def invoke(self):
        frame = gdb.newest_frame()
        if is_worker and gdb.solib_name(frame.pc()) is None:
            return False
        caller = frame.older()
        return not (caller and (caller.name() or "").startswith("unpu::Launch<"))


def is_elsewhere(point):
    """Whether gdb took another line than the one that was asked for. Before gdb 13 no breakpoint tells."""
    line = re.search(r":(\d+)$", point.location or "")
    return bool(line) and hasattr(point, "locations") and all(
        place.source and place.source[1] != int(line.group(1)) for place in point.locations)


def note_breakpoint(point):
    """A condition of the user needs no second one. gdb would disable a breakpoint that waits for a later library if it had
    one; it gets it when gdb finds its place."""
    if is_worker or point.type != gdb.BP_BREAKPOINT or point.condition is not None or point.pending:
        return
    if is_elsewhere(point):
        held.append(point)
        point.enabled = False
        gdb.write(f"{point.location}: no code in the program; set when kernels are loaded\n")
    point.condition = "$_is_of_user()"


def select_user():
    """Selects the frame of the user's call whose check has failed."""
    frame = gdb.newest_frame()
    sentence = frame.read_var("sentence").string(errors="replace")
    while frame and "/unpu_ascendc/" in (frame.find_sal().symtab.fullname() if frame.find_sal().symtab else ""):
        frame = frame.older()
    if not frame:
        return
    frame.select()
    gdb.write(f"unpu: the kernel fails in this call: {sentence}\n")
    gdb.execute("frame")


def note_stop(event):
    """Other blocks stay where they are while one is stepped. gdb takes this only of a process that runs."""
    if not is_worker:
        return
    gdb.execute("set scheduler-locking step", to_string=True)
    if isinstance(event, gdb.BreakpointEvent) and failed and failed[0] in event.breakpoints:
        select_user()


def note_end(event):
    """Names the breakpoints that no kernel had. The worker is killed when the program ends. gdb has let the program itself
    go when the worker began, which is no end."""
    if not is_worker:
        if hasattr(event, "exit_code"):
            gdb.write("unpu: the program has run no kernel\n")
        return
    gdb.write("unpu: this was the worker, which ends with its program, and after a kernel that failed\n")
    for point in gdb.breakpoints():
        if point.pending:
            gdb.write(f"unpu: no kernel had {point.location}; a line needs kernels that are compiled with -g\n")


class Block(gdb.Function):
    """$_block(): the block that the selected thread runs, as "vector block 3". The other threads stay where they are."""

    def __init__(self):
        super().__init__("_block")

    def invoke(self):
        old = gdb.parameter("scheduler-locking")
        gdb.execute("set scheduler-locking on", to_string=True)
        try:
            block = gdb.parse_and_eval("*unpu::lang::services->block()")
            return f"{'vector' if int(block['core']) else 'cube'} block {int(block['index'])}"
        except gdb.error as error:
            return f"none: {error}"
        finally:
            gdb.execute(f"set scheduler-locking {old}", to_string=True)


class KernelBreak(gdb.Command):
    """kernel-break PLACE [if CONDITION]: stops there in the process that runs kernels, as at a kernel's name or FILE:LINE."""

    def __init__(self):
        super().__init__("kernel-break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        if is_worker:
            gdb.execute("break " + argument)
        else:
            places.append(argument)
            gdb.write(f"{argument}: set when kernels are loaded\n")


gdb.execute("set breakpoint pending on")
gdb.execute("set follow-fork-mode child")
gdb.execute("handle SIGSYS nostop noprint", to_string=True)
gdb.events.new_objfile.connect(note_file)
gdb.events.stop.connect(note_stop)
gdb.events.breakpoint_created.connect(note_breakpoint)
gdb.events.breakpoint_modified.connect(note_breakpoint)
gdb.events.exited.connect(note_end)
# The library loads it by itself where gdb may load it, as from a package; a program may not have started yet.
gdb.execute("source " + os.path.join(os.path.dirname(os.path.abspath(__file__)), "unpu_printers.py"))
KernelBreak()
IsOfUser()
Block()
