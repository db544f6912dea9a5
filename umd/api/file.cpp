// SPDX-License-Identifier: MIT
/**
 * DOC: Files and device memory
 */
#include "unpu/file.h"

#include "api.h"
#include "base/sync/ordering.h"
#include "uapi/packet.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/copy/file.h"
#include "umd/core/stream/stream.h"

using base::Status;
using umd::Contexts;
using umd::set_error;
using umd::to_result;

static_assert(sizeof(unpu_file_progress) == sizeof(unpu_file_state));
static_assert(offsetof(unpu_file_progress, total) == offsetof(unpu_file_state, total));
static_assert(offsetof(unpu_file_progress, status) == offsetof(unpu_file_state, status));
static_assert(offsetof(unpu_file_progress, error) == offsetof(unpu_file_state, error));

static Status add(int fd, uint32_t flags, unpu_file *file)
{
	if (!file)
		return set_error(Status::NULL_POINTER, "file is NULL");
	if (flags > UNPU_FILE_DIRECT || flags == (UNPU_FILE_BUFFERED | UNPU_FILE_DIRECT))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("flags is {:#x}; it must be 0, UNPU_FILE_BUFFERED (1) "
					     "or UNPU_FILE_DIRECT (2)",
					     flags));
	auto context = TRY(Contexts::get().current());
	auto way = flags == UNPU_FILE_BUFFERED ? umd::CacheMode::BUFFERED
		   : flags == UNPU_FILE_DIRECT ? umd::CacheMode::DIRECT
					       : umd::CacheMode::ANY;
	auto made = TRY(umd::register_file(*context, fd, way));
	*file = reinterpret_cast<unpu_file>(made->handle.now());
	return Status::OK;
}

unpu_result unpu_file_register(int fd, uint32_t flags, unpu_file *file)
{
	return to_result(add(fd, flags, file));
}

unpu_result unpu_file_unregister(unpu_file file)
{
	auto found = umd::find_file(file);
	if (!found)
		return to_result(found.status());
	if (!umd::unregister_file(**found, file))
		return to_result(umd::find_file(file).status());
	return 0;
}

unpu_result unpu_file_get_info(unpu_file file, struct unpu_file_info *out)
{
	Status status = umd::check_size(out, "unpu_file_info");
	if (status != Status::OK)
		return to_result(status);
	auto found = umd::find_file(file);
	if (!found)
		return to_result(found.status());
	struct unpu_file_info info {};
	info.reads = (*found)->reads;
	info.writes = (*found)->writes;
	info.direct = (*found)->is_direct;
	info.uring = (*found)->has_uring;
	umd::give(out, info);
	return 0;
}

unpu_result unpu_file_get_progress(const struct unpu_file_progress *progress,
				   struct unpu_file_progress *out)
{
	if (!progress || !out)
		return to_result(set_error(Status::NULL_POINTER,
					   progress ? "out is NULL" : "progress is NULL"));
	struct unpu_file_progress seen {};
	seen.status = base::load_acquire(progress->status);
	seen.error = base::load_relaxed(progress->error);
	seen.bytes = base::load_acquire(progress->bytes);
	seen.total = base::load_relaxed(progress->total);
	*out = seen;
	return 0;
}

static Status transfer(unpu_file file, bool write, const umd::FileRange &range, void *stream)
{
	if (!range.memory)
		return set_error(Status::NULL_POINTER, write ? "src is NULL" : "dst is NULL");
	auto found = TRY(umd::find_file(file));
	auto on = TRY(umd::find_stream(stream, true));
	return umd::transfer_file(*on, *found, write, range);
}

unpu_result unpu_file_read(unpu_file file, uint64_t offset, void *dst, size_t bytes,
			   struct unpu_file_progress *progress, void *stream)
{
	return to_result(transfer(file, false, {offset, dst, bytes, progress}, stream));
}

unpu_result unpu_file_write(unpu_file file, uint64_t offset, const void *src, size_t bytes,
			    struct unpu_file_progress *progress, void *stream)
{
	return to_result(
		transfer(file, true, {offset, const_cast<void *>(src), bytes, progress}, stream));
}
