# SPDX-License-Identifier: MIT
"""Where the toolkit is: the package is in python/site-packages of it, or has it in a folder of its own in a wheel.
A link to its folder is followed."""
import os

# The number is that of the interface.
LIBRARY = "libunpu.so.0"

HERE = os.path.realpath(os.path.dirname(__file__))


def toolkit():
    """The folder that has lib64 and bin."""
    for folder in (HERE, os.path.join(HERE, "..", "..", "..")):
        if os.path.exists(os.path.join(folder, "lib64", LIBRARY)):
            return os.path.realpath(folder)
    raise RuntimeError(f"unpu: there is no lib64/{LIBRARY} in {HERE}, nor three folders above it")


def library(name):
    """The path of a library of the toolkit."""
    return os.path.join(toolkit(), "lib64", name)


def program(name):
    """The path of a program of the toolkit."""
    path = os.path.join(toolkit(), "bin", name)
    if not os.path.exists(path):
        raise RuntimeError(f"unpu: there is no {path}")
    return path


def acl_folder():
    """The folder of the module acl, to be put on sys.path."""
    for folder in (os.path.join(HERE, "acl_path"), os.path.join(HERE, "..")):
        if os.path.exists(os.path.join(folder, "acl.abi3.so")):
            return os.path.realpath(folder)
    raise RuntimeError(f"unpu: there is no acl.abi3.so beside {HERE}")
