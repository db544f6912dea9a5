// SPDX-License-Identifier: MIT
/**
 * DOC: Dumps of operators
 *
 * An operator whose data is dumped runs between two host functions in its stream. While such a function runs,
 * the stream waits. So the function reads the tensor in place, without a copy, and a slow disk slows only the
 * stream that is dumped. Tasks that are captured for a graph or a model are not dumped.
 *
 * If a stream is aborted or stops at a failure, its host functions may never run. Their data stays in a table
 * until the task is done or the stream is destroyed.
 */
#include "dump.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "dump_file.h"
#include "dump_tensor.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/fault_watch.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/process/log.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_tail.h"

namespace umd {

using base::Status;

constinit std::atomic<bool> operators_watched{false};

namespace {

constexpr size_t PIECE_BYTES = size_t{1} << 20;
constexpr uint64_t US_PER_S = 1000000;

uint64_t now_us()
{
	const auto now = std::chrono::system_clock::now().time_since_epoch();
	return static_cast<uint64_t>(
		std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

/* A time stamp that is unique among the launches of this process. */
uint64_t stamp()
{
	static constinit std::atomic<uint64_t> last{0};
	uint64_t before = last.load();
	uint64_t next;
	do
		next = std::max(now_us(), before + 1);
	while (!last.compare_exchange_weak(before, next));
	return next;
}

/* Formats a time as YYYYMMDDhhmmss. */
std::string print_time(uint64_t us)
{
	const auto seconds = static_cast<time_t>(us / US_PER_S);
	tm parts{};
	char text[sizeof("20261231235959")] = "";
	localtime_r(&seconds, &parts);
	(void)strftime(text, sizeof(text), "%Y%m%d%H%M%S", &parts);
	return text;
}

void note_loss(DumpPlan &plan, const std::string &why)
{
	std::lock_guard lock(plan.mutex);
	if (plan.loss.files++ > 0)
		return;
	plan.loss.first = why;
	log_line(fmt::format("data of operators is lost: {}", why));
}

bool is_chosen(const DumpModel &model, const DumpOperator &op, const DumpOrigin &origin)
{
	return model.name == origin.model &&
	       (model.layers.empty() ||
		std::ranges::find(model.layers, op.name) != model.layers.end());
}

bool is_chosen(const DumpChoice &choice, const DumpOperator &op, const DumpOrigin *origin)
{
	if (origin)
		return std::ranges::any_of(choice.models, [&](const DumpModel &model) {
			return is_chosen(model, op, *origin);
		});
	if (!choice.operators)
		return false;
	return choice.names.empty() ||
	       std::any_of(choice.names.begin(), choice.names.end(),
			   [&](const auto &name) { return name == op.type || name == op.name; });
}

/* Whether the stream's first failure since the last synchronisation is this task's overflow. */
bool has_overflowed(const DumpRun &run)
{
	const Stream *stream = Stream::table().get(reinterpret_cast<void *>(run.handle));
	if (!stream)
		return false;
	const HazardGuard stay(*stream);
	if (!stay.alive())
		return false;
	const drv::Failure failure = stream->channel->failure();
	return failure.status == Status::OVERFLOW &&
	       drv::decode_cookie(failure.cookie).index == run.task;
}

void run_dump(void *number)
{
	Dumps::get().run(reinterpret_cast<uint64_t>(number));
}

/* Writes the elements. @buffer: room for a piece of them */
void write_elements(DumpFile &file, TensorReader &reader, std::string start)
{
	std::vector<std::byte> buffer(std::min<uint64_t>(reader.left(), PIECE_BYTES) +
				      start.size());
	std::transform(start.begin(), start.end(), buffer.begin(),
		       [](char c) { return static_cast<std::byte>(c); });
	size_t used = start.size();
	do {
		const size_t room = (buffer.size() - used) / reader.element_bytes();
		const auto bytes = static_cast<size_t>(
			std::min<uint64_t>(reader.left(), room * reader.element_bytes()));
		if (reader.read(buffer.data() + used, bytes) != Status::OK)
			return file.give_up("the memory can't be read");
		if (!file.put(buffer.data(), used + bytes, reader.left() == 0))
			return;
		used = 0;
	} while (reader.left() > 0);
}

} // namespace

void Dumps::update()
{
	operators_watched = plan_ || !fault_folder_.empty() || !description_folder_.empty();
}

void Dumps::start_data(const DumpChoice &choice)
{
	auto plan = std::make_shared<DumpPlan>();
	const std::string time = print_time(now_us());
	plan->choice = choice;
	plan->folder = choice.folder.empty() ? time : choice.folder + "/" + time;
	std::lock_guard lock(mutex_);
	plan_ = std::move(plan);
	update();
}

DumpLoss Dumps::stop_data()
{
	std::unique_lock lock(mutex_);
	auto plan = std::exchange(plan_, nullptr);
	update();
	sweep();
	lock.unlock();
	if (!plan)
		return {};
	std::lock_guard losses(plan->mutex);
	return plan->loss;
}

std::string Dumps::data_folder()
{
	std::lock_guard lock(mutex_);
	return plan_ ? plan_->choice.folder : "";
}

bool Dumps::overflow_only()
{
	std::lock_guard lock(mutex_);
	return plan_ && plan_->choice.overflow;
}

void Dumps::set_taker(DumpTaker taker)
{
	auto made = taker ? std::make_shared<DumpTaker>(std::move(taker)) : nullptr;
	std::lock_guard quiet(taking_);
	taker_ = std::move(made);
	has_taker_ = taker_ != nullptr;
}

bool Dumps::give(const DumpPiece &piece)
{
	std::lock_guard lock(taking_);
	/* The taker may remove itself while it runs. */
	const auto taker = taker_;
	return taker && (*taker)(piece);
}

/* Faults are written to files in any case. */
const DumpTaker *Dumps::taker_of(const DumpRun &run)
{
	return run.plan && has_taker() ? &give_ : nullptr;
}

Status Dumps::start_faults(const std::string &folder)
{
	{
		std::lock_guard lock(mutex_);
		fault_folder_ = folder;
		update();
	}
	FaultCallbacks::get().add(this, [this](const FaultInfo &fault) { fail(fault); });
	return Devices::get().watch_faults();
}

void Dumps::stop_faults()
{
	FaultCallbacks::get().remove(this);
	std::lock_guard lock(mutex_);
	fault_folder_.clear();
	launches_.clear();
	update();
}

std::string Dumps::fault_folder()
{
	std::lock_guard lock(mutex_);
	return fault_folder_;
}

bool Dumps::start_descriptions(const std::string &folder)
{
	std::lock_guard lock(mutex_);
	if (!description_folder_.empty())
		return false;
	description_folder_ = folder;
	update();
	return true;
}

bool Dumps::stop_descriptions()
{
	std::lock_guard lock(mutex_);
	const bool was_on = !description_folder_.empty();
	description_folder_.clear();
	described_.clear();
	update();
	return was_on;
}

size_t Dumps::pending()
{
	std::lock_guard lock(mutex_);
	return pending_.size();
}

void Dumps::describe(const DumpOperator &op)
{
	std::string text = describe_operator(op);
	std::string path;
	{
		std::lock_guard lock(mutex_);
		if (description_folder_.empty() || described_.size() >= MOST_DESCRIPTIONS ||
		    !described_.insert(text).second)
			return;
		path = fmt::format("{}/{}.{}.json", description_folder_, file_part(op.type),
				   described_.size());
	}
	DumpFile file(path, nullptr);
	if (!file.put(text))
		log_line(fmt::format("an operator could not be described: {}", file.why()));
}

/* Removes the data of host functions that will never run. */
void Dumps::sweep()
{
	std::erase_if(pending_, [](const auto &entry) {
		const Pending &pending = entry.second;
		const Stream *stream =
			Stream::table().get(reinterpret_cast<void *>(pending.run->handle));
		if (!stream)
			return true;
		const HazardGuard stay(*stream);
		return pending.is_submitted && stay.alive() &&
		       stream->context->device().done(pending.fence);
	});
	next_sweep_ = std::max(FIRST_SWEEP, 2 * pending_.size());
}

/* Return: false if the stream does not accept host functions. */
bool Dumps::submit(Stream &stream, const std::shared_ptr<DumpRun> &run, bool after)
{
	uint64_t number;
	{
		std::lock_guard lock(mutex_);
		if (pending_.size() >= next_sweep_)
			sweep();
		number = next_++;
		pending_[number] = {run, after, false, {}};
	}
	auto fence = launch_own(stream, run_dump, reinterpret_cast<void *>(number));
	std::lock_guard lock(mutex_);
	auto found = pending_.find(number);
	if (found != pending_.end() && fence) {
		found->second.fence = *fence;
		found->second.is_submitted = true;
	} else if (found != pending_.end()) {
		pending_.erase(found);
	}
	return static_cast<bool>(fence);
}

/* This happens before the launch, because the failure may be reported before the launch returns. */
void Dumps::note(const std::shared_ptr<DumpRun> &run)
{
	std::lock_guard lock(mutex_);
	if (fault_folder_.empty())
		return;
	launches_.push_back(run);
	if (launches_.size() > MOST_LAUNCHES)
		launches_.pop_front();
}

bool Dumps::wants_model(const std::string &name)
{
	std::lock_guard lock(mutex_);
	if (!fault_folder_.empty())
		return true;
	return plan_ && std::ranges::any_of(plan_->choice.models, [&](const DumpModel &model) {
		       return model.name == name;
	       });
}

std::shared_ptr<DumpRun> Dumps::begin(Stream &stream, std::shared_ptr<const DumpOperator> op,
				      const DumpOrigin *origin)
{
	if (!stream.sink.is_empty())
		return nullptr;
	auto tail = stream_tail(stream);
	if (!tail)
		return nullptr;
	auto run = std::make_shared<DumpRun>();
	{
		std::lock_guard lock(mutex_);
		const bool goes_somewhere = plan_ && (!plan_->choice.folder.empty() || has_taker());
		if (goes_somewhere && is_chosen(plan_->choice, *op, origin))
			run->plan = plan_;
	}
	describe(*op);
	run->op = std::move(op);
	run->device = stream.context->state;
	run->handle = stream.handle;
	run->stream = stream.id;
	const bool before = run->plan && run->plan->choice.inputs && !run->plan->choice.overflow;
	/* The number of the task is known before the launch, unless other threads use the stream. */
	run->task = static_cast<uint32_t>(stream.channel->task_number(*tail)) + 1 + before;
	note(run);
	if (!run->plan)
		return run;
	const std::string inner = origin ? origin->folder + "/" : "";
	run->stem = fmt::format("{}/{}/{}{}.{}.{}.{}.{}", run->plan->folder, run->device->index,
				inner, file_part(run->op->type), file_part(run->op->name),
				run->task, run->stream, stamp());
	run->is_incomplete = before && !submit(stream, run, false);
	return run;
}

void Dumps::end(Stream &stream, const std::shared_ptr<DumpRun> &run)
{
	const uint32_t task = ThreadState::mine().last_launch;
	if (!run->plan)
		return;
	if (!submit(stream, run, true) || run->is_incomplete)
		note_loss(*run->plan, run->stem + ": the stream takes no host function");
	/* The operator is a task of the program; this host function is one of the runtime. */
	ThreadState::mine().last_launch = task;
}

void Dumps::run(uint64_t number)
{
	Pending pending;
	{
		std::lock_guard lock(mutex_);
		auto found = pending_.find(number);
		if (found == pending_.end())
			return;
		pending = std::move(found->second);
		pending_.erase(found);
	}
	write_phase(*pending.run, pending.is_after);
}

void Dumps::finish(DumpRun &run, DumpFile &file)
{
	if (!file.failed())
		return;
	if (run.plan)
		return note_loss(*run.plan, file.why());
	log_line(fmt::format("data of an operator is lost: {}", file.why()));
}

void Dumps::write_statistics(DumpRun &run, const DumpTensor &tensor)
{
	TensorReader reader(tensor);
	TensorStatistics statistics(tensor);
	std::vector<std::byte> piece(std::min<uint64_t>(reader.left(), PIECE_BYTES));
	while (reader.left() > 0) {
		const auto bytes =
			static_cast<size_t>(std::min<uint64_t>(reader.left(), piece.size()));
		if (reader.read(piece.data(), bytes) != Status::OK)
			return note_loss(*run.plan, run.stem + ": the memory can't be read");
		statistics.add(piece.data(), bytes, reader.element_bytes());
	}
	run.statistics += statistics.line();
}

void Dumps::write_tensor(DumpRun &run, const DumpTensor &tensor)
{
	TensorReader reader(tensor);
	DumpFile file(fmt::format("{}.{}.{}.npy", run.stem, role_name(tensor.role), tensor.index),
		      taker_of(run));
	write_elements(file, reader, npy_header(tensor));
	finish(run, file);
}

void Dumps::write_phase(DumpRun &run, bool after)
{
	const DumpChoice &choice = run.plan->choice;
	if (choice.overflow && !has_overflowed(run))
		return;
	for (const DumpTensor &tensor : run.op->tensors) {
		const bool output = tensor.role == DumpTensor::Role::OUTPUT;
		const bool now = choice.overflow || output == after;
		if (!now || !(output ? choice.outputs : choice.inputs))
			continue;
		if (choice.statistics)
			write_statistics(run, tensor);
		else
			write_tensor(run, tensor);
	}
	if (!after)
		return;
	DumpFile file(run.stem + (choice.statistics ? ".csv" : ".json"), taker_of(run));
	(void)file.put(choice.statistics ? TensorStatistics::head() + run.statistics
					 : describe_run(run, ""));
	finish(run, file);
}

void Dumps::fail(const FaultInfo &fault)
{
	std::shared_ptr<DumpRun> found;
	DumpRun run;
	{
		std::lock_guard lock(mutex_);
		for (const auto &launch : launches_) {
			if (static_cast<uint32_t>(launch->device->index) == fault.device &&
			    launch->stream == fault.stream && launch->task == fault.task)
				found = launch;
		}
		if (!found || fault_folder_.empty())
			return;
		run.stem = fault_folder_;
	}
	const uint64_t us = now_us();
	run.op = found->op;
	run.device = found->device;
	run.stream = found->stream;
	run.task = found->task;
	run.stem += fmt::format("/{}/exception_info.{}.{}.{}{:03}", fault.device, fault.stream,
				fault.task, print_time(us), us % US_PER_S / 1000);
	for (const DumpTensor &tensor : run.op->tensors)
		write_tensor(run, tensor);
	DumpFile file(run.stem + ".json", nullptr);
	(void)file.put(describe_run(run, base::status_sentence(fault.status)));
	finish(run, file);
}

} // namespace umd
