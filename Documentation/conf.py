# SPDX-License-Identifier: MIT
"""Sphinx configuration. It needs Sphinx, Graphviz for the figures, and no network."""
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def _version():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "CMakeLists.txt")
    with open(path, encoding="utf-8") as file:
        return re.search(r"project\(unpu VERSION ([0-9.]+)", file.read()).group(1)


project = "unpu"
author = "the unpu authors"
copyright = "the unpu authors, MIT licence"
release = version = _version()

extensions = ["unpu_tables", "unpu_operators", "unpu_python", "unpu_reference"]
# Without Graphviz the book has the text of each figure in its place (unpu_tables.py).
if shutil.which("dot"):
    extensions.append("sphinx.ext.graphviz")
    graphviz_output_format = "svg"
master_doc = "index"
exclude_patterns = ["_build"]
nitpicky = True
highlight_language = "none"
smartquotes = False

html_theme = "alabaster"
html_static_path = ["_static"]
html_css_files = ["unpu.css"]
html_show_sourcelink = False
html_theme_options = {
    "description": "A user-space NPU for Linux",
    # A line of code of 100 characters is shown whole.
    "page_width": "1280px",
    "body_max_width": "none",
    "code_font_size": "0.84em",
    "sidebar_width": "220px",
    "fixed_sidebar": True,
}
