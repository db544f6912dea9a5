/* SPDX-License-Identifier: MIT */
/*
 * DOC: Files and device memory
 *
 * Transfers between files and device memory, without the program's memory in between. A transfer is a
 * task of a stream like any other: it runs in the stream's order, can be captured into a model, and
 * fails like a task, at the next synchronisation of the stream.
 *
 * The program opens the file; the device works with the descriptor it was given, also where it is
 * another process. Transfers go by io_uring where the kernel allows it, else one preadv() or pwritev()
 * at a time. Past the page cache (O_DIRECT) go whole blocks of files whose file system has that, but
 * for reads of what the page cache has already.
 *
 * A transfer runs on the device's thread for storage. Several of them share it in turns. On a stepped
 * device a transfer is one step.
 */
#ifndef UNPU_FILE_H
#define UNPU_FILE_H

#include "unpu/unpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of unpu_file_register(), at most one. */
#define UNPU_FILE_BUFFERED 0x1u /* always through the page cache */
#define UNPU_FILE_DIRECT 0x2u	/* bypass the page cache without checking it; refused without O_DIRECT */

/** typedef unpu_file - a registered file. */
typedef void *unpu_file;

/**
 * struct unpu_file_progress - where a transfer is
 * @bytes: moved so far, from the first byte on without a gap
 * @total: asked for
 * @status: NOT_READY (14) while it is under way; 0 when all was moved; FILE_SHORT (28) when a read met the
 *	end of the file after @bytes; BAD_FILE (19) when the host failed after @bytes; CHANNEL_STOPPED
 *	(44) when the transfer was aborted
 * @error: of BAD_FILE, the errno
 * @reserved: 0
 *
 * It lies in memory from aclrtMallocHost(), aligned to 64 bytes, and is the device's from the call on
 * until the task has ended. Meanwhile unpu_file_get_progress() reads it. Each run of a captured transfer
 * begins it anew.
 */
struct unpu_file_progress {
	uint64_t bytes;
	uint64_t total;
	uint32_t status;
	uint32_t error;
	uint64_t reserved[5];
};

/**
 * struct unpu_file_info - how a registered file is used
 * @size: in, sizeof(struct unpu_file_info)
 * @reads: 1 when it can be read
 * @writes: 1 when it can be written
 * @direct: 1 when whole blocks can go past the page cache
 * @uring: 1 when operations go by io_uring
 */
struct unpu_file_info {
	uint64_t size;
	uint32_t reads;
	uint32_t writes;
	uint32_t direct;
	uint32_t uring;
};

/**
 * unpu_file_register() - lets the current device use an open file
 * @fd: a regular file or block device; stays the caller's and may be closed at once
 * @flags: 0, UNPU_FILE_BUFFERED or UNPU_FILE_DIRECT
 * @file: out, for unpu_file_unregister()
 *
 * What @fd was opened for is what transfers may do. Offsets are those of the calls; the descriptor's
 * own is neither used nor moved. One that appends (O_APPEND) can only be read.
 *
 * Context: any thread with a current device; one message to the device.
 * Return: 0, NULL_POINTER, INVALID_ARGUMENT for unknown flags, NO_CONTEXT, BAD_FILE for a descriptor
 * that is not open or no such file, NOT_SUPPORTED for UNPU_FILE_DIRECT on a file system without it,
 * NO_RESOURCE when 1024 files are registered on the device, or descriptors have run out.
 */
UNPU_API unpu_result unpu_file_register(int fd, uint32_t flags, unpu_file *file);

/**
 * unpu_file_unregister() - ends the registration of a file
 * @file: from unpu_file_register()
 *
 * Transfers that were queued before still run. Models that have captured one fail from then on.
 *
 * Context: any thread; does not wait.
 * Return: 0, NULL_POINTER, INVALID_HANDLE.
 */
UNPU_API unpu_result unpu_file_unregister(unpu_file file);

/**
 * unpu_file_get_info() - tells how a file is used
 * @file: from unpu_file_register()
 * @out: filled; @out->size must be set
 *
 * Context: any thread; never blocks.
 * Return: 0, NULL_POINTER, INVALID_HANDLE, INVALID_ARGUMENT for a size no version had.
 */
UNPU_API unpu_result unpu_file_get_info(unpu_file file, struct unpu_file_info *out);

/**
 * unpu_file_read() - a task that reads from a file into memory of the device
 * @file: registered on the stream's device, opened for reading
 * @offset: in the file, in bytes
 * @dst: memory from aclrtMalloc() or aclrtMallocHost(); must live until the task has ended
 * @bytes: at least 1
 * @progress: told how far it is; or NULL
 * @stream: an aclrtStream of the current context, or NULL for its default stream
 *
 * The end of the file is no failure where @progress tells it: the task succeeds, and what follows in
 * @dst stays as it was. With @progress NULL it fails the task as FILE_SHORT. A failure of the host
 * fails the task as BAD_FILE; the bytes before it are there.
 *
 * Alignment is free. Fastest are reads where @offset and @dst have the same remainder by 4096.
 *
 * Context: any thread; as aclrtMemcpyAsync(). In a capture the task becomes a node of the model.
 * Return: 0, NULL_POINTER, INVALID_HANDLE, NO_CONTEXT, WRONG_CONTEXT, INVALID_ARGUMENT for ranges that
 * are not memory of the device or a file of another one, NO_PERMISSION for a file that was not opened
 * for it, or why the stream takes no work.
 */
UNPU_API unpu_result unpu_file_read(unpu_file file, uint64_t offset, void *dst, size_t bytes,
				    struct unpu_file_progress *progress, void *stream);

/**
 * unpu_file_get_progress() - looks at a transfer that may be under way
 * @progress: as the transfer was given it
 * @out: filled; what it says of @bytes is true of memory too
 *
 * Context: any thread; never blocks.
 * Return: 0, NULL_POINTER.
 */
UNPU_API unpu_result unpu_file_get_progress(const struct unpu_file_progress *progress,
					    struct unpu_file_progress *out);

/**
 * unpu_file_write() - a task that writes memory of the device into a file
 * @file: registered on the stream's device, opened for writing
 * @offset: in the file, in bytes; a file that ends before grows
 * @src: memory from aclrtMalloc() or aclrtMallocHost(); must live until the task has ended
 * @bytes: at least 1
 * @progress: told how far it is; or NULL
 * @stream: an aclrtStream of the current context, or NULL for its default stream
 *
 * A failure of the host, as a full disk, fails the task as BAD_FILE; what was written stays. The end of
 * the task does not mean that a disk has it: call fsync() on the descriptor for that.
 *
 * Context: any thread; as aclrtMemcpyAsync(). In a capture the task becomes a node of the model.
 * Return: as unpu_file_read().
 */
UNPU_API unpu_result unpu_file_write(unpu_file file, uint64_t offset, const void *src, size_t bytes,
				     struct unpu_file_progress *progress, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* UNPU_FILE_H */
