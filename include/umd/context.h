// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "drv/device.h"
#include "umd/capture_notes.h"
#include "umd/handle.h"
#include "umd/process.h"
#include "umd/settings.h"
#include "umd/stay.h"

namespace umd {

struct DeviceState;
struct OpenDevice;
struct Stream;
struct Model;
class Capture;

/**
 * struct Context - a group of streams and events on one device. The primary one belongs to the
 * device's reference count, explicit ones to the program.
 */
struct Context {
	HandleWord handle;
	DeviceState *state = nullptr;
	OpenDevice *open = nullptr;    /* that it was made on; it does not outlive that */
	drv::Device *opened = nullptr; /* the same */
	bool primary = false;
	bool dying = false;				    /* under Devices::lock() */
	std::atomic<bool> ends{true};			    /* see Stay */
	std::atomic<uint32_t> flags{0};			    /* of the API that uses it */
	std::atomic<base::Status> failed{base::Status::OK}; /* first failure, where it is sticky */
	Settings<OPTIONS> options;
	uint32_t group = 0; /* its channels stop together */
	std::atomic<bool> stops_on_failure{false};

	base::Mutex mutex{"Context::mutex"};	       /* protects the following */
	std::atomic<Stream *> default_stream{nullptr}; /* made on first use */
	std::vector<Stream *> streams;		       /* with the default stream */
	std::atomic<uint32_t> detached{0};	       /* of them */
	std::vector<drv::Fence> entry;		       /* streams made later wait for these */
	std::vector<Capture *> captures;	       /* active ones, under Capture::lock() */
	std::atomic<uint32_t> capture_count{0};
	CaptureNotes notes;

	drv::Device &device() const { return *opened; }

	using Table = HandleTable<Context, Kind::CONTEXT>;
	/** table() - all there are. */
	static Table &table();
};

inline Context::Table &Context::table()
{
	return Process::own<Table>();
}

/** class ContextHold - keeps a context and its device, by a hazard pointer, or holds nothing. Context:
 * any thread makes one, and the same thread drops it; it does not end the context meanwhile. */
class ContextHold {
public:
	ContextHold() = default;
	/** ContextHold() - holds nothing where the context has ended. */
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

/** default_stream() - the context's default stream. Return: NO_RESOURCE. */
base::Result<Stream *> default_stream(Context &context);

/** wait_context() - waits for all streams of the context.
 * @spin: false sleeps at once.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, the first failure of a stream. */
base::Status wait_context(Context &context, uint64_t deadline_ns, bool spin = true);

/** wait_work() - waits for what the streams have to do now; failures are left to be reported. Context:
 * the context is held. Return: STREAM_TIMEOUT, DEVICE_LOST. */
base::Status wait_work(Context &context, uint64_t deadline_ns, bool spin = true);

/** wait_device() - waits for all streams of all contexts that the process has on the context's device.
 * Failures of the other contexts are left to be reported there, and captures there do no harm.
 * Return: as wait_context(). */
base::Status wait_device(Context &context, uint64_t deadline_ns);

/** struct Tails - what the streams of a context have to do at one moment. */
struct Tails {
	std::vector<drv::Fence> fences; /* the last one of each stream that runs its tasks */
	/* A gate waits for room in a full ring: ask again when the fences have passed. */
	bool left_out = false;
};

/** tails_of() - never blocks. */
Tails tails_of(Context &context);

/** visit_streams() - calls @visit for those of @streams that the context still has, one after the other,
 * without a lock; none of them ends meanwhile. */
void visit_streams(Context &context, const std::vector<Stream *> &streams,
		   const std::function<void(Stream &)> &visit);

/** drain_context() - waits for what the streams have to do now; failures are left to be reported.
 * Context: no lock held, and something keeps the device open.
 * Return: STREAM_TIMEOUT when the streams stood still for minutes and lost what they had to do,
 * DEVICE_LOST when the device did not even drop it; with the sentence. */
base::Status drain_context(Context &context);

/** drain_by_force() - the same, but streams that stand still for seconds lose their tasks, which is no
 * error. Context: no lock held. Return: DEVICE_LOST. */
base::Status drain_by_force(Context &context);

/** check_unsafe() - whether the calling thread may make an unsafe call now.
 * Return: CAPTURE_MODE when a capture forbids it. */
base::Status check_unsafe(Context &context, const char *call);

/** empty_context() - destroys the context's streams; what they have still to do is dropped. Callers that
 * want it done drain the context first. */
void empty_context(Context &context);

} // namespace umd
