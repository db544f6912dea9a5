// SPDX-License-Identifier: MIT
/**
 * DOC: Errors of a lost device
 *
 * When the watchdog cuts this process off, it writes the reason into the first line of the completion
 * segment. These functions turn the reason into an error message.
 */
#include "device_lost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "drv/packet/cookie.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

Status device_failed(drv::Device &device, Status status, const std::string &what)
{
	const unpu_client_status &line = device.hal().completion().status;
	auto why = static_cast<Status>(base::load_acquire(line.broken));
	std::string text = what + (what.empty() ? "" : ": ") + base::status_sentence(status);
	if (status != Status::DEVICE_LOST || why == Status::OK)
		return set_error(status, text);
	text += fmt::format(": {}", base::status_sentence(why));
	if (uint64_t cookie = base::load_relaxed(line.context_cookie)) {
		drv::Command command = drv::decode_cookie(cookie);
		const char *name = call_name(static_cast<Call>(command.call));
		if (command.is_node())
			text += fmt::format(" (graph node {}, {})", command.node(), name);
		else
			text += fmt::format(" (task {} of stream {}, {})", command.index,
					    command.channel, name);
	}
	return set_error(status, text);
}

std::string circle_sentence(drv::Device &device)
{
	const unpu_client_status &line = device.hal().completion().status;
	std::vector<uint32_t> streams;
	for (const uint16_t &name : line.circle) {
		uint32_t channel = base::load_relaxed(name);
		if (channel == 0)
			break;
		streams.push_back(channel - 1);
	}
	if (streams.empty())
		return {};
	return fmt::format("; streams {} and again {} wait for each other",
			   fmt::join(streams, ", "), streams.front());
}

} // namespace umd
