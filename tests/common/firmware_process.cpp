// SPDX-License-Identifier: MIT
/*
 * DOC: a firmware of a test's own
 *
 * It is started as a service manager would start it, and says by the same datagram when it is ready.
 */
#include "firmware_process.h"

#include <gtest/gtest.h>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern char **environ;

namespace conformance {

namespace {

constexpr time_t kReadySeconds = 30;

std::string program()
{
	char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	const std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);

	return self.substr(0, self.rfind('/') + 1) + "firmware-sim";
}

/* A socket of the service manager. Its name is free again when all its descriptors are closed. */
int open_manager(std::string &name)
{
	const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const timeval patience = {kReadySeconds, 0};
	sockaddr_un address = {};
	socklen_t bytes = sizeof(address);

	address.sun_family = AF_UNIX;
	/* Without a name the kernel chooses one in the abstract namespace. */
	if (bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address.sun_family)) != 0)
		return fd;
	getsockname(fd, reinterpret_cast<sockaddr *>(&address), &bytes);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	name = "@" + std::string(address.sun_path + 1, bytes - offsetof(sockaddr_un, sun_path) - 1);
	return fd;
}

/* With a time limit, recv() fails with EINTR at each signal, and when the process is stopped and continued. */
ssize_t receive(int fd, char *text, size_t bytes)
{
	const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kReadySeconds);
	ssize_t got;

	do
		got = recv(fd, text, bytes, 0);
	while (got < 0 && errno == EINTR && std::chrono::steady_clock::now() < end);
	return got;
}

pid_t start(std::vector<std::string> arguments, const std::string &manager)
{
	std::vector<std::string> words = {"NOTIFY_SOCKET=" + manager};
	std::vector<char *> argv;
	std::vector<char *> envp;

	for (char **entry = environ; *entry; ++entry)
		words.emplace_back(*entry);
	for (std::string &argument : arguments)
		argv.push_back(argument.data());
	for (std::string &word : words)
		envp.push_back(word.data());
	argv.push_back(nullptr);
	envp.push_back(nullptr);
	const pid_t self = getpid();
	const pid_t pid = fork();
	/* A firmware that outlives a test that crashed keeps the test's output open: ctest would wait for it. */
	if (pid == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == self)
			execve(argv[0], argv.data(), envp.data());
		_exit(127);
	}
	/* Nothing may go on with a number that is no process: to signal -1 is to signal every one. */
	if (pid < 0) {
		perror("fork");
		_exit(1);
	}
	return pid;
}

} // namespace

Firmware::Firmware(const std::vector<std::string> &options)
{
	device_string_ = "unix:" + folder_.file("firmware");
	arguments_ = {program(), "--log-level", "warning", "--listen", folder_.file("firmware")};
	arguments_.insert(arguments_.end(), options.begin(), options.end());
	start_again();
}

void Firmware::start_again()
{
	std::string manager;
	char text[256] = {};
	const int fd = open_manager(manager);

	pid_ = start(arguments_, manager);
	ready_ = pid_ > 0 && receive(fd, text, sizeof(text) - 1) > 0 &&
		 strncmp(text, "READY=1", 7) == 0;
	close(fd);
	EXPECT_TRUE(ready_) << "firmware-sim did not say that it is ready, but \"" << text << "\"";
}

Firmware::~Firmware()
{
	if (pid_ > 0) {
		EXPECT_EQ(end(SIGTERM), 0);
	}
}

int Firmware::end(int signal)
{
	int status = 0;

	if (pid_ <= 0) {
		ADD_FAILURE() << "firmware-sim was not started";
		return -1;
	}
	kill(pid_, signal);
	EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(pid_, &status, 0)), pid_);
	pid_ = -1;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace conformance
