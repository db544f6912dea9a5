// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL drawings of models, and notes on their tasks
 */
#include <cstring>

#include "acl/acl.h"
#include "base/os/calls/transfers.h"
#include "umd/acl/front.h"
#include "umd/core/capture/capture.h"
#include "umd/core/graph/graph_draw.h"
#include "umd/core/model/model.h"
#include "umd/core/process/thread_state.h"

using base::Status;
using umd::acl_return;
using umd::Model;
using umd::null_argument;
using umd::set_error;
using umd::ThreadState;

static constexpr size_t INFO_BYTES_MAX = 64u << 10;
static constexpr size_t TEXT_BYTES_MAX = 4u << 10;

static std::string draw(umd::Model &model, umd::Drawing form, bool verbose) REQUIRES(model.lock)
{
	umd::DrawOptions options;
	options.exec = model.exec.get();
	options.verbose = verbose;
	options.name = model.name.empty() ? fmt::format("model {}", model.id) : model.name;
	options.note = [&](const umd::Graph &graph, uint32_t node) {
		auto note = &graph == model.graph ? model.notes.find(node) : model.notes.end();
		return note == model.notes.end() ? std::string() : note->second.text;
	};
	return umd::draw_graph(*model.graph, form, options);
}

/* A program that prints a model usually wants the times of its nodes, so the model records them from
 * its next execution on. */
static Status check_drawable(umd::Model &model) REQUIRES(model.lock)
{
	TRY(umd::require_ready(model));
	if (model.parent)
		return set_error(Status::NOT_SUPPORTED,
				 "the model belongs to a conditional task; print the one that was "
				 "captured");
	return model.exec->keep_times();
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI)
{
	auto model = TRY(umd::find_model(modelRI));
	base::BiasedGuard lock(model->lock);
	Status status = check_drawable(*model);
	if (status == Status::OK)
		base::calls::warn(draw(*model, umd::Drawing::DOT, true));
	return acl_return(status);
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags)
{
	if (!path)
		return acl_return(null_argument("path"));
	auto model = TRY(umd::find_model(modelRI));
	if (flags > ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("flags is {}; it must be 0 (summary) or 1 (verbose)", flags)));
	base::BiasedGuard lock(model->lock);
	TRY(check_drawable(*model));
	return acl_return(umd::write_file(path, draw(*model, umd::Drawing::TRACE, flags != 0)));
}

/* Calls @write with the note on the task that the calling thread captured last. */
template <class Write> static Status write_last_note(const Write &write)
{
	const umd::LastTask &last = ThreadState::mine().last_task;
	umd::Model *model = Model::table().get(reinterpret_cast<void *>(last.model));
	if (!model)
		return set_error(Status::INVALID_ARGUMENT,
				 "the calling thread has captured no task of a live model; launch "
				 "one in a stream that captures first");
	base::BiasedGuard lock(model->lock);
	write(model->notes[last.node]);
	return Status::OK;
}

static Status check_size(const char *name, size_t bytes, size_t most)
{
	if (bytes > 0 && bytes <= most)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} is {}; it must be 1 to {}", name, bytes, most));
}

aclError aclrtCacheLastTaskOpInfo(const void *const infoPtr, const size_t infoSize)
{
	if (!infoPtr)
		return acl_return(null_argument("infoPtr"));
	TRY(check_size("infoSize", infoSize, INFO_BYTES_MAX));
	const auto *bytes = static_cast<const std::byte *>(infoPtr);
	return acl_return(write_last_note(
		[&](umd::TaskNote &note) { note.info.assign(bytes, bytes + infoSize); }));
}

aclError aclrtCacheLastTaskExtendInfo(const char *const extendInfoPtr, const size_t infoSize)
{
	if (!extendInfoPtr)
		return acl_return(null_argument("extendInfoPtr"));
	TRY(check_size("infoSize", infoSize, SIZE_MAX));
	const size_t bytes = strnlen(extendInfoPtr, std::min(infoSize, TEXT_BYTES_MAX));
	return acl_return(write_last_note(
		[&](umd::TaskNote &note) { note.text.assign(extendInfoPtr, bytes); }));
}
