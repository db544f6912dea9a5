# SPDX-License-Identifier: MIT
"""Directives that draw the book's tables from the sources, so that no table can be older than them.

    .. unpu-struct:: NAME       a wire struct, field by field, with the offsets of the golden layout
    .. unpu-numbers:: LIST      an X-list of a wire header: names and numbers
    .. unpu-statuses::          every status with its sentence and the aclError it becomes
    .. unpu-device-keys::       the keys of the device string
    .. unpu-functions:: LIBRARY the functions a library exports, by the header that declares them
    .. unpu-states:: LIBRARY    the same, and which of them work
    .. unpu-worker-calls::      the system calls that workers of kernels may make, and why
    .. unpu-checks::            the numbered checks of behaviour, and the tests that are one
    .. graphviz:: FILE          a figure; only where dot is absent, and then it shows the figure's text

A field, status, key or function that the book does not explain ends the build with an error.
"""
import glob
import os
import re
import shutil
import sys

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "gates"))

import tree  # noqa: E402  pylint: disable=wrong-import-position

GOLDEN = "tests/gates/layout.golden"


def escape(text):
    return re.sub(r"([\\*`|_<>])", r"\\\1", text)


def note_source(env, path):
    """A page is written again when what it is made of has changed."""
    env.note_dependency(os.path.join(ROOT, tree.generate.TABLE if path in tree.made() else path))


class TableDirective(Directive):
    """Builds list-tables; remembers which files they depend on."""
    has_content = True

    def read(self, path):
        note_source(self.state.document.settings.env, path)
        return tree.read(path)

    def find(self, pattern):
        return sorted(os.path.relpath(path, ROOT)
                      for path in glob.glob(os.path.join(ROOT, pattern), recursive=True))

    def explained(self):
        """The directive's content: 'name: text' lines, continued by indented ones."""
        texts, name = {}, None
        for line in self.content:
            if line[:1].isspace() and name:
                texts[name] += " " + line.strip()
            elif line.strip():
                name, _, text = line.partition(":")
                texts[name.strip()] = text.strip()
        return texts

    def table(self, heads, widths, rows):
        lines = [".. list-table::", "   :header-rows: 1",
                 "   :widths: " + " ".join(map(str, widths)), ""]
        for row in [heads] + rows:
            for column, cell in enumerate(row):
                lines.append(("   * - " if column == 0 else "     - ") + cell)
        box = nodes.container()
        self.state.nested_parse(StringList(lines, source=self.name), self.content_offset, box)
        return box.children


class Struct(TableDirective):
    required_arguments = 1
    option_spec = {"writer": directives.unchanged}

    def layout(self, name):
        fields, inside = [], False
        for line in self.read(GOLDEN).splitlines():
            if line.startswith("struct "):
                inside = line.split()[1] == name
            elif inside and line.startswith("\t"):
                fields.append(line.split())
            else:
                inside = False
        if not fields:
            raise self.error(f"{GOLDEN} has no struct {name}")
        return fields

    def comments(self, name):
        for path in self.find("include/uapi/*.h"):
            found = re.search(rf"^struct {name} \{{\n(.*?)^\}};", self.read(path), re.S | re.M)
            if found:
                field = r"^\s*[\w ]+?\b(\w+)(?:\[[^;]*\])?;[ \t]*(?:/\*\s*(.*?)\s*\*/)?"
                return {name: text for name, text in re.findall(field, found.group(1), re.M)}
        raise self.error(f"no header of include/uapi has struct {name}")

    def run(self):
        name = self.arguments[0]
        comments, texts = self.comments(name), self.explained()
        writer = self.options.get("writer")
        rows = []
        for field, offset, size in self.layout(name):
            text = texts.pop(field, None) or escape(comments.get(field, ""))
            if not text and field.startswith("reserved"):
                text = "zero"
            if not text:
                raise self.error(f"{name}.{field} is explained neither here nor in its header")
            rows.append([offset, size, f"``{field}``"] + ([writer] if writer else []) + [text])
        if texts:
            raise self.error(f"struct {name} has no field {', '.join(texts)}")
        heads = ["Offset", "Bytes", "Field"] + (["Writer"] if writer else []) + ["Meaning"]
        widths = [10, 10, 20] + ([14] if writer else []) + [56]
        return self.table(heads, widths, rows)


