// SPDX-License-Identifier: MIT
/**
 * DOC: programs of the corpus
 *
 * Each program is a function of one of two executables, which link the libraries as a user's program does.
 * Run with its name, an executable runs it; with the word "fixed" behind, it runs the repaired variant;
 * without arguments it prints the names, each with the rules that a judge has to find, and with the word SHOWS if
 * another order of its commands gives a wrong result. Rules with a '+' are found only where the contents of host memory
 * are compared (UNPU_SANITIZE_HOST). RULE:HINT is a hint by which a finding of the rule explains itself.
 */
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace programs {

/** WRONG - what an executable ends with when a result was wrong. */
constexpr int WRONG = 5;

/** struct Program - one program of the corpus. */
struct Program {
	Program(const char *program, const char *rules, void (*function)(bool));

	const char *const name;
	const char *const
		wanted; /* rules, separated by spaces; with a '?' one that need not be found, with a '+'
			 * one that is found by contents; "": correct;
			 * SHOWS: not a rule, see above */
	void (*const run)(bool fixed);
	Program *const next;
};

/** main_of() - @prepare, @finish: before and after each program. */
int main_of(int argc, char **argv, void (*prepare)(), void (*finish)());

/** use_two_devices() - for the libraries, which have not read the device string yet. */
void use_two_devices();

/** expect() - notes whether a result is right. */
void expect(bool is_right, const char *what, int line);

/** check() - ends the process if a call has failed. */
inline void check(bool is_right, const char *what, int code, const char *file, int line)
{
	if (is_right)
		return;
	std::fprintf(stderr, "%s:%d: %s: %d\n", file, line, what, code);
	std::_Exit(3);
}

} // namespace programs

/* PROGRAM() - a program with mistakes; @fixed is true in its repaired variant, which has none. CORRECT() - a
 * program that only looks wrong. */
#define PROGRAM(name, wanted) \
	static void run_##name(bool fixed); \
	static const programs::Program program_##name(#name, wanted, run_##name); \
	static void run_##name([[maybe_unused]] bool fixed)
#define CORRECT(name) PROGRAM(name, "")

/* EXPECT() - a result that the program would have if all of its synchronization were there. */
#define EXPECT(condition) programs::expect(condition, #condition, __LINE__)

#define OK(call) \
	do { \
		const auto code_ = (call); \
		programs::check(code_ == 0, #call, static_cast<int>(code_), __FILE__, __LINE__); \
	} while (0)
