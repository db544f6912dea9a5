// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/shm.h"
#include "fw/account.h"

namespace fw {

/** struct HostFile - a file that a client has given, by the descriptors it has opened. */
struct HostFile {
	HostFile() = default;
	~HostFile();

	/** take() - looks at what a client gave.
	 * @direct: the same file with O_DIRECT, or invalid
	 * Return: BAD_FILE when it is no regular file or block device, or @direct is another one. */
	static base::Result<std::shared_ptr<HostFile>> take(base::Fd fd, base::Fd direct,
							    bool always_direct);

	/** stuck() - a fault on purpose: a file that never answers. @write: to writes instead of reads
	 * Return: NO_RESOURCE. */
	static base::Result<std::shared_ptr<HostFile>> stuck(bool write);

	/** cached() - whether the page cache has all of the range; false where that can't be asked. */
	bool cached(uint64_t offset, uint64_t bytes) const;

	/** ends_before() - whether the file has no byte at @position - 1. */
	bool ends_before(uint64_t position) const;

	base::Fd fd;
	base::Fd other_end; /* of one that is stuck, which is a pipe */
	base::Fd direct;    /* invalid: the file system has no such thing */
	bool reads = false;
	bool writes = false;
	bool always_direct = false;
	bool foreign = false;		  /* another process's: it is closed apart */
	uint32_t direct_refused = 0;	  /* it was tried, and did not work */
	uint64_t unit = 0;		  /* offset and length of direct operations */
	uint64_t memory_unit = 0;	  /* and of their addresses */
	std::shared_ptr<const void> user; /* is told when the file goes */
	Charge descriptors;		  /* of the client */
};

} // namespace fw
