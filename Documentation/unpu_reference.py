# SPDX-License-Identifier: MIT
"""A directive that writes the reference of functions from the kernel-doc of public headers.

    .. unpu-reference:: FOLDER   each header of the folder is a section, each function an entry of it

The search of the book finds the functions by name, and the index lists them. The gate kerneldoc checks that each has a
comment of its own which names its parameters and what it returns."""
import os
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx import addnodes

from unpu_tables import note_source, tree

# Words of a declaration that are not for readers.
MARKS = re.compile(r"\b(?:ACL_FUNC_VISIBILITY|UNPU_API|CUDAAPI|MSTX_API|HCCL_API|extern|SECUREC_API)\b\s*")
CODE = re.compile(r"(\b[a-zA-Z_]\w*\(\)|@\w+|\b(?:ACL|CU|CUDA|HCCL|UNPU)_[A-Z0-9_]+\b)")


def body_of(comment):
    """The lines of a comment without its frame."""
    text = re.sub(r"^/\*\*?|\*/$", "", comment.strip())
    return [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in text.split("\n")]


def paragraphs_of(lines):
    """(parameter or None, text) of each paragraph; a parameter's begins with @name: text."""
    found, name, text = [], None, ""
    for line in lines + [""]:
        parameter = re.match(r"@(\w+): (.*)", line)
        if parameter or not line.strip() or line.startswith(("Context:", "Return:")):
            if text:
                found.append((name, text))
            name, text = (parameter.group(1), parameter.group(2)) if parameter else (None, line.strip())
        else:
            text = f"{text} {line.strip()}".strip()
    return found


def words_of(text):
    """The text as nodes: names of functions, parameters and constants as code."""
    for piece in CODE.split(text):
        if CODE.fullmatch(piece):
            yield nodes.literal(text=piece.removeprefix("@"))
        elif piece:
            yield nodes.Text(piece)


def content_of(comment):
    """Return: the summary, and nodes of the rest."""
    summary, rest = "", []
    parameters = nodes.definition_list()
    for name, text in paragraphs_of(body_of(comment)):
        head = re.match(r"[\w, ()]+\(\)(?:, \w+\(\))* - (.*)", text)
        if not summary and head:
            summary = head.group(1)
            continue
        if name:
            parameters += nodes.definition_list_item("", nodes.term("", "", nodes.literal(text=name)),
                                                     nodes.definition("", nodes.paragraph("", "", *words_of(text))))
            continue
        label = re.match(r"(Context|Return): ", text)
        strong = [nodes.strong(text=label.group(0))] if label else []
        rest.append(nodes.paragraph("", "", *strong, *words_of(text[label.end():] if label else text)))
    return summary, ([parameters] if len(parameters) else []) + rest


class Reference(Directive):
    required_arguments = 1
    final_argument_whitespace = True

    def entry(self, env, name, comment, statement):
        """The nodes of one function."""
        anchor = "f-" + name
        signature = addnodes.desc_signature("", "", ids=[anchor])
        signature += addnodes.desc_name(text=MARKS.sub("", statement).replace(" *", " *"))
        summary, rest = content_of(comment)
        described = addnodes.desc(domain="std", objtype="api", noindex=False)
        described += signature
        paragraph = nodes.paragraph("", "", *words_of(summary[:1].upper() + summary[1:] + ".")) if summary else None
        described += addnodes.desc_content("", *filter(None, [paragraph]), *rest)
        env.get_domain("std").note_object("api", name, anchor, location=self.state_machine.get_source_and_line())
        index = addnodes.index(entries=[("single", f"{name}()", anchor, "", None)])
        return [index, described]

    def section(self, env, path):
        functions = tree.declarations(path)
        title = re.search(r"DOC: (.*)", tree.read(path))
        section = nodes.section(ids=["h-" + re.sub(r"\W", "-", path)])
        section += nodes.title(text=title.group(1) if title else os.path.basename(path))
        section += nodes.paragraph("", "", nodes.literal(text=path.removeprefix("include/")))
        for name, comment, statement in functions:
            if name not in self.seen:
                self.seen.add(name)
                section += self.entry(env, name, comment, statement)
        self.state.document.note_implicit_target(section)
        return section if functions else None

    def run(self):
        env = self.state.document.settings.env
        self.seen = set()
        sections = []
        for path in tree.files((self.arguments[0],), (".h",), with_made=True):
            note_source(env, path)
            sections.append(self.section(env, path))
        found = [section for section in sections if section is not None]
        if not found:
            raise self.error(f"no header of {self.arguments[0]} declares a function")
        return found


def setup(app):
    app.add_object_type("api", "api", objname="function")
    app.add_directive("unpu-reference", Reference)
    return {"parallel_read_safe": True}
