// SPDX-License-Identifier: MIT
/**
 * DOC: Channels of tensors
 *
 * A pipe is a ring of sets of tensors with copies of their data. It lives as long as one of its channels.
 */
#include "tensor_channel.h"

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

Result<std::shared_ptr<TensorPipe>> TensorChannels::find(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "handle is NULL");
	std::lock_guard lock(mutex_);
	TensorChannel *channel = channels_.get(handle);
	if (!channel)
		return set_error(
			Status::INVALID_HANDLE,
			fmt::format("handle {} is not a live channel: it was destroyed, or "
				    "is something else",
				    fmt::ptr(handle)));
	return channel->pipe;
}

Result<void *> TensorChannels::open(uint32_t device, const char *name, size_t sets)
{
	std::lock_guard lock(mutex_);
	std::weak_ptr<TensorPipe> &known = pipes_[{device, name}];
	std::shared_ptr<TensorPipe> pipe = known.lock();
	if (pipe && sets != 0 && pipe->capacity != sets)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("capacity is {}; channel '{}' of device {} was created "
				    "with {}",
				    sets, name, device, pipe->capacity));
	if (!pipe) {
		pipe = std::make_shared<TensorPipe>(device, name, sets ? sets : CHANNEL_SETS);
		known = pipe;
	}
	TensorChannel *channel = channels_.create();
	if (!channel)
		return set_error(Status::NO_RESOURCE, "there are too many channels; destroy some");
	channel->pipe = std::move(pipe);
	return channels_.pointer(*channel);
}

Status TensorChannels::close(const void *handle)
{
	auto pipe = TRY(find(handle));
	std::lock_guard lock(mutex_);
	TensorChannel *channel = channels_.get(handle);
	if (!channel)
		return set_error(Status::INVALID_HANDLE,
				 "handle is being destroyed elsewhere; destroy it once");
	channel->pipe.reset();
	channels_.destroy(*channel);
	bool last = true;
	channels_.for_each([&](TensorChannel &other) { last = last && other.pipe != pipe; });
	if (!last)
		return Status::OK;
	pipes_.erase({pipe->device, pipe->name});
	std::lock_guard inside(pipe->mutex);
	pipe->stopped = true;
	pipe->changed.ring();
	return Status::OK;
}

Status TensorChannels::stop(const void *handle)
{
	auto pipe = TRY(find(handle));
	std::lock_guard lock(pipe->mutex);
	pipe->stopped = true;
	pipe->changed.ring();
	return Status::OK;
}

Status TensorChannels::clean(const void *handle)
{
	auto pipe = TRY(find(handle));
	std::lock_guard lock(pipe->mutex);
	while (!pipe->ring.empty())
		pipe->ring.pop();
	pipe->changed.ring();
	return Status::OK;
}

static Status stopped(const TensorPipe &pipe)
{
	return set_error(Status::QUEUE_STOPPED,
			 fmt::format("channel '{}' of device {} was stopped; destroy it and create "
				     "it again",
				     pipe.name, pipe.device));
}

Status TensorChannels::send(const void *handle, TensorSet set, uint64_t deadline_ns)
{
	auto found = TRY(find(handle));
	TensorPipe &pipe = *found;
	std::unique_lock lock(pipe.mutex);
	while (!pipe.stopped && pipe.ring.full()) {
		if (!pipe.changed.wait(lock, deadline_ns))
			return set_error(Status::QUEUE_FULL,
					 fmt::format("channel '{}' of device {} is full: it has {} "
						     "sets; acltdtReceiveTensor takes one out",
						     pipe.name, pipe.device, pipe.ring.size()));
	}
	if (pipe.stopped)
		return stopped(pipe);
	pipe.ring.push(std::move(set));
	pipe.changed.ring();
	return Status::OK;
}

Status TensorChannels::receive(const void *handle, TensorSet &set, std::string &name,
			       uint64_t deadline_ns)
{
	auto found = TRY(find(handle));
	TensorPipe &pipe = *found;
	std::unique_lock lock(pipe.mutex);
	while (!pipe.stopped && pipe.ring.empty()) {
		if (!pipe.changed.wait(lock, deadline_ns))
			return set_error(Status::QUEUE_EMPTY,
					 fmt::format("channel '{}' of device {} is empty; "
						     "acltdtSendTensor puts a set in",
						     pipe.name, pipe.device));
	}
	if (pipe.stopped)
		return stopped(pipe);
	set = pipe.ring.pop();
	name = pipe.name;
	pipe.changed.ring();
	return Status::OK;
}

Status TensorChannels::size(const void *handle, size_t *sets)
{
	auto pipe = TRY(find(handle));
	std::lock_guard lock(pipe->mutex);
	*sets = pipe->ring.size();
	return Status::OK;
}

} // namespace umd
