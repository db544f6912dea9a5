// SPDX-License-Identifier: MIT
/**
 * DOC: Snapshot
 *
 * How each object of the device describes its state as JSON. The keys are an interface: tools and
 * scripts read them, and Documentation/tools.rst lists them. Times are durations, so reader and device
 * need no common clock.
 */
#include "snapshot.h"

#include <cstring>
#include <map>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

using Json = nlohmann::ordered_json;

/* By unpu_page_kind. */
static constexpr const char *PAGE_NAMES[] = {"pages_4k", "pages_thp", "pages_huge"};

static Json describe_features(uint32_t features)
{
	struct Feature {
		uint32_t bit;
		const char *name;
	};
	constexpr Feature FEATURES[] = {
		{UNPU_FEATURE_STEPPED, "stepped"},	     {UNPU_FEATURE_NULL, "null"},
		{UNPU_FEATURE_MEMBARRIER, "light-doorbell"}, {UNPU_FEATURE_ENGINES, "engines"},
		{UNPU_FEATURE_SCHEDULED, "scheduled"},
	};
	Json names = Json::array();
	for (const Feature &feature : FEATURES) {
		if (features & feature.bit)
			names.push_back(feature.name);
	}
	return names;
}

static Json describe(const Counters &counters)
{
	return {
		{"packets", counters.packets},	   {"graph_nodes", counters.graph_nodes},
		{"doorbells", counters.doorbells}, {"messages", counters.messages},
		{"wakes", counters.wakes},	   {"faults", counters.faults},
		{"arms_won", counters.arms_won},   {"arms_lost", counters.arms_lost},
	};
}

static Json describe_quotas(const Config &config)
{
	const Quotas &quotas = config.quotas;
	return {
		{"memory_bytes", quotas.memory_bytes},
		{"channels", quotas.channels},
		{"semaphores", quotas.semaphore_limit()},
		{"graphs", quotas.graphs},
		{"messages", quotas.messages},
		{"entries", quotas.entries},
		{"descriptors", quotas.descriptors},
		{"clients", config.clients_of_user},
		{"entries_by", quotas.entries ? Json(config.entry_limit) : Json(nullptr)},
		{"descriptors_by",
		 quotas.descriptors ? Json(config.descriptor_limit) : Json(nullptr)},
	};
}

static Json describe(const Faults *faults)
{
	if (!faults)
		return nullptr;
	return {{"rules", faults->plan().text},
		{"seed", faults->plan().seed},
		{"struck", faults->injected()}};
}

static Json describe(const Watchdog &watchdog)
{
	return {{"limit_ms", watchdog.limit_ns() / base::NS_PER_MS},
		{"resets", watchdog.resets()},
		{"found", watchdog.found()}};
}

/* The condition for which a waiter waits, or null. */
static Json describe_wait(const Waiter &waiter)
{
	if (!waiter.parked_in)
		return nullptr;
	Wait wait = waiter.parked_in->describe(waiter);
	Json json = Json::object();
	if (wait.sem == UNPU_SEM_NONE)
		json["address"] = wait.address;
	else
		json["semaphore"] = wait.sem;
	json["wanted"] = wait.wanted;
	json["value"] = wait.value;
	return json;
}

const char *Channel::state_name() const
{
	if (is_halted_ || state_ == State::STOPPED)
		return "stopped";
	if (state_ == State::ARMED)
		return "armed";
	if (state_ == State::WOKEN)
		return "running";
	if (state_ == State::POLLED)
		return ring_.ready() ? "running" : "polling";
	if (parked_in)
		return "parked";
	if (is_in_engine || fault_.is_hung)
		return "engine";
	if (is_in_storage)
		return "file";
	if (packet_.opcode == UNPU_OP_KERNEL)
		return "kernel";
	return opcode_row(packet_.opcode).launches_graph ? "graph" : "host call";
}

Json Channel::describe(uint32_t index) const
{
	const uint32_t pending = this->pending();
	Json channel = {
		{"channel", index},
		{"state", state_name()},
		{"slots", ring_.slots()},
		{"priority", priority},
		{"timeline", timeline_},
		{"timeline_value", timeline_base_ + published_},
		{"published", ring_.next() + pending},
		{"fetched", ring_.next()},
		{"retired", retired_},
		{"waits_for", describe_wait(*this)},
		{"blocked_ms", nullptr},
		{"failure", nullptr},
	};
	if (state_ == State::RUNNING)
		channel["blocked_ms"] = (base::coarse_ns() - blocked_since_ns_) / base::NS_PER_MS;
	if (failure_.status != base::Status::OK)
		channel["failure"] = {{"status", base::status_name(failure_.status)},
				      {"cookie", failure_.cookie}};
	return channel;
}

