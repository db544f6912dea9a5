// SPDX-License-Identifier: MIT
/**
 * DOC: Contexts of a process
 *
 * The primary context of a device lives while the program has a reference to it. Other contexts live until
 * they are destroyed. A context that ends is retired first: its handle becomes stale, and its device stays
 * open. Then its streams end. No lock is held for that, because a host function of these streams may call the
 * library.
 */
#include "contexts.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/clock.h"
#include "context_streams.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/vmm.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/pool.h"

namespace umd {

using base::Result;
using base::Status;

/* No handle names the context from now on. Its device stays open until end_context(), so that its
 * memory is found as long as another thread holds the context.
 * Return: the context's handle. */
uint64_t Contexts::retire_context(Context &context)
{
	const uint64_t handle = context.handle;
	(void)Context::table().retire(context, Context::table().pointer(context));
	context.open->ending++;
	return handle;
}

void Contexts::on_end(Ended ended)
{
	for (auto &each : ended_) {
		Ended found = nullptr;
		if (each.compare_exchange_strong(found, ended) || found == ended)
			return;
	}
	unpu_assert(false);
}

/* Ends a retired context. No lock is held, because a host function of the context may call the library. */
void Contexts::end_context(Context &context, uint64_t handle)
{
	{
		const base::Unlocked unlocked(Devices::get().mutex());
		empty_context(context);
		for (const auto &each : ended_) {
			if (const Ended ended = each.load())
				ended(handle);
		}
		Pools::get().leave(*context.open);
	}
	context.open->ending--;
	Context::table().recycle(context);
}

Result<Context *> Contexts::make_context(DeviceState &state, bool primary)
{
	TRY(Devices::get().open(state));
	drv::Device &device = *Devices::opened(state)->device;
	if (device.hal().lost())
		return device_failed(device, Status::DEVICE_LOST);
	Context *context = Context::table().create();
	if (!context)
		return set_error(Status::NO_RESOURCE, "too many contexts; destroy some");
	context->state = &state;
	context->open = Devices::opened(state);
	context->open->is_abandoned = false;
	context->opened = context->open->device.get();
	context->is_primary = primary;
	context->group = ++state.groups;
	context->stops_on_failure = false;
	context->default_stream = nullptr;
	{
		std::lock_guard lock(context->mutex);
		clear_entry(*context);
	}
	context->flags = 0;
	context->failed.store(Status::OK);
	context->options.clear();
	context->limits.clear();
	context->is_dying = false;
	context->ends = false;
	return context;
}

Result<Context *> Contexts::retain_primary(int32_t index)
{
	const std::lock_guard lock(Devices::get().mutex());
	TRY(Devices::get().check_index(index));
	DeviceState &state = Devices::get().at(index);
	if (!state.primary) {
		auto context = make_context(state, true);
		if (!context)
			return context;
		state.primary = *context;
	}
	state.references++;
	return state.primary;
}

void Contexts::tell(int32_t index, DeviceStage stage)
{
	Devices::get().device_callbacks.call_all(
		[&](const DeviceCallback &call) { call(index, stage); });
}

Status Contexts::set_device(int32_t index)
{
	{
		const std::lock_guard lock(Devices::get().mutex());
		TRY(Devices::get().check_index(index));
	}
	tell(index, DeviceStage::SET_PRE);
	auto context = TRY(retain_primary(index));
	ThreadState::mine().context = base::load_acquire(context->handle);
	tell(index, DeviceStage::SET_POST);
	return Status::OK;
}

Status Contexts::check_set(int32_t index)
{
	TRY(Devices::get().check_index(index));
	if (Devices::get().at(index).references > 0)
		return Status::OK;
	return set_error(Status::DEVICE_SET_MISSING,
			 fmt::format("device {} is not set, or was reset as often as it was set; "
				     "call $set_device first",
				     index));
}

/* Whether this reset would wait for the function of the program that makes the call. A reset by force drops the work
 * that does not end. */
static Status check_reset(const DeviceState &state, bool force)
{
	if (force || state.references != 1 || !state.primary)
		return Status::OK;
	return refuse_end_in_function(*state.primary);
}

Status Contexts::reset_device(int32_t index, bool force)
{
	{
		const std::lock_guard lock(Devices::get().mutex());
		TRY(check_set(index));
		TRY(check_reset(Devices::get().at(index), force));
	}
	tell(index, DeviceStage::RESET_PRE);
	Status status = give_back_primary(index, force);
	release_device(index);
	/* The reference was released, even if another step failed. */
	if (status != Status::DEVICE_SET_MISSING)
		tell(index, DeviceStage::RESET_POST);
	return status;
}

/* The last reset frees what the program has on the device. A device that has explicit contexts closes with them. */
void Contexts::release_device(int32_t index)
{
	Devices::Closing gone;
	{
		const std::lock_guard lock(Devices::get().mutex());
		gone = Devices::get().abandon(Devices::get().at(index));
	}
	if (!gone)
		return;
	gone.reset();
	VirtualMemory::get().drop_closed();
}

/* Waits for the device's work without holding the lock, because a host function of that work may call
 * the library. */
Status Contexts::give_back_primary(int32_t index, bool force)
{
	Devices::Closing gone;
	std::unique_lock lock(Devices::get().mutex());
	TRY(check_set(index));
	Status drained = Status::OK;
	DeviceState &state = Devices::get().at(index);
	TRY(check_reset(state, force));
	if ((force || state.references == 1) && state.primary) {
		Context &context = *state.primary;
		lock.unlock();
		drained = force ? drain_by_force(context, base::now_ns()) : drain_context(context);
		recorder::observer.look();
		lock.lock();
		TRY(check_set(index));
	}
	state.references = force ? 0 : state.references - 1;
	if (state.references > 0 || !state.primary)
		return drained;
	Context &context = *std::exchange(state.primary, nullptr);
	end_context(context, retire_context(context));
	gone = Devices::get().take_out_idle(state);
	return drained;
}

/* The thread has no live context. Uses the default device's primary context, if there is one. */
Result<ContextHold> Contexts::choose_current()
{
	ThreadState &me = ThreadState::mine();
	const int32_t wanted = default_device_.load();
	if (wanted >= 0 && me.context == 0) {
		TRY(set_device(wanted));
		ContextHold context = hold_context(me.context);
		if (context)
			return context;
	}
	TRY(Process::check_fork());
	return set_error(Status::NO_CONTEXT, "the calling thread has no current context; call "
					     "$set_device or $set_current_context in this thread");
}

Status Contexts::current_device(int32_t &index)
{
	auto context = TRY(current());
	index = context->state->index;
	return Status::OK;
}

Status Contexts::primary_state(int32_t index, bool &active)
{
	const std::lock_guard lock(Devices::get().mutex());
	TRY(Devices::get().check_index(index));
	active = Devices::get().at(index).primary != nullptr;
	return Status::OK;
}

Result<Context *> Contexts::create_context(int32_t index)
{
	const std::lock_guard lock(Devices::get().mutex());
	TRY(Devices::get().check_index(index));
	DeviceState &state = Devices::get().at(index);
	auto context = make_context(state, false);
	if (!context)
		return context;
	state.contexts++;
	ThreadState::mine().context = base::load_acquire((*context)->handle);
	return context;
}

Status Contexts::destroy_context(const void *handle)
{
	Devices::Closing gone;
	std::unique_lock lock(Devices::get().mutex());
	Context *context = Context::table().get(handle);
	if (!context)
		return set_error(Status::NO_CONTEXT,
				 "context is not a live context: it was destroyed, or "
				 "never came from $create_context");
	if (context->is_primary)
		return set_error(Status::NO_CONTEXT, "context is the device's default context; "
						     "$reset_device releases it");
	if (context->is_dying)
		return set_error(Status::CONTEXT_DYING,
				 "context is being destroyed by another thread; use another");
	TRY(refuse_end_in_function(*context));
	DeviceState &state = *context->state;
	context->is_dying = true;
	lock.unlock();
	Status drained = drain_context(*context);
	recorder::observer.look();
	lock.lock();
	if (Context::table().get(handle) != context)
		return drained; /* another thread's finalize() was first */
	if (ThreadState::mine().context == context->handle)
		ThreadState::mine().context = 0;
	const uint64_t last_handle = retire_context(*context);
	state.contexts--;
	end_context(*context, last_handle);
	gone = Devices::get().take_out_idle(state);
	return drained;
}

Status Contexts::set_current(const void *handle)
{
	Context *context = Context::table().get(handle);
	if (!context)
		return set_error(
			Status::NO_CONTEXT,
			"context is not a live context: it was destroyed, or never created");
	ThreadState::mine().context = context->handle.now();
	return Status::OK;
}

std::vector<uint64_t> Contexts::contexts_on(int32_t index)
{
	std::vector<uint64_t> handles;
	const std::lock_guard lock(Devices::get().mutex());
	Context::table().for_each([&](const Context &context) {
		if (context.state->index == index)
			handles.push_back(context.handle);
	});
	return handles;
}

std::vector<uint64_t> Contexts::contexts_beside(const Context &context)
{
	std::vector<uint64_t> handles;
	const DeviceState &state = *context.state;
	/* The primary context, if the device is set, and explicit ones. Most programs have one context
	 * in all. */
	if (state.contexts + (state.references > 0 ? 1 : 0) <= 1) [[likely]]
		return handles;
	const std::lock_guard lock(Devices::get().mutex());
	Context::table().for_each([&](const Context &other) {
		if (&other != &context && other.open == context.open)
			handles.push_back(other.handle);
	});
	return handles;
}

/* Lets all ready work of all contexts run. No lock is held, because host functions may call the library. All
 * contexts together get the time limit of one context. */
Status Contexts::drain_all()
{
	const uint64_t since_ns = base::now_ns();
	std::vector<uint64_t> all;
	Context::table().for_each([&](Context &context) { all.push_back(context.handle); });
	Status first = Status::OK;
	for (uint64_t handle : all) {
		Context *context = Context::table().get(reinterpret_cast<void *>(handle));
		if (!context)
			continue;
		Status status;
		{
			const base::Unlocked unlocked(Devices::get().mutex());
			status = drain_by_force(*context, since_ns);
			recorder::observer.look();
		}
		if (first == Status::OK)
			first = status;
	}
	return first;
}

/* Contexts end before their devices close, and both happen without the lock.
 * Return: the devices that the caller closes. If another thread uses one again meanwhile, it stays open. */
std::vector<Devices::Closing> Contexts::tear_down()
{
	std::vector<std::pair<Context *, uint64_t>> ended;
	Devices::get().abandon_all();
	Context::table().for_each([&](Context &context) { ended.emplace_back(&context, 0); });
	for (auto &[context, handle] : ended)
		handle = retire_context(*context);
	ThreadState::mine() = ThreadState{};
	for (const auto &[context, handle] : ended)
		end_context(*context, handle);
	return Devices::get().take_out_all_idle();
}

Status Contexts::end_all()
{
	std::unique_lock lock(Devices::get().mutex());
	Status drained = drain_all();
	auto gone = tear_down();
	lock.unlock();
	gone.clear();
	Devices::await_closings();
	VirtualMemory::get().drop_closed();
	return drained;
}

} // namespace umd
