// SPDX-License-Identifier: MIT
/**
 * DOC: Threads of a worker
 */
#include "session.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include <sched.h>

namespace worker {

bool Pool::start(uint32_t helpers, Home &home)
{
	try {
		while (helpers_.size() < helpers)
			helpers_.emplace_back([this, &home] {
				home.begin_thread();
				work();
			});
	} catch (const std::system_error &) {
		return false;
	}
	return true;
}

void Pool::stop()
{
	{
		const std::lock_guard lock(mutex_);
		is_stopping_ = true;
		wanted_.notify_all();
	}
	for (std::thread &helper : helpers_)
		helper.join();
}

void Pool::work()
{
	std::unique_lock lock(mutex_);
	for (;;) {
		wanted_.wait(lock, [this] { return places_ != 0 || is_stopping_; });
		if (is_stopping_)
			return;
		places_--;
		inside_++;
		Launch &launch = *launch_;
		lock.unlock();
		launch.run();
		lock.lock();
		if (--inside_ == 0)
			left_.notify_one();
	}
}

void Pool::run(Launch &launch)
{
	uint32_t useful = std::min(static_cast<uint32_t>(helpers_.size()), launch.threads() - 1);
	if (useful != 0) {
		const std::lock_guard lock(mutex_);
		if (launch_) {
			useful = 0;
		} else {
			launch_ = &launch;
			places_ = useful;
			wanted_.notify_all();
		}
	}
	launch.run();
	if (useful == 0)
		return;
	std::unique_lock lock(mutex_);
	places_ = 0;
	left_.wait(lock, [this] { return inside_ == 0; });
	launch_ = nullptr;
}

/* How long a thread polls for the next launch. A wake-up costs about half of it. */
static constexpr uint64_t SPIN_NS = 50000;
static constexpr unsigned POLLS_PER_CLOCK = 32;
/* After VAIN polls in a row that found nothing, only each TRIED_EACH-th wait polls. */
static constexpr uint32_t VAIN = 4, TRIED_EACH = 16;

bool Lane::start(Session &session, unsigned char *board, uint32_t number, bool spins)
{
	session_ = &session;
	board_ = reinterpret_cast<unpu_worker_board *>(board);
	lane_ = number;
	at_ = board + UNPU_WORKER_LANE_AT + number * size_t{UNPU_WORKER_LANE_BYTES};
	spins_ = spins;
	try {
		thread_ = std::thread([this] { work(); });
	} catch (const std::system_error &) {
		return false;
	}
	return true;
}

void Lane::work()
{
	session_->home.begin_thread();
	for (;;) {
		await(number_);
		if (base::load_acquire(is_stopping_) != 0)
			return;
		run();
	}
}

void Lane::stop()
{
	if (!thread_.joinable())
		return;
	base::store_release(is_stopping_, uint32_t{1});
	{
		const std::lock_guard lock(mutex_);
		if (launch_)
			launch_->stop();
	}
	base::fetch_add(line().posted, uint32_t{1});
	base::futex_wake_all(line().posted, true);
	thread_.join();
}

void Lane::await_begin(uint64_t messages) const
{
	const uint32_t posted = base::load_acquire(line().posted); /* U1 */
	while (line().messages <= messages && base::load_acquire(line().posted) == posted &&
	       base::load_acquire(line().started) != posted &&
	       base::load_acquire(line().ended) != posted)
		std::this_thread::yield();
}

/* Return: whether there is a launch after @done. */
bool Lane::poll(uint32_t done) const
{
	const uint64_t end_ns = base::now_ns() + SPIN_NS;
	do {
		for (unsigned i = 0; i < POLLS_PER_CLOCK; i++) {
			if (base::load_acquire(line().posted) != done) /* U1 */
				return true;
			base::cpu_relax();
		}
	} while (base::now_ns() < end_ns);
	return false;
}

static uint32_t cpu_here()
{
	return static_cast<uint32_t>(sched_getcpu() + 1);
}

void Lane::await(uint32_t done)
{
	if (base::load_acquire(line().posted) != done)
		return;
	/* The thread that posts needs this CPU. */
	const bool shares = base::load_relaxed(line().poster) == cpu_here();
	const bool tries = spins_ && !shares && (vain_ < VAIN || vain_ % TRIED_EACH == 0);
	if (tries && poll(done)) {
		vain_ = 0;
		return;
	}
	if (spins_)
		vain_++;
	while (base::load_acquire(line().posted) == done) {
		base::store_relaxed(line().sleeps, uint32_t{1});
		base::full_fence(); /* U2: the firmware stores @posted, then loads @sleeps */
		(void)base::futex_wait(line().posted, done, base::NO_DEADLINE, true);
	}
	base::store_relaxed(line().sleeps, uint32_t{0});
}

LaneLaunch::LaneLaunch(const unpu_kernel_entry &entry, const unpu_kernel_launch &head,
		       const unsigned char *args, Session &its_session, Lane &its_lane,
		       uint64_t number)
	: Launch({entry, head, args, its_session.cube_cores(), number,
		  [&its_session, &head](uint64_t address, unpu_kernel_memory_range &home) {
			  return its_session.find_memory(address, head.objects, home);
		  }}),
	  session(its_session), lane(its_lane)
{
	if (is_observed())
		begin_to_observe();
}

void Lane::run()
{
	number_ = base::load_acquire(line().posted); /* U1 */
	base::store_release(is_answered_, uint32_t{0});
	session_->await_messages(line().messages);
	const unpu_kernel_launch head = line().head;
	unpu_worker_answer reply{};
	std::shared_ptr<Image> image;
	const unpu_kernel_entry *entry = session_->find_entry(head, image);
	if (!entry) {
		reply.result = UNPU_WORKER_BAD_LAUNCH;
		return answer(reply);
	}
	base::store_relaxed(line().cpu, cpu_here());
	base::store_release(line().started, number_);
	LaneLaunch launch(*entry, head, at_ + UNPU_WORKER_ARGS_AT, *session_, *this, number_);
	execute(launch);
	if (base::load_acquire(is_stopping_) != 0)
		return;
	const runner::Failure &failure = launch.failure();
	reply.result = failure.kind ? UNPU_WORKER_FAILED : UNPU_WORKER_OK;
	reply.failure = failure.kind;
	reply.core = failure.core;
	reply.block = failure.block;
	reply.output_bytes = launch.copy_output(line().cookie, at_ + UNPU_WORKER_OUTPUT_AT,
						UNPU_WORKER_OUTPUT_BYTES);
	reply.text_bytes = static_cast<uint32_t>(
		std::min<size_t>(failure.sentence.size(), UNPU_WORKER_TEXT_BYTES));
	memcpy(at_ + UNPU_WORKER_TEXT_AT, failure.sentence.data(), reply.text_bytes);
	answer(reply);
}

/* stop() may come at any time. */
void Lane::execute(LaneLaunch &launch)
{
	auto set = [this](LaneLaunch *running) {
		const std::lock_guard lock(mutex_);
		launch_ = running;
		if (running && base::load_acquire(is_stopping_) != 0)
			running->stop();
	};
	set(&launch);
	session_->pool.run(launch);
	set(nullptr);
}

void Lane::tell_place(uint32_t launch)
{
	const std::lock_guard lock(mutex_);
	if (!launch_ || number_ != launch)
		return;
	unpu_worker_place &to = board_->places[lane_];
	/* It is asked again at the end of the time limit; what it has found before stays until it finds more. */
	if (base::load_acquire(to.number) != launch) {
		base::store_release(to.number, uint32_t{0});
		base::store_release(to.bytes, uint32_t{0});
	}
	to.output_bytes = static_cast<uint32_t>(launch_->copy_text(
		line().cookie, at_ + UNPU_WORKER_OUTPUT_AT, UNPU_WORKER_OUTPUT_BYTES, true));
	base::store_release(to.number, launch);
	/* It may take a second to find the place. */
	const std::string text = launch_->place();
	const size_t bytes = std::min<size_t>(text.size(), sizeof(to.text));
	if (bytes == 0)
		return;
	memcpy(to.text, text.data(), bytes);
	base::store_release(to.bytes, static_cast<uint32_t>(bytes));
}

void Lane::fail(unpu_worker_answer answer, const LaneLaunch &launch)
{
	answer.output_bytes = launch.copy_text(line().cookie, at_ + UNPU_WORKER_OUTPUT_AT,
					       UNPU_WORKER_OUTPUT_BYTES, false);
	this->answer(answer);
}

void Lane::answer(const unpu_worker_answer &answer)
{
	if (base::exchange(is_answered_, uint32_t{1}) != 0)
		return;
	line().answer = answer;
	base::store_release(line().ended, number_); /* U3 */
	base::fetch_add(board_->ends, uint32_t{1});
	base::full_fence(); /* U4: the firmware stores @armed, then loads @ends */
	session_->kick(base::load_relaxed(board_->armed));
}

} // namespace worker
