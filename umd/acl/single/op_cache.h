// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/sync/mutex.h"
#include "models/single.h"
#include "umd/acl/offline/offline_model.h"
#include "umd/core/process/process.h"

namespace umd {

/**
 * class OpCache - the compiled operators of the process, those used last first. A model of an operator runs in one
 * stream only, because all runs of a model use one work memory. Context: any thread; it calls nothing with its lock.
 */
class OpCache {
public:
	static OpCache &get() { return Process::own<OpCache>(); }

	/** find() - the model of an operator in the current context; compiles it if there is none.
	 * @stream: handle, or 0: for the stream that wants it first
	 * Return: ACL_ERROR_OP_NOT_FOUND if there is no such operator. */
	aclError find(const models::SingleOp &op, uint64_t stream, const char *call,
		      std::shared_ptr<OfflineModel> &model);

	/** set_most() - how many stay. @most: 1 or more */
	void set_most(uint64_t most);

private:
	struct Entry {
		std::string key; /* with context and stream */
		uint32_t id;	 /* of the model */
	};

	uint32_t look(const std::string &key, const std::string &unclaimed);
	uint32_t add(const std::string &key, uint32_t stale, uint32_t id);
	void drop_oldest();

	base::Mutex mutex_{"OpCache::mutex_"};
	std::list<Entry> entries_ GUARDED_BY(mutex_);
	std::unordered_map<std::string, std::list<Entry>::iterator> places_ GUARDED_BY(mutex_);
	uint64_t most_ GUARDED_BY(mutex_) = 256;
};

/** compile_op() - a new model of an operator. @id: receives its number. Return: as OpCache::find(). */
aclError compile_op(const models::SingleOp &op, const char *call, uint32_t &id);

} // namespace umd
