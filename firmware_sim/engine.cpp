// SPDX-License-Identifier: MIT
/**
 * DOC: Engines
 *
 * The copy and compute engines. A job arrives checked and translated, so an engine never looks at
 * shared control memory; it holds the segments it touches, so that an unmap can't pull them away.
 */
#include "engine.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ordering.h"
#include "base/thread.h"
#include "kernels/elementwise.h"
#include "kernels/elementwise_simd.h"
#include "kernels/operator_check.h"
#include "kernels/overflow.h"
#include "kernels/random.h"
#include "kernels/strided_copy.h"

namespace fw {

static void fill(const unpu_fill &fill, std::byte *target)
{
	if (fill.width == 1) {
		memset(target, static_cast<int>(fill.pattern & 0xff), fill.bytes);
		return;
	}
	for (uint64_t at = 0; at < fill.bytes; at += fill.width)
		memcpy(target + at, &fill.pattern, fill.width);
}

Written written_by(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands)
{
	switch (packet.opcode) {
	case UNPU_OP_COPY:
		return {operands[0], packet.copy.bytes};
	case UNPU_OP_FILL:
		return {operands[0], packet.fill.bytes};
	case UNPU_OP_ROW:
		return {operands[0], packet.row.count * sizeof(float)};
	case UNPU_OP_OPERATOR: {
		/* The reach starts below the operand's address when a stride is negative. */
		Reach reach = operand_reach(*op, 0);
		return {operands[0] - (op->operands[0].address - reach.first), reach.bytes};
	}
	default:
		return {};
	}
}

void execute_operator(const unpu_operator &op, const std::array<std::byte *, 4> &operands)
{
	if (op.kind == UNPU_OPERATOR_COPY)
		copy_strided(op, operands);
	else if (op.kind == UNPU_OPERATOR_RANDOM)
		run_random(op, operands);
	else
		run_operator(op, operands);
}

static simd::Form form_of(const unpu_packet &row)
{
	return row.variant & UNPU_ROW_LEFT_ONE	  ? simd::Form::ONE_ROW
	       : row.variant & UNPU_ROW_RIGHT_ONE ? simd::Form::ROW_ONE
						  : simd::Form::ROW_ROW;
}

static void execute_row(const unpu_packet &packet, const std::array<std::byte *, 4> &operands)
{
	bool add = (packet.variant & UNPU_ROW_KIND_MASK) == UNPU_OPERATOR_ADD;
	(add ? simd::add_f32
	     : simd::mul_f32)(operands[0], operands[1], operands[2], packet.row.count,
			      std::bit_cast<float>(packet.row.scalar), form_of(packet));
}

base::Status execute_job(const unpu_packet &packet, const unpu_operator *op,
			 const std::array<std::byte *, 4> &operands)
{
	const base::NoteOrder order;

	switch (packet.opcode) {
	case UNPU_OP_COPY:
		memmove(operands[0], operands[1], packet.copy.bytes);
		break;
	case UNPU_OP_FILL:
		fill(packet.fill, operands[0]);
		break;
	case UNPU_OP_OPERATOR:
		execute_operator(*op, operands);
		if (packet.flags & (UNPU_PACKET_OVERFLOW_FAILS | UNPU_PACKET_SATURATE) &&
		    op->kind != UNPU_OPERATOR_COPY && op->kind != UNPU_OPERATOR_RANDOM &&
		    find_overflow(*op, operands[0], packet.flags & UNPU_PACKET_SATURATE))
			return base::Status::OVERFLOW;
		break;
	case UNPU_OP_ROW:
		execute_row(packet, operands);
		break;
	default:
		break;
	}
	return base::Status::OK;
}

static base::Status execute(const Job &job)
{
	if (!job.work)
		return execute_job(job.packet, &job.op, job.operands);
	job.work();
	return base::Status::OK;
}

Engines::Engines(uint32_t count, std::function<void()> notify)
	: count_(count), notify_(std::move(notify))
{
}

Engines::~Engines()
{
	{
		std::lock_guard lock(mutex_);
		stopping_ = true;
	}
	wanted_.notify_all();
	for (std::thread &thread : threads_)
		thread.join();
}

void Engines::submit(std::unique_ptr<Job> job)
{
	outstanding_++;
	std::unique_lock lock(mutex_);
	auto line = std::find_if(queue_.begin(), queue_.end(),
				 [&](const Line &of) { return of.party == job->party; });
	if (line == queue_.end())
		line = queue_.insert(line, Line{job->party, {}});
	line->jobs.push_back(std::move(job));
	waiting_++;
	if (threads_.size() < count_ && busy_ + waiting_ > threads_.size()) {
		auto engine = static_cast<uint32_t>(threads_.size());
		auto thread = base::start_thread("unpu-engine", [this, engine] { work(engine); });
		if (thread)
			threads_.push_back(thread.take());
	}
	if (!threads_.empty()) {
		lock.unlock();
		wanted_.notify_one();
		return;
	}
	/* The host has no thread for us: the command processor does the work itself. */
	job = take_next();
	job->start_ns = base::now_ns();
	job->status = execute(*job);
	job->end_ns = base::now_ns();
	finish(std::move(job));
}

std::unique_ptr<Job> Engines::take_next()
{
	Line line = std::move(queue_.front());
	queue_.pop_front();
	auto job = std::move(line.jobs.front());
	line.jobs.pop_front();
	waiting_--;
	if (!line.jobs.empty())
		queue_.push_back(std::move(line));
	return job;
}

void Engines::finish(std::unique_ptr<Job> job)
{
	done_.push_back(std::move(job));
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
}

bool Engines::finished() const
{
	return base::load_acquire(done_hint_) != 0;
}

std::unique_ptr<Job> Engines::take_finished()
{
	std::lock_guard lock(mutex_);
	if (done_.empty())
		return nullptr;
	auto job = std::move(done_.front());
	done_.pop_front();
	outstanding_--;
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	return job;
}

uint64_t Engines::busy_ns() const
{
	std::lock_guard lock(mutex_);
	return busy_ns_;
}

void Engines::disown(const Waiter &owner)
{
	std::lock_guard lock(mutex_);
	auto mine = [&](const std::unique_ptr<Job> &job) { return job->owner == &owner; };
	size_t gone = 0;
	for (Line &line : queue_)
		gone += std::erase_if(line.jobs, mine);
	std::erase_if(queue_, [](const Line &line) { return line.jobs.empty(); });
	waiting_ -= gone;
	gone += std::erase_if(done_, mine);
	outstanding_ -= static_cast<uint32_t>(gone);
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	for (Job *job : running_) {
		if (job->owner == &owner)
			job->owner = nullptr;
	}
}

void Engines::drain()
{
	std::unique_lock lock(mutex_);
	drained_.wait(lock, [this] { return queue_.empty() && busy_ == 0; });
}

void Engines::work(uint32_t engine)
{
	std::unique_lock lock(mutex_);
	for (;;) {
		wanted_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
		if (queue_.empty())
			return;
		auto job = take_next();
		busy_++;
		running_.push_back(job.get());
		lock.unlock();
		job->engine = engine;
		job->start_ns = base::now_ns();
		job->status = execute(*job);
		job->end_ns = base::now_ns();
		lock.lock();
		busy_--;
		std::erase(running_, job.get());
		busy_ns_ += job->end_ns - job->start_ns;
		finish(std::move(job));
		drained_.notify_all();
		lock.unlock();
		notify_();
		lock.lock();
	}
}

} // namespace fw
