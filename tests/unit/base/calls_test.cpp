// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of system calls under signals
 *
 * A signal comes every 50 us. A wait that would begin anew with each signal would never end, and the time limit of the
 * program would.
 */
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/processes.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/calls/without_signals.h"
#include "base/os/socket.h"
#include "base/sync/futex.h"
#include "tests/unit/support/interrupted.h"

namespace {

using base::Fd;
using test::Interrupted;

namespace calls = base::calls;

/* Some hundred signals. */
constexpr uint64_t A_WHILE_NS = 20 * base::NS_PER_MS;

struct Ends {
	Fd first;
	Fd second;
};

Ends make_pipe(int flags = 0)
{
	int ends[2];
	EXPECT_EQ(pipe2(ends, O_CLOEXEC | flags), 0);
	return {Fd(ends[0]), Fd(ends[1])};
}

Ends make_sockets(int type = SOCK_SEQPACKET)
{
	int ends[2];
	EXPECT_EQ(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends), 0);
	return {Fd(ends[0]), Fd(ends[1])};
}

TEST(Calls, PollWaitsUntilItsDeadlineAndNotLonger)
{
	const Ends pipe = make_pipe();
	const Interrupted signals;
	pollfd entry{pipe.first.get(), POLLIN, 0};
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_EQ(calls::poll(&entry, 1, deadline_ns), 0);
	EXPECT_GE(base::now_ns(), deadline_ns);
	EXPECT_GT(signals.times(), 0u);
}

TEST(Calls, PollThatMustNotWaitTellsWhatIsReady)
{
	const Ends quiet = make_pipe(), ready = make_pipe();
	ASSERT_EQ(calls::write(ready.second.get(), "x", 1), 1);
	const Interrupted signals;
	while (signals.times() < 400) {
		pollfd entries[] = {{quiet.first.get(), POLLIN, 0}, {ready.first.get(), POLLIN, 0}};
		ASSERT_EQ(calls::poll(entries, 1, calls::NOW), 0);
		ASSERT_EQ(calls::poll(entries, 2, calls::NOW), 1);
	}
}

TEST(Calls, EpollWaitsUntilItsDeadlineAndNotLonger)
{
	const Fd epoll(epoll_create1(EPOLL_CLOEXEC));
	const Interrupted signals;
	epoll_event event{};
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_EQ(calls::epoll_wait(epoll.get(), &event, 1, deadline_ns), 0);
	EXPECT_GE(base::now_ns(), deadline_ns);
	EXPECT_EQ(calls::epoll_wait(epoll.get(), &event, 1, calls::NOW), 0);
}

TEST(Calls, SleepLastsUntilItsDeadline)
{
	const Interrupted signals;
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	calls::sleep_until(deadline_ns);
	EXPECT_GE(base::now_ns(), deadline_ns);
	EXPECT_GT(signals.times(), 0u);
}

TEST(Calls, FutexSleepsUntilItsDeadlineAndNoSignalEndsIt)
{
	const uint32_t word = 0;
	const Interrupted signals;
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_FALSE(base::futex_wait(word, 0, deadline_ns, false));
	EXPECT_GE(base::now_ns(), deadline_ns);
	EXPECT_GT(signals.times(), 0u);
	EXPECT_TRUE(base::futex_wait(word, 1, base::NO_DEADLINE, false));
}

TEST(Calls, ReadAllTakesPartsUntilTheEnd)
{
	Ends pipe = make_pipe();
	const std::string text(300000, 'r');
	std::thread writer([&] {
		for (size_t at = 0; at < text.size(); at += 1000)
			EXPECT_EQ(calls::write(pipe.second.get(), text.data() + at, 1000), 1000);
		pipe.second = Fd();
	});
	std::string got(text.size() + 1, 0);
	{
		const Interrupted signals;
		EXPECT_EQ(calls::read_all(pipe.first.get(), got.data(), got.size()),
			  static_cast<ssize_t>(text.size()));
	}
	writer.join();
	EXPECT_EQ(got.substr(0, text.size()), text);
}

