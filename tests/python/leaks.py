# SPDX-License-Identifier: MIT
"""Calls every name many times, rightly and wrongly, and prints as JSON how many blocks of Python and of malloc each call
leaves. test_leaks.py runs it in a process of its own."""
import ctypes
import gc
import importlib
import json
import os
import sys

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "python", "acl"))
import harmless  # noqa: E402
import signatures  # noqa: E402

CALLS, MOST_COUNTS = 500, 8
# What creates is called together with what destroys.
PAIRS = {"acl.create_data_buffer": "acl.destroy_data_buffer", "acl.create_tensor_desc": "acl.destroy_tensor_desc",
         "acl.mdl.create_dataset": "acl.mdl.destroy_dataset", "acl.mdl.create_desc": "acl.mdl.destroy_desc",
         "acl.mdl.create_config_handle": "acl.mdl.destroy_config_handle",
         "acl.mdl.create_exec_config_handle": "acl.mdl.destroy_exec_config_handle", "acl.prof.create_stamp": "acl.prof.destroy_stamp",
         "acl.prof.create_step_info": "acl.prof.destroy_step_info", "acl.prof.create_config": "acl.prof.destroy_config",
         "acl.rt.create_stream_config_handle": "acl.rt.destroy_stream_config_handle",
         "acl.op.create_attr": "acl.op.destroy_attr",
         "acl.media.dvpp_create_batch_pic_desc": "acl.media.dvpp_destroy_batch_pic_desc"}
PAIRS.update({f"acl.media.dvpp_create_{what}": f"acl.media.dvpp_destroy_{what}"
              for what in ("channel_desc", "pic_desc", "roi_config", "resize_config")})
# A thread ends by itself, but its end is known when it is joined.
PAIRS["acl.util.start_thread"] = "acl.util.stop_thread"
PAIRS.update({f"acl.rt.{create}": f"acl.rt.{destroy}" for create, destroy in (
    ("create_context", "destroy_context"), ("create_stream", "destroy_stream"),
    ("create_stream_with_config", "destroy_stream"), ("create_event", "destroy_event"),
    ("create_event_with_flag", "destroy_event"), ("create_event_ex_with_flag", "destroy_event"),
    ("create_notify", "destroy_notify"), ("cnt_notify_create", "cnt_notify_destroy"),
    ("create_label", "destroy_label"))})
# These close the device that the others need, so they are called wrongly alone.
CLOSE = ("acl.finalize", "acl.finalize_reference", "acl.rt.reset_device", "acl.rt.reset_device_force",
         "acl.rt.device_task_abort", "unpu._native.finalize", "unpu._native.finalize_reference",
         "unpu._native.reset_device_force")


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                     "fsmblks", "uordblks", "fordblks", "keepcost")]


mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Mallinfo


def function_of(name):
    module, _, short = name.rpartition(".")
    return getattr(importlib.import_module(module), short)


def rightly(entry):
    function, arguments = function_of(entry.full_name), harmless.arguments(entry)
    destroy = PAIRS.get(entry.full_name)
    if not destroy:
        return lambda: function(*arguments)
    undo = function_of(destroy)

    def both():
        made = function(*arguments)
        undo(made[0] if isinstance(made, tuple) else made)
    return both


def wrongly(entry):
    function, arguments = function_of(entry.full_name), [object()] * len(entry.parameters())

    def call():
        try:
            function(*arguments)
        except (TypeError, ValueError, OverflowError):
            pass
    return call


def count(call):
    gc.collect()
    blocks, used = sys.getallocatedblocks(), mallinfo().uordblks
    for _ in range(CALLS):
        call()
    gc.collect()
    return (sys.getallocatedblocks() - blocks) / CALLS, (mallinfo().uordblks - used) / CALLS


def left(call):
    """Blocks of Python and bytes of malloc that a call leaves. A cache grows until it is full and a leak for ever, so
    the smallest of the counts holds, and counting ends when one finds nothing that is worth telling."""
    for _ in range(50):
        call()
    blocks, size = count(call)
    for _ in range(MOST_COUNTS - 1):
        if blocks < 0.05 and size < 1:
            break
        blocks, size = (min(pair) for pair in zip((blocks, size), count(call)))
    return blocks, size


def main():
    import acl
    assert acl.init() == 0 and acl.rt.set_device(0) == 0
    found = {}
    for entry in signatures.Table().all():
        found[entry.full_name] = [] if entry.full_name in CLOSE else [left(rightly(entry))]
        # Without arguments there is no wrong one.
        if entry.parameters():
            found[entry.full_name].append(left(wrongly(entry)))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
