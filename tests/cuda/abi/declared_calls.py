#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""declared_calls.py HEADERS REFUSED OUTPUT: a C program that calls each function that REFUSED lists and the headers in
the folder HEADERS declare, as a program that was written for another device does. Each call has to say that it is not
supported."""
import os
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
DECLARATION = re.compile(r"^CUresult CUDAAPI (cu\w+)\(([^;]*)\);", re.M)
ROW = re.compile(r"^\tX\((\w+), \d+, \w+,[\s\\]+\w+,[\s\\]+\w+\)", re.M)
FRAME = """/* SPDX-License-Identifier: MIT */
#include <cuda.h>
#include <stdio.h>

static int wrong;

static void expect(const char *name, CUresult result)
{
	if (result == CUDA_ERROR_NOT_SUPPORTED)
		return;
	printf("%%s returned %%d\\n", name, (int)result);
	wrong++;
}

int main(void)
{
	CUdevice device;
	CUcontext context;
	if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, NULL, 0, device))
		return 2;
%s	printf("%d functions\\n");
	return wrong != 0 || cuCtxDestroy(context);
}
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    folder, refused, output = sys.argv[1:]
    names = set(ROW.findall(read(refused)))
    calls = []
    for header in sorted(os.listdir(folder)):
        for name, parameters in DECLARATION.findall(COMMENT.sub("", read(os.path.join(folder, header)))):
            if name in names:
                count = 0 if parameters.strip() == "void" else parameters.count(",") + 1
                calls.append(f"\texpect(\"{name}\", {name}({', '.join(['0'] * count)}));\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write(FRAME % ("".join(calls), len(calls)))


main()
