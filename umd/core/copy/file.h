// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

struct Stream;

/** struct File - a file that tasks of one device may read and write. */
struct File {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	DeviceRef device;
	uint32_t number = 0; /* the device's number for the file */
	bool reads = false;
	bool writes = false;
	bool is_direct = false; /* transfers can bypass the page cache */
	bool has_uring = false;

	using Table = HandleTable<File, Kind::FILE>;
	/** table() - all files of the process. */
	static Table &table();
};

inline File::Table &File::table()
{
	return Process::own<Table>();
}

/** enum class CacheMode - whether transfers go through the page cache. */
enum class CacheMode {
	ANY,	  /* bypass the page cache, except for data that is already there */
	BUFFERED, /* through the page cache */
	DIRECT,	  /* always bypass the page cache */
};

/** struct FileRange - source and target of a transfer. */
struct FileRange {
	uint64_t offset; /* offset in the file */
	void *memory;
	uint64_t bytes;
	void *progress; /* a struct unpu_file_state in memory of the device, or nullptr */
};

/** register_file() - lets the context's device use the file of @fd; the caller keeps @fd.
 * Return: BAD_FILE, NOT_SUPPORTED if DIRECT is not possible, NO_RESOURCE. */
base::Result<File *> register_file(Context &context, int fd, CacheMode way);

/** unregister_file() - queued transfers still run.
 * Return: false if another thread unregistered the file first, so that @handle is stale. */
bool unregister_file(File &file, const void *handle);

/** find_file() - the file of an API handle. Return: NULL_POINTER, INVALID_HANDLE. */
base::Result<File *> find_file(const void *handle);

/** transfer_file() - appends a task to @stream that reads from @file or writes to it.
 * Return: INVALID_ARGUMENT, NO_PERMISSION when the file was not opened for it. */
base::Status transfer_file(Stream &stream, File &file, bool write, const FileRange &range);

} // namespace umd
