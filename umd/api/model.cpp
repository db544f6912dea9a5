// SPDX-License-Identifier: MIT
/**
 * DOC: Drawing models
 */
#include <fmt/format.h>

#include "unpu/unpu.h"

#include "umd/core/graph/graph_draw.h"
#include "umd/core/model/model.h"
#include "umd/core/process/error.h"

using base::Status;

static unpu_result result(Status status)
{
	return static_cast<unpu_result>(status);
}

static Status draw(const void *handle, const char *path, uint32_t form)
{
	auto model = TRY(umd::find_model(handle));
	if (form > UNPU_DRAW_TRACE)
		return umd::set_error(
			Status::INVALID_ENUM,
			fmt::format(
				"form is {}; it must be UNPU_DRAW_DOT (0), UNPU_DRAW_SVG (1) or "
				"UNPU_DRAW_TRACE (2)",
				form));
	base::BiasedGuard lock(model->lock);
	TRY(umd::require_ready(*model));
	umd::DrawOptions options;
	options.verbose = true;
	options.name = model->name.empty() ? fmt::format("model {}", model->id) : model->name;
	if (model->exec) {
		TRY(model->exec->keep_times());
		options.exec = model->exec.get();
	}
	return umd::write_file(
		path, umd::draw_graph(*model->graph, static_cast<umd::Drawing>(form), options));
}

unpu_result unpu_model_draw(const void *model, const char *path, uint32_t form)
{
	if (!path)
		return result(umd::set_error(Status::NULL_POINTER, "path is NULL"));
	return result(draw(model, path, form));
}
