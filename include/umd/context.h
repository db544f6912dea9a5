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
class CaptureSink;

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
	std::vector<CaptureSink *> captures;	       /* active ones, under TaskSink::lock() */
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

} // namespace umd
