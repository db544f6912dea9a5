// SPDX-License-Identifier: MIT
/**
 * DOC: Thread of the wire
 *
 * The thread works until there is nothing to do, and then polls for a while. Polling pays, because each step
 * of an operation is followed by a step of the other side, and a wake-up takes longer than most steps. After
 * that the thread arms the descriptor of the engine, and sleeps until it or the descriptor of the inbox
 * becomes readable.
 */
#include "wire.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "hal/tuning.h"
#include "inbox.h"
#include "plugin.h"
#include "umd/core/process/process.h"
#include "umd/hccl/hccl_result.h"
#include "wire_links.h"

namespace umd {

/* How long detach() waits for a side that does not respond. */
static constexpr uint64_t DETACH_NS = 2 * base::NS_PER_S;
/* How long close() sends what is queued. */
static constexpr uint64_t CLOSE_NS = base::NS_PER_S;

static constexpr uint64_t CHECK_NS = base::NS_PER_S;

/* How long the thread polls: as long as other threads that wait. These sleep after that time. If this thread
 * polled longer, it would only take CPU time from them when CPUs are few. For the same reason it yields after
 * each poll. */
static constexpr uint64_t POLL_NS = hal::tuning::USUAL_SPIN_US * 1000;

/** class WireWork - the work of the wire's thread. */
class WireWork {
public:
	bool begin(const EngineChoice &choice);
	void serve();
	/* Functions that orders call; only the wire's thread runs them. */
	std::string open();
	bool step_close();
	bool step_detach(const Nonce &comm, bool &is_quiet, uint64_t &deadline);

	WireInbox inbox;
	WireLinks links;

private:
	bool serve_once();
	void check(bool has_done, uint64_t now);
	void sleep();