class Numbers(TableDirective):
    required_arguments = 1
    option_spec = {"title": directives.unchanged}

    def run(self):
        name, texts, rows = self.arguments[0], self.explained(), []
        for path in self.find("include/uapi/*.h"):
            found = re.search(rf"^#define {name}\(X\) \\\n((?:.*\\\n)*.*)\n", self.read(path), re.M)
            if not found:
                continue
            for item, number in re.findall(r"\bX\((\w+), (\d+)", found.group(1)):
                if item not in texts:
                    raise self.error(f"{name}: {item} is not explained")
                rows.append([number, f"``{item}``", texts.pop(item)])
        if not rows or texts:
            raise self.error(f"{name} does not exist, or lacks {', '.join(texts)}")
        return self.table(["Number", self.options.get("title", "Name"), "Meaning"], [10, 25, 75],
                          rows)


class Statuses(TableDirective):
    def numbers(self):
        found = {}
        for path in self.find("include/acl/**/*.h"):
            found.update(re.findall(r"^\s*#define (ACL_\w+) (\d+)\b", self.read(path), re.M))
            found.update(re.findall(r"^\s*static const int (ACL_\w+) = (\d+);", self.read(path),
                                    re.M))
        return found

    def run(self):
        codes = dict(re.findall(r"\bX\((\w+), (ACL_\w+)\)", self.read("umd/acl/error.cpp")))
        numbers = self.numbers()
        rows = []
        for name, number, sentence in re.findall(r'\bX\((\w+), (\d+), "([^"]*)"\)',
                                                 self.read("include/uapi/status.h")):
            code = codes.get(name)
            if code not in numbers:
                raise self.error(f"{name}: umd/acl/error.cpp gives no aclError that has a number")
            rows.append([number, f"``{name}``", escape(sentence), numbers[code], f"``{code}``"])
        if not rows:
            raise self.error("include/uapi/status.h has no statuses")
        return self.table(["Status", "Name", "Sentence", "aclError", "Name of the aclError"],
                          [8, 24, 36, 10, 36], rows)


class DeviceKeys(TableDirective):
    def run(self):
        text, texts, rows = self.read("hal/options.cpp"), self.explained(), []
        limits = dict(re.findall(r'^\t\{"(\w+)", ([^,]+),\s+\[\]', text, re.M))
        limits.update({word: "" for word in re.findall(r'\b(?:word|name) == "([\w-]+)"', text)})
        for key, limit in limits.items():
            if key not in texts:
                raise self.error(f"the device string's {key} is not explained")
            shift = re.match(r"uint64_t\{1\} << (\d+)", limit)
            most = f"2\\ :sup:`{shift.group(1)}`" if shift else limit or "--"
            rows.append([f"``{key}``", most, texts.pop(key)])
        if texts:
            raise self.error(f"the device string has no {', '.join(texts)}")
        return self.table(["Key", "At most", "Meaning"], [15, 12, 80], rows)


class Functions(TableDirective):
    required_arguments = 1
    final_argument_whitespace = False

    @staticmethod
    def headers(place):
        return [place] if place == tree.SECURE else tree.files([place], (".h",), with_made=True)

    def families(self, library):
        """title -> names, by the first header whose code (not comments) names each function."""
        folders = {"libascendcl": "include/acl", "libnnopbase": "include/aclnn", "libopapi": "include/aclnnop", "libunpu": "include/unpu",
                   "libms_tools_ext": "include/mstx", "libascendalog": "include/base", "libhccl": "include/hccl", "libc_sec": tree.SECURE}
        found = {}
        names = sorted(tree.public_functions()[library])
        for path in self.headers(folders[library]):
            text = self.read(path)
            title = re.search(r"DOC: (.*)", text)
            code = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
            here = [name for name in names if re.search(rf"\b{name}\s*\(", code)]
            names = [name for name in names if name not in here]
            if here:
                found[title.group(1) if title else os.path.basename(path)] = here
        if names:
            raise self.error(f"{library}: no header declares {', '.join(names)}")
        return found

    def run(self):
        rows = [[escape(title), ", ".join(f"``{name}``" for name in names)]
                for title, names in self.families(self.arguments[0]).items()]
        if not rows:
            return [nodes.paragraph(text="None.")]
        return self.table(["Family", "Functions"], [20, 90], rows)


