# SPDX-License-Identifier: MIT
"""For gdb: gdb -x TOOLKIT/share/gdb/unpu.py --args PROGRAM. Kernels of the program run in a process of their own, the worker.
gdb follows the program into it, and breakpoints of kernels stop there.

gdb disables a breakpoint that it set in the program and does not find in the worker, although the image that has it comes
later. So those that were enabled when the worker began are enabled again with each file that the worker loads.

kernel-break PLACE sets a breakpoint in the worker alone; break PLACE may stop in the function of the program that has the
kernel's name, too, which packs the arguments."""
import os

import gdb

WORKER = "unpu-kernel-worker"
wanted = []     # breakpoints that are enabled in the program
places = []     # of kernel-break
is_worker = False


def note_file(event):
    """A new program or library. gdb looks for the breakpoints after this."""
    global is_worker
    name = os.path.basename(event.new_objfile.filename or "")
    if name == WORKER and not is_worker:
        is_worker = True
        wanted[:] = [point for point in gdb.breakpoints() if point.enabled]
        for place in places:
            wanted.append(gdb.Breakpoint(place))
    elif is_worker:
        for point in wanted:
            if point.is_valid() and not point.enabled:
                point.enabled = True


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
# The library loads it by itself where gdb may load it, as from a package; a program may not have started yet.
gdb.execute("source " + os.path.join(os.path.dirname(os.path.abspath(__file__)), "unpu_printers.py"))
KernelBreak()
