// SPDX-License-Identifier: MIT
/**
 * DOC: Barriers of cache operations
 *
 * A barrier of a built model is a notify that only the runtime knows. The stream with the cache operation
 * sets it, and the stream that waits resets it, so each execution of the model finds it reset. It is
 * destroyed with its model.
 */
#include "cache_barrier.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "base/sync/mutex.h"
#include "model.h"
#include "umd/core/event/notify.h"
#include "umd/core/object/notify_object.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;

namespace {

struct Barrier {
	uint64_t model; /* handle of the model */
	uint32_t id;
	Notify *notify;
	bool awaited;
};

struct Barriers {
	base::Mutex mutex{"Barriers::mutex"};
	std::vector<Barrier> all GUARDED_BY(mutex);
};

Barriers &barriers()
{
	return Process::own<Barriers>();
}

} // namespace

static Model *model_of(uint64_t handle)
{
	return Model::table().get(reinterpret_cast<const void *>(handle));
}

/* Removes the barriers for which @gone returns true. Context: no lock held. */
template <class Gone> static void drop_barriers(Gone gone)
{
	std::vector<Notify *> left;
	{
		Barriers &those = barriers();
		std::lock_guard lock(those.mutex);
		std::erase_if(those.all, [&](const Barrier &one) {
			if (!gone(one))
				return false;
			left.push_back(one.notify);
			return true;
		});
	}
	for (Notify *notify : left) {
		{
			/* The graph that used the notify is idle and is destroyed too, so the notify can
			 * be released. */
			std::lock_guard lock(notify->mutex);
			notify->in_graph = false;
		}
		(void)destroy_notify(*notify, Notify::table().pointer(*notify));
	}
}

static void drop_of_model(void *model)
{
	drop_barriers(
		[&](const Barrier &one) { return reinterpret_cast<void *>(one.model) == model; });
}

static Barrier *find(uint64_t model, uint32_t id) REQUIRES(barriers().mutex)
{
	auto &all = barriers().all;
	auto found = std::find_if(all.begin(), all.end(), [&](const Barrier &one) {
		return one.model == model && one.id == id;
	});
	return found == all.end() ? nullptr : &*found;
}

/* Creates the notify of a barrier that the model does not have yet. */
static Result<Notify *> make_barrier(Model &model, const Stream &stream, uint32_t id)
{
	bool first;
	{
		std::lock_guard lock(barriers().mutex);
		if (find(model.handle, id))
			return set_error(Status::INVALID_ARGUMENT,
					 fmt::format("barrierId is {}, which an operation of the "
						     "model has already; take another number",
						     id));
		first = std::none_of(barriers().all.begin(), barriers().all.end(),
				     [&](const Barrier &one) { return one.model == model.handle; });
	}
	if (first)
		TRY(on_model_destroy(model, drop_of_model,
				     reinterpret_cast<void *>(model.handle.now())));
	auto notify = create_notify(*stream.context, false, 0);
	if (!notify)
		return notify;
	std::lock_guard lock(barriers().mutex);
	barriers().all.push_back({model.handle, id, *notify, false});
	return notify;
}

Status add_barrier(Stream &stream, uint32_t id)
{
	/* Models that were destroyed with their context did not remove their barriers, so remove these
	 * here. */
	drop_barriers([](const Barrier &one) { return !model_of(one.model); });
	Model *model = model_of(stream.model.load());
	if (!model)
		return set_error(
			Status::STREAM_MODEL,
			fmt::format("stream {} is bound to no model; $model_bind_stream binds it",
				    stream.id));
	auto notify = TRY(make_barrier(*model, stream, id));
	Status status = record_notify(*notify, stream, UNPU_SIGNAL_SET, 1);
	if (status != Status::OK)
		drop_barriers([&](const Barrier &one) { return one.notify == notify; });
	return status;
}

static Status refuse_awaited(uint32_t id)
{
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("barrierId {} is waited for already; it opens for one wait", id));
}

static Result<Notify *> take_barrier(uint64_t model, uint32_t id)
{
	std::lock_guard lock(barriers().mutex);
	Barrier *barrier = find(model, id);
	if (!barrier)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("no cache operation of the model has barrierId {}; "
					     "call $cmo_async_with_barrier first",
					     id));
	if (barrier->awaited)
		return refuse_awaited(id);
	return barrier->notify;
}

static void mark_awaited(uint64_t model, uint32_t id)
{
	std::lock_guard lock(barriers().mutex);
	if (Barrier *barrier = find(model, id))
		barrier->awaited = true;
}

Status await_barriers(Stream &stream, std::span<const uint32_t> ids)
{
	std::vector<Notify *> notifies;
	uint64_t model = stream.model.load();
	for (uint32_t id : ids) {
		auto notify = TRY(take_barrier(model, id));
		if (std::find(notifies.begin(), notifies.end(), notify) != notifies.end())
			return refuse_awaited(id);
		notifies.push_back(notify);
	}
	for (size_t i = 0; i < ids.size(); i++) {
		unpu_sem_wait wait{};
		wait.op = UNPU_WAIT_GE;
		wait.value = 1;
		wait.flags = UNPU_WAIT_CLEAR;
		TRY(wait_notify(*notifies[i], stream, wait));
		mark_awaited(model, ids[i]);
	}
	return Status::OK;
}

} // namespace umd
