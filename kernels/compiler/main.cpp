// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-ascendcc
 *
 * Compiles C++ sources with kernels. See Documentation/kernels.rst.
 */
#include <cstdio>
#include <exception>

#include "kernels/compiler/arguments.h"
#include "kernels/compiler/driver.h"

int main(int argc, char **argv)
{
	const compiler::Arguments arguments = compiler::read_arguments(argc, argv);
	if (arguments.prints_cpu_options) {
		for (const std::string &word : compiler::cpu_options())
			std::printf("%s ", word.c_str());
		std::printf("\n");
		return 0;
	}
	try {
		return compiler::Driver(arguments).run();
	} catch (const std::exception &error) {
		std::fprintf(stderr, "unpu-ascendcc: %s\n", error.what());
		return 1;
	}
}
