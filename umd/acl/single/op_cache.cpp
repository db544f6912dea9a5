// SPDX-License-Identifier: MIT
/**
 * DOC: Compiled operators
 *
 * One model for each operator that a program has called, with its shapes, types, attributes and constants. The models
 * end with their context, as those of files do; an entry whose model has ended is replaced when it is wanted.
 */
#include "op_cache.h"

#include <mutex>

#include <fmt/format.h>

#include "op_call.h"
#include "umd/acl/offline/failure.h"
#include "umd/acl/offline/offline_models.h"
#include "umd/core/context/contexts.h"

namespace umd {

namespace {

aclError refuse_op(const models::Problems &problems)
{
	std::string text;
	for (const models::Problem &problem : problems.list())
		text += (text.empty() ? "" : "; ") + problem.text;
	return REFUSE(ACL_ERROR_OP_NOT_FOUND, std::move(text));
}

} // namespace

aclError compile_op(const models::SingleOp &op, const char *call, uint32_t &id)
{
	LoadRequest request{call};
	TRY_CODE(find_library(request.source.library));
	models::Problems problems;
	models::CompileOptions options;
	models::om::Face face;
	options.name = op.type;
	auto graph = request.source.library->compile_single(op, options, face, problems);
	if (!graph)
		return refuse_op(problems);
	return OfflineModel::adopt(request, std::move(graph), std::move(face), &id);
}

/* An operator that was compiled without a stream becomes that of the stream which first wants it.
 * Return: the number of the model, or 0 */
uint32_t OpCache::look(const std::string &key, const std::string &unclaimed)
{
	const std::lock_guard lock(mutex_);
	auto at = places_.find(key);
	if (at == places_.end() && (at = places_.find(unclaimed)) != places_.end()) {
		const auto entry = at->second;
		places_.erase(at);
		entry->key = key;
		at = places_.emplace(key, entry).first;
	}
	if (at == places_.end())
		return 0;
	entries_.splice(entries_.begin(), entries_, at->second);
	return at->second->id;
}

/* Another thread may have been as quick, and is running its model. @stale: the model that was found to have ended, or 0
 * Return: the number of the model of this key */
uint32_t OpCache::add(const std::string &key, uint32_t stale, uint32_t id)
{
	const std::lock_guard lock(mutex_);
	const auto at = places_.find(key);
	if (at != places_.end() && at->second->id != stale)
		return at->second->id;
	if (at != places_.end())
		return at->second->id = id;
	entries_.push_front({key, id});
	places_.emplace(key, entries_.begin());
	return id;
}

void OpCache::drop_oldest()
{
	for (;;) {
		uint32_t id = 0;
		{
			const std::lock_guard lock(mutex_);
			if (entries_.size() <= most_)
				return;
			id = entries_.back().id;
			places_.erase(entries_.back().key);
			entries_.pop_back();
		}
		(void)OfflineModel::unload(id);
	}
}

void OpCache::set_most(uint64_t most)
{
	{
		const std::lock_guard lock(mutex_);
		most_ = most;
	}
	drop_oldest();
}

aclError OpCache::find(const models::SingleOp &op, uint64_t stream, const char *call,
		       std::shared_ptr<OfflineModel> &model)
{
	auto context = TRY(Contexts::get().current());
	const uint64_t home = context->handle.now();
	const std::string text = key_of(op);
	const std::string key = fmt::format("{:x}/{:x}/{}", home, stream, text);
	const uint32_t known = look(key, fmt::format("{:x}/0/{}", home, text));
	model = OfflineModels::get().find(known);
	if (model)
		return ACL_SUCCESS;
	uint32_t made = 0;
	TRY_CODE(compile_op(op, call, made));
	const uint32_t id = add(key, known, made);
	if (id != made)
		(void)OfflineModel::unload(made);
	drop_oldest();
	return OfflineModel::find(id, model);
}

} // namespace umd
