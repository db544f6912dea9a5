// SPDX-License-Identifier: MIT
/**
 * DOC: the schedule
 *
 * Time goes from one end of a step to the next. At each moment, first all steps end that end then; then tasks start, in
 * the order in which they were ready, as far as their engines are free. So the result does not depend on the order in
 * which the steps of one moment are found.
 */
#include "scheduler.h"

#include <algorithm>

namespace timing {

Scheduler::Scheduler(const Graph &graph, std::vector<Cost> costs, const Profile &profile)
	: graph_(graph), profile_(profile)
{
	line_.costs = std::move(costs);
	line_.slots.resize(graph.vertices.size());
	link();
}

/* Finds the followers of each step. */
void Scheduler::link()
{
	const size_t count = graph_.vertices.size();
	missing_.resize(count);
	first_.assign(count + 1, 0);
	for (const Id before : graph_.before)
		first_[before + 1]++;
	for (size_t i = 0; i < count; i++)
		first_[i + 1] += first_[i];
	followers_.resize(graph_.before.size());
	std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
	for (Id id = 0; id < count; id++) {
		const Vertex &vertex = graph_.vertices[id];
		missing_[id] = vertex.count;
		for (uint32_t i = 0; i < vertex.count; i++)
			followers_[next[graph_.before[vertex.first + i]]++] = id;
	}
}

Scheduler::Device &Scheduler::device_of(Id id)
{
	const uint32_t index = graph_.vertices[id].line;
	const Line line = index < graph_.lines.size() ? graph_.lines[index] : Line();
	const auto [found, is_new] = devices_.try_emplace({line.client, line.device});
	Device &device = found->second;
	if (is_new) {
		device.ended.fill(NO_VERTEX);
		for (size_t i = 0; i < ENGINES; i++)
			device.free[i] = units_of(static_cast<Engine>(i), profile_);
	}
	return device;
}

/* All steps before it have ended. */
void Scheduler::make_ready(Id id)
{
	const Cost &cost = line_.costs[id];
	Slot &slot = line_.slots[id];
	slot.why = slot.ready == 0 ? Why::NOTHING : Why::ORDER;
	slot.cause = slot.last;
	slot.begin = slot.ready;
	if (cost.engine != Engine::NONE) {
		device_of(id).queues[static_cast<size_t>(cost.engine)].insert(
			{slot.ready, graph_.vertices[id].number, id});
	} else if (cost.time == 0) {
		ended_.push_back(id);
	} else {
		alarms_.emplace(later(now_, cost.time), id);
	}
}

void Scheduler::end(Id id)
{
	line_.slots[id].end = now_;
	if (line_.final == NO_VERTEX || now_ > line_.total ||
	    (now_ == line_.total && id < line_.final)) {
		line_.total = now_;
		line_.final = id;
	}
	for (uint32_t i = first_[id]; i < first_[id + 1]; i++) {
		const Id follower = followers_[i];
		Slot &slot = line_.slots[follower];
		if (slot.last == NO_VERTEX || now_ > slot.ready || id < slot.last) {
			slot.ready = now_;
			slot.last = id;
		}
		if (--missing_[follower] == 0)
			make_ready(follower);
	}
}

/* Ends what ends now, and what takes no time behind it. */
void Scheduler::settle()
{
	while (!ended_.empty()) {
		std::vector<Id> ended;
		ended.swap(ended_);
		std::sort(ended.begin(), ended.end());
		for (const Id id : ended)
			end(id);
	}
}

/* The task that starts next: of the first one in each queue, the one that was ready first and whose engine has room. */
bool Scheduler::pick(Device &device, Id &id) const
{
	const Place *best = nullptr;
	for (size_t i = 0; i < ENGINES; i++) {
		if (device.queues[i].empty())
			continue;
		const Place &place = *device.queues[i].begin();
		if (line_.costs[std::get<2>(place)].units <= device.free[i] &&
		    (!best || place < *best))
			best = &place;
	}
	id = best ? std::get<2>(*best) : NO_VERTEX;
	return best != nullptr;
}

void Scheduler::start(Device &device, Id id)
{
	const Cost &cost = line_.costs[id];
	const auto engine = static_cast<size_t>(cost.engine);
	Slot &slot = line_.slots[id];
	device.queues[engine].erase({slot.ready, graph_.vertices[id].number, id});
	device.free[engine] -= cost.units;
	slot.begin = now_;
	if (now_ > slot.ready) {
		const bool is_engine =
			device.ended[engine] != NO_VERTEX && device.ended_at[engine] == now_;
		slot.why = is_engine ? Why::ENGINE : Why::LAUNCH;
		slot.cause = is_engine ? device.ended[engine] : device.started;
	}
	device.running.add(id, now_, cost.time, cost.memory);
	device.started = id;
	device.next_start = later(now_, profile_[Figure::LAUNCH_GAP]);
}

void Scheduler::start_on(Device &device)
{
	Id id = NO_VERTEX;
	while (pick(device, id)) {
		if (now_ < device.next_start) {
			alarms_.emplace(device.next_start, NO_VERTEX);
			break;
		}
		start(device, id);
	}
	device.running.share(now_, profile_[Figure::MEMORY_RATE]);
}

bool Scheduler::next_time(Picoseconds &time) const
{
	bool is_any = !alarms_.empty();
	time = is_any ? alarms_.top().first : 0;
	for (const auto &[key, device] : devices_) {
		Picoseconds other = 0;
		if (!device.running.next(other))
			continue;
		time = is_any ? std::min(time, other) : other;
		is_any = true;
	}
	return is_any;
}

void Scheduler::end_at(Picoseconds time)
{
	now_ = time;
	while (!alarms_.empty() && alarms_.top().first <= now_) {
		if (alarms_.top().second != NO_VERTEX)
			ended_.push_back(alarms_.top().second);
		alarms_.pop();
	}
	for (auto &[key, device] : devices_) {
		for (const Id id : device.running.ended_at(now_)) {
			const auto engine = static_cast<size_t>(line_.costs[id].engine);
			device.running.remove(id);
			device.free[engine] += line_.costs[id].units;
			device.ended[engine] = id;
			device.ended_at[engine] = now_;
			ended_.push_back(id);
		}
	}
}

Timeline Scheduler::run()
{
	for (Id id = 0; id < missing_.size(); id++) {
		if (graph_.vertices[id].count == 0)
			make_ready(id);
	}
	Picoseconds time = 0;
	do {
		end_at(time);
		settle();
		for (auto &[key, device] : devices_)
			start_on(device);
	} while (next_time(time));
	return std::move(line_);
}

Timeline schedule_of(const Graph &graph, std::vector<Cost> costs, const Profile &profile)
{
	return Scheduler(graph, std::move(costs), profile).run();
}

} // namespace timing
