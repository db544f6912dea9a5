// SPDX-License-Identifier: MIT
/**
 * DOC: Daemon
 *
 * The firmware-sim beside this program, in its own process and with a socket in a folder of its own.
 */
#include "daemon.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

[[noreturn]] static void give_up(const char *what)
{
	std::fprintf(stderr, "latency: firmware-sim %s\n", what);
	std::exit(1);
}

/* Where the build tree and the toolkit have it. */
static std::string program()
{
	if (const char *told = getenv("UNPU_FIRMWARE_SIM"))
		return told;
	const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
	return (here.parent_path() / "bin" / "firmware-sim").string();
}

Daemon::Daemon()
{
	char folder[] = "/tmp/unpu-bench-XXXXXX";
	if (!mkdtemp(folder))
		give_up("can't have a folder for its socket");
	folder_ = folder;
	socket_ = folder_ + "/socket";
	std::string path = program();
	std::string words[] = {path, "--listen", socket_, "--log-level", "warning"};
	char *arguments[] = {words[0].data(), words[1].data(), words[2].data(),
			     words[3].data(), words[4].data(), nullptr};
	if (posix_spawn(&process_, path.c_str(), nullptr, nullptr, arguments, environ) != 0)
		give_up("can't be started");
	constexpr unsigned TRIES = 1000;
	for (unsigned i = 0; i < TRIES; i++) {
		if (access(socket_.c_str(), F_OK) == 0)
			return;
		if (waitpid(process_, nullptr, WNOHANG) == process_)
			break;
		usleep(10000);
	}
	give_up("does not listen");
}

Daemon::~Daemon()
{
	kill(process_, SIGTERM);
	waitpid(process_, nullptr, 0);
	std::error_code ignored;
	std::filesystem::remove_all(folder_, ignored);
}

} // namespace bench
