// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san: the program that is watched
 *
 * The program has the standard input and output of the tool. Apart from these and the variables of the
 * environment, it inherits nothing from the tool.
 */
#include "started_program.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/transfers.h"

namespace san::tool {

/* Signals that ask a process to end. The tool forwards them to the program. */
static constexpr int PASSED_ON[] = {SIGTERM, SIGHUP};
/* Signals of the terminal. The terminal sends them to the program too, so the tool does not forward them. */
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

namespace {

/* class Signals - while a program runs, these signals do not end the tool. */
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

/* class Held - blocks the signals that the tool forwards, in the tool and in its new child, until the
 * object's end. */
class Held {
public:
	Held()
	{
		sigset_t held;
		sigemptyset(&held);
		for (const int signal : PASSED_ON)
			sigaddset(&held, signal);
		sigprocmask(SIG_BLOCK, &held, &before_);
	}
	~Held() { release(); }
	Held(const Held &) = delete;
	Held &operator=(const Held &) = delete;

	void release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

private:
	sigset_t before_;
};

} // namespace

static bool redirect(const std::string &output)
{
	if (output.empty())
		return true;
	const int fd = base::calls::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	return fd >= 0 && base::calls::replace(fd, STDOUT_FILENO) >= 0 &&
	       base::calls::close(fd) == 0;
}

[[noreturn]] static void become(const std::vector<std::string> &words, const Start &start,
				int report_fd, const Held &held)
{
	Signals::reset();
	held.release();
	for (const auto &[name, value] : start.variables)
		setenv(name.c_str(), value.c_str(), 1);
	std::vector<char *> arguments;
	for (const std::string &word : words)
		arguments.push_back(const_cast<char *>(word.c_str()));
	arguments.push_back(nullptr);
	const bool is_ready = redirect(start.output) &&
			      (!start.has_fixed_addresses || personality(ADDR_NO_RANDOMIZE) >= 0);
	if (is_ready)
		execvp(arguments[0], arguments.data());
	const int error = errno;
	if (base::calls::write(report_fd, &error, sizeof(error)) < 0)
		_exit(EXIT_NO_RUN);
	_exit(EXIT_NO_RUN);
}

Ended run_once(const std::vector<std::string> &words, const Start &start)
{
	/* If the program starts, the pipe closes. If it can't be started, the child writes the reason into
	 * the pipe. */
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return {EXIT_NO_RUN, 0, std::generic_category().message(errno)};
	const Signals signals;
	pid_t child = 0;
	int fork_error = 0;
	{
		const Held held;
		child = fork();
		if (child == 0)
			become(words, start, ends[1], held);
		fork_error = errno;
		child_pid = child;
	}
	base::calls::close(ends[1]);
	int error = child < 0 ? fork_error : 0;
	if (child > 0 && base::calls::read(ends[0], &error, sizeof(error)) < 0)
		error = errno;
	base::calls::close(ends[0]);
	int status = 0;
	if (child > 0)
		(void)base::calls::waitpid(child, &status, 0);
	child_pid = 0;
	if (error != 0)
		return {EXIT_NO_RUN, 0,
			fmt::format("{}: {}", words[0], std::generic_category().message(error))};
	if (WIFSIGNALED(status))
		return {0, WTERMSIG(status), ""};
	return {WEXITSTATUS(status), 0, ""};
}

void end_by(int signal)
{
	constexpr int SIGNAL_CODES = 128; /* a shell returns 128 plus the signal */
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	::signal(signal, SIG_DFL);
	raise(signal);
	_exit(SIGNAL_CODES + signal);
}

std::string describe(const Ended &ended)
{
	if (!ended.problem.empty())
		return "was not started";
	return ended.signal != 0 ? fmt::format("was killed by signal {}", ended.signal)
				 : fmt::format("ended with {}", ended.code);
}

std::string make_folder(const std::string &base, const std::string &name)
{
	const auto path = std::filesystem::path(base) / name;
	std::error_code error;
	std::filesystem::create_directories(path, error);
	return error ? "" : path.string();
}

} // namespace san::tool
