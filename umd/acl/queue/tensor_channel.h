// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "item_ring.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

constexpr size_t CHANNEL_NAME_BYTES = 128; /* size with the terminating zero */
constexpr size_t CHANNEL_SETS = 128;	   /* default capacity */
constexpr size_t CHANNEL_SETS_MIN = 2;
constexpr size_t CHANNEL_SETS_MAX = 8192;

/** struct TensorItem - a tensor or a message about tensors, with its data. */
struct TensorItem {
	int32_t kind = 0; /* enum acltdtTensorType */
	int32_t type = 0; /* enum aclDataType */
	std::vector<int64_t> dims;
	std::vector<std::byte> data;
	size_t slices = 0; /* number of slices of the whole tensor; 0 if this is not a slice */
	size_t slice = 0;
};

using TensorSet = std::vector<TensorItem>;

/** struct TensorPipe - the ring that all channels of one name and device share. */
struct TensorPipe {
	TensorPipe(uint32_t of_device, std::string called, size_t sets)
		: device(of_device), name(std::move(called)), capacity(sets), ring(sets)
	{
	}

	const uint32_t device;
	const std::string name;
	const size_t capacity; /* capacity of the ring */
	base::Mutex mutex{"TensorPipe::mutex"};
	base::Bell changed GUARDED_BY(mutex);
	ItemRing<TensorSet> ring GUARDED_BY(mutex);
	bool stopped GUARDED_BY(mutex) = false;
};

/** struct TensorChannel - the program's handle on one end of a pipe. */
struct TensorChannel {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	std::shared_ptr<TensorPipe> pipe;
};

/**
 * class TensorChannels - named rings of sets of tensors. Channels of one device and name are ends of one
 * pipe: a set sent into one of them can be received from any of them. Context: any thread. The functions set
 * the error message; those with a handle return NULL_POINTER for a null handle, and INVALID_HANDLE for an unknown one.
 */
class TensorChannels {
public:
	static TensorChannels &get() { return Process::own<TensorChannels>(); }

	/** open() - opens a channel. @sets: capacity; 0: the capacity of the existing pipe, or the default
	 * for a new one.
	 * Return: INVALID_ARGUMENT if the pipe exists with another capacity; NO_RESOURCE. */
	base::Result<void *> open(uint32_t device, const char *name, size_t sets);
	/** close() - the last close of a pipe drops its sets. Waiting calls return QUEUE_STOPPED. */
	base::Status close(const void *handle);
	/** stop() - ends sending and receiving on all channels of the pipe. */
	base::Status stop(const void *handle);
	/** clean() - drops the sets in the pipe. */
	base::Status clean(const void *handle);

	/** send() - sends a set. @deadline_ns: 0 does not wait. Return: QUEUE_FULL, QUEUE_STOPPED. */
	base::Status send(const void *handle, TensorSet set, uint64_t deadline_ns);
	/** receive() - receives a set. @name: out, name of the pipe. Return: QUEUE_EMPTY, QUEUE_STOPPED. */
	base::Status receive(const void *handle, TensorSet &set, std::string &name,
			     uint64_t deadline_ns);
	base::Status size(const void *handle, size_t *sets);

private:
	base::Result<std::shared_ptr<TensorPipe>> find(const void *handle);

	base::Mutex mutex_{"TensorChannels::mutex_"};
	HandleTable<TensorChannel, Kind::CHANNEL> channels_ GUARDED_BY(mutex_);
	std::map<std::pair<uint32_t, std::string>, std::weak_ptr<TensorPipe>> pipes_
		GUARDED_BY(mutex_);
};

} // namespace umd
