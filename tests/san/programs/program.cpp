// SPDX-License-Identifier: MIT
/**
 * DOC: the list of programs, and the main function
 */
#include "program.h"

#include <cstring>

namespace programs {

static Program *first = nullptr;
static bool is_wrong = false;

Program::Program(const char *program, const char *rules, void (*function)(bool))
	: name(program), wanted(rules), run(function), next(first)
{
	first = this;
}

void expect(bool is_right, const char *what, int line)
{
	if (!is_right)
		std::printf("line %d: wrong result: not %s\n", line, what);
	is_wrong |= !is_right;
}

void use_two_devices()
{
	const char *device = std::getenv("UNPU_DEVICE");
	const std::string two = std::string(device ? device : "sim:") + "devices=2";
	check(setenv("UNPU_DEVICE", two.c_str(), 1) == 0, "setenv", 0, __FILE__, __LINE__);
}

int main_of(int argc, char **argv, void (*prepare)(), void (*finish)())
{
	if (argc < 2) {
		for (const Program *program = first; program; program = program->next)
			std::printf("%s %s\n", program->name, program->wanted);
		return 0;
	}
	const bool fixed = argc > 2 && std::strcmp(argv[2], "fixed") == 0;
	for (const Program *program = first; program; program = program->next) {
		if (std::strcmp(program->name, argv[1]) != 0)
			continue;
		prepare();
		program->run(fixed);
		finish();
		return is_wrong ? WRONG : 0;
	}
	std::fprintf(stderr, "there is no program %s\n", argv[1]);
	return 2;
}

} // namespace programs
