// SPDX-License-Identifier: MIT
/**
 * DOC: Search for hangs
 *
 * A wait is not a hang: the program may take any time to end it. A task on an engine can hang, because
 * its normal duration follows from its size. If it takes much longer, its client is cut off, and no other.
 *
 * Channels that wait for each other are only reported: the program may still end the deadlock.
 */
#include "hang_search.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "client.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/packet/channel.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

using base::Status;

static const char *opcode_name(uint8_t opcode)
{
	const char *name = opcode_row(opcode).name;
	return name ? name : "?";
}

/* The most packets that one search reads of a client. */
static constexpr uint32_t PACKETS_MOST = 16384;
/* The most blocked channels searched for one client, and the most channels named that could end a wait. */
static constexpr size_t STUCK_MOST = 256;
static constexpr size_t ENDERS_MOST = 16;

/* class Enders - maps each wait of a client to the channels that may end it: a channel whose timeline
 * is waited for, or that has a later packet that signals. A channel with more packets than the search
 * may read counts as an ender of every wait. */
class Enders {
public:
	explicit Enders(const Client &client)
	{
		note_waits(client);
		uint32_t left = PACKETS_MOST;
		for (const auto &channel : client.channels()) {
			if (!channel)
				continue;
			const uint32_t index = channel->index();
			const bool all = channel->find_ends(left, [&](const Wait &wait) {
				auto found = ends_.find(key(wait));
				if (found == ends_.end())
					return;
				auto &by = found->second;
				if (by.size() <= ENDERS_MOST && (by.empty() || by.back() != index))
					by.push_back(index);
			});
			if (!all && busy_.size() <= ENDERS_MOST)
				busy_.push_back(index);
		}
	}

	/* of() - channels in ascending order; more than ENDERS_MOST mean that any channel may end it. */
	std::vector<uint32_t> of(const Wait &wait) const
	{
		std::vector<uint32_t> all = busy_;
		auto found = ends_.find(key(wait));
		if (found != ends_.end())
			all.insert(all.end(), found->second.begin(), found->second.end());
		std::sort(all.begin(), all.end());
		all.erase(std::unique(all.begin(), all.end()), all.end());
		return all;
	}

private:
	/* Addresses never have the top bit set, so it marks semaphores. */
	static uint64_t key(const Wait &wait)
	{
		return wait.sem == UNPU_SEM_NONE ? wait.address : uint64_t{1} << 63 | wait.sem;
	}

	void note_waits(const Client &client)
	{
		size_t left = STUCK_MOST;
		for (const auto &channel : client.channels()) {
			if (left == 0)
				return;
			if (!channel || channel->blocked_since_ns() == base::NO_DEADLINE)
				continue;
			left--;
			for (const Wait &wait : channel->waits())
				ends_.try_emplace(key(wait));
		}
	}

	/* indexed by the key() of a wait */
	std::unordered_map<uint64_t, std::vector<uint32_t>> ends_;
	std::vector<uint32_t> busy_;
};

static std::string describe_wait(const Enders &enders, const Wait &wait)
{
	std::string text = wait.sem == UNPU_SEM_NONE
				   ? fmt::format("the word at {:#x}", wait.address)
				   : fmt::format("semaphore {}", wait.sem);
	text += fmt::format(" at {} to reach {}", wait.value, wait.wanted);
	auto by = enders.of(wait);
	if (by.empty())
		return text + ", which no task of the client signals";
	return text + fmt::format(", which channel {} is to signal", fmt::join(by, ", "));
}

/* Describes a blocked channel. */
static std::string describe(const Enders &enders, const Channel &channel, uint64_t now_ns)
{
	std::string text = fmt::format(
		"channel {} ({}) is stuck in task {} ({}, cookie {:#x}) for {} ms with {} behind "
		"it",
		channel.index(), channel.state_name(), channel.retired(),
		opcode_name(channel.packet().opcode), channel.packet().cookie,
		(now_ns - std::min(now_ns, channel.blocked_since_ns())) / base::NS_PER_MS,
		channel.pending());
	for (const Wait &wait : channel.waits())
		text += " and waits for " + describe_wait(enders, wait);
	return text;
}

