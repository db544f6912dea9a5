// SPDX-License-Identifier: MIT
/*
 * DOC: a program of tests under signals
 *
 * With UNPU_TEST_SIGNALS, handlers that do nothing interrupt the program all the time, so that each system call of the
 * library ends with EINTR now and then: a timer signals the process every 50 us, the profiling timer as often as the
 * kernel allows, and a thread signals the other threads in turn. The timer rests half of the time: on a busy virtual
 * machine its interrupts alone can take a CPU, and nothing else would go on. The word "restart" installs the
 * handlers with SA_RESTART. No call of the interface may behave in another way than without signals.
 */
#include <gtest/gtest.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr long kEachNs = 50000;
/* The other threads wait more than they work, and each signal wakes one. */
constexpr long kEachThreadNs = 200000;
/* The list of threads is read again after so many signals. */
constexpr int kRounds = 64;

std::atomic<unsigned> handled;

void handle(int)
{
	handled++;
}

/* Free numbers: a test uses SIGALRM to end a child that hangs. */
int timer_signal()
{
	return SIGRTMIN + 4;
}

int thread_signal()
{
	return SIGRTMIN + 5;
}

/* The folder of the threads stays open, since tests count open files. Its number is none that they look at. */
DIR *open_threads()
{
	constexpr int kApart = 200;
	const int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fdopendir(fcntl(fd, F_DUPFD_CLOEXEC, kApart));

	close(fd);
	return folder;
}

std::vector<pid_t> other_threads(DIR *folder)
{
	std::vector<pid_t> result;

	rewinddir(folder);
	while (const dirent *entry = readdir(folder)) {
		const pid_t thread = atoi(entry->d_name);

		if (thread > 0 && thread != gettid() && thread != getpid())
			result.push_back(thread);
	}
	return result;
}

class Interruptions : public testing::Environment {
public:
	void SetUp() override
	{
		const char *given = getenv("UNPU_TEST_SIGNALS");

		if (!given)
			return;
		struct sigaction action {};
		action.sa_handler = handle;
		action.sa_flags = strcmp(given, "restart") == 0 ? SA_RESTART : 0;
		for (int number : {timer_signal(), thread_signal(), SIGPROF})
			ASSERT_EQ(sigaction(number, &action, nullptr), 0);
		threads_ = open_threads();
		ASSERT_NE(threads_, nullptr);
		start_timers();
		thread_ = new std::thread([this] { signal_others(); });
	}

	void TearDown() override
	{
		if (!thread_)
			return;
		const itimerval none{};

		/* A short test may end before the first one. A machine without signals ends in the time limit. */
		set_timer(kEachNs);
		while (handled.load() == 0)
			std::this_thread::yield();
		is_over_ = true;
		thread_->join();
		delete thread_;
		closedir(threads_);
		timer_delete(timer_);
		setitimer(ITIMER_PROF, &none, nullptr);
	}

private:
	void start_timers()
	{
		sigevent event{};
		event.sigev_notify = SIGEV_SIGNAL;
		event.sigev_signo = timer_signal();
		const itimerval profile{{0, kEachNs / 1000}, {0, kEachNs / 1000}};

		ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer_), 0);
		ASSERT_EQ(setitimer(ITIMER_PROF, &profile, nullptr), 0);
	}

	void set_timer(long each_ns) const
	{
		const itimerspec each{{0, each_ns}, {0, each_ns}};

		timer_settime(timer_, 0, &each, nullptr);
	}

	void signal_others() const
	{
		sigset_t all;
		const timespec each{0, kEachThreadNs};

		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, nullptr);
		while (!is_over_) {
			const std::vector<pid_t> threads = other_threads(threads_);

			set_timer(kEachNs);
			for (int round = 0; round < kRounds && !is_over_; round++) {
				if (!threads.empty())
					syscall(SYS_tgkill, getpid(),
						threads[static_cast<size_t>(round) %
							threads.size()],
						thread_signal());
				nanosleep(&each, nullptr);
				if (round == kRounds / 2)
					set_timer(0);
			}
		}
	}

	std::atomic<bool> is_over_{false};
	/* A child of fork() ends without it: the thread is none of its own. */
	std::thread *thread_ = nullptr;
	timer_t timer_{};
	DIR *threads_ = nullptr;
};

[[maybe_unused]] testing::Environment *const interruptions =
	testing::AddGlobalTestEnvironment(new Interruptions);

} // namespace
