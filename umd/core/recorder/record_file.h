// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "base/os/shm.h"
#include "base/result.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"

namespace umd::recorder {

/**
 * class RecordFile - the trace file of this process, mapped and written by many threads at once.
 *
 * Context: any thread. Threads append without a lock, except when the file has to grow.
 */
class RecordFile {
public:
	/** create() - makes the file, which must not exist, and writes its head.
	 * Return: BAD_FILE, NO_MEMORY; ALREADY_INITIALISED if the file exists. */
	static base::Result<std::unique_ptr<RecordFile>> create(const std::string &path);

	/** reserve() - reserves the next @bytes bytes of the file, a multiple of 8. They are a hole (see
	 * san/trace/record.h) until the caller replaces their first word.
	 * Return: nullptr if the file can't grow; all later calls then return nullptr, too. */
	uint64_t *reserve(uint32_t bytes);

	/** replace_first() - replaces the first record of the file. It works even if the file can't grow.
	 * @bytes: length of the new record */
	void replace_first(const void *record, size_t bytes);

	/** has_failed() - whether a reserve() has returned nullptr. */
	bool has_failed() const { return base::load_relaxed(has_failed_) != 0; }

private:
	RecordFile(base::Fd fd, base::Mapping memory)
		: fd_(std::move(fd)), memory_(std::move(memory))
	{
	}
	[[gnu::noinline]] bool grow(uint64_t end);
	bool extend(uint64_t end) REQUIRES(mutex_);
	void map_pages(uint64_t end) REQUIRES(mutex_);

	base::Fd fd_;
	base::Mapping memory_;
	alignas(64) uint64_t tail_ = 0;	 /* atomic: offset of the next record */
	alignas(64) uint64_t ready_ = 0; /* atomic: length of the file */
	uint32_t has_failed_ = 0;	 /* atomic */
	base::Mutex mutex_{"RecordFile::mutex_"};
	uint64_t mapped_ GUARDED_BY(mutex_) = 0; /* the pages before this offset are not mapped */
};

} // namespace umd::recorder
