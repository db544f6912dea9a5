// SPDX-License-Identifier: MIT
/*
 * DOC: closing what clients send, tested
 */
#include <cstring>
#include <thread>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "firmware_sim/storage/discarder.h"
#include "firmware_sim/storage/host_file.h"

namespace {

using namespace fw;
using base::Status;

constexpr uint64_t PATIENCE_NS = 20 * base::NS_PER_S;

/* A connection that has more to send than the other end takes. Its last close waits @linger_s. */
struct Lingering {
	base::Fd listener, other, fd;

	explicit Lingering(int linger_s)
	{
		sockaddr_in name{};
		socklen_t bytes = sizeof(name);
		auto *address = reinterpret_cast<sockaddr *>(&name);
		name.sin_family = AF_INET;
		name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		listener = base::Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
		fd = base::Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
		EXPECT_EQ(bind(listener.get(), address, bytes), 0);
		EXPECT_EQ(listen(listener.get(), 1), 0);
		EXPECT_EQ(getsockname(listener.get(), address, &bytes), 0);
		EXPECT_EQ(connect(fd.get(), address, bytes), 0);
		other = base::Fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
		const std::vector<char> data(65536);
		while (send(fd.get(), data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
			continue;
		const linger wanted{1, linger_s};
		EXPECT_EQ(setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &wanted, sizeof(wanted)), 0);
	}
};

/* A socket with @inner in its queue, so that nothing can change how @inner lingers. */
base::Fd wrap(base::Fd inner, base::Fd *other_end = nullptr)
{
	int ends[2];
	EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	base::Fd sender(ends[0]);
	char byte = 0;
	iovec vector{&byte, 1};
	alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
	msghdr header{};
	header.msg_iov = &vector;
	header.msg_iovlen = 1;
	header.msg_control = space;
	header.msg_controllen = sizeof(space);
	cmsghdr *control = CMSG_FIRSTHDR(&header);
	control->cmsg_level = SOL_SOCKET;
	control->cmsg_type = SCM_RIGHTS;
	control->cmsg_len = CMSG_LEN(sizeof(int));
	const int fd = inner.get();
	memcpy(CMSG_DATA(control), &fd, sizeof(fd));
	EXPECT_EQ(sendmsg(sender.get(), &header, 0), 1);
	/* The queue has the only reference from here on. */
	inner = base::Fd();
	if (other_end)
		*other_end = std::move(sender);
	return base::Fd(ends[1]);
}

bool comes_to_rest(const Closer &closer)
{
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (closer.waiting() != 0 && base::now_ns() < end_ns)
		std::this_thread::yield();
	return closer.waiting() == 0;
}

base::Fd some_socket()
{
	return base::Fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

TEST(Closer, OfOneConnectionWaitsForItsOwnDescriptorsOnly)
{
	Lingering slow(3600);
	auto user = std::make_shared<Account>(Account::Amounts{0, 0, 2, 2});
	auto guilty = Closer::create(user).take(), other = Closer::create(user).take();
	EXPECT_EQ(Closer::create(user).status(), Status::QUOTA)
		<< "two threads are all it may have";
	guilty->close(wrap(std::move(slow.fd)));
	for (unsigned i = 0; i < 2; i++)
		guilty->close(some_socket());
	EXPECT_EQ(guilty->waiting(), 3u);
	EXPECT_EQ(user->used(Resource::DESCRIPTORS), 3u) << "what has come is counted";
	EXPECT_EQ(user->left(Resource::DESCRIPTORS), 0u);
	other->close(some_socket());
	EXPECT_TRUE(comes_to_rest(*other));
	EXPECT_EQ(guilty->waiting(), 3u);
	guilty.reset();
	other.reset();
	EXPECT_GE(user->used(Resource::THREADS), 1u) << "the thread is there as long as it closes";
	/* The connection is reset, so there is nothing left to linger for. */
	const linger none{1, 0};
	EXPECT_EQ(setsockopt(slow.other.get(), SOL_SOCKET, SO_LINGER, &none, sizeof(none)), 0);
	slow.other = base::Fd();
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (user->used(Resource::THREADS) != 0 && base::now_ns() < end_ns)
		std::this_thread::yield();
	EXPECT_EQ(user->used(Resource::THREADS), 0u);
	EXPECT_EQ(user->used(Resource::DESCRIPTORS), 0u);
}

/* A refused file, and one that is given up, go through the closer of their client too. */
TEST(Closer, ClosesWhatIsNoFile)
{
	Lingering slow(3600), behind(3600);
	auto user = std::make_shared<Account>(Account::Amounts{});
	auto closer = Closer::create(user).take();
	closer->close(wrap(std::move(slow.fd)));
	EXPECT_EQ(HostFile::take(wrap(std::move(behind.fd)), some_socket(), false, closer).status(),
		  Status::BAD_FILE);
	EXPECT_EQ(closer->waiting(), 3u);
	slow.other = base::Fd();
	behind.other = base::Fd();
	EXPECT_TRUE(comes_to_rest(*closer));
}

/* None of them waits for the one before it. */
TEST(Discarder, ClosesWhatLingersAtOnce)
{
	constexpr int LONG_S = 1000;
	Discarder discarder;
	ASSERT_EQ(discarder.start(), Status::OK);
	for (unsigned i = 0; i < 3; i++) {
		Lingering lingering(LONG_S);
		base::Fd client;
		base::Fd refused = wrap(std::move(lingering.fd), &client);
		ASSERT_TRUE(discarder.discard(refused));
		pollfd closed{client.get(), 0, 0};
		EXPECT_EQ(poll(&closed, 1, PATIENCE_NS / base::NS_PER_MS), 1) << i;
		EXPECT_TRUE(closed.revents & POLLHUP);
	}
}

TEST(Discarder, TakesNoneBeforeItsStart)
{
	int ends[2];
	ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	base::Fd one(ends[0]), other(ends[1]);
	EXPECT_FALSE(Discarder().discard(one));
}

} // namespace