/* The most lines of a graph whose waits a snapshot describes. */
static constexpr size_t WAITS_MOST = 64;

/* The most stands of a graph that are searched for these waits. */
static constexpr unsigned LOOK_MOST = 1024;

std::vector<const Waiter *> Graph::waiters(size_t most) const
{
	std::vector<const Waiter *> parked;
	unsigned left = LOOK_MOST;
	for (const auto &block : stands_) {
		for (const Stand &stand : block) {
			if (parked.size() == most || left == 0)
				return parked;
			left--;
			if (stand.parked_in)
				parked.push_back(&stand);
		}
	}
	return parked;
}

/* The cookies of the nodes at which its lines stand. */
Json Graph::describe_nodes() const
{
	Json cookies = Json::array();
	unsigned left = running() ? LOOK_MOST : 0;
	for (size_t i = 0; i < lines_.size() && cookies.size() < WAITS_MOST && left > 0;
	     i++, left--) {
		const Line &line = lines_[i];
		const bool has_begun = line.is_dormant
					       ? line.is_active
					       : line.open == 0 && regions_[line.region].open > 0;
		if (has_begun && line.at < line.end)
			cookies.push_back(nodes_.packet(line.at).cookie);
	}
	return cookies;
}

Json Graph::describe(uint32_t id) const
{
	Json waits = Json::array();
	for (const Waiter *waiter : waiters(WAITS_MOST))
		waits.push_back(describe_wait(*waiter));
	return {
		{"graph", id},
		{"nodes", nodes_.size()},
		{"lines", lines_.size()},
		{"regions", regions_.size()},
		{"bytes", bytes()},
		{"running", running()},
		{"open_lines", running() ? regions_[0].open : 0},
		{"at", describe_nodes()},
		{"queued", pending_.size()},
		{"executions", executions_},
		{"waits_for", waits},
	};
}

Json Client::describe_segments() const
{
	struct Kind {
		unpu_segment_kind kind;
		const char *name;
	};
	constexpr Kind KINDS[] = {
		{UNPU_SEGMENT_DEVICE, "device"},
		{UNPU_SEGMENT_PINNED, "pinned"},
		{UNPU_SEGMENT_CHANNEL, "channel"},
	};
	Json all = Json::object();
	for (const Kind &kind : KINDS) {
		const Sums &sums = sums_[kind.kind];
		all[kind.name]["bytes"] = sums.bytes;
		for (size_t i = 0; i < std::size(PAGE_NAMES); i++)
			all[kind.name][PAGE_NAMES[i]] = sums.pages[i];
	}
	return all;
}

/* Only the semaphores with parked waiters: the device does not know which others are in use. */
Json Client::describe_semaphores(const std::map<uint32_t, uint32_t> &waiters) const
{
	Json all = Json::array();
	for (auto [sem, count] : waiters)
		all.push_back(
			{{"semaphore", sem}, {"value", semaphores.value(sem)}, {"waiters", count}});
	return all;
}

/* How many channels and graphs one call describes. Describing more of them would make other clients wait too
 * long. */
static constexpr unsigned CHANNELS_EACH = 128, GRAPHS_EACH = 16;

/* Return: whether all channels are described. */
bool Client::describe_channels(ClientSnapshot &into) const
{
	Json &all = into.json["channels"];
	unsigned left = CHANNELS_EACH;
	for (; into.channel < channels_.size() && left != 0; into.channel++) {
		const Channel *channel = channels_[into.channel].get();
		if (!channel)
			continue;
		left--;
		all.push_back(channel->describe(into.channel));
		into.packets += channel->retired();
		if (channel->parked_in == &semaphores)
			into.waiters[channel->sem]++;
	}
	note_token_work("channels of a snapshot", 0, CHANNELS_EACH - left);
	return into.channel == channels_.size();
}

/* Return: whether all graphs are described, or as many as a snapshot has. */
bool Client::describe_graphs(ClientSnapshot &into) const
{
	Json &all = into.json["graphs"];
	unsigned left = GRAPHS_EACH;
	auto at = graphs_.lower_bound(into.graph);
	for (; at != graphs_.end() && left != 0 && all.size() < ClientSnapshot::GRAPHS_MOST;
	     ++at, left--) {
		const auto &[id, graph] = *at;
		all.push_back(graph->describe(id));
		for (const Waiter *waiter : graph->waiters(WAITS_MOST)) {
			if (waiter->parked_in == &semaphores)
				into.waiters[waiter->sem]++;
		}
		into.graph = id + 1;
	}
	note_token_work("graphs of a snapshot", 0, GRAPHS_EACH - left);
	return at == graphs_.end() || all.size() == ClientSnapshot::GRAPHS_MOST;
}

