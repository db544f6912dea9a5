// SPDX-License-Identifier: MIT
/**
 * DOC: Runtime
 *
 * The process-wide root: initialisation counts, devices and their reference counts, contexts, and
 * what a thread's current context is. It is reached through one pointer that is never freed, so that
 * a program may call us from its last destructor.
 */
#include "umd/runtime.h"

#include <fmt/format.h>
#include <pthread.h>

#include "base/thread.h"
#include "config.h"
#include "umd/capture.h"
#include "umd/error.h"
#include "umd/stay.h"
#include "umd/trace.h"

namespace umd {

using base::Result;
using base::Status;

Runtime::Runtime(bool refused) : refused_(refused)
{
	for (unsigned i = 0; i < MAX_DEVICES; i++)
		devices_[i].index = static_cast<int32_t>(i);
}

Runtime *Runtime::root_;

/* Devices have threads, and a fork has none of them: the child starts with nothing, and gets nothing.
 * The parent's root is left alone; its handles mean nothing to the new one. */
void Runtime::refuse_in_fork()
{
	thread() = ThreadState{};
	base::forget_thread_exit();
	hal::trace::refuse_in_fork();
	share_errors(false);
	base::store_release(root_, new Runtime(true));
}

Runtime &Runtime::make()
{
	static const bool made = [] {
		base::store_release(root_, new Runtime(false));
		pthread_atfork(nullptr, nullptr, refuse_in_fork);
		trace::begin_if_asked();
		return true;
	}();
	(void)made;
	return *root_;
}

Status Runtime::check_fork() const
{
	if (!refused_)
		return Status::OK;
	return set_error(Status::NOT_INITIALISED,
			 "this process is a fork of one that had initialised the library; the "
			 "device belongs "
			 "to its parent. Start programs that need a device with exec");
}

Status Runtime::init(const char *config_path)
{
	std::lock_guard lock(mutex_);
	TRY(check_fork());
	if (init_count_ > 0) {
		init_count_++;
		return set_error(
			Status::ALREADY_INITIALISED,
			fmt::format("aclInit: already initialised ({} times now); this may be "
				    "ignored",
				    init_count_));
	}
	InitConfig config;
	TRY(read_config(config_path, config));
	if (ever_initialised_ && config.hash != config_hash_)
		return set_error(Status::CONFIG_CHANGED,
				 "aclInit: the configuration differs from the "
				 "one this process was first initialised with");
	TRY(ensure_options());
	if (config.default_device >= static_cast<int32_t>(visible_.count()))
		return set_error(
			Status::BAD_CONFIG,
			fmt::format("aclInit: default_device is {}, but there are {} devices",
				    config.default_device, visible_.count()));
	config_hash_ = config.hash;
	config_text_ = std::move(config.text);
	default_device_ = config.default_device;
	share_errors(config.process_errors);
	for (unsigned i = 0; i < LIMITS; i++) {
		if (config.limits[i])
			limits.set(i, *config.limits[i]);
	}
	initialised_before_ = std::exchange(ever_initialised_, true);
	init_count_ = 1;
	return Status::OK;
}

void Runtime::cancel_init()
{
	std::lock_guard lock(mutex_);
	init_count_ = 0;
	ever_initialised_ = initialised_before_;
}

uint64_t Runtime::init_count()
{
	std::lock_guard lock(mutex_);
	return init_count_;
}

std::string Runtime::config_text()
{
	std::lock_guard lock(mutex_);
	return config_text_;
}

static Status complete(hal::Options &options)
{
	std::string why;
	Status status = hal::complete_options(options, why);
	if (status != Status::OK)
		return set_error(status, "UNPU_DEVICE: " + why);
	return Status::OK;
}

Status Runtime::ensure_options()
{
	if (options_read_)
		return Status::OK;
	std::string why;
	auto parsed = hal::parse_device_string(hal::environment("UNPU_DEVICE"), why);
	if (!parsed)
		return set_error(parsed.status(), "UNPU_DEVICE: " + why);
	TRY(complete(*parsed));
	options_ = parsed.take();
	Status status =
		visible_.read(hal::environment("ASCEND_RT_VISIBLE_DEVICES"), options_.devices, why);
	if (status != Status::OK)
		return set_error(status, why);
	options_read_ = true;
	return Status::OK;
}

Result<uint32_t> Runtime::device_count()
{
	std::lock_guard lock(mutex_);
	TRY(ensure_options());
	return visible_.count();
}

Result<VisibleDevices> Runtime::visible_devices()
{
	std::lock_guard lock(mutex_);
	TRY(ensure_options());
	return visible_;
}

const std::string &Runtime::soc_name()
{
	std::lock_guard lock(mutex_);
	(void)ensure_options();
	return options_.soc_name;
}

Status Runtime::check_index(int32_t index)
{
	TRY(check_fork());
	TRY(ensure_options());
	if (index >= 0 && index < static_cast<int32_t>(visible_.count()))
		return Status::OK;
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("deviceId is {}, but the devices are 0 to {}{}", index,
				     visible_.count() - 1,
				     visible_.filtered()
					     ? ", as ASCEND_RT_VISIBLE_DEVICES lists them"
					     : ""));
}

