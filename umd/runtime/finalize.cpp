// SPDX-License-Identifier: MIT
/**
 * DOC: The end of the library
 *
 * Everything the program has left is waited for and closed. The root stays, and may be initialised again.
 */
#include "umd/error.h"
#include "umd/runtime.h"
#include "umd/trace.h"

namespace umd {

using base::Status;

/* Waits for the work of all contexts, with the lock given back: host functions may call us. */
Status Runtime::drain_all(std::unique_lock<base::RecursiveMutex> &lock)
{
	std::vector<uint64_t> all;
	contexts.for_each([&](Context &context) { all.push_back(context.handle); });
	Status first = Status::OK;
	for (uint64_t handle : all) {
		Context *context = contexts.get(reinterpret_cast<void *>(handle));
		if (!context)
			continue;
		lock.unlock();
		Status status = drain_context(*context);
		lock.lock();
		if (first == Status::OK)
			first = status;
	}
	return first;
}

/* Contexts end before their devices close, and both happen without the lock. */
void Runtime::tear_down(std::unique_lock<base::RecursiveMutex> &lock)
{
	std::vector<Context *> ended;
	for (DeviceState &state : devices_) {
		state.primary = nullptr;
		state.references = 0;
		state.contexts = 0;
		state.limits.clear();
		state.peers = 0;
		if (OpenDevice *open = state.open_)
			open->abandoned = true;
	}
	contexts.for_each([&](Context &context) {
		retire_context(context);
		ended.push_back(&context);
	});
	thread() = ThreadState{};
	options_read_ = false;
	for (Context *context : ended)
		end_context(lock, *context);
	/* One that another thread uses again by now stays open. */
	std::vector<Closing> gone;
	for (DeviceState &state : devices_)
		gone.push_back(take_out_idle(state));
	lock.unlock();
	gone.clear();
	await_closings();
	lock.lock();
}

/* The lock is given back while work is waited for. */
Status Runtime::end(std::unique_lock<base::RecursiveMutex> &lock)
{
	ever_finalised_ = true;
	init_count_ = 0;
	Status drained = drain_all(lock);
	tear_down(lock);
	trace::write_if_asked();
	return drained;
}

Status Runtime::finalize()
{
	std::unique_lock lock(mutex_);
	TRY(check_fork());
	if (init_count_ == 0 && (ever_initialised_ || ever_finalised_))
		return set_error(
			Status::ALREADY_FINALISED,
			"aclFinalize: the library is not initialised any more; call aclInit first");
	return end(lock);
}

Status Runtime::finalize_reference(uint64_t *left)
{
	std::unique_lock lock(mutex_);
	TRY(check_fork());
	if (init_count_ == 0)
		return set_error(Status::ALREADY_FINALISED,
				 "aclFinalizeReference: the library is not initialised any more");
	Status status = Status::OK;
	if (init_count_ == 1)
		status = end(lock);
	else
		init_count_--;
	if (left)
		*left = init_count_;
	return status;
}

} // namespace umd
