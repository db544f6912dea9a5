// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san run
 *
 * Starts a program, and judges afterwards what it and its children have written. The program has the standard
 * input and output; the report goes to the standard error or into a file. A program that failed by itself ends
 * the tool as it would have ended without: a finding never hides that.
 */
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "reports.h"
#include "san/formats/text.h"

namespace san::tool {

/* Signals that ask a process to end, and go on to the program. */
static constexpr int PASSED_ON[] = {SIGTERM, SIGHUP};
/* Signals of the terminal, which the program gets by itself. */
static constexpr int OF_TERMINAL[] = {SIGINT, SIGQUIT};

/* Lock-free, so that the signal handler may read it. */
static std::atomic<pid_t> child_pid;
static_assert(std::atomic<pid_t>::is_always_lock_free);

static void pass_on(int signal)
{
	const pid_t child = child_pid;
	if (child > 0)
		kill(child, signal);
}

/* struct Ended - how a program ended. */
struct Ended {
	int code = 0;
	int signal = 0;
	std::string problem; /* why it was not started */
};

namespace {

/* class Signals - while a program runs, its signals are not the tool's. */
class Signals {
public:
	Signals()
	{
		struct sigaction action = {};
		action.sa_handler = SIG_IGN;
		for (const int signal : OF_TERMINAL)
			sigaction(signal, &action, nullptr);
		action.sa_handler = pass_on;
		action.sa_flags = SA_RESTART;
		for (const int signal : PASSED_ON)
			sigaction(signal, &action, nullptr);
	}
	~Signals() { reset(); }
	Signals(const Signals &) = delete;
	Signals &operator=(const Signals &) = delete;

	static void reset()
	{
		for (const int signal : OF_TERMINAL)
			::signal(signal, SIG_DFL);
		for (const int signal : PASSED_ON)
			::signal(signal, SIG_DFL);
	}
};

} // namespace

[[noreturn]] static void become(const Wishes &wishes, const std::string &folder, int report_fd)
{
	Signals::reset();
	setenv("UNPU_SANITIZE", folder.c_str(), 1);
	std::vector<char *> arguments;
	for (const std::string &argument : wishes.files)
		arguments.push_back(const_cast<char *>(argument.c_str()));
	arguments.push_back(nullptr);
	execvp(arguments[0], arguments.data());
	const int error = errno;
	if (write(report_fd, &error, sizeof(error)) < 0)
		_exit(EXIT_NO_RUN);
	_exit(EXIT_NO_RUN);
}

static Ended run_once(const Wishes &wishes, const std::string &folder)
{
	/* The pipe closes when the program is started, and else has the reason. */
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return {EXIT_NO_RUN, 0, std::generic_category().message(errno)};
	const Signals signals;
	const pid_t child = fork();
	if (child == 0)
		become(wishes, folder, ends[1]);
	const int fork_error = errno;
	child_pid = child;
	close(ends[1]);
	int error = child < 0 ? fork_error : 0;
	if (child > 0 && read(ends[0], &error, sizeof(error)) < 0)
		error = errno;
	close(ends[0]);
	int status = 0;
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	child_pid = 0;
	if (error != 0)
		return {EXIT_NO_RUN, 0,
			fmt::format("{}: {}", wishes.files[0],
				    std::generic_category().message(error))};
	if (WIFSIGNALED(status))
		return {0, WTERMSIG(status), ""};
	return {WEXITSTATUS(status), 0, ""};
}

/* Ends as the program did. The core, if any, is the program's. */
[[noreturn]] static void end_by(int signal)
{
	constexpr int SIGNAL_CODES = 128; /* what a shell adds */
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	::signal(signal, SIG_DFL);
	raise(signal);
	_exit(SIGNAL_CODES + signal);
}

static void explain_silence()
{
	complain(
		"not armed: the program wrote no trace, so it never used the runtime. Is it linked "
		"with, or does it load, libraries of this toolkit?",
		EXIT_CLEAN);
}

/* Return: where the traces of a run go; empty when the folder can't be made. */
static std::string folder_of_run(const std::string &base, uint32_t run)
{
	const auto path = std::filesystem::path(base) / fmt::format("run-{}", run);
	std::error_code error;
	std::filesystem::create_directories(path, error);
	return error ? "" : path.string();
}

/* Return: the code of a tool that can't go on, else 0. @ended: the first run that failed, or the last one. */
static int run_all(const Wishes &wishes, const std::string &base, Session &session, Ended &ended)
{
	for (uint32_t run = 1; run <= wishes.runs; run++) {
		const std::string folder = folder_of_run(base, run);
		if (folder.empty())
			return complain(base + ": no folder for traces can be made there",
					EXIT_USAGE);
		Ended now = run_once(wishes, folder);
		if (!now.problem.empty())
			return complain(now.problem, EXIT_NO_RUN);
		const std::string why = session.add_folder(folder);
		if (!why.empty())
			complain(why, EXIT_CLEAN);
		if (ended.code == 0 && ended.signal == 0)
			ended = std::move(now);
	}
	return 0;
}

static int give_report(const Wishes &wishes, Session &session)
{
	session.finish();
	const std::string text = session.text();
	if (wishes.out.empty()) {
		fmt::print(stderr, "{}", text);
	} else {
		const std::string why = write_file(wishes.out, text);
		if (!why.empty())
			return complain(why, EXIT_USAGE);
	}
	fmt::print(stderr, "{}{}", problem_lines(session.report()), summary_line(session.report()));
	if (session.report().totals().traces == 0)
		explain_silence();
	return session.exit_code();
}

int run_program(const Wishes &wishes)
{
	const Folder temporary;
	const std::string base = wishes.keep.empty() ? temporary.path() : wishes.keep;
	if (base.empty())
		return complain("no temporary folder can be made", EXIT_USAGE);
	Session session(wishes);
	const std::string why = session.prepare();
	if (!why.empty())
		return complain(why, EXIT_USAGE);
	fmt::print(stderr, "unpu-san: watches {}{}{}\n", wishes.files[0],
		   wishes.runs == 1 ? "" : fmt::format(", {} runs", wishes.runs),
		   wishes.out.empty() ? "" : "; the report goes to " + wishes.out);
	Ended ended;
	const int failed = run_all(wishes, base, session, ended);
	if (failed != 0)
		return failed;
	const int code = give_report(wishes, session);
	if (ended.signal != 0) {
		std::error_code error;
		if (wishes.keep.empty())
			std::filesystem::remove_all(base, error);
		end_by(ended.signal);
	}
	return ended.code != 0 ? ended.code : code;
}

} // namespace san::tool