/* The pipe takes 64 KiB at once. */
static void write_through(const Ends &pipe)
{
	const std::string text(1 << 20, 'w');
	std::string got(text.size(), 0);
	std::thread reader([&] {
		EXPECT_EQ(calls::read_all(pipe.first.get(), got.data(), got.size()),
			  static_cast<ssize_t>(got.size()));
	});
	{
		const Interrupted signals;
		EXPECT_TRUE(calls::write_all(pipe.second.get(), text.data(), text.size()));
	}
	reader.join();
	EXPECT_EQ(got, text);
}

TEST(Calls, WriteAllLeavesNothing)
{
	write_through(make_pipe());
}

TEST(Calls, WriteAllWaitsForRoomOfADescriptorThatDoesNotBlock)
{
	write_through(make_pipe(O_NONBLOCK));
}

TEST(Calls, WriteAllTellsWhyItFailed)
{
	Ends sockets = make_sockets(SOCK_STREAM);
	EXPECT_FALSE(calls::write_all(-1, "x", 1));
	EXPECT_EQ(errno, EBADF);
	sockets.first = Fd();
	EXPECT_FALSE(calls::send_all(sockets.second.get(), "x", 1, base::NO_DEADLINE));
	EXPECT_EQ(errno, EPIPE);
}

TEST(Calls, ReceiveEndsAtItsDeadline)
{
	const Ends sockets = make_sockets();
	const Interrupted signals;
	char byte;
	EXPECT_EQ(calls::recv(sockets.first.get(), &byte, 1, 0, calls::NOW), -1);
	EXPECT_EQ(errno, EAGAIN);
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_EQ(calls::recv(sockets.first.get(), &byte, 1, 0, deadline_ns), -1);
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_GE(base::now_ns(), deadline_ns);
}

TEST(Calls, SendEndsAtItsDeadline)
{
	const Ends sockets = make_sockets();
	const std::vector<char> text(1000);
	while (calls::send(sockets.first.get(), text.data(), text.size(), calls::NOW) > 0)
		continue;
	EXPECT_EQ(errno, EAGAIN);
	const Interrupted signals;
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_EQ(calls::send(sockets.first.get(), text.data(), text.size(), deadline_ns), -1);
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_GE(base::now_ns(), deadline_ns);
}

TEST(Calls, ParcelsArriveUnderSignals)
{
	constexpr unsigned PARCELS = 2000;
	const Ends sockets = make_sockets();
	std::thread sender([&] {
		for (unsigned i = 0; i < PARCELS; i++) {
			base::FdMessage message;
			message.message.type = i;
			EXPECT_EQ(base::send_message(sockets.second, message, base::NO_DEADLINE),
				  base::Status::OK);
		}
	});
	{
		const Interrupted signals;
		for (unsigned i = 0; i < PARCELS; i++) {
			base::MessageBuffer buffer;
			auto message = buffer.open(calls::recvmsg(
				sockets.first.get(), buffer.header(), 0, base::NO_DEADLINE));
			ASSERT_TRUE(message);
			EXPECT_EQ(message->message.type, i);
		}
	}
	sender.join();
}

static socklen_t name_socket(sockaddr_un &address)
{
	address = {};
	address.sun_family = AF_UNIX;
	const int bytes = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
				   "unpu-calls-test-%d", static_cast<int>(getpid()));
	return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1) +
	       static_cast<socklen_t>(bytes);
}

