// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unpu_command {

constexpr const char *NAME = "unpu";
/* As a shell ends when it can't start a program. */
constexpr int EXIT_NO_RUN = 127;

/** struct RunWishes - what "unpu run" is asked for. */
struct RunWishes {
	std::vector<std::string> words; /* the program and its arguments */
	std::string device;		/* empty: UNPU_DEVICE's, or sim: */
	std::string trace;
	std::string faults;
	std::string schedule;
	std::string check; /* UNPU_CHECK's word; empty: the program's own */
	bool is_sanitized = false;
	bool has_cuda = false;
};

/** struct DebugWishes - what "unpu kernel debug" is asked for. */
struct DebugWishes {
	std::vector<std::string> words;	 /* the program and its arguments */
	std::vector<std::string> places; /* where to stop; not empty: the program runs at once */
	std::string device;		 /* empty: UNPU_DEVICE's, or sim: */
};

/** struct TopWishes - what "unpu top" is asked for. */
struct TopWishes {
	std::string device;
	std::string colour = "auto";
	double seconds = 1;
	uint32_t looks = 0;	    /* 0: until the user ends it */
	std::vector<uint64_t> pids; /* of programs with devices of their own */
};

/** struct DoctorWishes - what "unpu doctor" is asked for. */
struct DoctorWishes {
	std::string device;
	bool is_json = false;
};

/** struct BenchWishes - what "unpu bench" is asked for. */
struct BenchWishes {
	std::string device;
	uint32_t rounds = 5;
	bool is_json = false;
};

/** run() - becomes the program. Return: why not, as an exit code; the sentence is printed. */
int run(const RunWishes &wishes);

/** debug() - becomes gdb, which follows the program into the process that runs its kernels. Return: as run(). */
int debug(const DebugWishes &wishes);

/** become_tool() - becomes another program of the toolkit.
 * @tool: its file's name, as unpu-info
 * @words: its arguments. Return: an exit code, if it can't be started. */
int become_tool(const std::string &tool, const std::vector<std::string> &words);

/** daemon() - becomes firmware-sim that listens; at the user's own socket if @words do not say where. */
int daemon(std::vector<std::string> words);

int top(const TopWishes &wishes);
int doctor(const DoctorWishes &wishes);
int bench(const BenchWishes &wishes);

/** complete() - prints a script that completes the command lines of all tools. @shell: bash, zsh or fish */
int complete(const std::string &shell);

} // namespace unpu_command
