# SPDX-License-Identifier: MIT
"""What commands name that a test does not run: scripts and their options, programs, presets, and tests by name or label."""
import json
import os
import re
import shlex
import subprocess
import tempfile

OPTION = re.compile(r"--[a-z][\w-]*")


def printed(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options).stdout


def commands_of(block, values):
    """The commands as words, without what they put into the environment, which @values keeps for later blocks."""
    for line in re.sub(r"\\\n\s*", " ", block).splitlines():
        words = shlex.split(line, comments=True)
        for command in " ".join(map(shlex.quote, words)).replace("';'", ";").replace("'&&'", ";").replace(";'", "' ;").split(" ; "):
            words = [re.sub(r"\$(\w+)", lambda found: values.get(found.group(1), found.group(0)), word)
                     for word in shlex.split(command.strip())]
            while words and re.match(r"\w+=", words[0]):
                name, _, value = words.pop(0).partition("=")
                values[name] = value.rstrip(";")
            if words:
                yield words


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def problems_of_script(sources, name, words):
    """Its options are in its text, or in that of a script which it calls."""
    path = os.path.join(sources, name)
    if not os.path.exists(path):
        return [f"there is no {name}"]
    text = read(path)
    for other in set(re.findall(r"(?:scripts|tests|bench)/[\w/]+\.(?:py|sh)", text)):
        if os.path.exists(os.path.join(sources, other)):
            text += read(os.path.join(sources, other))
    options = [found.group() for found in map(OPTION.match, words) if found]
    return [f"{name} has no option {option}" for option in options if option not in text]


def problems_of_program(build, name, words):
    """A program of some preset. This build makes it, too, unless it is one that only a sanitizer's build has."""
    path = os.path.join(build, name)
    if not os.path.exists(path):
        rules = os.path.join(build, "build.ninja")
        is_made = os.path.exists(rules) and re.search(rf"\b{re.escape(name)}\b", read(rules))
        return [] if "fuzz" in name or is_made else [f"no build makes {name}"]
    chosen = [word for word in words if word.startswith("--gtest_filter=")]
    listed = printed(path, "--gtest_list_tests", *chosen) if chosen else "  any"
    return [] if re.search(r"^  \w", listed, re.M) else [f"{name} has no test {chosen}"]


def problems_of_tests(sources, build, words):
    """ctest finds a test, or the rules have one of another compiler by its whole name."""
    chosen = []
    for option, value in zip(words, words[1:]):
        if option in ("-R", "-L", "-C"):
            chosen += [option, value]
    # In the build's own folder ctest would replace the log of the run that this test is a part of.
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.write(f'subdirs("{build}")\n')
        listed = printed("ctest", "--test-dir", folder, "-N", *chosen)
    found = re.search(r"^Total Tests: (\d+)", listed, re.M)
    if found and found.group(1) != "0":
        return []
    rules = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(sources, "tests")) for name in names
             if name == "CMakeLists.txt"]
    if any(f"unpu_test({chosen[-1]} " in read(path) for path in rules):
        return []
    return [f"there is no test of ctest {' '.join(chosen)}"]


def problems_of_preset(sources, words):
    presets = json.loads(read(os.path.join(sources, "CMakePresets.json")))
    kind = {"cmake": "configurePresets", "ctest": "testPresets"}[words[0]]
    name = words[words.index("--preset") + 1]
    return [] if name in [preset["name"] for preset in presets[kind]] else [f"{words[0]} has no preset {name}"]


def problems_of_names(block, sources, build, values):
    problems = []
    for words in commands_of(block, values):
        if re.fullmatch(r"(/usr/bin/)?python3", words[0]):
            words = words[1:]
        in_build = re.fullmatch(r"build/[\w-]+/((?:bin|examples|lib64)/[\w.-]+)", words[0])
        if "--preset" in words:
            problems += problems_of_preset(sources, words)
        if words[0] == "ctest":
            problems += problems_of_tests(sources, build, words)
        elif in_build:
            problems += problems_of_program(build, in_build.group(1), words)
        elif re.match(r"(\./)?(scripts|tests|bench)/", words[0]):
            problems += problems_of_script(sources, words[0], words[1:])
        for word in words[1:]:
            other = re.fullmatch(r"build/[\w-]+/((?:bin|examples|lib64)/[\w.-]+)", word)
            if other:
                problems += problems_of_program(build, other.group(1), [])
            elif re.match(r"(scripts|tests|bench)/", word) and not os.path.exists(os.path.join(sources, word)):
                problems.append(f"there is no {word}")
    return problems
