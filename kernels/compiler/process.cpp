// SPDX-License-Identifier: MIT
/**
 * DOC: Commands
 *
 * The preprocessor, the compiler and the linker are processes. Their errors go to the driver's standard error.
 */
#include "kernels/compiler/process.h"

#include <cstdio>
#include <cstring>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace compiler {

static void show(const std::vector<std::string> &command)
{
	for (const std::string &word : command)
		std::fprintf(stderr, "%s ", word.c_str());
	std::fputc('\n', stderr);
}

int run_command(const std::vector<std::string> &command, bool shows_command)
{
	if (shows_command)
		show(command);
	std::vector<char *> words;
	for (const std::string &word : command)
		words.push_back(const_cast<char *>(word.c_str()));
	words.push_back(nullptr);
	pid_t child = 0;
	const int error = posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ);
	if (error != 0) {
		std::fprintf(stderr, "unpu-ascendcc: %s cannot be started: %s\n", words[0],
			     std::strerror(error));
		return 127;
	}
	int status = 0;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	std::fprintf(stderr, "unpu-ascendcc: %s was ended by signal %d\n", words[0],
		     WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

} // namespace compiler
