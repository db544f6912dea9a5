// SPDX-License-Identifier: MIT
/**
 * DOC: Commands
 *
 * The preprocessor, the compiler and the linker are processes. Their errors go to the driver's standard error. A cross
 * compiler has tools of its own, and says where they are.
 */
#include "kernels/compiler/process.h"

#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/transfers.h"

namespace compiler {

static void show(const std::vector<std::string> &command)
{
	for (const std::string &word : command)
		std::fprintf(stderr, "%s ", word.c_str());
	std::fputc('\n', stderr);
}

// Starts a command; @output takes the place of its descriptor @number, unless it is -1. Return: its process, or -1
// after a message.
static pid_t start(const std::vector<std::string> &command, int output, int number = STDOUT_FILENO)
{
	std::vector<char *> words;
	for (const std::string &word : command)
		words.push_back(const_cast<char *>(word.c_str()));
	words.push_back(nullptr);
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	if (output >= 0)
		posix_spawn_file_actions_adddup2(&actions, output, number);
	pid_t child = -1;
	const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error == 0)
		return child;
	std::fprintf(stderr, "unpu-ascendcc: %s cannot be started: %s\n", words[0],
		     std::strerror(error));
	return -1;
}

// Waits for the end of @child. Return: its exit status.
static int finish(pid_t child, const std::string &name)
{
	int status = 0;
	if (base::calls::waitpid(child, &status, 0) < 0)
		return 127;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	std::fprintf(stderr, "unpu-ascendcc: %s was ended by signal %d\n", name.c_str(),
		     WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

int run_command(const std::vector<std::string> &command, bool shows_command)
{
	if (shows_command)
		show(command);
	const pid_t child = start(command, -1);
	return child < 0 ? 127 : finish(child, command[0]);
}

static std::string read_all(int from)
{
	std::string text;
	char part[4096];
	ssize_t size;
	while ((size = base::calls::read(from, part, sizeof(part))) > 0)
		text.append(part, static_cast<size_t>(size));
	base::calls::close(from);
	return text;
}

int run_command_quietly(const std::vector<std::string> &command, std::string *errors)
{
	int pipe_ends[2];
	if (pipe2(pipe_ends, O_CLOEXEC) != 0)
		return run_command(command, false);
	const pid_t child = start(command, pipe_ends[1], STDERR_FILENO);
	base::calls::close(pipe_ends[1]);
	*errors = read_all(pipe_ends[0]);
	return child < 0 ? 127 : finish(child, command[0]);
}

std::string tool_of(const std::string &compiler, const std::string &name)
{
	int pipe_ends[2];
	if (pipe2(pipe_ends, O_CLOEXEC) != 0)
		return name;
	const pid_t child = start({compiler, "-print-prog-name=" + name}, pipe_ends[1]);
	base::calls::close(pipe_ends[1]);
	std::string text = read_all(pipe_ends[0]);
	const bool is_told = child >= 0 && finish(child, compiler) == 0;
	while (!text.empty() && text.back() == '\n')
		text.pop_back();
	return is_told && !text.empty() ? text : name;
}

} // namespace compiler