TEST(Calls, ConnectEndsAtItsDeadlineAndAcceptTakesWhatHasCome)
{
	sockaddr_un address;
	const socklen_t bytes = name_socket(address);
	const auto *where = reinterpret_cast<const sockaddr *>(&address);
	const Fd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	ASSERT_EQ(bind(listener.get(), where, bytes), 0);
	ASSERT_EQ(listen(listener.get(), 0), 0);
	const Interrupted signals;
	const Fd first(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	const Fd second(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
	EXPECT_EQ(calls::connect(first.get(), where, bytes, base::NO_DEADLINE), 0);
	/* The queue of the listener is full. */
	const uint64_t deadline_ns = base::deadline_after(A_WHILE_NS);
	EXPECT_EQ(calls::connect(second.get(), where, bytes, deadline_ns), -1);
	EXPECT_EQ(errno, EAGAIN);
	EXPECT_GE(base::now_ns(), deadline_ns);
	EXPECT_TRUE(Fd(calls::accept(listener.get(), SOCK_CLOEXEC)).valid());
	EXPECT_EQ(calls::connect(second.get(), where, bytes, base::NO_DEADLINE), 0);
}

TEST(Calls, WaitpidWaitsForTheEndOfTheChild)
{
	Ends pipe = make_pipe();
	const pid_t child = fork();
	if (child == 0) {
		char byte;
		pipe.second = Fd();
		(void)calls::read(pipe.first.get(), &byte, 1);
		_exit(7);
	}
	int status = 0;
	const Interrupted signals;
	EXPECT_EQ(calls::waitpid(child, &status, WNOHANG), 0);
	calls::sleep_until(base::deadline_after(A_WHILE_NS));
	pipe.second = Fd();
	EXPECT_EQ(calls::waitpid(child, &status, 0), child);
	EXPECT_EQ(WEXITSTATUS(status), 7);
	EXPECT_EQ(calls::waitpid(child, &status, 0), -1);
	EXPECT_EQ(errno, ECHILD);
}

/* The kernel takes back what an interrupted call has allocated. */
TEST(Calls, AllocateEndsThoughSignalsComeFasterThanMemory)
{
	constexpr uint64_t BYTES = 64 << 20;
	const Fd file(memfd_create("unpu-calls-test", MFD_CLOEXEC));
	struct stat made {};
	{
		const Interrupted signals;
		EXPECT_EQ(calls::resize(file.get(), BYTES), 0);
		EXPECT_EQ(calls::allocate(file.get(), 0, BYTES), 0);
	}
	ASSERT_EQ(fstat(file.get(), &made), 0);
	EXPECT_EQ(made.st_size, static_cast<off_t>(BYTES));
	EXPECT_GE(static_cast<uint64_t>(made.st_blocks) * 512, BYTES);
	EXPECT_EQ(calls::allocate(-1, 0, 1), -1);
	EXPECT_EQ(errno, EBADF);
}

TEST(Calls, OpenWaitsForTheOtherEndOfAPipeWithAName)
{
	const std::string path = testing::TempDir() + "unpu-calls-" + std::to_string(getpid());
	ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
	std::thread writer([&] {
		calls::sleep_until(base::deadline_after(A_WHILE_NS));
		const Fd end(calls::open(path.c_str(), O_WRONLY | O_CLOEXEC));
		EXPECT_TRUE(end.valid());
	});
	{
		const Interrupted signals;
		const Fd end(calls::open(path.c_str(), O_RDONLY | O_CLOEXEC));
		EXPECT_TRUE(end.valid());
	}
	writer.join();
	unlink(path.c_str());
}

TEST(Calls, ReplaceAndLockAndCloseDoWhatTheirCallsDo)
{
	const Ends pipe = make_pipe();
	Fd other(fcntl(pipe.first.get(), F_DUPFD_CLOEXEC, 0));
	EXPECT_EQ(calls::replace(pipe.second.get(), other.get()), other.get());
	EXPECT_EQ(calls::write(other.get(), "x", 1), 1);
	EXPECT_EQ(calls::lock(pipe.first.get(), LOCK_EX | LOCK_NB), 0);
	const int number = other.release();
	EXPECT_EQ(calls::close(number), 0);
	EXPECT_EQ(calls::close(number), -1);
	EXPECT_EQ(errno, EBADF);
}

TEST(Calls, RandomBytesAreAllWritten)
{
	const Interrupted signals;
	std::vector<unsigned char> bytes(4096);
	ASSERT_TRUE(calls::fill_random(bytes.data(), bytes.size()));
	EXPECT_GT(
		std::count_if(bytes.end() - 256, bytes.end(), [](auto byte) { return byte != 0; }),
		200);
}

TEST(Calls, WithoutSignalsHoldsBackThoseWithHandlersOnly)
{
	const Interrupted signals;
	sigset_t blocked;
	{
		const calls::WithoutSignals scope;
		ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
		const unsigned before = signals.times();
		calls::sleep_until(base::deadline_after(A_WHILE_NS));
		EXPECT_EQ(signals.times(), before);
	}
	EXPECT_EQ(sigismember(&blocked, SIGUSR1), 1);
	EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
	EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
	ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
	EXPECT_EQ(sigismember(&blocked, SIGUSR1), 0);
}

} // namespace