Status Runtime::watch_faults()
{
	std::lock_guard lock(mutex_);
	for (DeviceState &state : devices_) {
		OpenDevice *open = state.open_;
		Status status = open ? open->faults.start() : Status::OK;
		if (status != Status::OK)
			return set_error(status, "the thread for failed tasks can't be started");
	}
	return Status::OK;
}

Status Runtime::set_execute_limit(uint64_t limit_ns)
{
	std::lock_guard lock(mutex_);
	execute_limit_ns_ = limit_ns;
	limits_execution_ = true;
	for (DeviceState &state : devices_) {
		OpenDevice *open = state.open_;
		Status status = open ? open->device->control({false, true, limit_ns}) : Status::OK;
		if (status != Status::OK)
			return set_error(status, base::status_sentence(status));
	}
	return Status::OK;
}

Result<uint64_t> Runtime::window_bytes()
{
	std::lock_guard lock(mutex_);
	TRY(check_fork());
	TRY(ensure_options());
	return options_.window_bytes;
}

Status Runtime::with_device(int32_t index, bool open_only,
			    const std::function<Status(drv::Device &)> &visit)
{
	Closing gone;
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	DeviceState &state = devices_[static_cast<unsigned>(index)];
	if (open_only && !state.open_)
		return set_error(
			Status::DEVICE_SET_MISSING,
			fmt::format("device {} is not open; call aclrtSetDevice first", index));
	TRY(open(state));
	Status status = visit(*state.device_);
	gone = take_out_idle(state);
	return status;
}

Result<std::string> Runtime::snapshot(int32_t index)
{
	std::unique_lock lock(mutex_);
	TRY(check_index(index));
	if (!devices_[static_cast<unsigned>(index)].open_ &&
	    options_.backend == hal::Backend::SOCKET) {
		std::string why;
		auto seen = hal::look(options_, visible_.logic(static_cast<uint32_t>(index)), why);
		if (!seen)
			return set_error(seen.status(), why);
		return seen;
	}
	lock.unlock();
	std::string text;
	Status status = with_device(index, false, [&](drv::Device &device) {
		auto seen = device.hal().snapshot();
		if (!seen)
			return set_error(seen.status(), "the device does not tell its state");
		text = seen.take();
		return Status::OK;
	});
	if (status != Status::OK)
		return status;
	return text;
}

Result<DeviceState *> Runtime::device_state(int32_t index)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	return &devices_[static_cast<unsigned>(index)];
}

Result<Context *> Runtime::make_context(DeviceState &state, bool primary)
{
	TRY(open(state));
	Context *context = contexts.create();
	if (!context)
		return set_error(Status::NO_RESOURCE, "too many contexts");
	context->state = &state;
	context->open = state.open_;
	context->open->abandoned = false;
	context->opened = state.device_;
	context->primary = primary;
	context->group = ++state.groups;
	context->stops_on_failure = false;
	context->default_stream = nullptr;
	context->entry.clear();
	context->flags = 0;
	context->failed.store(Status::OK);
	context->options.clear();
	context->dying = false;
	context->ends = false;
	return context;
}

Result<Context *> Runtime::retain_primary(int32_t index)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	DeviceState &state = devices_[static_cast<unsigned>(index)];
	if (!state.primary) {
		auto context = make_context(state, true);
		if (!context)
			return context;
		state.primary = *context;
	}
	state.references++;
	return state.primary;
}

void Runtime::tell(int32_t index, DeviceStage stage)
{
	device_callbacks.call_all([&](const DeviceCallback &call) { call(index, stage); });
}

Status Runtime::set_device(int32_t index)
{
	{
		std::lock_guard lock(mutex_);
		TRY(check_index(index));
	}
	tell(index, DeviceStage::SET_PRE);
	auto context = retain_primary(index);
	if (!context)
		return context.status();
	thread().context = base::load_acquire((*context)->handle);
	tell(index, DeviceStage::SET_POST);
	return Status::OK;
}

Status Runtime::check_set(int32_t index)
{
	TRY(check_index(index));
	if (devices_[static_cast<unsigned>(index)].references > 0)
		return Status::OK;
	return set_error(Status::DEVICE_SET_MISSING,
			 fmt::format("device {} is not set, or was reset as often as it was set; "
				     "call aclrtSetDevice first",
				     index));
}

Status Runtime::reset_device(int32_t index, bool force)
{
	{
		std::lock_guard lock(mutex_);
		TRY(check_set(index));
	}
	tell(index, DeviceStage::RESET_PRE);
	Status status = give_back_primary(index, force);
	/* Whatever else went wrong, it was given back. */
	if (status != Status::DEVICE_SET_MISSING)
		tell(index, DeviceStage::RESET_POST);
	return status;
}

/* The work of the last reference is waited for without the lock: a host function that belongs to it
 * may call us. */
