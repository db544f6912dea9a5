// SPDX-License-Identifier: MIT
/**
 * DOC: Device
 *
 * The firmware's main loop as a state machine: step() processes at most one doorbell, finished job or
 * packet. The device's own thread (device_thread.cpp) or a host thread calls it.
 *
 * A device polls the doorbells of some of its clients, the watched ones. For the others it has set the
 * sleeping mark, so they kick, and the device watches a client after its kick. Inside one process a
 * kick does not name the client, so all clients are watched. Between processes it does, so an idle
 * client costs nothing.
 */
#include "firmware.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/hot_path.h"
#include "base/json/text.h"
#include "base/os/calls/waits.h"
#include "base/sync/ordering.h"
#include "firmware_sim/debug/snapshot.h"
#include "firmware_sim/schedule/tuning.h"
#include "uapi/graph.h"
#include "uapi/ring.h"

namespace fw {

using base::Result;
using base::Status;

static constexpr unsigned MAX_CLIENTS = 256;

Firmware::~Firmware()
{
	handover_.end();
	if (attached_ != 0)
		movers_.count_used(-1);
	clients_.clear();
	leaving_.clear();
}

Status Firmware::init()
{
	bar_file_ = TRY(base::create_single_writer("unpu-bar", sizeof(unpu_bar), bar_));
	core_.placement.bind_memory(bar_.data(), bar_.bytes());
	TRY(wakeup_.init(core_.config.processes, core_.fence));
	clients_.resize(MAX_CLIENTS);
	if (core_.config.schedule) {
		explorer_ = std::make_unique<Explorer>(core_);
		TRY(explorer_->init());
	}
	auto *bar = bar_.as<unpu_bar>();
	bar->magic = UNPU_BAR_MAGIC;
	bar->features = core_.config.features;
	if (core_.fence != base::FenceScope::NONE)
		bar->features |= UNPU_FEATURE_MEMBARRIER;
	if (core_.config.engines)
		bar->features |= UNPU_FEATURE_ENGINES;
	bar->generation = base::now_ns();
	bar->memory_bytes = core_.config.memory_bytes;
	bar->packet_bytes = sizeof(unpu_packet);
	bar->operator_bytes = sizeof(unpu_operator);
	bar->semaphore_bytes = sizeof(unpu_sem_device);
	bar->message_bytes = sizeof(unpu_message);
	bar->graph_line_bytes = sizeof(unpu_graph_line);
	bar->max_channels = UNPU_MAX_CHANNELS;
	bar->max_semaphores = UNPU_MAX_SEMAPHORES;
	bar->engines = core_.config.engines;
	bar->numa_node = core_.config.numa_node;
	bar->device_index = core_.config.index;
	bar->boot_ns = core_.boot_ns;
	core_.heartbeat = &bar->heartbeat;
	bar->instance = core_.exchange->instance();
	strncpy(bar->soc_name, core_.config.soc_name, sizeof(bar->soc_name) - 1);
	if (core_.config.trace != 0)
		TRY(core_.trace.record(core_.config.trace));
	if (core_.config.processes)
		core_.storage.probe();
	base::store_release(bar->abi, uint32_t{UNPU_ABI}); /* B0 */
	return Status::OK;
}

Result<Attachment> Firmware::attach(uint32_t pid, base::FenceScope fence,
				    std::shared_ptr<Account> user)
{
	Attachment attachment;
	attachment.fence = fence == core_.fence ? fence : base::FenceScope::NONE;
	auto control = TRY(
		ControlMemory::create(core_.placement, core_.config.quotas.semaphore_limit(), pid));
	attachment.bar = bar_file_.fd.duplicate();
	attachment.completion = std::move(control.completion_file);
	attachment.doorbell = std::move(control.client_file);
	if (!attachment.bar.valid())
		return Status::NO_RESOURCE;
	/* If attach fails, the client is destroyed while the token is held, as in detach(). */
	Token token(*this);
	auto client = std::make_unique<Client>(core_, pid, attachment.fence, std::move(control),
					       std::move(user));
	TRY(client->init());
	/* The device does not poll for work of the new client until the client kicks the device, or the
	 * device wakes. */
	client->set_sleeping(true);
	for (uint32_t id = 0; id < clients_.size(); id++) {
		if (clients_[id])
			continue;
		client->number = id;
		client->set_cpu(shown_cpu());
		client->set_number(id, core_.trace.add_client(id, pid));
		if (core_.config.processes) {
			auto kick = TRY(wakeup_.add(id));
			attachment.kick = std::move(kick);
		} else {
			watched_.push_back(client.get());
			note_watched();
		}
		clients_[id] = std::move(client);
		if (core_.config.processes && attached_++ == 0)
			movers_.count_used(1);
		attachment.client = id;
		return attachment;
	}
	return Status::NO_RESOURCE;
}

bool Firmware::detach(uint32_t client)
{
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return false;
	wakeup_.remove(client);
	if (core_.config.processes && --attached_ == 0)
		movers_.count_used(-1);
	std::erase(watched_, clients_[client].get());
	note_watched();
	std::unique_ptr<Client> gone = std::move(clients_[client]);
	const auto &channels = gone->channels();
	const bool is_open = std::any_of(channels.begin(), channels.end(),
					 [](const auto &channel) { return channel != nullptr; });
	if (!gone->leave())
		leaving_.push_back(std::move(gone));
	return is_open;
}

/* Destroys the clients that have detached and have no work left. */
void Firmware::free_left()
{
	std::erase_if(leaving_, [](const auto &client) { return client->has_left(); });
}

Result<base::SealedFile> Firmware::take_segment(uint32_t client, uint64_t segment)
{
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return Status::INVALID_HANDLE;
	return clients_[client]->take_segment(segment);
}

Result<GivenFile> Firmware::give_file(uint32_t client, base::Fd file, base::Fd direct,
				      bool always_direct, std::shared_ptr<Closer> closer)
{
	/* Outlives the token: a file that is refused is closed without it. */
	auto taken = TRY(HostFile::take(std::move(file), std::move(direct), always_direct,
					std::move(closer)));
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return Status::INVALID_HANDLE;
	auto number = TRY(clients_[client]->give_file(taken));
	return GivenFile{number, core_.storage.uring()};
}

void Firmware::watch(Client &client)
{
	if (!client.sleeping())
		return;
	client.set_sleeping(false);
	client.set_cpu(shown_cpu());
	watched_.push_back(&client);
	note_watched();
}

void Firmware::note_watched()
{
	core_.watch(watched_.empty() ? nullptr : &watched_.back()->client_queue, watched_.size());
}

void Firmware::watch_kicked()
{
	uint32_t id;
	while (wakeup_.take_kicked(id)) {
		if (!clients_[id])
			continue;
		watch(*clients_[id]);
		cpu_.note_kick(clients_[id]->kicked_on());
	}
}

HOT_PATH bool Firmware::poll_clients()
{
	bool any = false;
	for (Client *client : watched_) {
		const uint64_t before = client->messages();
		/* A mailbox request may take long, so handle at most one for each client. */
		for (unsigned i = 0; i < tuning::DOORBELLS_AT_ONCE &&
				     client->messages() == before && client->poll_doorbells();
		     i++)
			any = true;
	}
	return any;
}

void Firmware::look_at_words()
{
	/* A stepped device does not use the clock: each step reads the words. */
	if (core_.config.features & UNPU_FEATURE_STEPPED)
		core_.watches.look();
	else
		core_.watches.poll(base::now_ns());
}

/* Cuts off clients whose memory has lost pages: a read there would not return what was written. */
void Firmware::look_for_pages()
{
	lost_count_ = PageGuard::lost_count();
	for (const auto &client : clients_) {
		if (!client || client->broken() || !client->lost_pages())
			continue;
		if (core_.config.report)
			core_.config.report(fmt::format(
				"client {} of process {} is cut off: pages of its memory were "
				"lost, and the kernel could not replace them",
				client->number, client->pid()));
		client->break_off(Status::MMU_FAULT, 0);
	}
}

void Firmware::resume_requests()
{
	for (const auto &client : clients_) {
		if (client)
			client->resume();
	}
}

/* Whether @deadline_ns has passed. A polling device asks this all the time, so the exact clock is read only
 * near the deadline. */
static bool has_passed(uint64_t deadline_ns)
{
	return deadline_ns <= base::coarse_ns() + tuning::TICK_MOST_NS &&
	       deadline_ns <= base::now_ns();
}

HOT_PATH bool Firmware::housekeeping()
{
	if (PageGuard::lost_count() != lost_count_) [[unlikely]]
		look_for_pages();
	if (core_.reaps())
		core_.reap();
	if (core_.deferred != 0) [[unlikely]]
		resume_requests();
	if (!leaving_.empty()) [[unlikely]]
		free_left();
	if (!core_.timers.empty() && has_passed(core_.timers.next_ns()))
		core_.timers.expire(base::now_ns(), core_.engines);
	if (!core_.watches.empty())
		look_at_words();
	if (core_.watchdog.next_ns() != base::NO_DEADLINE &&
	    core_.watchdog.next_ns() <= base::coarse_ns())
		hang_search_.look(base::coarse_ns(), clients_, core_);
	bool told = core_.inbox.deliver();
	return poll_clients() || told;
}

/* Looks once more at the runners that have asked for a doorbell since the last heavy fence. A packet that came
 * before the host saw the request has no doorbell. Context: the caller has passed the heavy fence (D1). */
HOT_PATH void Firmware::look_again()
{
	while (Runner *runner = core_.queue.take_aside())
		runner->look_again();
}

/* The same, but executes the heavy fence first: one fence for all of these runners. */
HOT_PATH void Firmware::confirm_asked()
{
	if (core_.queue.aside() == 0)
		return;
	base::heavy_fence(core_.fence); /* D1 */
	look_again();
}

/* Does the work beside the run queue; called when the queue is empty and once in tuning::HOUSEKEEPING_STEPS.
 * Return: whether it did work and the queue is still empty. */
HOT_PATH bool Firmware::look_around()
{
	core_.looked = core_.steps;
	if (core_.steps - collected_ >= tuning::COLLECT_STEPS) {
		collected_ = core_.steps;
		confirm_asked();
		/* The thread of a device that another one moves collects the kicks itself, without the token. */
		if (!handover_.is_given() || is_own_thread()) {
			if (core_.config.processes)
				wakeup_.collect();
			watch_kicked();
		}
	}
	return housekeeping() && core_.queue.empty();
}

/* Cuts off the client of @runner: memory ran out in the middle of a task, which cannot be undone. */
void Firmware::cut_off(const Runner &runner)
{
	for (const auto &client : clients_) {
		if (client && &client->client_queue == runner.client_queue && !client->broken())
			client->break_off(Status::NO_MEMORY, 0);
	}
}

/* How many empty turns in a row a runner has before it rests. Polling one more ring in each round costs all
 * other clients more than a doorbell of that ring. But while other channels work, a channel that is empty now
 * will soon have work. */
HOT_PATH uint32_t Firmware::patience(bool is_patient) const
{
	const unsigned others = core_.queue.size();
	if (!is_patient || (others >= tuning::QUEUE_FEW && core_.queue.quiet()))
		return 0;
	return core_.config.idle_polls / (others + 1);
}

HOT_PATH Firmware::Step Firmware::step_locked(unsigned turns, bool is_patient)
{
	if (core_.queue.empty() || ++core_.steps - core_.looked >= tuning::HOUSEKEEPING_STEPS) {
		if (look_around())
			return Step::WORKED;
	}
	Runner *runner = core_.queue.pop();
	if (!runner)
		return Step::IDLE;
	if (runner->client_queue->is_paused) [[unlikely]] {
		core_.queue.hold(*runner);
		return Step::WORKED;
	}
	Progress progress;
	bool worked;
	try {
		progress = runner->advance();
		worked = progress != Progress::EMPTY;
		while (progress == Progress::MORE && --turns != 0 && !core_.look_due() &&
		       core_.queue.quiet()) {
			progress = runner->advance();
			core_.steps++;
		}
	} catch (const std::bad_alloc &) {
		cut_off(*runner);
		return Step::WORKED;
	}
	if (worked && progress == Progress::EMPTY)
		progress = Progress::MORE;
	switch (progress) {
	case Progress::MORE:
		runner->empty_turns = 0;
		core_.queue.push(*runner);
		return Step::WORKED;
	case Progress::BLOCKED:
		runner->empty_turns = 0;
		return Step::WORKED;
	case Progress::EMPTY:
		break;
	}
	if (++runner->empty_turns <= patience(is_patient)) {
		core_.queue.push(*runner);
		return Step::POLLED;
	}
	runner->empty_turns = 0;
	switch (runner->rest()) {
	case Rest::STAYS:
		core_.queue.push(*runner);
		break;
	case Rest::LEAVES:
		break;
	case Rest::ASKED:
		core_.queue.set_aside(*runner);
		if (core_.queue.aside() >= tuning::ASKED_MOST)
			confirm_asked();
	}
	return Step::POLLED;
}

bool Firmware::step(uint64_t deadline_ns)
{
	const Token token(*this, std::try_to_lock);
	if (!token.held())
		return false;
	core_.step_deadline_ns = deadline_ns;
	/* An empty ring is not progress: poll all other rings before returning false. */
	for (;;) {
		Step step = step_locked();
		if (step == Step::WORKED)
			return true;
		if (step == Step::POLLED)
			continue;
		confirm_asked();
		if (core_.queue.empty())
			return false;
	}
}

/* Gives each runner the chance of a turn and polls the doorbells. */
HOT_PATH Turn Firmware::turn(bool many)
{
	Callers callers = callers_.load();
	if (callers == Callers::NOTHING || (callers == Callers::WHILE_ASLEEP && !wakeup_.asleep()))
		return Turn::LEFT;
	/* Another thread waits for the token; without this test it would hardly ever get it. */
	if (token_wanted_.load() != 0)
		return Turn::TAKEN;
	const Token token(*this, std::try_to_lock);
	if (!token.held())
		return Turn::TAKEN;
	/* Reading the clock is expensive compared with a small task, so time one turn of
	 * tuning::TURNS_PER_CLOCK. */
	bool timed = turns_++ % tuning::TURNS_PER_CLOCK == 0;
	uint64_t start_ns = timed ? base::coarse_ns() : 0;
	/* The heartbeat is sampled too; long work beats by itself. */
	if (timed)
		core_.beat();
	Step step = Step::POLLED;
	const bool is_patient = core_.queue.size() <= tuning::QUEUE_FEW;
	for (unsigned left = 2 * core_.queue.size() + 2; left != 0; left--) {
		step = step_locked(many ? tuning::MANY_TURNS : 1, is_patient);
		if (step != Step::POLLED)
			break;
		/* The caller's packet may be in a channel whose doorbell was not read yet. */
		(void)poll_clients();
	}
	handover_.note_turn(core_.engines.has_jobs());
	if (step == Step::IDLE)
		confirm_asked();
	if (timed)
		core_.busy.add((base::coarse_ns() - start_ns) * tuning::TURNS_PER_CLOCK,
			       tuning::TURNS_PER_CLOCK,
			       step == Step::WORKED ? 0 : tuning::TURNS_PER_CLOCK);
	return step == Step::WORKED ? Turn::WORKED : Turn::NOTHING;
}

/* Lets the submitting thread do its work itself while the device sleeps, because the system call that
 * wakes the device costs as much as a hundred small tasks. The device's thread stays asleep, so each
 * channel must be armed again at the end; otherwise its next packet would be missed. */
HOT_PATH bool Firmware::run_at_once()
{
	if (callers_.load() == Callers::NOTHING || !wakeup_.asleep() || token_wanted_.load() != 0)
		return false;
	Token token(*this, std::try_to_lock);
	if (!token.held() || core_.awaits_time())
		return false;
	uint64_t now_ns = base::now_ns();
	if (now_ns - at_once_ns_ < tuning::AT_ONCE_APART_NS)
		return false;
	at_once_ns_ = now_ns;
	Step step = Step::WORKED;
	core_.is_brief = true;
	for (unsigned left = tuning::AT_ONCE_STEPS; left != 0 && step != Step::IDLE; left--)
		step = step_and_beat(1, false);
	core_.is_brief = false;
	confirm_asked();
	core_.busy.add(base::now_ns() - now_ns, 1, 0);
	/* Work is left, or a deadline is pending: wake the device's own thread for it. */
	if (step != Step::IDLE || !core_.queue.empty() || core_.awaits_time())
		token.owe_wake();
	return true;
}

/* A thread that has ended a job moves the device itself, because waking the device's thread takes longer. If
 * the device has not taken the job back after that, the thread wakes the device's thread (K1). */
bool Firmware::help(const uint64_t &word, uint64_t value, uint64_t deadline_ns)
{
	if (!core_.engines.help(word, value, deadline_ns)) [[likely]]
		return false;
	if (core_.engines.finished())
		(void)turn(false);
	if (core_.engines.finished())
		kick();
	return true;
}

/* Whether the device's thread must be woken: it sleeps past the next deadline or queued work. The token
 * is held. */
HOT_PATH bool Firmware::owes_wake() const
{
	if (!wakeup_.unaware() || sleeps_until_ns_ == 0) [[likely]]
		return false;
	return !core_.queue.empty() || core_.queue.aside() != 0 ||
	       core_.next_ns() < sleeps_until_ns_;
}

void Firmware::leave_to_callers(Callers callers)
{
	if (explorer_)
		return;
	Callers before = callers_.exchange(callers);
	if (callers < before)
		kick();
}

static constexpr uint64_t BETWEEN_PARTS_NS = 50000;

/* Other clients have turns between the parts of the description. If another client has got the number in the
 * meantime, that client is described. A client that leaves in the meantime is left out. */
void Firmware::describe_client(uint32_t id, nlohmann::ordered_json &all)
{
	ClientSnapshot snapshot;
	bool is_done = false;
	for (;;) {
		{
			Token token(*this);
			if (!clients_[id])
				return;
			is_done = clients_[id]->describe(snapshot);
		}
		if (is_done)
			break;
		/* Without this pause, this thread would take the token again before the thread that was woken
		 * for it. */
		base::calls::sleep_until(base::deadline_after(BETWEEN_PARTS_NS));
	}
	all.push_back(std::move(snapshot.json));
}

std::string Firmware::snapshot()
{
	nlohmann::ordered_json seen;
	{
		Token token(*this);
		seen = describe(DeviceView{core_, *bar_.as<unpu_bar>(), wakeup_.asleep(),
					   wakeup_.kicks(), core_.busy.total_ns()});
	}
	for (uint32_t id = 0; id < MAX_CLIENTS; id++)
		describe_client(id, seen["clients"]);
	auto &totals = seen["counters"];
	for (const auto &client : seen["clients"]) {
		for (const auto &[name, value] : client["counters"].items())
			totals[name] = totals[name].get<uint64_t>() + value.get<uint64_t>();
	}
	/* Names come from the configuration and may be invalid UTF-8; replace invalid bytes. */
	return base::write_json(seen);
}

Status Firmware::record(uint32_t entries)
{
	Token token(*this);
	return core_.trace.record(entries);
}

base::DeviceTrace Firmware::recorded()
{
	const auto &bar = *bar_.as<unpu_bar>();
	base::DeviceTrace trace;
	trace.pid = static_cast<uint32_t>(getpid());
	trace.device = bar.device_index;
	trace.generation = bar.generation;
	trace.name = std::string(bar.soc_name, strnlen(bar.soc_name, sizeof(bar.soc_name)));
	Token token(*this);
	core_.trace.copy(trace);
	return trace;
}

uint64_t Firmware::next_deadline_ns()
{
	Token token(*this);
	return core_.timers.next_ns();
}

Result<std::unique_ptr<Device>> Device::create(const Config &config)
{
	auto device = std::make_unique<Firmware>(config);
	TRY(device->init());
	return std::unique_ptr<Device>(std::move(device));
}

} // namespace fw
