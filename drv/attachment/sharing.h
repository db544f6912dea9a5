// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "hal/device.h"
#include "mailbox.h"

namespace drv {

/** struct ImportedSegment - a segment of this context whose memory belongs to another context. */
struct ImportedSegment {
	/* the firmware's id, which UNPU_MSG_MAP takes; its offset 0 is the begin of the export */
	uint64_t id = 0;
	uint64_t bytes = 0;
	bool is_host = false; /* memory of the host, not of a device */
	hal::SharedSegment
		shared; /* has a descriptor only if a shareable segment was exported as a whole */
};

/** struct GroupMember - this context's membership in a group of shared semaphores. */
struct GroupMember {
	unpu_export_key key{};
	uint32_t number = 0;  /* for an event: the member number on the event's page */
	ImportedSegment page; /* the page of an imported event */
};

/**
 * class Sharing - exports to and imports from other contexts of the same firmware.
 * Context: any thread; each call is a mailbox request. Return: DEVICE_LOST in addition to the listed ones.
 */
class Sharing {
public:
	Sharing(hal::Device &device, Mailbox &mailbox) : device_(device), mailbox_(mailbox) {}

	/** export_segment() - shares [@offset, @offset + @bytes) of a segment of this context. The export
	 * ends at withdraw() or when the segment is destroyed.
	 * @flags: UNPU_EXPORT_*
	 * Return: the key; INVALID_HANDLE, INVALID_ARGUMENT, NOT_SUPPORTED for an imported segment,
	 * QUOTA. */
	base::Result<unpu_export_key> export_segment(uint64_t segment, uint64_t offset,
						     uint64_t bytes, uint32_t flags);

	/** allow() - allows more processes to import.
	 * @pids: from aclrtDeviceGetBareTgid()
	 * Return: NOT_SHARED when @key is not of this context; QUOTA. */
	base::Status allow(const unpu_export_key &key, std::span<const uint32_t> pids);

	/** withdraw() - ends an export: @key can't be imported any more. If @key is a group, this context
	 * leaves it.
	 * Return: NOT_SHARED. */
	base::Status withdraw(const unpu_export_key &key);

	/** import_segment() - Return: NOT_SHARED, SAME_PROCESS, NOT_ALLOWED, NO_RESOURCE. */
	base::Result<ImportedSegment> import_segment(const unpu_export_key &key);

	/** find() - the key that has this nonce. Return: NOT_SHARED. */
	base::Result<unpu_export_key> find(uint64_t nonce);

	/** export_group() - shares semaphores of this context as a group of the kind EVENT, NOTIFY or MIRROR.
	 * @page: the segment of an event's page; 0 for the other kinds
	 * Return: BAD_SEMAPHORE, INVALID_ARGUMENT, QUOTA. */
	base::Result<GroupMember> export_group(unpu_export_kind kind,
					       std::span<const uint32_t> semaphores, uint64_t page,
					       uint32_t flags);

	/** import_group() - joins a group: @semaphores of this context become its semaphores.
	 * Return: as import_segment(); BAD_SEMAPHORE, INVALID_ARGUMENT, QUOTA. */
	base::Result<GroupMember> import_group(const unpu_export_key &key,
					       std::span<const uint32_t> semaphores);

	/** leave_group() - leaves the group of @sem: all its semaphores are private to this context again. */
	base::Status leave_group(uint32_t sem);

private:
	base::Result<ImportedSegment> take(const unpu_msg_export &reply);

	hal::Device &device_;
	Mailbox &mailbox_;
};

} // namespace drv
