#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers of limits that pages have in their text are those of the code. --self-test checks that the gate finds what
is wrong."""
import json
import re
import sys

import tree

# page, words with # for the number, file, constant
ROWS = (
    ("hccl.rst", "A communicator has at most # ranks", "umd/hccl/meeting/words.h", "MAX_RANKS"),
    ("hccl.rst", "A firmware has at most # devices", "include/uapi/regs.h", "UNPU_MAX_DEVICES"),
    ("hccl-plan.rst", "A communicator has at most # ranks", "umd/hccl/meeting/words.h", "MAX_RANKS"),
    ("rooms.rst", "ranks of several firmwares, # at most", "umd/hccl/meeting/words.h", "MAX_RANKS"),
    ("process-mode.rst", "How many devices, up to #;", "include/uapi/regs.h", "UNPU_MAX_DEVICES"),
    ("process-mode.rst", "when the device has # clients", "firmware_sim/device/sim_device.cpp", "MAX_CLIENTS"),
    ("device.rst", "A device has up to # clients", "firmware_sim/device/sim_device.cpp", "MAX_CLIENTS"),
    ("device.rst", "of the same size: up to # copies", "include/uapi/operator.h", "UNPU_COPY_LIST_MAX"),
    ("graphs.rst", "slot's page if there are at most #,", "include/uapi/graph.h", "UNPU_GRAPH_PAGE_ARGS"),
    ("sharing.rst", "group has at most # members", "firmware_sim/schedule/share.cpp", "MAX_MEMBERS"),
    ("memory.rst", "The asynchronous form puts up to # entries", "include/uapi/operator.h", "UNPU_COPY_LIST_MAX"),
    ("memory.rst", "keeps the newest # ranges", "umd/core/memory/released.cpp", "MOST_RESERVATIONS"),
    ("process-mode.rst", "``NO_RESOURCE`` past # of them", "include/uapi/socket.h", "UNPU_MAX_FILES"),
    ("kernels.rst", "A kernel takes at most # parameters", "kernels/abi/image.h", "UNPU_KERNEL_MAX_PARAMS"),
)
README_ROWS = (
    ("up to # ranks", "umd/hccl/meeting/words.h", "MAX_RANKS"),
)


def value_of(text, name):
    """Of a constant or a macro, whose value may be a sum, a product or a shift of numbers. None: it is not there."""
    found = re.search(rf"(?:constexpr [^;=]*\b{name} =|#define {name}\b)\s*([^;\n]*)", text)
    if not found:
        return None
    value = re.sub(r"/\*.*", "", found[1])
    value = re.sub(r"\b(?:u?int\d+_t|size_t)\{(\d+)\}", r"\1", value)
    value = re.sub(r"\b(0x[0-9a-f]+|\d+)(?:u|ull|ul)?\b", r"\1", value).strip()
    return eval(value) if re.fullmatch(r"[\s()0-9a-fx+*<-]+", value) else None  # pylint: disable=eval-used


def numbers_in(text, words):
    """What stands for # where the text has the words, on one line or two."""
    pattern = r"\s+".join(re.escape(word) for word in words.split()).replace(r"\#", r"([0-9][0-9,]*[0-9]|[0-9])")
    return [int(number.replace(",", "")) for number in re.findall(pattern, text)]


def problem(page, text, words, value, where):
    said = numbers_in(text, words)
    if value is None:
        return f"{where} is not there"
    if not said:
        return f"{page} does not have '{words}'"
    wrong = [number for number in said if number != value]
    return f"{page}: '{words}' is {wrong[0]}, and {where} is {value}" if wrong else None


def operators():
    """How many functions with a workspace there are, but for those that are refused."""
    listed = json.loads(tree.read("umd/aclnn/operators.json"))
    exported = tree.public_functions()["libopapi"]
    return sum(name.endswith("GetWorkspaceSize") for name in exported) - len(listed["refused"])


def check_self():
    code = "constexpr uint32_t MOST = 256;\n#define ALL (1u << 4) /* x */\nconstexpr size_t BYTES = uint64_t{2} << 3;"
    for name, value in (("MOST", 256), ("ALL", 16), ("BYTES", 16), ("NONE", None)):
        if value_of(code, name) != value:
            yield f"the gate itself: {name} is {value_of(code, name)}"
    for text, words, said in (("at most 1,024\nranks", "at most # ranks", [1024]), ("at most 7 ranks", "# ranks", [7]),
                              ("ranks", "# ranks", [])):
        if numbers_in(text, words) != said:
            yield f"the gate itself: '{words}' is {numbers_in(text, words)} in '{text}'"
    for text, value, is_wrong in (("up to 8 x", 8, False), ("up to 9 x", 8, True), ("none", 8, True),
                                  ("up to 8 x", None, True)):
        if (problem("page", text, "up to # x", value, "X") is not None) != is_wrong:
            yield f"the gate itself: misjudges '{text}' where the code has {value}"


def main():
    if "--self-test" in sys.argv:
        tree.verdict("limits --self-test", list(check_self()), 11)
        return
    rows = [(f"Documentation/{page}", *row) for page, *row in ROWS] + [("README.md", *row) for row in README_ROWS]
    told = [problem(page, tree.read(page), words, value_of(tree.read(file), name), f"{name} of {file}")
            for page, words, file, name in rows]
    told.append(problem("README.md", tree.read("README.md"), "| operators | #", operators(),
                        "the number of functions with a workspace"))
    tree.verdict("limits", [text for text in told if text], len(told))


main()
