// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unpu_command {

constexpr const char *NAME = "unpu";
/* The exit code of a shell that can't start a program. */
constexpr int EXIT_NO_RUN = 127;

/** struct RunOptions - the options of "unpu run". */
struct RunOptions {
	std::vector<std::string> words; /* the program and its arguments */
	/* device string; empty: the value of UNPU_DEVICE, or sim: */
	std::string device;
	std::string trace;
	std::string faults;
	std::string schedule;
	std::string check; /* the value for UNPU_CHECK; empty: the variable keeps its value */
	bool is_sanitized = false;
	bool has_cuda = false;
};

/** struct DebugWishes - the options of "unpu kernel debug". */
struct DebugWishes {
	std::vector<std::string> words; /* the program and its arguments */
	/* breakpoints; if there is one, the program starts at once */
	std::vector<std::string> places;
	/* device string; empty: the value of UNPU_DEVICE, or sim: */
	std::string device;
};

/** struct TopWishes - the options of "unpu top". */
struct TopWishes {
	std::string device;
	std::string colour = "auto";
	double seconds = 1;
	/* how many pictures to draw; 0: until the user ends the program */
	uint32_t looks = 0;
	std::vector<uint64_t> pids; /* process ids of programs with their own devices */
};

/** struct DoctorWishes - the options of "unpu doctor". */
struct DoctorWishes {
	std::string device;
	bool is_json = false;
};

/** struct BenchWishes - the options of "unpu bench". */
struct BenchWishes {
	std::string device;
	uint32_t rounds = 5;
	bool is_json = false;
};

/** struct ModelWishes - the options of "unpu model show" and "unpu model explain". */
struct ModelWishes {
	std::string file;
	std::string picture;	   /* a file for an SVG; empty: none */
	std::vector<int64_t> dims; /* sizes of the open dims, one input after the other */
	bool has_nodes = false;
	bool explains = false;
};

/** run() - replaces this process by the program. Return: an exit code if that failed; the error message is
 * printed. */
int run(const RunOptions &options);

/** debug() - replaces this process by gdb, which follows the program into the process that runs its kernels.
 * Return: as run(). */
int debug(const DebugWishes &options);

/** become_tool() - replaces this process by another program of the toolkit.
 * @tool: the name of the program's file, for example unpu-info
 * @words: the program's arguments. Return: an exit code if the program can't be started. */
int become_tool(const std::string &tool, const std::vector<std::string> &words);

/** daemon() - replaces this process by a firmware-sim that listens on a socket: the user's own socket, unless
 * @words name another. */
int daemon(std::vector<std::string> words);

/** show_model() - prints what a file of atc computes, and what the passes of the compiler made of it. */
int show_model(const ModelWishes &options);

/** explain_model() - prints which nodes of a model the passes made one, and why not others. */
int explain_model(const ModelWishes &options);

int top(const TopWishes &options);
int doctor(const DoctorWishes &options);
int bench(const BenchWishes &options);

/** complete() - prints a script that completes the command lines of all tools. @shell: bash, zsh or fish */
int complete(const std::string &shell);

} // namespace unpu_command
