// SPDX-License-Identifier: MIT
/**
 * DOC: Watchdog
 *
 * A wait is not a hang: whoever is to end it may take any time. An engine is, since how long a task
 * takes follows from its size. A task that takes much longer costs its client the context, and nobody
 * else anything.
 *
 * Channels that stand still for each other can only be told: the program may hold the way out.
 */
#include "watchdog.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "channel.h"
#include "core.h"

namespace fw {

using base::Status;

/* So many findings are kept. */
static constexpr size_t FOUND_MOST = 16;

static const char *opcode_name(uint8_t opcode)
{
	switch (opcode) {
#define FW_OPCODE_NAME(name, number) \
	case number: \
		return #name;
		UNPU_OPCODE_LIST(FW_OPCODE_NAME)
#undef FW_OPCODE_NAME
	default:
		return "?";
	}
}

/* Channels of the client that may end a wait: their timeline is waited for, or they signal later. */
static std::vector<uint32_t> enders(const Client &client, const Wait &wait)
{
	std::vector<uint32_t> all;
	for (const auto &channel : client.channels()) {
		if (channel && channel->may_end(wait))
			all.push_back(channel->index());
	}
	return all;
}

static std::string describe_wait(const Client &client, const Wait &wait)
{
	std::string text = wait.sem == UNPU_SEM_NONE
				   ? fmt::format("the word at {:#x}", wait.address)
				   : fmt::format("semaphore {}", wait.sem);
	text += fmt::format(" at {} to come to {}", wait.value, wait.wanted);
	auto by = enders(client, wait);
	if (by.empty())
		return text + ", which no task of the client's will do";
	return text + fmt::format(", which channel {} is to do", fmt::join(by, ", "));
}

/* A channel that stands still, in half a sentence. */
static std::string describe(const Client &client, const Channel &channel, uint64_t now_ns)
{
	std::string text = fmt::format(
		"channel {} ({}) stands in task {} ({}, cookie {:#x}) for {} ms with {} behind it",
		channel.index(), channel.state(), channel.retired(),
		opcode_name(channel.packet().opcode), channel.packet().cookie,
		(now_ns - std::min(now_ns, channel.blocked_since_ns())) / base::NS_PER_MS,
		channel.pending());
	for (const Wait &wait : channel.waits())
		text += " and waits for " + describe_wait(client, wait);
	return text;
}

void Watchdog::tell(std::string text, const Core &core)
{
	if (core.config.report)
		core.config.report(text);
	found_.push_back(std::move(text));
	if (found_.size() > FOUND_MOST)
		found_.pop_front();
}

void Watchdog::cut_off(Client &client, uint64_t cookie, uint64_t since_ns, uint64_t now_ns,
		       Core &core)
{
	std::string text = fmt::format(
		"client {} of process {} is cut off: its task with cookie {:#x} has not ended "
		"after {} ms",
		client.number, client.pid(), cookie, (now_ns - since_ns) / base::NS_PER_MS);
	for (const auto &channel : client.channels()) {
		if (channel && channel->blocked_since_ns() != base::NO_DEADLINE)
			text += "; " + describe(client, *channel, now_ns);
	}
	resets_++;
	client.break_off(Status::HUNG, cookie);
	tell(std::move(text), core);
}

/* One channel after the other that waits for the next, from @first on, until one comes up again. */
static std::vector<uint32_t> follow(const Client &client, const std::set<uint32_t> &stuck,
				    uint32_t first)
{
	std::vector<uint32_t> path = {first};
	for (;;) {
		uint32_t next = first;
		bool found = false;
		for (const Wait &wait : client.channels()[path.back()]->waits()) {
			for (uint32_t ender : enders(client, wait)) {
				if (!found && stuck.count(ender)) {
					next = ender;
					found = true;
				}
			}
		}
		auto seen = std::find(path.begin(), path.end(), next);
		if (!found || seen != path.end()) {
			path.erase(path.begin(), seen == path.end() ? path.begin() : seen);
			return path;
		}
		path.push_back(next);
	}
}

/* Those of @stuck that only others of it could let go. */
static void keep_hopeless(const Client &client, std::set<uint32_t> &stuck)
{
	auto hopeless = [&](const Wait &wait) {
		auto by = enders(client, wait);
		return !by.empty() && std::all_of(by.begin(), by.end(), [&](uint32_t ender) {
			return stuck.count(ender) != 0;
		});
	};
	for (bool changed = true; changed;) {
		changed = false;
		for (auto at = stuck.begin(); at != stuck.end();) {
			auto waits = client.channels()[*at]->waits();
			if (std::any_of(waits.begin(), waits.end(), hopeless)) {
				++at;
				continue;
			}
			at = stuck.erase(at);
			changed = true;
		}
	}
}

void Watchdog::find_circle(Client &client, uint64_t now_ns, const Core &core)
{
	std::set<uint32_t> stuck;
	for (const auto &channel : client.channels()) {
		if (!channel || channel->blocked_since_ns() == base::NO_DEADLINE)
			continue;
		if (now_ns - channel->blocked_since_ns() >= limit_ns_ && !channel->waits().empty())
			stuck.insert(channel->index());
	}
	keep_hopeless(client, stuck);
	if (stuck.empty()) {
		client.tell_circle({});
		return;
	}
	auto circle = follow(client, stuck, *stuck.begin());
	std::string text =
		fmt::format("client {} of process {}: channels {} and again {} wait for each other",
			    client.number, client.pid(), fmt::join(circle, ", "), circle.front());
	for (uint32_t index : circle) {
		text += fmt::format("; channel {} waits for ", index);
		auto waits = client.channels()[index]->waits();
		text += describe_wait(client, waits.front());
	}
	client.tell_circle(circle);
	if (std::find(found_.begin(), found_.end(), text) == found_.end())
		tell(std::move(text), core);
}

void Watchdog::look(uint64_t now_ns, const Clients &clients, Core &core)
{
	next_ns_ = base::NO_DEADLINE;
	auto client_of = [&](const Overdue &late) -> Client * {
		Client *client =
			late.client < clients.size() ? clients[late.client].get() : nullptr;
		return client && !client->broken() && late.owner ? client : nullptr;
	};
	for (const Overdue &late : core.engines.overdue(now_ns, limit_ns_)) {
		if (Client *client = client_of(late))
			cut_off(*client, late.cookie, late.since_ns, now_ns, core);
	}
	/* A file that hangs holds up the files of others, also once nobody waits for it. */
	for (const Overdue &late : core.storage.overdue(now_ns, limit_ns_)) {
		if (Client *client = client_of(late))
			cut_off(*client, late.cookie, late.since_ns, now_ns, core);
	}
	core.storage.give_up_overdue(now_ns, limit_ns_);
	if (core.engines.running() || core.storage.running())
		later(now_ns + limit_ns_);
	for (const auto &client : clients) {
		if (!client || client->broken())
			continue;
		bool long_ago = false;
		for (const auto &channel : client->channels()) {
			uint64_t since = channel ? channel->blocked_since_ns() : base::NO_DEADLINE;
			if (since == base::NO_DEADLINE)
				continue;
			if (since + limit_ns_ > now_ns) {
				later(since + limit_ns_);
				continue;
			}
			long_ago = true;
			if (channel->hung()) {
				cut_off(*client, channel->packet().cookie, since, now_ns, core);
				break;
			}
		}
		if (long_ago && !client->broken())
			find_circle(*client, now_ns, core);
	}
}

} // namespace fw
