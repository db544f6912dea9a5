// SPDX-License-Identifier: MIT
/**
 * DOC: Explorer
 *
 * A device that explores does not use its time: it runs commands when a thread of the host waits, before a submit
 * returns, or when nothing has happened for PATIENCE_NS while commands are ready. Which of them run is up to the
 * strategy. A program with one thread therefore meets the same decisions in each run, and a list of them replays.
 */
#include "explorer.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "base/os/machine.h"
#include "firmware_sim/client/client.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/packet/channel.h"

namespace fw {

using base::Status;

/* If the programs have used BUSY_NS of CPU time, they poll, and the device runs a command. If they have used less, they
 * may not have got a CPU, or may sleep between two looks. Then the device waits PATIENCE_NS again, and
 * IDLE_PATIENCE_NS in all at most. */
static constexpr uint64_t PATIENCE_NS = 2 * base::NS_PER_MS;
static constexpr uint64_t BUSY_NS = base::NS_PER_MS;
static constexpr uint64_t IDLE_PATIENCE_NS = 100 * base::NS_PER_MS;
/* How long a replay waits for a command that another thread of the program submits. */
static constexpr uint64_t REPLAY_PATIENCE_NS = base::NS_PER_S;
/* Limit of packets that one search for waits reads. */
static constexpr uint32_t LOOKS_MOST = 1u << 16;
/* Limit of turns, in one call, of runners whose turns are not decisions. */
static constexpr unsigned TURNS_MOST = 1024;

Explorer::Explorer(Core &core)
	: core_(core), strategy_(make_strategy(*core.config.schedule)),
	  log_(log_path(), base::describe_schedule(*core.config.schedule)),
	  deadline_ns_(base::NO_DEADLINE), diverges_ns_(base::NO_DEADLINE)
{
}

std::string Explorer::log_path() const
{
	const std::string &folder = core_.config.schedule->log;
	if (folder.empty())
		return "";
	return fmt::format("{}/{}-{}.decisions", folder, getpid(), core_.config.index);
}

void Explorer::tell(const std::string &text) const
{
	if (core_.config.report)
		core_.config.report(text);
}

Status Explorer::init()
{
	const base::SchedulePlan &plan = *core_.config.schedule;
	if (plan.strategy != base::SchedulePlan::Strategy::REPLAY)
		return Status::OK;
	std::string why;
	replay_ = std::make_unique<Replay>();
	const Status status = replay_->read(plan.from, why);
	if (status != Status::OK)
		tell(why);
	return status;
}

/* Takes the runners out of the run queue. Runners whose turns are not decisions have them at once. */
void Explorer::hold_runners()
{
	for (unsigned left = TURNS_MOST; left != 0; left--) {
		Runner *runner = core_.queue.pop();
		if (!runner)
			return;
		std::vector<Choice> offered;
		if (runner->client_queue->is_paused || runner->offer(offered)) {
			core_.queue.hold(*runner);
			continue;
		}
		running_ = runner;
		if (runner->advance_one(NO_LINE) == Progress::MORE)
			core_.queue.push(*runner);
		runner->settle();
	}
}

template <class Visit>
static void for_each_channel(const Explorer::Clients &clients, const Visit &visit)
{
	for (const auto &client : clients) {
		if (!client)
			continue;
		for (const auto &channel : client->channels()) {
			if (channel)
				visit(*client, *channel);
		}
	}
}

void Explorer::count_arrivals(const Clients &clients)
{
	ends_.resize(clients.size());
	for_each_channel(clients, [this](const Client &client, Channel &channel) {
		channel.count_arrivals(arrivals_, ends_[client.number]);
	});
}

void Explorer::offer(const Client &client, Runner &runner)
{
	const size_t before = choices_.size();
	(void)runner.offer(choices_);
	for (size_t i = before; i < choices_.size(); i++) {
		Choice &choice = choices_[i];
		choice.runner = &runner;
		choice.client = client.number;
		if (choice.line == NO_LINE)
			continue;
		const auto &channels = client.channels();
		if (choice.stream < channels.size() && channels[choice.stream])
			choice.arrival = channels[choice.stream]->arrival();
	}
}

/* Lists what could run next. Channels without a packet are armed. */
void Explorer::gather(const Clients &clients)
{
	choices_.clear();
	std::vector<Runner *> idle;
	for (const auto &client : clients) {
		if (!client || client->client_queue.is_paused)
			continue;
		for (Runner *at = client->client_queue.held.head; at; at = at->next) {
			const size_t before = choices_.size();
			offer(*client, *at);
			if (choices_.size() == before)
				idle.push_back(at);
		}
	}
	for (Runner *runner : idle) {
		core_.queue.remove(*runner);
		if (runner->rest() == Rest::ASKED)
			core_.queue.set_aside(*runner);
	}
}

Explorer::Awaited Explorer::find_awaited(const Clients &clients) const
{
	Awaited found;
	for (const auto &client : clients) {
		if (!client || client->broken())
			continue;
		for (const uint32_t sem : ends_[client->number]) {
			if (client->semaphores.is_awaited(sem))
				found.emplace_back(client.get(), sem);
		}
	}
	return found;
}

/* Adds the channels that have to run before @wait can end. */
void Explorer::need(const Client &client, const Wait &wait, std::set<const Channel *> &needed) const
{
	for (const auto &channel : client.channels()) {
		if (!channel || needed.contains(channel.get()))
			continue;
		bool ends = false;
		uint32_t left = LOOKS_MOST;
		(void)channel->find_ends(left, [&](const Wait &end) {
			ends |= wait.sem != UNPU_SEM_NONE
					? end.sem == wait.sem
					: end.sem == UNPU_SEM_NONE && end.address == wait.address;
			if (ends)
				left = 0; /* stop: no further packet can be read */
		});
		if (!ends)
			continue;
		needed.insert(channel.get());
		for (const Wait &next : channel->waits())
			need(client, next, needed);
	}
}

void Explorer::mark_needed()
{
	std::set<const Channel *> needed;
	for (const auto &[client, sem] : awaited_)
		need(*client, {sem, 0, 0, 0}, needed);
	std::set<std::pair<uint32_t, uint32_t>> streams;
	for (const auto &[client, sem] : awaited_) {
		for (const auto &channel : client->channels()) {
			if (channel && needed.contains(channel.get()))
				streams.emplace(client->number, channel->index());
		}
	}
	for (Choice &choice : choices_)
		choice.is_needed = streams.contains({choice.client, choice.stream});
}

Reason Explorer::reason() const
{
	if (!awaited_.empty())
		return Reason::WAIT;
	if (at_submit_ != 0)
		return Reason::SUBMIT;
	return for_progress_ != 0 ? Reason::PROGRESS : Reason::NONE;
}

/* Why the next recorded decision is made now; NONE: not yet. */
Reason Explorer::replayed_reason() const
{
	const Decision &next = *replay_->next();
	if (next.reason == Reason::NONE)
		return replayed_;
	if (arrivals_ < next.arrivals)
		return Reason::NONE;
	bool is_due = next.reason == Reason::SUBMIT || !awaited_.empty();
	/* In the recorded run a time-out made this decision. In the replay it is made before the next submit,
	 * as it was then. */
	if (next.reason == Reason::PROGRESS)
		is_due |= for_progress_ != 0 || arrivals_ > next.arrivals;
	return is_due ? next.reason : Reason::NONE;
}

void Explorer::diverge()
{
	const Decision *next = replay_->next();
	std::string text = fmt::format("replay: decision {}: expected ", replay_->number() + 1);
	if (!next) {
		text += "the end";
	} else if (next->reason == Reason::NONE) {
		Choice wanted;
		wanted.client = next->client;
		wanted.stream = next->stream;
		wanted.line = next->line;
		wanted.kind = next->kind;
		text += describe_choice(wanted);
	} else {
		text += fmt::format("{} submitted commands, got {}", next->arrivals, arrivals_);
	}
	constexpr size_t NAMED_MOST = 4;
	for (size_t i = 0; i < std::min(choices_.size(), NAMED_MOST); i++)
		text += (i == 0 ? "; ready is " : ", ") + describe_choice(choices_[i]);
	if (choices_.empty())
		text += "; nothing is ready";
	tell(text);
	log_.remark(text);
	replay_.reset();
}

/* None of the ready commands is the recorded one. Another thread of the program may still submit it, so the
 * replay waits. */
const Choice *Explorer::await_replay()
{
	const uint64_t now_ns = base::now_ns();
	if (diverges_ns_ == base::NO_DEADLINE) {
		diverges_ns_ = now_ns + REPLAY_PATIENCE_NS;
	} else if (now_ns >= diverges_ns_) {
		diverge();
	}
	return nullptr;
}

const Choice *Explorer::replay_one()
{
	for (;;) {
		const Decision *next = replay_->next();
		if (!next) {
			if (!choices_.empty() && reason() != Reason::NONE)
				diverge();
			return nullptr;
		}
		const Reason why = replayed_reason();
		if (why == Reason::NONE)
			return !choices_.empty() && !awaited_.empty() ? await_replay() : nullptr;
		if (next->reason != Reason::NONE) {
			replayed_ = why;
			replayed_arrivals_ = next->arrivals;
			is_resting_ = true;
			replay_->pass();
			continue;
		}
		for (size_t i = 0; i < choices_.size(); i++) {
			if (!next->names(choices_[i]))
				continue;
			replay_->pass();
			diverges_ns_ = base::NO_DEADLINE;
			return decide(why, i, replayed_arrivals_);
		}
		return await_replay();
	}
}

const Choice *Explorer::decide(Reason why, size_t which, uint64_t arrivals)
{
	if (which >= choices_.size())
		return nullptr;
	/* A submit may come before the device has rested, so this may be no new reason. A replay uses the
	 * reasons in its file. */
	const bool is_new = is_resting_ || (!replay_ && (why != marked_ || arrivals != marked_at_));
	is_resting_ = false;
	marked_ = why;
	marked_at_ = arrivals;
	if (is_new)
		log_.begin(why, arrivals);
	if (why == Reason::SUBMIT && at_submit_ != UINT64_MAX && at_submit_ != 0)
		at_submit_--;
	if (why == Reason::PROGRESS && for_progress_ != 0)
		for_progress_--;
	if (why != Reason::PROGRESS)
		next_progress_ = 1;
	deadline_ns_ = base::NO_DEADLINE;
	chosen_ = choices_[which];
	running_ = chosen_.runner;
	log_.note(chosen_);
	return &chosen_;
}

const Choice *Explorer::choose(const Clients &clients)
{
	hold_runners();
	count_arrivals(clients);
	gather(clients);
	if (seen_ != arrivals_) {
		seen_ = arrivals_;
		at_submit_ = strategy_->at_submit();
		next_progress_ = 1;
		deadline_ns_ = base::NO_DEADLINE;
	}
	awaited_ = find_awaited(clients);
	if (replay_) {
		const Choice *next = replay_one();
		if (next || replay_)
			return next;
	}
	const Reason why = reason();
	if (choices_.empty() || why == Reason::NONE)
		return nullptr;
	if (strategy_->needs())
		mark_needed();
	const Choice *next = decide(why, strategy_->choose(choices_, why), arrivals_);
	if (next || for_progress_ == 0)
		return next;
	/* The wait may depend on commands that this device does not see, for example of another process. So
	 * any command may run. */
	return decide(Reason::PROGRESS, strategy_->choose(choices_, Reason::PROGRESS), arrivals_);
}

void Explorer::invite(const Clients &clients)
{
	for_each_channel(clients, [](const Client &client, Channel &channel) {
		if (!client.broken())
			channel.invite();
	});
}

bool Explorer::has_news(const Clients &clients)
{
	if (!core_.queue.empty())
		return true;
	count_arrivals(clients);
	return arrivals_ != seen_ || find_awaited(clients) != awaited_;
}

void Explorer::rest(const Clients &clients)
{
	at_submit_ = for_progress_ = 0;
	is_resting_ |= !replay_;
	const std::string problem = log_.flush();
	if (!problem.empty())
		tell(problem);
	if (choices_.empty())
		deadline_ns_ = base::NO_DEADLINE;
	else if (deadline_ns_ == base::NO_DEADLINE)
		begin_patience(clients);
	for_each_channel(clients, [](const Client &, Channel &channel) { channel.answer(); });
}

/* The CPU time of the clients' processes. */
static uint64_t used_ns(const Explorer::Clients &clients)
{
	std::set<uint32_t> processes;
	uint64_t sum = 0;
	for (const auto &client : clients) {
		if (client && processes.insert(client->pid()).second)
			sum += base::process_cpu_ns(client->pid());
	}
	return sum;
}

void Explorer::begin_patience(const Clients &clients)
{
	began_ns_ = base::now_ns();
	used_ns_ = used_ns(clients);
	deadline_ns_ = began_ns_ + PATIENCE_NS;
}

void Explorer::tick(const Clients &clients, uint64_t now_ns)
{
	if (now_ns < deadline_ns_)
		return;
	if (now_ns - began_ns_ < IDLE_PATIENCE_NS && used_ns(clients) - used_ns_ < BUSY_NS) {
		deadline_ns_ = now_ns + PATIENCE_NS;
		return;
	}
	deadline_ns_ = base::NO_DEADLINE;
	for_progress_ = next_progress_;
	next_progress_ = std::min(2 * next_progress_, uint64_t{1} << 32);
}

} // namespace fw
