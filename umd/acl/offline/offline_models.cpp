// SPDX-License-Identifier: MIT
/**
 * DOC: Numbers of models
 *
 * The models of the process by their numbers. A thread that runs a model keeps it, so another may unload it meanwhile.
 */
#include "offline_models.h"

#include <mutex>

#include "umd/core/context/contexts.h"

namespace umd {

void OfflineModels::add(const std::shared_ptr<OfflineModel> &model)
{
	Contexts::get().on_end(drop);
	const std::lock_guard lock(mutex_);
	models_[model->id()] = model;
}

std::shared_ptr<OfflineModel> OfflineModels::find(uint32_t id)
{
	const std::lock_guard lock(mutex_);
	const auto at = models_.find(id);
	return at == models_.end() ? nullptr : at->second;
}

std::shared_ptr<OfflineModel> OfflineModels::take(uint32_t id)
{
	const std::lock_guard lock(mutex_);
	const auto at = models_.find(id);
	if (at == models_.end())
		return nullptr;
	auto model = std::move(at->second);
	models_.erase(at);
	return model;
}

std::vector<std::shared_ptr<OfflineModel>> OfflineModels::all()
{
	const std::lock_guard lock(mutex_);
	std::vector<std::shared_ptr<OfflineModel>> models;
	models.reserve(models_.size());
	for (const auto &[id, model] : models_)
		models.push_back(model);
	return models;
}

void OfflineModels::drop(uint64_t context)
{
	OfflineModels &mine = get();
	for (const auto &model : mine.all())
		if (model->is_of(context))
			(void)mine.take(model->id());
}

} // namespace umd
