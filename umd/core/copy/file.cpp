// SPDX-License-Identifier: MIT
/**
 * DOC: Files
 *
 * The program opens a file; the device moves its bytes. The library, not the firmware, opens the second
 * descriptor with O_DIRECT. So the firmware gets no access that the program does not have.
 */
#include "file.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/os/calls/files.h"
#include "copy.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "drv/quota.h"
#include "uapi/socket.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

/* Opens the file of a descriptor again, as a separate open file description. */
static base::Fd open_again(int fd, int flags)
{
	std::string path = fmt::format("/proc/self/fd/{}", fd);
	return base::Fd(base::calls::open(path.c_str(), flags | O_CLOEXEC));
}

/* Opens the file without O_DIRECT, for the parts of a transfer that are not whole blocks. */
static base::Fd open_buffered(int fd, int flags)
{
	if (flags >= 0 && flags & O_DIRECT)
		return open_again(fd, flags & O_ACCMODE);
	return base::Fd(flags < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static Status explain(drv::Device &device, Status status, int fd)
{
	if (status == Status::NO_RESOURCE)
		return set_error(status,
				 fmt::format("fd {} can't be given to the device: {} files are "
					     "registered there, or a process is out of descriptors "
					     "(RLIMIT_NOFILE)",
					     fd, UNPU_MAX_FILES));
	if (status == Status::BAD_FILE)
		return set_error(status,
				 fmt::format("fd {} is no regular file or block device; pipes, "
					     "sockets and folders can't be read by a device",
					     fd));
	return set_error(status, fmt::format("fd {} can't be given to the device: {}", fd,
					     drv::quota_sentence(device.hal(), status)));
}

Result<File *> register_file(Context &context, int fd, CacheMode way)
{
	int flags = fcntl(fd, F_GETFL);
	base::Fd own = open_buffered(fd, flags);
	if (!own.valid())
		return set_error(
			Status::BAD_FILE,
			fmt::format(
				"fd is {}, which is no open file, or none to be opened again: {}",
				fd, strerror(errno)));
	base::Fd direct = way == CacheMode::BUFFERED
				  ? base::Fd()
				  : open_again(fd, (flags & O_ACCMODE) | O_DIRECT);
	if (way == CacheMode::DIRECT && !direct.valid())
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("fd {} can't be used past the page cache (O_DIRECT): "
					     "{}; register it without UNPU_FILE_DIRECT",
					     fd, strerror(errno)));
	auto given = context.device().give_file(
		own, direct, way == CacheMode::DIRECT ? UNPU_FILE_ALWAYS_DIRECT : 0);
	if (!given)
		return explain(context.device(), given.status(), fd);
	File *file = File::table().create();
	if (!file) {
		context.device().close_file(given->number);
		return set_error(Status::NO_RESOURCE, "too many files; unregister some");
	}
	file->device = DeviceRef(*context.open);
	file->number = given->number;
	file->reads = (flags & O_ACCMODE) != O_WRONLY;
	file->writes = (flags & O_ACCMODE) != O_RDONLY && !(flags & O_APPEND);
	file->is_direct = direct.valid();
	file->has_uring = given->has_uring;
	return file;
}

bool unregister_file(File &file, const void *handle)
{
	auto &files = File::table();
	if (!files.retire(file, handle))
		return false;
	if (const DeviceHold held = file.device.hold()) {
		drv::Device *device = &*held;
		device->defer([device, number = file.number] { device->close_file(number); });
		device->reap();
	}
	files.recycle(file);
	return true;
}

Result<File *> find_file(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "file is NULL");
	if (File *file = File::table().get(handle))
		return file;
	TRY(Process::check_fork());
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("file {} is not a registered file: it was unregistered, or is "
				     "something else",
				     fmt::ptr(handle)));
}

static Status check_file(const Stream &stream, const File &file, bool write)
{
	if (!file.device.is(*stream.context->open))
		return set_error(Status::INVALID_ARGUMENT,
				 file.device.is_open()
					 ? "file was registered for another device than the "
					   "stream's; register it there too"
					 : "the file's device was reset; register the file again");
	if (write ? file.writes : file.reads)
		return Status::OK;
	return set_error(
		Status::NO_PERMISSION,
		write ? "the file was not opened for writing at offsets: O_RDONLY and O_APPEND "
			"can't be; open it with neither"
		      : "the file was not opened for reading; open it with O_RDONLY or O_RDWR");
}

static Status check_progress(drv::Device &device, const void *progress)
{
	auto address = reinterpret_cast<uint64_t>(progress);
	Place place = Place::OUTSIDE;
	if (!progress)
		return Status::OK;
	if (address % sizeof(unpu_file_state) == 0 &&
	    device.reaches(address, sizeof(unpu_file_state), place, UNPU_ACCESS_WRITE))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("progress is {}; it must be NULL or {} bytes from "
				     "$malloc_host or $malloc, aligned to {}",
				     fmt::ptr(progress), sizeof(unpu_file_state),
				     sizeof(unpu_file_state)));
}

static Status check_range(drv::Device &device, bool write, const FileRange &range)
{
	const char *name = write ? "src" : "dst";
	uint64_t end = 0;
	if (range.bytes == 0)
		return set_error(Status::INVALID_ARGUMENT, "bytes is 0; it must be at least 1");
	if (__builtin_add_overflow(range.offset, range.bytes, &end) || end > INT64_MAX)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("offset {} plus bytes {} exceeds the "
					     "largest size of a file",
					     range.offset, range.bytes));
	Place place = Place::OUTSIDE;
	uint32_t access = write ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE;
	if (device.reaches(reinterpret_cast<uint64_t>(range.memory), range.bytes, place, access))
		return check_progress(device, range.progress);
	if (place != Place::OUTSIDE)
		return refuse_range(name, range.memory, range.bytes);
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} {} is not memory of the stream's device, nor from "
				     "$malloc_host",
				     name, fmt::ptr(range.memory)));
}

Status transfer_file(Stream &stream, File &file, bool write, const FileRange &range)
{
	TRY(check_file(stream, file, write));
	TRY(check_range(stream.context->device(), write, range));
	Call call = write ? Call::FILE_WRITE : Call::FILE_READ;
	unpu_file_transfer transfer{reinterpret_cast<uint64_t>(range.memory), range.bytes,
				    range.offset, reinterpret_cast<uint64_t>(range.progress)};
	return enqueue(stream, drv::file_packet(drv::cookie_call(static_cast<uint16_t>(call)),
						write, file.number, transfer));
}

} // namespace umd