	EngineChoice choice_;
	bool is_open_ = false; /* the engine is open */
	bool is_ending_ = false;
	bool is_leaving_ = false;
	uint64_t close_deadline_ = 0;
	uint64_t wake_ns_ = base::NO_DEADLINE; /* when an order needs its next step */
	uint64_t check_ns_ = base::NO_DEADLINE;
	uint64_t worked_ns_ = 0; /* when the thread last did something */
	std::vector<std::unique_ptr<Outgoing>> frames_;
	std::list<WireOrder *> orders_;
	std::set<uint32_t> overrun_;
};

bool WireWork::begin(const EngineChoice &choice)
{
	choice_ = choice;
	is_open_ = false;
	is_ending_ = false;
	is_leaving_ = false;
	close_deadline_ = 0;
	check_ns_ = base::NO_DEADLINE;
	return inbox.open();
}

void WireWork::serve()
{
	while (serve_once()) {
	}
	inbox.close();
}

/* Return: false when the wire is closed. */
bool WireWork::serve_once()
{
	bool has_done = is_open_ && links.poll();
	inbox.take(frames_, orders_, overrun_);
	for (auto &frame : frames_)
		links.queue(std::move(frame));
	for (uint32_t link : overrun_)
		links.overrun(link);
	has_done = has_done || !frames_.empty() || !overrun_.empty();
	frames_.clear();
	overrun_.clear();
	wake_ns_ = base::NO_DEADLINE;
	for (auto at = orders_.begin(); at != orders_.end();) {
		WireOrder &order = **at;
		if (!order.step()) {
			at++;
			continue;
		}
		has_done = true;
		at = orders_.erase(at);
		if (is_ending_) {
			inbox.close();
			inbox.end(order);
			return false;
		}
		inbox.end(order);
	}
	if (is_open_ && links.advance())
		has_done = true;
	const uint64_t now = base::now_ns();
	if (is_open_)
		check(has_done, now);
	if (has_done)
		worked_ns_ = now;
	else if (is_open_ && now - worked_ns_ < POLL_NS)
		std::this_thread::yield();
	else
		sleep();
	return true;
}

/* Checks whether the other sides have acknowledged all data: one second after the last work, and then each
 * second until they have. An idle thread does not wake up for this. */
void WireWork::check(bool has_done, uint64_t now)
{
	if (now >= check_ns_)
		check_ns_ = links.check() ? now + CHECK_NS : base::NO_DEADLINE;
	if (has_done && check_ns_ == base::NO_DEADLINE)
		check_ns_ = now + CHECK_NS;
}

void WireWork::sleep()
{
	if ((is_open_ && !links.arm()) || !inbox.begin_sleep())
		return;
	links.rest();
	pollfd polls[] = {{inbox.descriptor(), POLLIN, 0},
			  {is_open_ ? links.descriptor() : -1, POLLIN, 0}};
	(void)base::calls::poll(polls, 2, std::min(wake_ns_, check_ns_));
	inbox.end_sleep(polls[0].revents != 0);
}

std::string WireWork::open()
{
	std::string text = links.open(choice_, engine_settings());
	is_open_ = text.empty();
	return text;
}

bool WireWork::step_close()
{
	const uint64_t now = base::now_ns();
	if (close_deadline_ == 0) {
		close_deadline_ = now + CLOSE_NS;
		if (is_open_)
			links.part();
	}
	wake_ns_ = close_deadline_;
	const bool is_late = now >= close_deadline_;
	if (is_open_ && !is_leaving_ && (is_late || links.is_said())) {
		is_leaving_ = true;
		links.disconnect_all();
	}
	if (is_open_ && !is_late && !links.is_alone())
		return false;
	links.close();
	is_open_ = false;
	is_ending_ = true;
	return true;
}

bool WireWork::step_detach(const Nonce &comm, bool &is_quiet, uint64_t &deadline)
{
	const uint64_t now = base::now_ns();
	if (deadline == 0) {
		links.forget(comm);
		deadline = now + DETACH_NS;
	}
	is_quiet = links.is_quiet(comm);
	wake_ns_ = std::min(wake_ns_, deadline);
	return is_quiet || now >= deadline;
}

Wire &Wire::get()
{
	return Process::own<Wire>();
}

Wire::Wire() : work_(std::make_unique<WireWork>()) {}

Wire::~Wire() = default;

/* Whether the process has enough free descriptors. UCX aborts the process if it gets none at its start. */
static bool has_descriptors()
{
	constexpr size_t NEEDED = 24;
	std::vector<base::Fd> some;
	while (some.size() < NEEDED) {
		some.emplace_back(eventfd(0, EFD_CLOEXEC));
		if (!some.back().valid())
			return false;
	}
	return true;
}

HcclResult Wire::start()
{
	std::string text;
	if (!has_descriptors())
		return refuse(HCCL_E_UNAVAIL, "no descriptor is left for the connections between "
					      "machines; raise RLIMIT_NOFILE");
	EngineChoice choice;
	TRY(choose_engine(choice));
	if (!work_->begin(choice))
		return refuse(HCCL_E_UNAVAIL, "no descriptor is left for the connections between "
					      "machines; raise RLIMIT_NOFILE");
	auto thread = base::start_thread("unpu-hccl-wire", [work = work_.get()] { work->serve(); });
	if (!thread) {
		work_->inbox.close();
		return refuse(HCCL_E_UNAVAIL, "no thread is left for the connections between "
					      "machines; raise RLIMIT_NPROC");
	}
	thread_ = thread.take();
	work_->inbox.run([&] {
		text = work_->open();
		return true;
	});
	if (text.empty())
		return HCCL_SUCCESS;
	work_->inbox.run([this] { return work_->step_close(); });
	thread_.join();
	return refuse(HCCL_E_UNAVAIL,
		      fmt::format("the connections between machines can't be opened: {}", text));
}

HcclResult Wire::open(const TcpPlace &place, std::vector<uint8_t> &address)
{
	std::string text;
	if (Process::begin_use() != base::Status::OK)
		return HCCL_E_RUNTIME;
	std::lock_guard lock(opening_);
	if (opened_ == 0) {
		TRY(start());
	}
	opened_++;
	work_->inbox.run([&] {
		text = work_->links.address(place.at[0].family == 0 ? nullptr : &place, address);
		return true;
	});
	if (text.empty())
		return HCCL_SUCCESS;
	close_one();
	return refuse(HCCL_E_UNAVAIL,
		      fmt::format("the connections between machines can't be opened: {}", text));
}

bool Wire::close()
{
	std::lock_guard lock(opening_);
	return close_one();
}

bool Wire::close_one()
{
	if (opened_ == 0 || --opened_ > 0)
		return false;
	work_->inbox.run([this] { return work_->step_close(); });
	thread_.join();
	return true;
}

void Wire::attach(const Nonce &comm, WireUser *user)
{
	work_->inbox.run([&] {
		work_->links.attach(comm, user);
		return true;
	});
}

bool Wire::detach(const Nonce &comm)
{
	bool is_quiet = true;
	uint64_t deadline = 0;
	work_->inbox.run([&] { return work_->step_detach(comm, is_quiet, deadline); });
	return is_quiet;
}

HcclResult Wire::connect(const Nonce &comm, std::span<const uint8_t> address, uint32_t &link)
{
	HcclResult result = HCCL_E_INTERNAL;
	std::string text = "the connections between machines are closed";
	work_->inbox.run([&] {
		result = work_->links.connect(comm, address, link, text);
		return true;
	});
	return result == HCCL_SUCCESS ? result : refuse(result, std::move(text));
}

void Wire::disconnect(const Nonce &comm, uint32_t link)
{
	work_->inbox.run([&] {
		work_->links.disconnect(comm, link);
		return true;
	});
}

void Wire::send(uint32_t link, const Frame &frame, const void *data, bool may_wait)
{
	auto made = std::make_unique<Outgoing>();
	made->link = link;
	made->frame = frame;
	made->data = data;
	made->may_wait = may_wait;
	if (frame.bytes > 0 && made->is_copied()) {
		memcpy(made->copy.data(), data, frame.bytes);
		made->data = made->copy.data();
	}
	work_->inbox.post(std::move(made));
}

} // namespace umd
