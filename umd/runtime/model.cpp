// SPDX-License-Identifier: MIT
/**
 * DOC: Model
 *
 * A captured graph that the device keeps. An execution is one packet; the streams that took part in
 * the capture are ordered against it on both sides, by fences and only where work is pending.
 */
#include "umd/model.h"

#include <fmt/format.h>

#include "drv/cookie.h"
#include "drv/packets.h"
#include "umd/capture.h"
#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Status;

static constexpr uint64_t DESTROY_WAIT_NS = 10 * base::NS_PER_S;

/* Calls @visit for each member stream that still exists and is not @launching. */
template <class F> static void for_members(const Model &model, const Stream &launching, F visit)
{
	for (uint64_t handle : model.members) {
		Stream *stream = Runtime::get().streams.get(reinterpret_cast<void *>(handle));
		if (stream && stream != &launching && stream->context)
			visit(*stream);
	}
}

static Status check_execute(const Model &model, const Stream &stream)
{
	if (model.state == Model::State::CAPTURING)
		return set_error(
			Status::MODEL_CAPTURED,
			"the model is still being captured; call aclmdlRICaptureEnd first");
	if (model.context != stream.context || model.context_handle != stream.context->handle)
		return set_error(Status::MODEL_CONTEXT,
				 "the model belongs to another context than the stream");
	if (model.state != Model::State::READY)
		return set_error(Status::MODEL_NOT_READY, "the model is not ready");
	if (capturing(stream))
		return set_error(Status::STREAM_CAPTURED,
				 "the stream captures; a model can't be executed on it");
	if (collects(stream))
		return set_error(Status::INVALID_ARGUMENT,
				 "the stream collects tasks for a model; a model can't be executed "
				 "on it");
	return Status::OK;
}

Status execute_model(Model &model, Stream &stream)
{
	unpu_packet packet;
	{
		std::lock_guard lock(model.mutex);
		TRY(check_execute(model, stream));
		auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::EXECUTE_MODEL));
		packet = model.graph ? drv::graph_packet(cookie, model.graph)
				     : drv::nop_packet(cookie);
	}
	drv::Device &device = stream.context->device();
	for_members(model, stream, [&](Stream &member) {
		auto tail = stream_tail(member);
		if (tail && !device.done(*tail))
			add_gate(stream, *tail);
	});
	/* Outside the model's lock: a full ring may block for long. */
	auto fence = submit(stream, packet);
	if (!fence)
		return fence.status();
	for_members(model, stream, [&](Stream &member) { add_gate(member, *fence); });
	std::lock_guard lock(model.mutex);
	model.last = *fence;
	return Status::OK;
}

Status destroy_model(Model &model)
{
	std::lock_guard lock(model.mutex);
	if (model.state == Model::State::CAPTURING)
		return set_error(
			Status::MODEL_CAPTURED,
			"the model is still being captured; call aclmdlRICaptureEnd first");
	if (drv::Device *device = model.device.get()) {
		if (device->wait(model.last, base::deadline_after(DESTROY_WAIT_NS)) != Status::OK)
			return set_error(
				Status::MODEL_RUNNING,
				"the model still runs after 10 seconds; synchronise its stream");
		if (model.graph)
			(void)device->unload_graph(model.graph);
		for (uint64_t call : model.calls)
			model.device.state->calls->remove(call);
	}
	Runtime::get().models.destroy(model);
	return Status::OK;
}

} // namespace umd