Status Runtime::give_back_primary(int32_t index, bool force)
{
	Closing gone;
	std::unique_lock lock(mutex_);
	TRY(check_set(index));
	Status drained = Status::OK;
	DeviceState &state = devices_[static_cast<unsigned>(index)];
	if ((force || state.references == 1) && state.primary) {
		Context &context = *state.primary;
		lock.unlock();
		drained = force ? drain_by_force(context) : drain_context(context);
		lock.lock();
		TRY(check_set(index));
	}
	state.references = force ? 0 : state.references - 1;
	if (state.references > 0 || !state.primary)
		return drained;
	Context &context = *std::exchange(state.primary, nullptr);
	retire_context(context);
	end_context(lock, context);
	gone = take_out_idle(state);
	return drained;
}

bool Runtime::wants_default(const ThreadState &thread)
{
	std::lock_guard lock(mutex_);
	return default_device_ >= 0 && init_count_ > 0 && thread.context == 0;
}

/* The thread has no context that lives: the default device's, if there is one. */
Result<ContextHold> Runtime::choose_current()
{
	ThreadState &me = thread();
	if (wants_default(me)) {
		TRY(set_device(default_device_));
		ContextHold context = hold_context(me.context);
		if (context)
			return context;
	}
	TRY(check_fork());
	return set_error(Status::NO_CONTEXT,
			 "the calling thread has no current context; call "
			 "aclrtSetDevice or aclrtSetCurrentContext in this thread");
}

Status Runtime::current_device(int32_t &index)
{
	auto context = current();
	if (!context)
		return context.status();
	index = (*context)->state->index;
	return Status::OK;
}

int32_t Runtime::chosen_device()
{
	const Context *context = contexts.get(reinterpret_cast<void *>(thread().context));
	return context ? context->state->index : 0;
}

Status Runtime::primary_state(int32_t index, bool &active)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	active = devices_[static_cast<unsigned>(index)].primary != nullptr;
	return Status::OK;
}

Result<Context *> Runtime::create_context(int32_t index)
{
	std::lock_guard lock(mutex_);
	TRY(check_index(index));
	DeviceState &state = devices_[static_cast<unsigned>(index)];
	auto context = make_context(state, false);
	if (!context)
		return context;
	state.contexts++;
	thread().context = base::load_acquire((*context)->handle);
	return context;
}

Status Runtime::destroy_context(const void *handle)
{
	Closing gone;
	std::unique_lock lock(mutex_);
	Context *context = contexts.get(handle);
	if (!context)
		return set_error(Status::NO_CONTEXT,
				 "context is not a live context: it was destroyed, or "
				 "never came from aclrtCreateContext");
	if (context->primary)
		return set_error(Status::NO_CONTEXT, "context is the device's default context; "
						     "aclrtResetDevice releases it");
	if (context->dying)
		return set_error(Status::CONTEXT_DYING,
				 "context is being destroyed by another thread");
	DeviceState &state = *context->state;
	context->dying = true;
	lock.unlock();
	Status drained = drain_context(*context);
	lock.lock();
	if (contexts.get(handle) != context)
		return drained; /* by aclFinalize meanwhile */
	if (thread().context == context->handle)
		thread().context = 0;
	retire_context(*context);
	state.contexts--;
	end_context(lock, *context);
	gone = take_out_idle(state);
	return drained;
}

Status Runtime::set_current(const void *handle)
{
	Context *context = contexts.get(handle);
	if (!context)
		return set_error(
			Status::NO_CONTEXT,
			"context is not a live context: it was destroyed, or never created");
	thread().context = context->handle.now();
	return Status::OK;
}

std::vector<uint64_t> Runtime::contexts_beside(const Context &context)
{
	std::vector<uint64_t> handles;
	const DeviceState &state = *context.state;
	/* The primary one, if the device is set, and explicit ones: mostly there is one in all. */
	if (state.contexts + (state.references > 0 ? 1 : 0) <= 1) [[likely]]
		return handles;
	std::lock_guard lock(mutex_);
	contexts.for_each([&](const Context &other) {
		if (&other != &context && other.open == context.open)
			handles.push_back(other.handle);
	});
	return handles;
}

DeviceHold Runtime::locate(const void *address, drv::Place &place)
{
	return search(nullptr, address, place);
}

DeviceHold Runtime::locate_beside(const Context &context, const void *address, drv::Place &place)
{
	return search(context.open, address, place);
}

/* @but: an opening that is left out. */
DeviceHold Runtime::search(const OpenDevice *but, const void *address, drv::Place &place)
{
	auto value = reinterpret_cast<uint64_t>(address);
	for (const DeviceState &state : devices_) {
		const OpenDevice *open = state.open_;
		if (!open || open == but)
			continue;
		DeviceHold device(state);
		if (!device)
			continue;
		place = device->space().place(value);
		if (place != drv::Place::OUTSIDE)
			return device;
	}
	place = drv::Place::OUTSIDE;
	return {};
}

} // namespace umd