class States(Functions):
    TABLES = {"libascendcl": "umd/acl/unsupported.def", "libhccl": "umd/hccl/calls/unsupported.def"}

    def refused(self, library):
        """name -> why it does not work."""
        table = self.TABLES[library]
        text = self.read(table)
        reasons = dict(re.findall(r'^UNSUPPORTED_REASON\((\w+), "([^"]+)"\)$', text, re.M))
        lines = re.findall(r"^UNSUPPORTED(?:_VOID)?\((\w+), \(.*?\), (\w+)\)$", text, re.S | re.M)
        lines += re.findall(r"^UNSUPPORTED_AS\([^,()]+, [^,()]+, (\w+), \(.*?\), (\w+)\)$", text,
                            re.S | re.M)
        if not lines:
            raise self.error(f"{table} has no lines")
        return {name: reasons[key] for name, key in lines}

    def run(self):
        refused, rows = self.refused(self.arguments[0]), []
        for title, names in self.families(self.arguments[0]).items():
            states = {}
            for name in names:
                why = refused.get(name)
                states.setdefault(f"not supported: {why}" if why else "working", []).append(name)
            rows += [[escape(title), state, ", ".join(f"``{name}``" for name in states[state])]
                     for state in sorted(states, reverse=True)]
        return self.table(["Family", "State", "Functions"], [20, 20, 70], rows)


class Checks(TableDirective):
    def run(self):
        checks = {}
        for path in self.find("tests/conformance/*/*.cpp"):
            tests = re.findall(r"^TEST(?:_F|_P)?\((\w+), (Check(\d+)_\w+)\)", self.read(path), re.M)
            for suite, name, number in tests:
                checks.setdefault(int(number), []).append((path, f"``{suite}.{name}``"))
        if not checks:
            raise self.error("no test is a check")
        rows = [[str(number),
                 ", ".join(sorted({f"``{os.path.basename(path)}``" for path, _ in checks[number]})),
                 " ".join(name for _, name in checks[number])] for number in sorted(checks)]
        return self.table(["Check", "File", "Tests"], [8, 24, 78], rows)


class WorkerCalls(TableDirective):
    HEADER = "kernels/worker/process/allowed.h"

    @staticmethod
    def condition(text):
        number, mask, value = (part.strip() for part in text.split(","))
        bits = "" if mask == "WHOLE" else f" in the bits {mask}"
        return f"argument {number} is {value}{bits}"

    def run(self):
        text, rows = re.sub(r'"\s+"', "", self.read(self.HEADER)), []
        found = re.findall(r'ALLOW\((\w+), Threads::(\w+),\s*"([^"]+)"((?:,\s*\{[^}]+\})*)\),', text)
        if len(found) != text.count("Threads::ALL,") + text.count("Threads::SESSION,"):
            raise self.error(f"{self.HEADER} has a row that this table does not understand")
        for name, threads, reason, conditions in found:
            wanted = [self.condition(part) for part in re.findall(r"\{([^}]+)\}", conditions)]
            if threads == "SESSION":
                wanted.append("no kernel runs on the thread")
            rows.append([f"``{name}``", escape("; ".join(wanted) or "always"), escape(reason)])
        for name in re.findall(r"SYS_(\w+)", text[text.index("ANSWERED[]"):].partition(";")[0]):
            rows.append([f"``{name}``", "never: the process answers it itself",
                         "the loader opens an image by the path of its descriptor"])
        return self.table(["Call", "Allowed if", "Reason"], [16, 48, 46], rows)


class FigureText(TableDirective):
    """Stands for sphinx.ext.graphviz where there is no dot."""
    has_content = False
    required_arguments = 1
    option_spec = {"alt": directives.unchanged, "caption": directives.unchanged}

    def run(self):
        text = self.read("Documentation/" + self.arguments[0])
        head = f"{self.options.get('caption', self.arguments[0])} (There was no dot to draw it.)"
        return [nodes.paragraph(text=head), nodes.literal_block(text, text)]


def setup(app):
    if not shutil.which("dot"):
        # Not a warning of Sphinx, which would end the build, and not an information, which -q drops.
        print("There is no dot here (Debian's package graphviz): figures are shown as their text.",
              file=sys.stderr)
        app.add_directive("graphviz", FigureText)
    app.add_directive("unpu-struct", Struct)
    app.add_directive("unpu-numbers", Numbers)
    app.add_directive("unpu-statuses", Statuses)
    app.add_directive("unpu-device-keys", DeviceKeys)
    app.add_directive("unpu-functions", Functions)
    app.add_directive("unpu-states", States)
    app.add_directive("unpu-worker-calls", WorkerCalls)
    app.add_directive("unpu-checks", Checks)
    return {"parallel_read_safe": True}
