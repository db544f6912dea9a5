# SPDX-License-Identifier: MIT
"""Each name of the table: it is there, takes the arguments that the table gives it, and gives what it says."""
import importlib
import json
import os
import subprocess
import sys
import warnings

import pytest
import signatures

TABLE = signatures.Table()
MODULES = ("acl", "acl.rt", "acl.util", "acl.mdl", "acl.op", "acl.media", "acl.blas", "acl.prof", "unpu._native")


def by_name(entries):
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry.full_name)


def function_of(entry):
    return getattr(importlib.import_module(entry.module), entry.name)


@pytest.fixture(scope="module")
def shapes():
    script = os.path.join(os.path.dirname(__file__), "shapes.py")
    done = subprocess.run([sys.executable, "-W", "ignore", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_modules_are_those_of_the_table():
    assert tuple(TABLE.modules) == MODULES
    assert len(TABLE.all()) > 500


@pytest.mark.parametrize("name", MODULES[1:-1])
def test_submodule_can_be_imported_in_each_way(name):
    import acl
    short = name.rpartition(".")[2]
    assert sys.modules[name] is getattr(acl, short)
    assert importlib.import_module(name) is getattr(acl, short)
    code = f"import {name} as first\nfrom acl import {short} as second\nassert first is second"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_of_a_name():
    code = "from acl.rt import memcpy\nimport acl\nassert memcpy is acl.rt.memcpy"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_starts_no_thread():
    code = "import acl, os\nassert len(os.listdir('/proc/self/task')) == 1, os.listdir('/proc/self/task')"
    if "UNPU_SANITIZED" in os.environ:
        pytest.skip("the sanitizer's runtime has threads")
    subprocess.run([sys.executable, "-c", code], check=True)


@by_name(TABLE.all())
def test_name_is_in_dir(entry):
    assert entry.name in dir(importlib.import_module(entry.module))


@pytest.mark.parametrize("module", TABLE.modules)
def test_no_function_is_outside_the_table(module):
    listed = {entry.name for entry in TABLE.of_module(module)}
    below = {name.rpartition(".")[2] for name in TABLE.modules if name.startswith(module + ".")}
    found = {name for name in dir(importlib.import_module(module)) if not name.startswith("__")}
    assert found == listed | below


@by_name(TABLE.all())
def test_wrong_number_of_arguments_is_a_type_error(entry):
    wanted = len(entry.parameters())
    with pytest.raises(TypeError, match=r"takes \d+ arguments"):
        function_of(entry)(*[0] * (wanted + 1))
    if wanted > 0 and not any(optional for _, _, optional in entry.parameters()):
        with pytest.raises(TypeError, match=r"takes \d+ arguments"):
            function_of(entry)(*[0] * (wanted - 1))


@by_name(TABLE.all())
def test_keywords_are_a_type_error(entry):
    with pytest.raises(TypeError):
        function_of(entry)(unknown=1)


@by_name([entry for entry in TABLE.calls if any(kind == "int" for _, kind, _ in entry.parameters()[:1])])
@pytest.mark.parametrize("value", [None, "1", 1.5, b"1", [1]], ids=repr)
def test_what_is_no_integer_is_a_type_error(entry, value):
    others = [0] * (len(entry.parameters()) - 1)
    with pytest.raises(TypeError, match="must be int"):
        function_of(entry)(value, *others)


@by_name([entry for entry in TABLE.calls if any(kind == "int" for _, kind, _ in entry.parameters()[:1])])
def test_what_the_type_cannot_hold_is_an_overflow_error(entry):
    others = [0] * (len(entry.parameters()) - 1)
    with pytest.raises(OverflowError, match="it must be from"):
        function_of(entry)(1 << 64, *others)


@by_name([entry for entry in TABLE.calls if any(kind == "str" for _, kind, _ in entry.parameters())])
def test_what_is_no_text_is_a_type_error(entry):
    place = next(i for i, (_, kind, _) in enumerate(entry.parameters()) if kind == "str")
    values = [0] * len(entry.parameters())
    for value in (b"x", 7):
        values[place] = value
        with pytest.raises(TypeError):
            function_of(entry)(*values)


@by_name(TABLE.all())
def test_result_has_the_shape_of_the_table(entry, shapes):
    found = shapes[entry.full_name]
    wanted = entry.values()
    assert len(found) == len(wanted)
    for got, kind in zip(found, wanted):
        names = {part.split("[")[0].strip() for part in kind.split("|")}
        assert "object" in names or got in {"NoneType" if name == "None" else name for name in names}


@by_name(TABLE.refused)
def test_refused_name_gives_the_code_and_a_sentence(entry):
    import acl
    with warnings.catch_warnings():
        value = function_of(entry)(*[0] * entry.wanted)
    if entry.count == 0:
        assert value == 0
    else:
        values = value if entry.count > 1 else (value,)
        assert values == (0,) * (entry.count - 1) + (207000,)
    sentence = acl.get_recent_err_msg()
    assert sentence == f"{entry.full_name}() is not supported: {entry.why}"
    assert acl.get_recent_err_msg() is None


@by_name(TABLE.calls)
def test_help_names_the_c_function(entry):
    assert f"{entry.c_name}()" in function_of(entry).__doc__
