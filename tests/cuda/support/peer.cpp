// SPDX-License-Identifier: MIT
/*
 * DOC: tests of two processes or more
 */
#include "support/peer.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "firmware_process.h"

extern char **environ;

namespace cuda_test {

static constexpr const char *kPeer = "UNPU_CUDA_PEER";
static constexpr int kParentFd = 100;
static constexpr unsigned kPeerSeconds = 60;

void Line::send_bytes(const void *bytes, size_t count)
{
	EXPECT_EQ(TEMP_FAILURE_RETRY(::send(fd_, bytes, count, MSG_NOSIGNAL)),
		  static_cast<ssize_t>(count));
}

void Line::receive_bytes(void *bytes, size_t count)
{
	EXPECT_EQ(TEMP_FAILURE_RETRY(recv(fd_, bytes, count, MSG_WAITALL)),
		  static_cast<ssize_t>(count))
		<< "the other process has gone";
}

void Line::send_file(int fd)
{
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	char byte = 'f';
	iovec part = {&byte, 1};
	msghdr message = {};

	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	EXPECT_EQ(TEMP_FAILURE_RETRY(sendmsg(fd_, &message, MSG_NOSIGNAL)), 1);
}

int Line::receive_file()
{
	alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
	char byte = 0;
	iovec part = {&byte, 1};
	msghdr message = {};
	int fd = -1;

	message.msg_iov = &part;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	EXPECT_EQ(TEMP_FAILURE_RETRY(recvmsg(fd_, &message, MSG_CMSG_CLOEXEC)), 1)
		<< "the other process has gone";
	const cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (header)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	EXPECT_GE(fd, 0);
	return fd;
}

void Line::meet()
{
	send('.');
	EXPECT_EQ(receive<char>(), '.');
}

bool is_peer()
{
	if (!getenv(kPeer))
		return false;
	alarm(kPeerSeconds);
	return true;
}

int peer_number()
{
	return atoi(getenv(kPeer));
}

Line parent()
{
	return Line(kParentFd);
}

bool alone_on_shared_firmware()
{
	const char *given = getenv("UNPU_DEVICE");
	const std::string before = given ? given : "";

	if (before.rfind("unix:", 0) == 0)
		return alone();
	const conformance::Firmware firmware({});
	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	const bool inside = alone();
	given ? setenv("UNPU_DEVICE", before.c_str(), 1) : unsetenv("UNPU_DEVICE");
	return inside;
}

Peer::Peer(int number)
{
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
	std::string filter =
		std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
	std::string program = "unpu_cuda_conformance";
	std::string role = std::string(kPeer) + "=" + std::to_string(number);
	char *arguments[] = {program.data(), filter.data(), nullptr};
	std::vector<char *> environment = {role.data()};
	posix_spawn_file_actions_t actions;
	int ends[2] = {-1, -1};

	for (char **entry = environ; *entry; ++entry)
		environment.push_back(*entry);
	environment.push_back(nullptr);
	EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	fd_ = ends[0];
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], kParentFd);
	EXPECT_EQ(posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments,
			      environment.data()),
		  0);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
}

void Peer::kill()
{
	ASSERT_GT(pid_, 0) << "there is no other process";
	::kill(pid_, SIGKILL);
	EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(pid_, nullptr, 0)), pid_);
	pid_ = -1;
}

Peer::~Peer()
{
	int status = 0;

	if (pid_ > 0) {
		EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(pid_, &status, 0)), pid_);
		EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
			<< "the other process ended with status " << status;
	}
	close(fd_);
}

} // namespace cuda_test
