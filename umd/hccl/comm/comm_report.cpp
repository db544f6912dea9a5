// SPDX-License-Identifier: MIT
/**
 * DOC: Report about communicators
 *
 * A report lists the calls that the ranks of this process have made, and which of these calls their streams
 * have reached. Other processes read it through the socket of class Look. Its readers are unpu-info --hccl,
 * and ranks that search for the rank that they wait for.
 */
#include "comm_report.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json/text.h"
#include "comms.h"
#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/watch/look.h"

namespace umd {

using nlohmann::json;

static json messages_of(const Comm &comm, const PendingCall &call)
{
	json list = json::array();
	for (const PendingMessage &message : call.messages)
		list.push_back({{"rank", message.rank},
				{"is_send", message.is_send},
				{"number", message.number},
				{"met", comm.call_log.is_met(message.rank, message.is_send,
							     message.number)}});
	return list;
}

static json pending_of(Comm &comm)
{
	json list = json::array();
	const DeviceHold device = comm.device().hold();
	if (!device)
		return list;
	for (const PendingCall &call : comm.pending.all()) {
		if (device->done(call.last))
			continue;
		list.push_back({{"number", call.number},
				{"call", describe(call.note)},
				{"stream", call.stream},
				{"reached", device->done(call.before)},
				{"messages", messages_of(comm, call)}});
	}
	return list;
}

static json members_of(const Comm &comm)
{
	json list = json::array();
	const std::string_view here = comm.member(comm.rank()).host;
	for (uint32_t rank = 0; rank < comm.ranks(); rank++) {
		const Introduction &who = comm.member(rank);
		list.push_back({{"rank", rank},
				{"process", who.pid},
				{"host", who.host},
				{"here", who.host == here},
				{"device", who.device},
				{"calls", comm.call_log.calls(rank)},
				{"left", comm.call_log.has_left(rank)},
				{"lost", comm.call_log.is_lost(rank)}});
	}
	return list;
}

static json report_of(Comm &comm)
{
	std::string failure;
	(void)comm.failure(&failure);
	return {{"name", comm.name()},
		{"id", comm.id()},
		{"rank", comm.rank()},
		{"device", comm.member(comm.rank()).device},
		{"calls", comm.call_log.calls(comm.rank())},
		{"members", members_of(comm)},
		{"pending", pending_of(comm)},
		{"failure", failure},
		{"trouble", comm.trouble()}};
}

/* Takes only locks that no waiting thread holds, so a report is possible during a hang. Return: a JSON
 * array. */
static std::string communicators_text()
{
	json list = json::array();
	for (const std::shared_ptr<Comm> &comm : Comms::get().all())
		list.push_back(report_of(*comm));
	return base::write_json(list);
}

void show_communicators()
{
	Look::get().show_communicators(communicators_text);
}

} // namespace umd
