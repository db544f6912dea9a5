# SPDX-License-Identifier: MIT
"""The directive that draws the tables of Python names from the binding's table.

    .. unpu-python-names:: MODULE   the functions of one module: arguments, results and the C function, or why it refuses
"""
import os
import sys

from unpu_tables import ROOT, TableDirective, escape

sys.path.insert(0, os.path.join(ROOT, "python", "acl"))
import signatures  # noqa: E402


class PythonNames(TableDirective):
    required_arguments = 1

    def row(self, entry):
        names = ", ".join(f"[{name}]" if optional else name for name, _, optional in entry.parameters())
        values = ", ".join(entry.values())
        if entry in self.names.refused:
            state = f"not supported: {entry.why}"
            names = f"{entry.wanted} arguments" if entry.wanted != 1 else "1 argument"
        else:
            state = f"``{entry.c_name}``" if entry.c_name != "-" else "the binding's own"
        return [f"``{entry.name}``", escape(names), escape(values), state]

    def run(self):
        self.names = signatures.Table()
        for path in [*self.names.paths, os.path.join(ROOT, signatures.TABLE)]:
            self.state.document.settings.env.note_dependency(path)
        entries = self.names.of_module(self.arguments[0])
        if not entries:
            raise self.error(f"{signatures.TABLE} has no module {self.arguments[0]}")
        # A leading underscore marks what the pytest plug-in alone calls.
        rows = [self.row(entry) for entry in entries if not entry.name.startswith("_")]
        return self.table(["Name", "Arguments", "Results", "C function, or why it refuses"], [26, 34, 16, 34], rows)


def setup(app):
    app.add_directive("unpu-python-names", PythonNames)
    return {"parallel_read_safe": True}