void cut_off(Client &client, uint64_t cookie, uint64_t since_ns, uint64_t now_ns)
{
	std::string text = fmt::format(
		"client {} of process {} is cut off: its task with cookie {:#x} has not ended "
		"after {} ms",
		client.number, client.pid(), cookie, (now_ns - since_ns) / base::NS_PER_MS);
	const Enders enders(client);
	size_t left = STUCK_MOST;
	for (const auto &channel : client.channels()) {
		if (channel && channel->blocked_since_ns() != base::NO_DEADLINE && left-- != 0)
			text += "; " + describe(enders, *channel, now_ns);
		if (left == 0)
			break;
	}
	client.break_off(Status::HUNG, cookie);
	client.core.watchdog.report_reset(std::move(text));
}

/* For each wait of a parked channel: the channels that may end it. */
struct Stuck {
	std::vector<std::vector<uint32_t>> waits;
};
using StuckChannels = std::map<uint32_t, Stuck>;

static bool hopeless(const StuckChannels &stuck, const std::vector<uint32_t> &by)
{
	return !by.empty() && by.size() <= ENDERS_MOST &&
	       std::all_of(by.begin(), by.end(),
			   [&](uint32_t ender) { return stuck.count(ender) != 0; });
}

/* Reduces @stuck to the channels whose wait only other channels in @stuck could end. When a channel is
 * removed, the channels that wait for it are checked again. */
static void keep_hopeless(StuckChannels &stuck)
{
	std::map<uint32_t, std::vector<uint32_t>> waiting;
	std::vector<uint32_t> doubtful;
	for (const auto &[index, channel] : stuck) {
		doubtful.push_back(index);
		for (const auto &by : channel.waits) {
			for (uint32_t ender : by)
				waiting[ender].push_back(index);
		}
	}
	while (!doubtful.empty()) {
		const uint32_t index = doubtful.back();
		doubtful.pop_back();
		auto at = stuck.find(index);
		if (at == stuck.end() ||
		    std::any_of(at->second.waits.begin(), at->second.waits.end(),
				[&](const auto &by) { return hopeless(stuck, by); }))
			continue;
		stuck.erase(at);
		const auto &others = waiting[index];
		doubtful.insert(doubtful.end(), others.begin(), others.end());
	}
}

