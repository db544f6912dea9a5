// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"

namespace base {

/** landlock_version() - the version of Landlock's interface in this kernel; 0: the kernel has no Landlock. */
inline long landlock_version()
{
	const long version =
		syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
	return version < 0 ? 0 : version;
}

/** can_confine() - whether this kernel can take away from a worker of kernels the rights that every worker
 * must lose. */
inline bool can_confine()
{
	return landlock_version() > 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

/** confinement_lacks() - text about the rights that this kernel can't take away from workers of kernels; ""
 * if there are none. */
inline std::string confinement_lacks()
{
	constexpr long REFUSES_PORTS = 4, REFUSES_SIGNALS = 6;
	const long version = landlock_version();
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0)
		return "no filters of system calls (seccomp), so user kernels do not run";
	if (version == 0)
		return "no Landlock, so user kernels do not run";
	if (version >= REFUSES_SIGNALS)
		return {};
	return "Landlock " + std::to_string(version) +
	       ": the filter of system calls alone refuses user kernels " +
	       (version < REFUSES_PORTS ? "ports, " : "") + "signals and abstract sockets";
}

/** is_traced() - whether a debugger has attached to this process, or has followed the program into this
 * process at a fork. */
inline bool is_traced()
{
	char text[4096];
	const int file = calls::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	const ssize_t bytes = file < 0 ? 0 : calls::read(file, text, sizeof(text));
	if (file >= 0)
		calls::close(file);
	const std::string_view status(text, bytes > 0 ? static_cast<size_t>(bytes) : 0);
	constexpr std::string_view KEY = "TracerPid:\t";
	const size_t at = status.find(KEY);
	return at != std::string_view::npos && status.substr(at + KEY.size(), 2) != "0\n";
}

} // namespace base