bool Client::describe(ClientSnapshot &into) const
{
	const uint64_t session = base::load_relaxed(completion_->status.session);
	if (into.session != session)
		into = {.session = session, .json = describe_itself()};
	if (!describe_channels(into) || !describe_graphs(into))
		return false;
	into.json["semaphores"] = describe_semaphores(into.waiters);
	Json &packets = into.json["counters"]["packets"];
	packets = packets.get<uint64_t>() + into.packets;
	return true;
}

Json Client::describe_itself() const
{
	auto why = static_cast<base::Status>(base::load_relaxed(completion_->status.broken));
	return {
		{"client", number},
		{"pid", pid()},
		{"user", account->user() ? Json(*account->user()) : Json(nullptr)},
		{"broken", is_broken_ ? Json(base::status_name(why)) : Json(nullptr)},
		{"memory_used_bytes", memory_used_},
		{"quota_used_bytes", account->used(Resource::MEMORY)},
		{"entries", account->used(Resource::ENTRIES)},
		{"descriptors", account->used(Resource::DESCRIPTORS)},
		{"segments", describe_segments()},
		{"counters", fw::describe(counters_without_channels())},
		{"files", files_.size()},
		{"channels", Json::array()},
		{"graphs", Json::array()},
		{"semaphores", Json::array()},
	};
}

/* A placement as JSON; null: memory may be on any node. */
static Json describe(const base::Placement &placement)
{
	if (placement.asked < 0 && placement.engines.empty() && placement.why.empty())
		return nullptr;
	return {
		{"asked", placement.asked},
		{"memory", placement.memory},
		{"cpus", base::cpu_list(placement.cpus)},
		{"engine_cpus", placement.engines},
		{"why", placement.why},
	};
}

static Json describe(const StorageCounts &counts)
{
	return {
		{"method", counts.method},
		{"transfers", counts.transfers},
		{"read_bytes", counts.read_bytes},
		{"written_bytes", counts.written_bytes},
		{"direct_bytes", counts.direct_bytes},
		{"bounced_bytes", counts.bounced_bytes},
		{"fixed_files", counts.disk.fixed_files},
		{"fixed_bytes", counts.disk.fixed_bytes},
		{"fixed_operations", counts.disk.fixed_operations},
	};
}

Json describe(const DeviceView &device)
{
	const Core &core = device.core;
	const unpu_bar &bar = device.bar;
	Json totals = describe(core.gone);
	totals["kicks"] = device.kicks;
	bool stepped = bar.features & UNPU_FEATURE_STEPPED;
	uint64_t total_bytes = core.config.memory_bytes;
	const uint64_t used_bytes = core.memory->used(Resource::MEMORY);
	return {
		{"device", bar.device_index},
		{"name", std::string(bar.soc_name, strnlen(bar.soc_name, sizeof(bar.soc_name)))},
		{"pid", getpid()},
		{"wire", std::to_string(UNPU_ABI_MAJOR) + "." + std::to_string(UNPU_ABI_MINOR)},
		{"features", describe_features(bar.features)},
		{"generation", bar.generation},
		{"engines", bar.engines},
		{"node", bar.numa_node},
		{"placement", describe(core.placement)},
		{"memory_total_bytes", total_bytes},
		{"memory_used_bytes", used_bytes},
		{"memory_free_bytes", total_bytes - used_bytes},
		{"quotas", describe_quotas(core.config)},
		{"segments_huge", core.segments_by_pages[UNPU_PAGE_HUGETLB]},
		{"segments_thp", core.segments_by_pages[UNPU_PAGE_THP]},
		{"segments_4k", core.segments_by_pages[UNPU_PAGE_4K]},
		{"huge_refused", core.huge_refused},
		{"sleeping", device.is_sleeping},
		{"uptime_ns", base::now_ns() - core.boot_ns},
		{"busy_ns", stepped ? Json(nullptr) : Json(device.busy_ns)},
		{"engines_busy_ns", core.engines.busy_ns()},
		{"kernels_busy_ns", core.workers.busy_ns()},
		{"storage", describe(core.storage.counts())},
		{"faults", describe(core.faults.get())},
		{"watchdog", describe(core.watchdog)},
		{"counters", totals},
		{"clients", Json::array()},
	};
}

} // namespace fw
