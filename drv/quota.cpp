// SPDX-License-Identifier: MIT
/**
 * DOC: Quotas that are used up
 *
 * The reply to an attachment has the quotas that a driver has to obey. Those of entries and descriptors
 * matter to the firmware alone. A snapshot has them, with what each client has taken.
 */
#include "quota.h"

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/controls.h"
#include "base/json/text.h"
#include "base/sync/ordering.h"
#include "hal/device.h"

namespace drv {

using base::Status;
using Json = nlohmann::json;

/* A firmware in another process may send anything. */
static uint64_t number_in(const Json &object, const char *key)
{
	const auto found = object.find(key);
	return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

/* What bounds a number: an option of firmware-sim, or a limit of its process. */
static std::string cause_in(const Json &object, const char *key)
{
	const auto found = object.find(key);
	return found != object.end() && found->is_string()
		       ? base::without_controls(found->get<std::string>())
		       : "a quota of firmware-sim";
}

static const Json *own_client(const Json &snapshot, uint64_t pid)
{
	const auto clients = snapshot.find("clients");
	if (clients == snapshot.end() || !clients->is_array())
		return nullptr;
	for (const Json &client : *clients)
		if (client.is_object() && number_in(client, "pid") == pid)
			return &client;
	return nullptr;
}

std::string used_up_quota(hal::Device &device)
{
	/* A request takes no more than this of either. */
	constexpr uint64_t MOST_AT_ONCE = 4;
	struct Known {
		const char *key;
		const char *key_of_cause;
		const char *what;
	};
	constexpr Known KNOWN[] = {
		{"entries", "entries_by",
		 "entries, one or two for each segment, import, reservation and mapping"},
		{"descriptors", "descriptors_by",
		 "descriptors, one or two for each segment and file"},
	};
	std::string limits;
	if (!device.serves_others())
		return limits;
	auto text = device.snapshot();
	if (!text)
		return limits;
	const auto snapshot = base::read_json<Json>(*text);
	if (!snapshot.is_object())
		return limits;
	const auto quotas = snapshot.find("quotas");
	const Json *client =
		own_client(snapshot, base::load_relaxed(device.completion().status.pid));
	if (quotas == snapshot.end() || !quotas->is_object() || !client)
		return limits;
	for (const Known &known : KNOWN) {
		const uint64_t most = number_in(*quotas, known.key);
		if (most == 0 || number_in(*client, known.key) + MOST_AT_ONCE <= most)
			continue;
		limits += fmt::format("{}{} {} ({})", limits.empty() ? "" : ", and ", most,
				      known.what, cause_in(*quotas, known.key_of_cause));
	}
	return limits;
}

std::string quota_sentence(hal::Device &device, Status status)
{
	const std::string limits = status == Status::QUOTA ? used_up_quota(device) : "";
	return limits.empty() ? base::status_sentence(status)
			      : "the firmware lets one process have " + limits;
}

} // namespace drv
