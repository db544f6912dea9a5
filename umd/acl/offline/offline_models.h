// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/sync/mutex.h"
#include "offline_model.h"

namespace umd {

/** class OfflineModels - the loaded models of the process. Context: any thread; it calls nothing with its lock. */
class OfflineModels {
public:
	static OfflineModels &get() { return Process::own<OfflineModels>(); }

	/** add() - from now on the model ends with its context. */
	void add(const std::shared_ptr<OfflineModel> &model);

	/** find(), take() - the model of @id, or nullptr. take() also takes it out. */
	std::shared_ptr<OfflineModel> find(uint32_t id);
	std::shared_ptr<OfflineModel> take(uint32_t id);

	/** all() - the present ones. */
	std::vector<std::shared_ptr<OfflineModel>> all();

	/** drop() - ends the models of a context that has ended. @context: its handle. Context: no lock is held. */
	static void drop(uint64_t context);

private:
	base::Mutex mutex_{"OfflineModels::mutex_"};
	std::map<uint32_t, std::shared_ptr<OfflineModel>> models_ GUARDED_BY(mutex_);
};

} // namespace umd
