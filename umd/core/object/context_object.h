// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/status.h"
#include "base/sync/mutex.h"
#include "umd/core/handle/handle.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/object/fence_set.h"
#include "umd/core/process/process.h"
#include "umd/core/process/settings.h"
#include "umd/core/task/capture_notes.h"

namespace drv {
class Device;
} // namespace drv

namespace umd {

struct DeviceState;
struct OpenDevice;
struct Stream;
struct Model;
class CaptureSink;

/** struct EntryWait - something that all streams created later wait for. */
struct EntryWait {
	drv::Fence fence;    /* empty: the fence has passed */
	uint64_t traced = 0; /* number of a point in the trace; 0: none */
};

/**
 * struct Context - a group of streams and events on one device. The device's reference count owns the
 * primary context; the program owns explicit contexts.
 */
struct Context {
	HandleWord handle;
	DeviceState *state = nullptr;
	/* the opening of the device on which the context was made; it outlives the context */
	OpenDevice *open = nullptr;
	drv::Device *opened = nullptr; /* the device of that opening */
	bool is_primary = false;
	bool is_dying = false;	      /* under Devices::mutex() */
	std::atomic<bool> ends{true}; /* the mark that a HazardGuard checks */
	/* flags of the front end that uses the context */
	std::atomic<uint32_t> flags{0};
	/* the first failure, if the context stops on failure */
	std::atomic<base::Status> failed{base::Status::OK};
	Settings<OPTIONS> options;
	Settings<CONTEXT_LIMITS> limits;
	uint32_t group = 0; /* number; the channels of a group stop together on a failure */
	std::atomic<bool> stops_on_failure{false};

	base::Mutex mutex{"Context::mutex"};
	std::atomic<Stream *> default_stream{nullptr};	 /* made on first use */
	std::vector<Stream *> streams GUARDED_BY(mutex); /* including the default stream */
	/* number of detached streams in @streams */
	std::atomic<uint32_t> detached{0};
	/* streams created later wait for these fences */
	std::vector<EntryWait> entry GUARDED_BY(mutex);
	/* Fences of the default stream for which streams that take turns with it wait when they are created. */
	FenceSet turn GUARDED_BY(mutex);
	std::vector<CaptureSink *> captures; /* active captures; under TaskSink::mutex */
	std::atomic<uint32_t> capture_count{0};
	CaptureNotes notes;

	drv::Device &device() const { return *opened; }

	using Table = HandleTable<Context, Kind::CONTEXT>;
	/** table() - all contexts of the process. */
	static Table &table();
};

inline Context::Table &Context::table()
{
	return Process::own<Table>();
}

/** chosen_device() - the device of the calling thread's context, or 0 if it has none. */
int32_t chosen_device();

/** class ContextHold - keeps a context and its device with a hazard pointer, or is empty. Context: the thread
 * that made it drops it. Meanwhile this thread does not end the context. */
class ContextHold {
public:
	ContextHold() = default;
	/** ContextHold() - holds @context; empty if it has ended. */
	explicit ContextHold(Context &context)
	{
		pointer_.set(&context);
		if (!context.ends.load()) [[likely]]
			context_ = &context;
		else
			pointer_.clear();
	}
	ContextHold(ContextHold &&other) noexcept
		: pointer_(std::move(other.pointer_)),
		  context_(std::exchange(other.context_, nullptr))
	{
	}

	ContextHold &operator=(ContextHold &&other) noexcept
	{
		pointer_ = std::move(other.pointer_);
		context_ = std::exchange(other.context_, nullptr);
		return *this;
	}

	explicit operator bool() const { return context_ != nullptr; }
	Context &operator*() const { return *context_; }
	Context *operator->() const { return context_; }
	Context *get() const { return context_; }

private:
	HazardPointer pointer_;
	Context *context_ = nullptr;
};

} // namespace umd
