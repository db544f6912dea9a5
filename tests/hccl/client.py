# SPDX-License-Identifier: MIT
"""A rank as Python frameworks write one: by ctypes, with the nine functions that these resolve when they load the
library. The run time is called the same way."""
import ctypes
import os
import struct

ROOT_INFO_BYTES = 4108
NINE = ("HcclGetErrorString", "HcclGetRootInfo", "HcclCommInitRootInfo", "HcclAllReduce", "HcclAllGather", "HcclSend",
        "HcclRecv", "HcclBroadcast", "HcclCommDestroy")
INT32, FP32 = 2, 4
SUM, MAX = 0, 2
SUCCESS, PARA, TIMEOUT, REMOTE = 0, 1, 9, 21


class RootInfo(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * ROOT_INFO_BYTES)]


class Failed(Exception):
    def __init__(self, name, code, text):
        super().__init__(f"{name} returned {code}: {text}")
        self.code, self.text = code, text


class Rank:
    """One rank of a process: its device, stream and communicator."""

    def __init__(self, libraries, device):
        self.acl = ctypes.CDLL(os.path.join(libraries, "libascendcl.so"), mode=ctypes.RTLD_GLOBAL)
        self.hccl = ctypes.CDLL(os.path.join(libraries, "libhccl.so"))
        for name in NINE:
            getattr(self.hccl, name)
        self.hccl.HcclGetErrorString.restype = ctypes.c_char_p
        self.acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self.device, self.stream, self.comm = device, ctypes.c_void_p(), ctypes.c_void_p()
        self.run("aclInit", None)
        self.run("aclrtSetDevice", device)
        self.run("aclrtCreateStream", ctypes.byref(self.stream))

    def message(self):
        return (self.acl.aclGetRecentErrMsg() or b"").decode()

    def run(self, name, *arguments):
        code = getattr(self.acl, name)(*arguments)
        if code:
            raise Failed(name, code, self.message())

    def call(self, name, *arguments):
        code = getattr(self.hccl, name)(*arguments)
        if code:
            raise Failed(name, code, self.message())

    def root_info(self):
        info = RootInfo()
        self.call("HcclGetRootInfo", ctypes.byref(info))
        return bytes(info)

    def join(self, ranks, info, rank):
        self.ranks, self.rank = ranks, rank
        raw = RootInfo.from_buffer_copy(info)
        self.call("HcclCommInitRootInfo", ctypes.c_uint32(ranks), ctypes.byref(raw), ctypes.c_uint32(rank),
                  ctypes.byref(self.comm))

    def put(self, values):
        """Device memory with these floats."""
        data, memory = struct.pack(f"{len(values)}f", *values), ctypes.c_void_p()
        self.run("aclrtMalloc", ctypes.byref(memory), ctypes.c_size_t(len(data)), 0)
        self.run("aclrtMemcpy", memory, ctypes.c_size_t(len(data)), data, ctypes.c_size_t(len(data)), 1)
        return memory

    def get(self, memory, count):
        data = ctypes.create_string_buffer(4 * count)
        self.run("aclrtMemcpy", data, ctypes.c_size_t(4 * count), memory, ctypes.c_size_t(4 * count), 2)
        return list(struct.unpack(f"{count}f", data.raw))

    def all_reduce(self, send, receive, count, op=SUM):
        self.call("HcclAllReduce", send, receive, ctypes.c_uint64(count), FP32, op, self.comm, self.stream)

    def all_gather(self, send, receive, count):
        self.call("HcclAllGather", send, receive, ctypes.c_uint64(count), FP32, self.comm, self.stream)

    def broadcast(self, memory, count, root):
        self.call("HcclBroadcast", memory, ctypes.c_uint64(count), FP32, ctypes.c_uint32(root), self.comm, self.stream)

    def send(self, memory, count, to):
        self.call("HcclSend", memory, ctypes.c_uint64(count), FP32, ctypes.c_uint32(to), self.comm, self.stream)

    def receive(self, memory, count, source):
        self.call("HcclRecv", memory, ctypes.c_uint64(count), FP32, ctypes.c_uint32(source), self.comm, self.stream)

    def group(self, messages):
        """Messages (function, memory, count, rank) that progress together."""
        self.call("HcclGroupStart")
        for name, memory, count, other in messages:
            self.call(name, memory, ctypes.c_uint64(count), FP32, ctypes.c_uint32(other), self.comm, self.stream)
        self.call("HcclGroupEnd")

    def synchronise(self):
        self.run("aclrtSynchronizeStream", self.stream)

    def hold(self):
        """The stream waits until go_on() is called."""
        self.notify, self.other = ctypes.c_void_p(), ctypes.c_void_p()
        self.run("aclrtCreateStream", ctypes.byref(self.other))
        self.run("aclrtCreateNotify", ctypes.byref(self.notify), ctypes.c_uint64(0))
        self.run("aclrtWaitAndResetNotify", self.notify, self.stream, ctypes.c_uint32(0))

    def go_on(self):
        self.run("aclrtRecordNotify", self.notify, self.other)
        self.run("aclrtSynchronizeStream", self.other)
        self.run("aclrtDestroyStream", self.other)

    def async_error(self):
        code = ctypes.c_int()
        self.call("HcclGetCommAsyncError", self.comm, ctypes.byref(code))
        return code.value

    def destroy(self):
        self.call("HcclCommDestroy", self.comm)

    def close(self):
        self.run("aclrtDestroyStream", self.stream)
        self.run("aclrtResetDevice", self.device)
        self.run("aclFinalize")
