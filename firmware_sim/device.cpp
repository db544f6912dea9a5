// SPDX-License-Identifier: MIT
/**
 * DOC: Device
 *
 * The firmware's main loop as a state machine: step() takes at most one doorbell, finished job or
 * packet, whoever calls it. run() is step() in a loop that goes to sleep (D1) when every channel is
 * armed; it owns the step token in bursts, so that attach, detach and a stepping host thread get in.
 *
 * A device watches the doorbells of some of its clients. The others have been told that it sleeps, so
 * they kick, and it watches them from then on. In one process a kick does not say whose it is and all
 * clients are watched; between processes it does, and a client that does nothing costs nothing.
 */
#include "fw/device.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/ordering.h"
#include "client.h"
#include "core.h"
#include "cpu.h"
#include "snapshot.h"
#include "uapi/graph.h"
#include "uapi/ring.h"
#include "wakeup.h"

namespace fw {

using base::Result;
using base::Status;

namespace {

constexpr unsigned MAX_CLIENTS = 256;
constexpr unsigned BURST_STEPS = 1024;
constexpr unsigned HOUSEKEEPING_STEPS = 64;
/* Turns in a row of a runner that is alone in the queue. */
constexpr unsigned LONE_TURNS = 8;
/* A busy device looks for kicks of clients it does not watch each time after so many steps. */
constexpr unsigned COLLECT_STEPS = 4 * HOUSEKEEPING_STEPS;
constexpr unsigned DOORBELLS_AT_ONCE = 64;
/* Work that was left to callers is looked for after so long, and not any more once nobody came. */
constexpr uint64_t DOZE_NS = 100000;
/* After a kick: who kicked is about to come, or will not. */
constexpr uint64_t RESTED_DOZE_NS = 20000;
/* What a device that has just run out of packets waits before it looks again: by then a producer that
 * goes on has written several, and they cross over together. */
constexpr unsigned CAUGHT_UP_PAUSES = 8;

class Firmware final : public Device {
public:
	explicit Firmware(const Config &config) : core_(config, [this] { kick(); }) {}
	~Firmware() override;

	Status init();
	Result<Attachment> attach(uint32_t pid, base::FenceScope fence) override;
	void detach(uint32_t client) override;
	Result<SharedSegment> take_segment(uint32_t client, uint64_t segment) override;
	Result<GivenFile> give_file(uint32_t client, base::Fd file, base::Fd direct,
				    bool always_direct) override;
	void run() override;
	void stop() override;
	void kick() override;
	bool step() override;
	Turn turn() override;
	void leave_to_callers(Callers callers) override;
	void leave_cpu(uint32_t cpu) override { cpu_.leave(cpu); }
	std::string snapshot() override;
	Status record(uint32_t entries) override;
	base::DeviceTrace recorded() override;
	uint64_t next_deadline_ns() override;

private:
	enum class Step { WORKED, POLLED, IDLE };

	class Token;

	bool look_around();
	Step step_locked(unsigned turns = 1);
	Step burst();
	bool housekeeping();
	bool poll_clients();
	void look_at_words();
	void watch(Client &client);
	void watch_kicked();
	void wake_up(bool slept);
	void announce_cpu();
	bool dozes() const;
	void nap(uint64_t ns);
	bool sweep();
	void rest();
	void doze();
	void sleep();

