// SPDX-License-Identifier: MIT
/**
 * DOC: Opening a device
 *
 * Chooses the backend and checks that both sides use the same wire version (B0). The layers above do not
 * depend on the backend.
 */
#include <fmt/format.h>

#include "faulty.h"
#include "hal/device.h"
#include "hal/schedule.h"
#include "hal/topology.h"
#include "process_device.h"
#include "sim_thread.h"
#include "uapi/graph.h"
#include "uapi/ring.h"

namespace hal {

using base::Result;
using base::Status;

/* One line of the handshake: a word of the BAR, and the value with which this build was compiled. */
struct Expectation {
	const char *name;
	uint64_t expected;
	uint64_t found;
};

static Status check_bar(const unpu_bar &bar, std::string &why)
{
	uint32_t abi = base::load_acquire(bar.abi); /* B0 */
	/* The library uses all features of its minor version without further checks, so an older firmware is
	 * refused. */
	if (bar.magic != UNPU_BAR_MAGIC || abi >> 16 != UNPU_ABI_MAJOR || abi < UNPU_ABI) {
		why = fmt::format("wire: expected magic {:#x} version {}.{} or a later {}.x, found "
				  "magic {:#x} version {}.{}",
				  UNPU_BAR_MAGIC, UNPU_ABI_MAJOR, UNPU_ABI_MINOR, UNPU_ABI_MAJOR,
				  bar.magic, abi >> 16, abi & 0xffff);
		return Status::VERSION_MISMATCH;
	}
	const Expectation expectations[] = {
		{"packet bytes", sizeof(unpu_packet), bar.packet_bytes},
		{"operator bytes", sizeof(unpu_operator), bar.operator_bytes},
		{"semaphore bytes", sizeof(unpu_sem_device), bar.semaphore_bytes},
		{"message bytes", sizeof(unpu_message), bar.message_bytes},
		{"graph node bytes", sizeof(unpu_graph_line), bar.graph_line_bytes},
		{"channels", UNPU_MAX_CHANNELS, bar.max_channels},
		{"semaphores", UNPU_MAX_SEMAPHORES, bar.max_semaphores},
	};
	for (const Expectation &word : expectations) {
		if (word.expected == word.found)
			continue;
		why = fmt::format("wire: {}: expected {}, found {}", word.name, word.expected,
				  word.found);
		return Status::VERSION_MISMATCH;
	}
	return Status::OK;
}

Status complete_options(Options &options, std::string &why)
{
	if (options.backend == Backend::SOCKET)
		return probe_process(options, why);
	return Status::OK;
}

Result<std::string> look(const Options &options, uint32_t index, std::string &why)
{
	if (options.backend == Backend::SOCKET)
		return look_at_process(options, index, why);
	why = "the device is not one of another process";
	return Status::NOT_SUPPORTED;
}

Result<std::unique_ptr<Device>> open_device(const Options &options, uint32_t index,
					    std::string &why)
{
	if (index >= options.devices) {
		why = fmt::format("device {} does not exist; the device string gives {}", index,
				  options.devices);
		return Status::INVALID_DEVICE;
	}
	auto schedule = TRY(asked_schedule(options, why));
	Options asked = options;
	asked.schedule = std::move(schedule);
	auto faults =
		options.faults.host ? std::make_unique<HostFaults>(options.faults.host) : nullptr;
	if (faults) {
		Status status = faults->inject(base::FaultRule::Call::OPEN).status;
		if (status != Status::OK) {
			why = fmt::format("device {}: {}, as faults= of the device string asks",
					  index, base::status_sentence(status));
			return status;
		}
	}
	bool embedded = options.backend != Backend::SOCKET && options.backend != Backend::SPAWN;
	auto device = embedded ? open_embedded(asked, index) : open_process(asked, index, why);
	if (!device) {
		if (why.empty())
			why = fmt::format(
				"device {} can't be started: {}; look at RLIMIT_AS, RLIMIT_NPROC "
				"and RLIMIT_NOFILE{}",
				index, base::status_sentence(device.status()), limits_sentence());
		return device.status();
	}
	TRY(check_bar((*device)->bar(), why));
	if (faults)
		device = make_faulty(device.take(), std::move(faults));
	(*device)->set_attachment(trace::attach((*device)->bar(), (*device)->completion().status));
	return device;
}

} // namespace hal
