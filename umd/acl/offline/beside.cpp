// SPDX-License-Identifier: MIT
/**
 * DOC: Runs of a model at once
 *
 * All runs of a model use its work memory. The runtime lets runs follow each other; other implementations refuse two at
 * once, or compute something wrong. Graphs that captured a run follow nobody, so here, too, they have to be ordered by
 * the program. Strict mode names what is certainly not ordered: the stream has nothing to do that could wait for the
 * other run.
 */
#include "beside.h"

#include "drv/device.h"
#include "offline_models.h"
#include "umd/acl/model/graph_watch.h"
#include "umd/core/model/model.h"

namespace umd {

using base::Status;

/* A wait for the other run would end after it, so it is looked for first. */
bool runs_beside(Stream &stream, const drv::Fence &end)
{
	const drv::Channel &channel = *stream.channel;
	if (end.empty() || end.sem == channel.timeline())
		return false;
	if ((stream.attention.load() & Stream::GATED) != 0 || channel.may_wait())
		return false;
	return !stream.context->device().done(end);
}

static std::shared_ptr<GraphExec> graph_of(Model &model)
{
	const base::BiasedGuard lock(model.lock);
	return model.exec;
}

static Status check_graph(Model &model, Stream &stream)
{
	const auto exec = graph_of(model);
	for (const auto &each : OfflineModels::get().all())
		if (exec && each->is_in(exec->graph()))
			TRY(each->check_graph(stream));
	return Status::OK;
}

static void note_graph(Model &model, const Stream &stream, const drv::Fence &end)
{
	const auto exec = graph_of(model);
	for (const auto &each : OfflineModels::get().all())
		if (exec && each->is_in(exec->graph()))
			each->note_graph(stream, end);
}

void watch_graphs()
{
	GraphWatch::get().set(check_graph, note_graph);
}

} // namespace umd