	/* Engines kick until the core has joined them. */
	Wakeup wakeup_;
	Core core_;
	base::SealedFile bar_file_;
	base::Mapping bar_;
	std::vector<std::unique_ptr<Client>> clients_; /* by number */
	std::vector<Client *> watched_;
	std::mutex token_;
	std::atomic<uint32_t> token_wanted_{0};
	std::atomic<bool> stopping_{false};
	std::atomic<Callers> callers_{Callers::NOTHING};
	unsigned steps_ = 0;
	unsigned looked_ = 0;	 /* steps_ when it looked around last */
	unsigned collected_ = 0; /* and at kicks */
	Cpu cpu_;
	uint64_t turns_ = 0;	  /* of callers; under the token */
	uint64_t turns_seen_ = 0; /* when the device's thread looked last */
	bool rested_ = false;	  /* the device's thread has slept until it was kicked */
	bool patient_ = true;	  /* channels are polled for a while before they are armed */
};

/* The step token for a host thread: run() lets go of it when somebody else wants it. */
class Firmware::Token {
public:
	explicit Token(Firmware &device) : device_(device)
	{
		device_.token_wanted_++;
		device_.token_.lock();
		device_.token_wanted_--;
	}
	~Token() { device_.token_.unlock(); }

private:
	Firmware &device_;
};

Firmware::~Firmware()
{
	clients_.clear();
}

Status Firmware::init()
{
	auto file = base::create_single_writer("unpu-bar", sizeof(unpu_bar), bar_);
	if (!file)
		return file.status();
	bar_file_ = file.take();
	TRY(wakeup_.init(core_.config.processes, core_.fence));
	clients_.resize(MAX_CLIENTS);
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
	bar->instance = core_.exchange->instance();
	strncpy(bar->soc_name, core_.config.soc_name, sizeof(bar->soc_name) - 1);
	if (core_.config.trace != 0)
		TRY(core_.trace.record(core_.config.trace));
	base::store_release(bar->abi, uint32_t{UNPU_ABI}); /* B0 */
	return Status::OK;
}

Result<Attachment> Firmware::attach(uint32_t pid, base::FenceScope fence)
{
	Attachment attachment;
	attachment.fence = fence == core_.fence ? fence : base::FenceScope::NONE;
	auto client = std::make_unique<Client>(core_, pid, attachment.fence);
	TRY(client->init());
	attachment.bar = bar_file_.fd.duplicate();
	attachment.completion = client->completion_file.fd.duplicate();
	attachment.doorbell = client->client_file.fd.duplicate();
	if (!attachment.bar.valid() || !attachment.completion.valid() ||
	    !attachment.doorbell.valid())
		return Status::NO_MEMORY;
	/* Nobody watches it until it kicks, or the device wakes. */
	client->set_sleeping(true);
	Token token(*this);
	for (uint32_t id = 0; id < clients_.size(); id++) {
		if (clients_[id])
			continue;
		client->number = id;
		client->set_cpu(cpu_.number());
		client->set_number(id, core_.trace.add_client(id, pid));
		if (core_.config.processes) {
			auto kick = wakeup_.add(id);
			if (!kick)
				return kick.status();
			attachment.kick = kick.take();
		} else {
			watched_.push_back(client.get());
			core_.crowded = watched_.size() > 1;
		}
		clients_[id] = std::move(client);
		attachment.client = id;
		return attachment;
	}
	return Status::NO_RESOURCE;
}

void Firmware::detach(uint32_t client)
{
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return;
	wakeup_.remove(client);
	std::erase(watched_, clients_[client].get());
	core_.crowded = watched_.size() > 1;
	clients_[client].reset();
	/* Others may have waited for what it was to do. */
	if (!core_.queue.empty())
		kick();
}

Result<SharedSegment> Firmware::take_segment(uint32_t client, uint64_t segment)
{
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return Status::INVALID_HANDLE;
	return clients_[client]->take_segment(segment);
}

Result<GivenFile> Firmware::give_file(uint32_t client, base::Fd file, base::Fd direct,
				      bool always_direct)
{
	Token token(*this);
	if (client >= clients_.size() || !clients_[client])
		return Status::INVALID_HANDLE;
	auto number =
		clients_[client]->give_file(std::move(file), std::move(direct), always_direct);
	if (!number)
		return number.status();
	return GivenFile{*number, core_.storage.uring()};
}

void Firmware::watch(Client &client)
{
	if (!client.sleeping())
		return;
	client.set_sleeping(false);
	client.set_cpu(cpu_.number());
	watched_.push_back(&client);
	core_.crowded = watched_.size() > 1;
}

void Firmware::watch_kicked()
{
	uint32_t id;
	while (wakeup_.take_kicked(id)) {
		if (clients_[id])
			watch(*clients_[id]);
	}
}

bool Firmware::poll_clients()
{
	bool any = false;
	for (Client *client : watched_) {
		const uint64_t before = client->messages();
		/* A request may take long: one from each. */
		for (unsigned i = 0; i < DOORBELLS_AT_ONCE && client->messages() == before &&
				     client->poll_doorbells();
		     i++)
			any = true;
	}
	return any;
}

void Firmware::look_at_words()
{
	/* A stepped device has no time of its own: whoever steps it has it look. */
	if (core_.config.features & UNPU_FEATURE_STEPPED)
		core_.watches.look();
	else
		core_.watches.poll(base::now_ns());
}

bool Firmware::housekeeping()
{
	if (core_.reaps())
		core_.reap();
	if (!core_.timers.empty() && core_.timers.next_ns() <= base::now_ns())
		core_.timers.expire(base::now_ns(), core_.engines);
	if (!core_.watches.empty())
		look_at_words();
	if (core_.watchdog.next_ns() != base::NO_DEADLINE &&
	    core_.watchdog.next_ns() <= base::coarse_ns())
		core_.watchdog.look(base::coarse_ns(), clients_, core_);
	bool told = core_.inbox.deliver();
	return poll_clients() || told;
}

/* Looks beside the queue, each time it is empty and now and then. Return: whether that was work and
 * there is no other. */
bool Firmware::look_around()
{
	looked_ = steps_;
	if (core_.config.processes && steps_ - collected_ >= COLLECT_STEPS) {
		collected_ = steps_;
		wakeup_.collect();
		watch_kicked();
	}
	return housekeeping() && core_.queue.empty();
}

/* @turns: of a runner that is alone, at most */
Firmware::Step Firmware::step_locked(unsigned turns)
{
	if (core_.queue.empty() || ++steps_ - looked_ >= HOUSEKEEPING_STEPS) {
		if (look_around())
			return Step::WORKED;
	}
	Runner *runner = core_.queue.pop();
	if (!runner)
		return Step::IDLE;
	Progress progress = runner->advance();
	bool worked = progress != Progress::EMPTY;
	while (progress == Progress::MORE && --turns != 0 && core_.queue.empty()) {
		progress = runner->advance();
		steps_++;
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
	uint32_t patience = patient_ ? core_.config.idle_polls / (core_.queue.size() + 1) : 0;
	if (++runner->empty_turns > patience) {
		runner->empty_turns = 0;
		if (runner->rest())
			return Step::POLLED;
	}
	core_.queue.push(*runner);
	return Step::POLLED;
}

bool Firmware::step()
{
	std::unique_lock token(token_, std::try_to_lock);
	if (!token.owns_lock())
		return false;
	/* An empty ring is not progress; look at every other one before giving up. */
	for (;;) {
		Step step = step_locked();
		if (step != Step::POLLED)
			return step == Step::WORKED;
	}
}

/* Each runner gets a chance, and the doorbells do. */
Turn Firmware::turn()
{
	if (callers_.load() == Callers::NOTHING)
		return Turn::LEFT;
	/* Who locks would otherwise hardly ever find it free. */
	if (token_wanted_.load() != 0)
		return Turn::TAKEN;
	std::unique_lock token(token_, std::try_to_lock);
	if (!token.owns_lock())
		return Turn::TAKEN;
	turns_++;
	uint64_t start_ns = base::coarse_ns();
	Step step = Step::POLLED;
	for (unsigned left = 2 * core_.queue.size() + 2; left != 0 && step == Step::POLLED; left--)
		step = step_locked();
	core_.busy.add(base::coarse_ns() - start_ns, 1, step != Step::WORKED);
	return step == Step::WORKED ? Turn::WORKED : Turn::NOTHING;
}

void Firmware::leave_to_callers(Callers callers)
{
	Callers before = callers_.exchange(callers);
	if (callers < before)
		kick();
}

std::string Firmware::snapshot()
{
	nlohmann::ordered_json seen;
	{
		Token token(*this);
		seen = describe(DeviceView{core_, *bar_.as<unpu_bar>(), clients_, wakeup_.asleep(),
					   wakeup_.kicks(), core_.busy.total_ns()});
	}
	/* A name is bytes of the configuration; what is no UTF-8 in it is replaced. */
	return seen.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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

static void relax(unsigned times)
{
	for (; times != 0; times--)
		base::cpu_relax();
}

/* Turns until there is nothing to do, or somebody else wants the token. */
Firmware::Step Firmware::burst()
{
	Step last = Step::WORKED;
	unsigned turns = 0;
	unsigned empty = 0;
	unsigned in_a_row = 0; /* turns that found nothing */
	uint64_t start_ns = base::now_ns();
	while (turns < BURST_STEPS && last != Step::IDLE &&
	       !(turns && (token_wanted_.load() || dozes()))) {
		last = step_locked(LONE_TURNS);
		turns++;
		empty += last != Step::WORKED;
		in_a_row = last == Step::POLLED ? in_a_row + 1 : 0;
		if (last == Step::POLLED)
			relax(in_a_row == core_.queue.size() ? CAUGHT_UP_PAUSES : 1);
	}
	core_.busy.add(base::now_ns() - start_ns, turns, empty);
	return last;
}

void Firmware::run()
{
	while (!stopping_.load()) {
		Step last = Step::WORKED;
		base::fetch_add(bar_.as<unpu_bar>()->heartbeat, uint64_t{1});
		if (dozes()) {
			doze();
			continue;
		}
		{
			std::lock_guard token(token_);
			announce_cpu();
			last = burst();
		}
		if (last == Step::IDLE)
			sleep();
		else if (token_wanted_.load())
			std::this_thread::yield();
	}
}

void Firmware::announce_cpu()
{
	if (!cpu_.settle())
		return;
	for (Client *client : watched_)
		client->set_cpu(cpu_.number());
}

bool Firmware::dozes() const
{
	return callers_.load() != Callers::NOTHING;
}

/* Sleeps without having told clients so: they do not kick, and this does not last. */
void Firmware::nap(uint64_t ns)
{
	uint32_t ticket;
	uint64_t deadline_ns;
	{
		std::lock_guard token(token_);
		ticket = wakeup_.prepare();
		base::heavy_fence(core_.fence); /* D1 */
		deadline_ns = std::min({base::deadline_after(ns), core_.timers.next_ns(),
					core_.watches.next_ns(), core_.watchdog.next_ns()});
		if (core_.engines.finished() || stopping_.load() || !dozes())
			deadline_ns = 0;
	}
	if (deadline_ns != 0)
		wakeup_.wait(ticket, deadline_ns);
	std::lock_guard token(token_);
	wakeup_.finish();
}

/* Does what lies there, one round of the queue. Return: whether there was anything. */
bool Firmware::sweep()
{
	std::lock_guard token(token_);
	bool found = false;
	for (unsigned left = 2 * core_.queue.size() + 2; left != 0; left--)
		found = step_locked() == Step::WORKED || found;
	return found;
}

/* Each channel is armed at its next empty turn; then the device sleeps and is kicked. */
void Firmware::rest()
{
	{
		std::lock_guard token(token_);
		patient_ = false;
		while (token_wanted_.load() == 0 && step_locked() != Step::IDLE) {
		}
		patient_ = true;
	}
	sleep();
}

/* Threads that wait move the device; this one looks now and then whether something was left lying.
 * While they come, what it finds is what one of them has just submitted. */
void Firmware::doze()
{
	nap(rested_ ? RESTED_DOZE_NS : DOZE_NS);
	rested_ = false;
	bool found = sweep();
	uint64_t before = turns_seen_;
	{
		std::lock_guard token(token_);
		turns_seen_ = turns_;
	}
	if (turns_seen_ != before || !dozes())
		return;
	if (!found) {
		rest();
		rested_ = true;
		return;
	}
	Callers some = Callers::WHILE_SOON;
	if (callers_.compare_exchange_strong(some, Callers::NOTHING))
		return;
	while (sweep() && !stopping_.load()) {
	}
}

void Firmware::sleep()
{
	uint32_t ticket;
	uint64_t deadline_ns;
	{
		std::lock_guard token(token_);
		ticket = wakeup_.prepare();
		for (Client *client : watched_)
			client->set_sleeping(true);
		base::heavy_fence(core_.fence); /* D1 */
		bool work = housekeeping() || !core_.queue.empty() || stopping_.load();
		deadline_ns = std::min({core_.timers.next_ns(), core_.watches.next_ns(),
					core_.watchdog.next_ns()});
		if (work)
			deadline_ns = 0;
		if (core_.trace.on() && deadline_ns != 0)
			core_.trace.put(UNPU_TRACE_SLEEP, 0, 0, 0, 0, 0);
	}
	if (deadline_ns != 0)
		wakeup_.wait(ticket, deadline_ns);
	std::lock_guard token(token_);
	if (core_.trace.on() && deadline_ns != 0)
		core_.trace.put(UNPU_TRACE_AWAKE, 0, 0, 0, 0, 0);
	wakeup_.finish();
	wake_up(deadline_ns != 0);
}

void Firmware::wake_up(bool slept)
{
	if (core_.config.processes && slept) {
		/* They know that they have to kick. */
		watched_.clear();
		core_.crowded = false;
		watch_kicked();
		return;
	}
	for (Client *client : watched_)
		client->set_sleeping(false);
}

void Firmware::stop()
{
	stopping_.store(true);
	kick();
}

void Firmware::kick()
{
	wakeup_.kick();
}

} // namespace

Result<std::unique_ptr<Device>> Device::create(const Config &config)
{
	auto device = std::make_unique<Firmware>(config);
	TRY(device->init());
	return std::unique_ptr<Device>(std::move(device));
}

} // namespace fw
