// SPDX-License-Identifier: MIT
/**
 * DOC: Contexts that a graph needs
 *
 * Memory of a context that has ended may belong to another context, so a graph that uses such memory must not
 * run. The set is small, however many nodes the graph has.
 */
#include "context_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "contexts.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;

/* Nodes that follow each other mostly need the same context. */
void ContextSet::add(uint64_t context)
{
	if (context == 0 || (!handles_.empty() && handles_.back() == context))
		return;
	if (std::find(handles_.begin(), handles_.end(), context) == handles_.end())
		handles_.push_back(context);
}

static Status refuse_ended(uint64_t context)
{
	return set_error(
		Status::CONTEXT_DYING,
		fmt::format("a node of the graph, or memory that it uses, belongs to context "
			    "{:#x}, which was destroyed; make the graph again in a live context",
			    context));
}

/* Return: one of the contexts that has ended; 0 if there is none. */
uint64_t ContextSet::ended() const
{
	for (uint64_t context : handles_) {
		if (!Context::table().get(reinterpret_cast<const void *>(context)))
			return context;
	}
	return 0;
}

Status ContextSet::check() const
{
	const uint64_t context = ended();
	return context == 0 ? Status::OK : refuse_ended(context);
}

Status ContextSet::hold(const Context &kept, std::vector<ContextHold> &holds) const
{
	for (uint64_t context : handles_) {
		if (kept.handle.now() == context) [[likely]]
			continue;
		holds.push_back(Contexts::hold_context(context));
		if (!holds.back())
			return refuse_ended(context);
	}
	return Status::OK;
}

} // namespace umd
