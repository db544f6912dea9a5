// SPDX-License-Identifier: MIT
/*
 * DOC: Python with a sanitizer
 *
 * Debian's interpreter is not instrumented, and a sanitizer's runtime that is preloaded into it begins too late. This
 * program is the same interpreter, linked with the runtime.
 */
#include <Python.h>

int main(int argc, char **argv)
{
	return Py_BytesMain(argc, argv);
}
