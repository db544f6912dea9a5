# SPDX-License-Identifier: MIT
"""For gdb: unpu kernel debug -- PROGRAM, which is gdb -x TOOLKIT/share/gdb/unpu.py --args PROGRAM. Kernels of the program
run in a process of their own, the worker. gdb follows the program into it, and breakpoints of kernels stop there.

gdb disables a breakpoint that it set in the program and does not find in the worker, although the image that has it comes
later. So those that were enabled when the worker began are enabled again with each file that the worker loads.

The program has a function of each kernel's name, too, whose body names the image of the kernel; a breakpoint does not stop
there. It has no code for the lines of a kernel, where gdb takes a later one; such a breakpoint waits for the worker.
kernel-break PLACE sets a breakpoint in the worker alone."""
import os
import re

import gdb

WORKER = "unpu-kernel-worker"
wanted = []     # breakpoints that are enabled in the program
places = []     # of kernel-break
held = []       # breakpoints whose line has no code in the program
is_worker = False


def note_file(event):
    """A new program or library. gdb looks for the breakpoints after this."""
    global is_worker
    name = os.path.basename(event.new_objfile.filename or "")
    if name == WORKER and not is_worker:
        is_worker = True
        wanted[:] = [point for point in gdb.breakpoints() if point.enabled or point in held]
        for place in places:
            wanted.append(gdb.Breakpoint(place))
    elif is_worker:
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
    """A condition of the user needs no second one."""
    if is_worker or point.type != gdb.BP_BREAKPOINT or point.condition is not None:
        return
    if not point.pending and is_elsewhere(point):
        held.append(point)
        point.enabled = False
        gdb.write(f"{point.location}: no code in the program; set when kernels are loaded\n")
    point.condition = "$_is_of_user()"


def note_stop(_event):
    """Other blocks stay where they are while one is stepped. gdb takes this only of a process that runs."""
    if is_worker:
        gdb.execute("set scheduler-locking step", to_string=True)


class KernelBreak(gdb.Command):
    """kernel-break PLACE: stops there in the process that runs kernels, as at a kernel's name or at FILE:LINE."""

    def __init__(self):
        super().__init__("kernel-break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        if is_worker:
            gdb.Breakpoint(argument)
        else:
            places.append(argument)
            gdb.write(f"{argument}: set when kernels are loaded\n")


gdb.execute("set breakpoint pending on")
gdb.execute("set follow-fork-mode child")
gdb.execute("handle SIGSYS nostop noprint", to_string=True)
gdb.events.new_objfile.connect(note_file)
gdb.events.stop.connect(note_stop)
gdb.events.breakpoint_created.connect(note_breakpoint)
# The library loads it by itself where gdb may load it, as from a package; a program may not have started yet.
gdb.execute("source " + os.path.join(os.path.dirname(os.path.abspath(__file__)), "unpu_printers.py"))
KernelBreak()
IsOfUser()
