// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "drv/mailbox.h"
#include "hal/device.h"

namespace drv {

/** struct ImportedSegment - a segment of this context that is memory of another one. */
struct ImportedSegment {
	uint64_t id = 0; /* for UNPU_MSG_MAP from offset 0 on; to be destroyed as any other */
	uint64_t bytes = 0;
	bool host = false; /* memory of the host, not of a device */
	hal::SharedSegment
		shared; /* with a descriptor if the export was all of a shareable segment */
};

/** struct GroupMember - this context's part in semaphores that are shared. */
struct GroupMember {
	unpu_export_key key{};
	uint32_t number = 0;  /* of an event: who it is on the page */
	ImportedSegment page; /* of an event that was imported */
};

/**
 * class Sharing - what a context shares with others of the same firmware, and takes part in.
 * Context: any thread; each call is a request of the mailbox. Return: DEVICE_LOST beside what is said.
 */
class Sharing {
public:
	Sharing(hal::Device &device, Mailbox &mailbox) : device_(device), mailbox_(mailbox) {}

	/** export_segment() - shares [@offset, @offset + @bytes) of a segment of this context. The export
	 * ends with the segment, at the latest.
	 * @flags: UNPU_EXPORT_*
	 * Return: the key; INVALID_HANDLE, INVALID_ARGUMENT, NOT_SUPPORTED for an imported segment,
	 * QUOTA. */
	base::Result<unpu_export_key> export_segment(uint64_t segment, uint64_t offset,
						     uint64_t bytes, uint32_t flags);

	/** allow() - adds processes to those that may import.
	 * @pids: as aclrtDeviceGetBareTgid() tells them
	 * Return: NOT_SHARED when @key is not of this context; QUOTA. */
	base::Status allow(const unpu_export_key &key, std::span<const uint32_t> pids);

	/** withdraw() - nobody can import @key any more. This context leaves a group it exported.
	 * Return: NOT_SHARED. */
	base::Status withdraw(const unpu_export_key &key);

	/** import_segment() - Return: NOT_SHARED, SAME_PROCESS, NOT_ALLOWED, NO_RESOURCE. */
	base::Result<ImportedSegment> import_segment(const unpu_export_key &key);

	/** find() - the key that has this nonce. Return: NOT_SHARED. */
	base::Result<unpu_export_key> find(uint64_t nonce);

	/** export_group() - shares semaphores of this context, in the kind's way.
	 * @page: segment of an event's page; else 0
	 * Return: BAD_SEMAPHORE, INVALID_ARGUMENT, QUOTA. */
	base::Result<GroupMember> export_group(unpu_export_kind kind,
					       std::span<const uint32_t> semaphores, uint64_t page,
					       uint32_t flags);

	/** import_group() - @semaphores of this context become the shared ones.
	 * Return: as import_segment(); BAD_SEMAPHORE, INVALID_ARGUMENT, QUOTA. */
	base::Result<GroupMember> import_group(const unpu_export_key &key,
					       std::span<const uint32_t> semaphores);

	/** leave_group() - @sem, and what else is in its group, is this context's own again. */
	base::Status leave_group(uint32_t sem);

private:
	base::Result<ImportedSegment> take(const unpu_msg_export &reply);

	hal::Device &device_;
	Mailbox &mailbox_;
};

} // namespace drv
