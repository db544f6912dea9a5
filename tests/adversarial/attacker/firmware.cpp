// SPDX-License-Identifier: MIT
/*
 * DOC: the firmware that is attacked
 */
#include "firmware.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/adversarial/hostile/hostile_peer.h"
#include "tests/adversarial/stress/board.h"
#include "tests/common/abilities.h"

namespace attacker {

/* How long a client may take to attach. With a sanitizer, a client that means well may need seconds. */
static constexpr const char *ATTACH_MS = IS_SANITIZED ? "10000" : "1000";

bool Firmware::start(const std::string &program, const std::string &socket,
		     const std::vector<std::string> &more)
{
	std::vector<std::string> words = {program, "--listen",	  socket,    "--memory",
					  "1G",	   "--engines",	  "1",	     "--watchdog-ms",
					  "2000",  "--attach-ms", ATTACH_MS, "--log-level",
					  "off"};
	words.insert(words.end(), more.begin(), more.end());
	std::vector<char *> arguments;
	for (std::string &word : words)
		arguments.push_back(word.data());
	arguments.push_back(nullptr);
	pid_ = fork();
	if (pid_ == 0) {
		execv(arguments[0], arguments.data());
		_exit(127);
	}
	for (unsigned i = 0; i < 3000 && pid_ > 0; i++) {
		if (hostile::connect_to(socket).valid())
			return true;
		usleep(10000);
	}
	return false;
}

uint64_t Firmware::count_descriptors() const
{
	return stress::census(pid_).fds;
}

bool Firmware::has_at_most(uint64_t count) const
{
	for (unsigned i = 0; i < 1000; i++) {
		if (count_descriptors() <= count)
			return true;
		usleep(10000);
	}
	printf("the firmware has %ju descriptors, not %ju\n", uintmax_t(count_descriptors()),
	       uintmax_t(count));
	return false;
}

uint64_t Firmware::resident_kilobytes() const
{
	std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
	constexpr std::string_view NAME = "VmRSS:";
	for (std::string line; std::getline(status, line);) {
		if (line.starts_with(NAME))
			return strtoull(line.c_str() + NAME.size(), nullptr, 10);
	}
	return 0;
}

bool Firmware::gives_back(uint64_t most) const
{
	/* A sanitizer's allocator keeps what was freed. */
	if (IS_SANITIZED)
		return true;
	if (is_emulated()) {
		printf("not judged: the memory of the firmware is also its emulator's\n");
		return true;
	}
	for (unsigned i = 0; i < 1000; i++) {
		if (resident_kilobytes() <= most)
			return true;
		usleep(10000);
	}
	printf("the firmware keeps %ju KiB, not %ju\n", uintmax_t(resident_kilobytes()),
	       uintmax_t(most));
	return false;
}

bool Firmware::end() const
{
	int status = 0;
	if (pid_ <= 0)
		return false;
	kill(pid_, SIGTERM);
	for (unsigned i = 0; i < 3000; i++) {
		if (waitpid(pid_, &status, WNOHANG) == pid_) {
			printf("the firmware ended with %#x\n", status);
			return status == 0;
		}
		usleep(10000);
	}
	printf("the firmware does not end\n");
	kill(pid_, SIGKILL);
	waitpid(pid_, &status, 0);
	return false;
}

} // namespace attacker
