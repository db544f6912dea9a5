# SPDX-License-Identifier: MIT
"""For gdb: shows streams, events and tensors. gdb loads it with libunpu.so, where its auto-load safe-path has the folder."""
import gdb

STREAM, EVENT = 0x52, 0x53      # the first byte of handles


def most():
    """How many elements gdb shows at the most: set print elements N, where 0 means all; 16 without a word of the user."""
    shown = gdb.parameter("print elements")
    return 16 if shown == 200 else shown


def elements(pointer, element, count):
    """The first elements, as {1, 2, ...}."""
    shown = most()
    wanted = min(count, shown) if shown else count
    try:
        values = [str((pointer.cast(element.pointer()) + i).dereference()) for i in range(wanted)]
    except gdb.MemoryError as error:
        return f"<{error}>"
    return "{" + ", ".join(values) + (", ..." if count > wanted else "") + "}"


class LocalPrinter:
    """A LocalTensor: how many elements, and the first ones."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        address = self.value["address_"]
        element = self.value.type.strip_typedefs().template_argument(0)
        count = int(address["dataLen"]) // element.sizeof
        return f"LocalTensor<{element}> of {count} {elements(address['absAddr'], element, count)}"


class GlobalPrinter:
    """A GlobalTensor: its address, how many elements it declares, and the first ones."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        element = self.value.type.strip_typedefs().template_argument(0)
        pointer = self.value["address_"]
        count = int(self.value["size_"])
        return f"GlobalTensor<{element}> at {int(pointer):#x}, {count} {elements(pointer, element, count or 16)}"


def parameter(name, value):
    """Sets a parameter of gdb. Return: what it was."""
    old = gdb.execute(f"show {name}", to_string=True).rstrip(".\n").split()[-1].strip('"')
    gdb.execute(f"set {name} {value}", to_string=True)
    return old


def stream_id(handle):
    """What aclrtStreamGetId says, which takes no lock; None where no call is possible, as in a core dump. The other
    threads stay where they are. The id is stored below what the call needs of the stack."""
    place = "(int *)((unsigned long)$sp / 16 * 16 - 262144)"
    locking, unwind = parameter("scheduler-locking", "on"), parameter("unwindonsignal", "on")
    try:
        failed = int(gdb.parse_and_eval(f"((int (*)(void *, int *))aclrtStreamGetId)((void *){handle}, {place})"))
        return None if failed else int(gdb.parse_and_eval(f"*{place}"))
    except gdb.error:
        return None
    finally:
        parameter("scheduler-locking", locking)
        parameter("unwindonsignal", unwind)


class StreamPrinter:
    """A stream: its id, as errors, traces and reports have it, and its handle."""

    def __init__(self, value):
        self.handle = int(value)

    def to_string(self):
        if self.handle == 0:
            return "NULL, the default stream"
        if self.handle >> 56 != STREAM:
            return f"{self.handle:#x}, which is no stream"
        number = stream_id(self.handle)
        return f"stream {self.handle:#x}" if number is None else f"stream {number} ({self.handle:#x})"


class EventPrinter:
    """An event: its handle, by which errors and reports call it."""

    def __init__(self, value):
        self.handle = int(value)

    def to_string(self):
        if self.handle >> 56 != EVENT:
            return f"{self.handle:#x}, which is no event"
        return f"event {self.handle:#x}"


PRINTERS = {"AscendC::LocalTensor": LocalPrinter, "AscendC::GlobalTensor": GlobalPrinter}
HANDLES = {"aclrtStream": StreamPrinter, "aclrtEvent": EventPrinter, "CUevent": EventPrinter}


def find_printer(value):
    if value.type.code == gdb.TYPE_CODE_TYPEDEF and value.type.name in HANDLES:
        return HANDLES[value.type.name](value)
    kind = value.type.strip_typedefs()
    name = (kind.name or "").split("<")[0]
    return PRINTERS[name](value) if name in PRINTERS else None


find_printer.name = "unpu"
if not any(getattr(one, "name", "") == "unpu" for one in gdb.pretty_printers):
    gdb.pretty_printers.append(find_printer)
