// SPDX-License-Identifier: MIT
/*
 * DOC: Listener
 *
 * What is at the socket's path, and in its folder, while it is set up and afterwards. This file has a
 * listen() of its own, which looks at the folder at the moment of the call.
 */
#include "firmware_sim/daemon/listener.h"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/common/folder.h"

namespace {

struct Look {
	std::string path;
	bool there = false; /* whether the path had a file at the last listen() */
} look;

constexpr gid_t NO_GROUP = static_cast<gid_t>(-1);

size_t files_in(const std::string &folder)
{
	std::filesystem::directory_iterator begin(folder);
	return static_cast<size_t>(std::distance(begin, {}));
}

} // namespace

extern "C" int listen(int socket, int backlog) noexcept
{
	if (!look.path.empty())
		look.there = access(look.path.c_str(), F_OK) == 0;
	return static_cast<int>(syscall(SYS_listen, socket, backlog));
}

TEST(Listener, FileAppearsWhenItCanBeConnectedTo)
{
	Folder folder;
	look = {folder.file("npu")};
	std::string why;
	{
		auto opened = fwd::Listener::open(look.path, NO_GROUP, why);
		ASSERT_TRUE(opened.ok()) << why;
		EXPECT_FALSE(look.there) << "a program that waits for the file would be refused";
		struct stat found {};
		ASSERT_EQ(stat(look.path.c_str(), &found), 0);
		EXPECT_EQ(found.st_mode & 07777, 0600u);
		EXPECT_EQ(files_in(folder.path()), 1u) << "the hidden name is still there";
	}
	EXPECT_EQ(files_in(folder.path()), 0u);
	look = {};
}

/* A process of the same number was killed before it named its socket. */
TEST(Listener, HiddenFileOfADeadProcessIsNotInTheWay)
{
	Folder folder;
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	folder.file("." + std::to_string(getpid()))
		.copy(address.sun_path, sizeof(address.sun_path) - 1);
	const int dead = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	ASSERT_EQ(bind(dead, reinterpret_cast<const sockaddr *>(&address), sizeof(address)), 0);
	close(dead);
	std::string why;
	auto opened = fwd::Listener::open(folder.file("npu"), NO_GROUP, why);
	EXPECT_TRUE(opened.ok()) << why;
	EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(Listener, LeavesTheSocketOfAnotherUserAlone)
{
	if (geteuid() != 0)
		GTEST_SKIP() << "needs root, which makes a file of another user";
	Folder folder;
	const std::string path = folder.file("npu");
	std::string why;
	auto opened = fwd::Listener::open(path, NO_GROUP, why);
	ASSERT_TRUE(opened.ok()) << why;
	/* The process is user 1 for the second one; user 0 listens at the path. */
	ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
	ASSERT_EQ(seteuid(1), 0);
	EXPECT_EQ(fwd::Listener::open(path, NO_GROUP, why).status(), base::Status::NO_PERMISSION);
	ASSERT_EQ(seteuid(0), 0);
	EXPECT_NE(why.find("a socket of user 0 is there"), std::string::npos) << why;
}
