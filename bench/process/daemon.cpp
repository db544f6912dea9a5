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

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

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
	folder_ = make_folder();
	if (folder_.empty())
		give_up("can't have a folder for its socket");
	socket_ = folder_ + "/socket";
	/* It says when it is ready, as to a service manager. */
	const int told = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	sockaddr_un address{};
	address.sun_family = AF_UNIX;
	(folder_ + "/ready").copy(address.sun_path, sizeof(address.sun_path) - 1);
	if (bind(told, reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0)
		give_up("has nobody to tell that it is ready");
	setenv("NOTIFY_SOCKET", address.sun_path, 1);
	std::string path = program();
	std::string words[] = {path, "--listen", socket_, "--log-level", "warning"};
	char *arguments[] = {words[0].data(), words[1].data(), words[2].data(),
			     words[3].data(), words[4].data(), nullptr};
	if (posix_spawn(&process_, path.c_str(), nullptr, nullptr, arguments, environ) != 0)
		give_up("can't be started");
	constexpr int READY_MS = 10000;
	pollfd ready{told, POLLIN, 0};
	const bool listens = poll(&ready, 1, READY_MS) == 1;
	close(told);
	if (listens)
		return;
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
