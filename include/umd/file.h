// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

struct Stream;

/** struct File - a file that tasks of one device may read and write. */
struct File {
	HandleWord handle;
	DeviceRef device;
	uint32_t number = 0; /* at the device */
	bool reads = false;
	bool writes = false;
	bool direct = false; /* there is a way past the page cache */
	bool uring = false;

	using Table = HandleTable<File, Kind::FILE>;
	/** table() - all there are. */
	static Table &table();
};

inline File::Table &File::table()
{
	return Process::own<Table>();
}

/** enum class FileWay - whether transfers go through the page cache. */
enum class FileWay {
	ANY,	  /* past it, but for what it has already */
	BUFFERED, /* through it */
	DIRECT,	  /* past it */
};

/** struct FileRange - what a transfer is about. */
struct FileRange {
	uint64_t offset; /* in the file */
	void *memory;
	uint64_t bytes;
	void *progress; /* a struct unpu_file_state in memory of the device, or nullptr */
};

/** register_file() - lets the context's device use what @fd names; @fd stays the caller's.
 * Return: BAD_FILE, NOT_SUPPORTED when DIRECT can't be had, NO_RESOURCE. */
base::Result<File *> register_file(Context &context, int fd, FileWay way);

/** unregister_file() - queued transfers still run.
 * Return: false when @handle is not the file's any more: another thread was first. */
bool unregister_file(File &file, const void *handle);

/** find_file() - of an API handle. Return: NULL_POINTER, INVALID_HANDLE. */
base::Result<File *> find_file(const void *handle);

/** transfer_file() - @stream's next task reads from @file, or writes to it.
 * Return: INVALID_ARGUMENT, NO_PERMISSION when the file was not opened for it. */
base::Status transfer_file(Stream &stream, File &file, bool write, const FileRange &range);

} // namespace umd
