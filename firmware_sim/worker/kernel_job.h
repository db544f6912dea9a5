// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/kernel_info.h"
#include "firmware_sim/memory/account.h"
#include "firmware_sim/memory/mmu.h"
#include "firmware_sim/schedule/runner.h"
#include "uapi/kernel.h"

namespace fw {

/** struct KernelImage - an image that a client has loaded. Workers that start later load it again. */
struct KernelImage {
	/* The longest table of entries. A worker that loads an image fills a file of this size. */
	static constexpr uint64_t TABLE_BYTES = base::KERNELS_MOST * sizeof(unpu_kernel_info);

	uint32_t number = 0;
	uint64_t objects = 0; /* device address of the client's log of objects; 0: none */
	base::Fd file;
	uint64_t bytes = 0;		     /* size of the file */
	std::vector<unpu_kernel_info> infos; /* entries, indexed by name */
	Charge memory;
	Charge table; /* @infos: a short file may have many entries */
	Charge descriptor;
};

/** struct OutputPiece - consecutive records of one kind: each is a struct unpu_kernel_output and the bytes
 * after it. A piece has at most OutputPiece::BYTES, or a single longer record. */
struct OutputPiece {
	static constexpr uint64_t BYTES = uint64_t{32} << 10;
	/* A launch that has more of them loses the others. */
	static constexpr size_t MOST = 512;

	std::vector<std::byte> records;
	uint64_t text_bytes = 0; /* bytes of the records without their heads */
	bool is_observed = false;
};

struct KernelJob;
struct MemoryChange;

/** struct KernelItem - an entry in the queue of a worker: a job, or a change. */
struct KernelItem {
	std::unique_ptr<KernelJob> job; /* nullptr: the item is a change */
	std::shared_ptr<MemoryChange> change;
	uint32_t unloaded = 0;
	bool waits = false; /* a thread is inside await() */

	bool is_launch() const;
};

/** class KernelClient - the client whose kernels run. Context: under the step token. */
class KernelClient {
public:
	/** end_kernel() - called when a job of the worker has ended: stores the data that the client can ask
	 * for later. */
	virtual void end_kernel(KernelJob &job) = 0;

protected:
	~KernelClient() = default;
};

/** struct KernelJob - a request to a worker: to load an image, or to run a kernel. */
struct KernelJob {
	KernelClient *client = nullptr; /* nullptr: the client has left */
	Waiter *owner = nullptr;	/* nullptr: the end of the job wakes no waiter */
	std::shared_ptr<KernelImage> image;
	/* For a load: */
	bool is_load = false;
	std::shared_ptr<Account> account; /* account that is charged for the table of entries */
	/* For a launch: */
	unpu_kernel_launch head{};
	std::vector<uint64_t> args;
	/* charge for arguments that were in memory; the ring pays for all others */
	Charge args_memory;
	uint64_t cookie = 0;
	uint32_t timeline = 0;
	uint64_t limit_ns = 0;	   /* base::NO_DEADLINE: no limit */
	bool is_watchdogs = false; /* @limit_ns is the watchdog's limit, because no other was set */
	/* a process ended before the kernel had begun, so the job is posted again */
	bool is_again = false;
	bool is_queued = false;
	std::list<KernelItem>::iterator place{}; /* while it is queued */
	/* The result: */
	base::Status status = base::Status::OK;
	uint64_t address = 0;
	uint32_t block = 0;
	uint32_t core = 0;
	std::string sentence;
	std::vector<OutputPiece> output;

	const unpu_kernel_info &info() const { return image->infos[head.entry]; }
};

inline bool KernelItem::is_launch() const
{
	return job && !job->is_load;
}

/** struct MemoryChange - a change of the client's address space that its worker follows. */
struct MemoryChange {
	enum class Kind : uint8_t { MAP, UNMAP, PROTECT };
	Kind kind = Kind::MAP;
	uint32_t access = 0;
	uint64_t va = 0;
	uint64_t bytes = 0;
	uint64_t offset = 0;
	/* For MAP; nullptr: the worker must not get the memory, and kernels that access it fail. */
	std::shared_ptr<const base::Fd> file;
	bool is_part = false; /* it is a part of other memory of another process: the reason */
};

} // namespace fw
