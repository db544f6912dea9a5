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
Status Runtime::drain_all(std::unique_lock<std::recursive_mutex> &lock)
{
	std::vector<std::pair<uint64_t, DeviceState *>> all;
	contexts.for_each([&](Context &context) {
		if (context.state->device)
			all.emplace_back(context.handle, context.state);
	});
	Status first = Status::OK;
	for (const auto &[handle, state] : all) {
		Context *context = contexts.get(reinterpret_cast<void *>(handle));
		if (!context || !state->device)
			continue;
		state->pins++;
		lock.unlock();
		Status status = drain_context(*context);
		lock.lock();
		state->pins--;
		if (first == Status::OK)
			first = status;
	}
	return first;
}

void Runtime::tear_down()
{
	for (DeviceState &state : devices_) {
		if (!state.device)
			continue;
		contexts.for_each([&](Context &context) {
			if (context.state != &state)
				return;
			empty_context(context, true);
			contexts.destroy(context);
		});
		state.primary = nullptr;
		state.references = 0;
		state.contexts = 0;
		close(state);
	}
	for (DeviceState &state : devices_) {
		state.limits.clear();
		state.peers = 0;
	}
	thread() = ThreadState{};
	options_read_ = false;
}

/* The lock is given back while work is waited for. */
Status Runtime::end(std::unique_lock<std::recursive_mutex> &lock)
{
	ever_finalised_ = true;
	init_count_ = 0;
	Status drained = drain_all(lock);
	tear_down();
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
