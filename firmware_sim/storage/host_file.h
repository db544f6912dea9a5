// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/os/shm.h"
#include "closer.h"
#include "firmware_sim/memory/account.h"
#include "firmware_sim/memory/wake_event.h"

namespace fw {

/** struct HostFile - a file that a client has handed over as open descriptors. */
struct HostFile {
	HostFile() = default;
	~HostFile();

	/** take() - checks the descriptors of a client. @direct: the same file with O_DIRECT, or invalid
	 * @closer: closes the descriptors, on every path; nullptr: they belong to this process, so any thread
	 * may close them
	 * Context: any thread; without the step token, because it asks file systems.
	 * Return: BAD_FILE when it is no regular file or block device, or @direct is another file. */
	static base::Result<std::shared_ptr<HostFile>> take(base::Fd fd, base::Fd direct,
							    bool always_direct,
							    std::shared_ptr<Closer> closer);

	/** stuck() - fault injection: a file whose reads never end.
	 * @write: its writes never end, instead of its reads
	 * Return: NO_RESOURCE. */
	static base::Result<std::shared_ptr<HostFile>> stuck(bool write);

	/** cached() - whether the page cache has all of the range; false if the kernel cannot tell. */
	bool cached(uint64_t offset, uint64_t bytes) const;

	/**
	 * holds_data() - whether the file is one of a file system that keeps data. The kernel's own files (/proc, /sys,
	 * cgroups) ask who reads or writes them, not who opened them: through the firmware a client would do with them
	 * what the firmware's user may. Context: a thread of the client, because a file system may not answer.
	 */
	bool holds_data();

	/** ends_before() - whether the file has no byte at @position - 1. */
	bool ends_before(uint64_t position) const;

	base::Fd fd;
	base::Fd other_end; /* other end of a stuck() file, which is a pipe */
	base::Fd direct; /* opened with O_DIRECT; invalid: the file system does not support that */
	bool reads = false;
	bool writes = false;
	bool always_direct = false;
	std::shared_ptr<Closer> closer;
	uint32_t direct_refused = 0; /* an operation with O_DIRECT has failed */
	uint64_t unit = 0;	     /* alignment of offset and length of direct operations */
	uint64_t memory_unit = 0;    /* alignment of the addresses of direct operations */
	uint32_t known_data = 0;     /* holds_data() has already returned true */
	PokesAtEnd registrations;    /* registrations with the queue of its transfers */
	Charge descriptors;	     /* charge of the client */

private:
	bool check();
	bool check_direct();
	void close(base::Fd &which);
};

} // namespace fw