/* Follows the waits from @first on until a channel repeats. Returns the circle. */
static std::vector<uint32_t> follow(const StuckChannels &stuck, uint32_t first)
{
	std::vector<uint32_t> path = {first};
	for (;;) {
		uint32_t next = first;
		bool found = false;
		for (const auto &by : stuck.at(path.back()).waits) {
			for (uint32_t ender : by) {
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

void HangSearch::find_circle(Client &client, uint64_t now_ns, Watchdog &watchdog)
{
	const Enders enders(client);
	StuckChannels stuck;
	for (const auto &channel : client.channels()) {
		if (!channel || channel->blocked_since_ns() == base::NO_DEADLINE ||
		    now_ns - channel->blocked_since_ns() < watchdog.limit_ns())
			continue;
		Stuck found;
		for (const Wait &wait : channel->waits())
			found.waits.push_back(enders.of(wait));
		if (!found.waits.empty() && stuck.size() < STUCK_MOST)
			stuck.emplace(channel->index(), std::move(found));
	}
	keep_hopeless(stuck);
	if (stuck.empty()) {
		client.report_cycle({});
		return;
	}
	auto circle = follow(stuck, stuck.begin()->first);
	std::string text =
		fmt::format("client {} of process {}: channels {} and again {} wait for each other",
			    client.number, client.pid(), fmt::join(circle, ", "), circle.front());
	for (uint32_t index : circle) {
		text += fmt::format("; channel {} waits for ", index);
		auto waits = client.channels()[index]->waits();
		text += describe_wait(enders, waits.front());
	}
	client.report_cycle(circle);
	if (!watchdog.has_reported(text))
		watchdog.report(std::move(text));
}

/* Searches one client per look; schedules a look 1 ms later for the next client. */
void HangSearch::find_next_circle(uint64_t now_ns, const Clients &clients, Watchdog &watchdog)
{
	if (searched_ == to_search_.size())
		return;
	Client *client = clients[to_search_[searched_++]].get();
	if (client && !client->broken())
		find_circle(*client, now_ns, watchdog);
	if (searched_ != to_search_.size())
		watchdog.later(now_ns + base::NS_PER_MS);
}

static constexpr const char *WALK = "channels for the watchdog";

/* Looks at a channel of the client @at_. Return: whether the client is still there. */
bool HangSearch::look_at(const Channel *channel, uint64_t now_ns, Client &client,
			 const Watchdog &watchdog)
{
	const uint64_t limit_ns = watchdog.limit_ns();
	const uint64_t since = channel ? channel->blocked_since_ns() : base::NO_DEADLINE;
	if (since == base::NO_DEADLINE)
		return true;
	if (since + limit_ns > now_ns) {
		next_ns_ = std::min(next_ns_, since + limit_ns);
		return true;
	}
	is_long_ago_ = true;
	if (channel->hung())
		cut_off(client, channel->packet().cookie, since, now_ns);
	return !client.broken();
}

/* Looks at as many channels as one turn may, from where the last turn ended. A channel that blocks after a walk of
 * several turns has passed it is seen by the next walk. Return: whether the walk has seen all channels. */
bool HangSearch::walk(uint64_t now_ns, const Clients &clients, Watchdog &watchdog)
{
	uint64_t left = TOKEN_ITEMS;
	const bool is_first = at_ == 0 && channel_ == 0;
	for (; at_ < clients.size(); at_++, channel_ = 0, is_long_ago_ = false) {
		Client *client = clients[at_].get();
		if (!client || client->broken())
			continue;
		const auto &channels = client->channels();
		bool is_there = true;
		for (; is_there && channel_ < channels.size(); channel_++) {
			if (left == 0) {
				note_token_work(WALK, 0, TOKEN_ITEMS);
				return false;
			}
			left--;
			is_there = look_at(channels[channel_].get(), now_ns, *client, watchdog);
		}
		const auto known = std::find(to_search_.begin(), to_search_.end(), at_);
		if (is_there && is_long_ago_ && known == to_search_.end())
			to_search_.push_back(at_);
	}
	note_token_work(WALK, 0, TOKEN_ITEMS - left);
	watchdog.later(is_first ? next_ns_ : std::min(next_ns_, now_ns + watchdog.limit_ns()));
	at_ = channel_ = 0;
	next_ns_ = base::NO_DEADLINE;
	return true;
}

void HangSearch::look(uint64_t now_ns, const Clients &clients, Core &core)
{
	Watchdog &watchdog = core.watchdog;
	const uint64_t limit_ns = watchdog.limit_ns();
	watchdog.rest();
	auto client_of = [&](const TimedOutWork &late) -> Client * {
		Client *client =
			late.client < clients.size() ? clients[late.client].get() : nullptr;
		return client && !client->broken() && late.owner ? client : nullptr;
	};
	for (const TimedOutWork &late : core.engines.overdue(now_ns, limit_ns)) {
		if (Client *client = client_of(late))
			cut_off(*client, late.cookie, late.since_ns, now_ns);
	}
	/* A hanging file operation delays the files of other clients, even if its own waiter is gone. */
	for (const TimedOutWork &late : core.storage.overdue(now_ns, limit_ns)) {
		if (Client *client = client_of(late))
			cut_off(*client, late.cookie, late.since_ns, now_ns);
	}
	core.storage.give_up_overdue(now_ns, limit_ns);
	if (core.engines.running() || core.storage.running())
		watchdog.later(now_ns + limit_ns);
	if (searched_ == to_search_.size()) {
		to_search_.clear();
		searched_ = 0;
	}
	if (!walk(now_ns, clients, watchdog))
		return watchdog.later(now_ns);
	find_next_circle(now_ns, clients, watchdog);
}

} // namespace fw
