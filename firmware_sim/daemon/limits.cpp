// SPDX-License-Identifier: MIT
/**
 * DOC: Limits of the firmware's process
 *
 * The firmware serves with low limits as well as it can, so it does not end because of one. It names them when
 * it starts, because a program that is refused later can't see them.
 */
#include "limits.h"

#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/os/machine.h"
#include "firmware_sim/worker/worker_process.h"

namespace fwd {

static constexpr uint64_t MIB = uint64_t{1} << 20;
/* With fewer descriptors for all clients, a program with a kernel and some files may not find enough. */
static constexpr uint64_t FEW_DESCRIPTORS = 256;

void raise_file_limit()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

uint64_t file_limit()
{
	rlimit limit{};
	return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

uint64_t mapping_limit()
{
	constexpr uint64_t KERNELS_DEFAULT = 65530;
	uint64_t limit = 0;
	std::ifstream("/proc/sys/vm/max_map_count") >> limit;
	return limit != 0 ? limit : KERNELS_DEFAULT;
}

std::vector<std::string> low_limits(uint64_t own_descriptors, uint64_t memory_bytes)
{
	std::vector<std::string> found;
	if (const uint64_t files = file_limit(); files < own_descriptors + FEW_DESCRIPTORS)
		found.push_back(fmt::format(
			"RLIMIT_NOFILE (ulimit -n) is {}: the firmware keeps up to {} descriptors "
			"for itself, and programs may not find enough of them; raise it to {} or "
			"more",
			files, own_descriptors, own_descriptors + FEW_DESCRIPTORS));
	rlimit limit{};
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < memory_bytes)
		found.push_back(fmt::format(
			"RLIMIT_FSIZE (ulimit -f) is {} KiB: memory of a device is files, and "
			"larger pieces of it are refused; set it to unlimited",
			limit.rlim_cur >> 10));
	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return found;
	const uint64_t worker = fw::worker_address_bytes();
	if (limit.rlim_cur < worker || limit.rlim_cur < 2 * memory_bytes)
		found.push_back(fmt::format(
			"RLIMIT_AS (ulimit -v) is {} MiB: kernels of programs need a process with "
			"{} MiB of addresses, and memory of devices counts too; set it to "
			"unlimited",
			limit.rlim_cur / MIB, worker / MIB));
	return found;
}

void name_limits(const Options &options, fw::Config &config)
{
	config.clients_of_user = options.clients_of_user;
	if (options.quotas.entries == 0)
		config.entry_limit =
			fmt::format("a share of vm.max_map_count, {}", mapping_limit());
	if (options.quotas.descriptors == 0)
		config.descriptor_limit = fmt::format(
			"a share of RLIMIT_NOFILE (ulimit -n) of firmware-sim, {}", file_limit());
}

std::vector<std::string> large_sizes(const Options &options, const fw::Config &config)
{
	std::vector<std::string> found;
	const uint64_t machine = base::host_memory_bytes();
	if (config.memory_bytes > machine / options.devices)
		found.push_back(fmt::format(
			"{} device(s) with {} MiB each have more memory than this machine, {} MiB: "
			"programs that use all of it may be ended for lack of memory (--memory)",
			options.devices, config.memory_bytes / MIB, machine / MIB));
	if (config.quotas.memory_bytes > config.memory_bytes)
		found.push_back(fmt::format(
			"--quota-memory is {} MiB, and a device has {} MiB: one program can take "
			"all of a device",
			config.quotas.memory_bytes / MIB, config.memory_bytes / MIB));
	return found;
}

std::string bounds_sentence(const Options &options, const fw::Config &config)
{
	const fw::Quotas &quotas = config.quotas;
	std::string text = "a client may have ";
	const char *comma = "";
	const auto add = [&](uint64_t most, const char *what) {
		if (most != 0)
			text += fmt::format("{}{} {}", comma, most, what);
		if (most != 0)
			comma = ", ";
	};
	add(quotas.memory_bytes / MIB, "MiB of memory");
	add(quotas.channels, "channels");
	add(quotas.semaphore_limit(), "semaphores");
	add(quotas.graphs, "graphs");
	add(quotas.messages, "messages a second");
	add(quotas.entries, "entries");
	add(quotas.descriptors, "descriptors");
	text += options.clients_of_user
			? fmt::format("; a user may have {} clients", options.clients_of_user)
			: "; a user may have any number of clients";
	text += options.group.empty() ? "; the socket is its owner's"
				      : "; the socket is open to the group " + options.group;
	text += config.watchdog_ns ? fmt::format("; the watchdog waits {} ms",
						 config.watchdog_ns / base::NS_PER_MS)
				   : "; there is no watchdog";
	return text + (options.sandbox ? "; in a sandbox" : "; without a sandbox");
}

} // namespace fwd
