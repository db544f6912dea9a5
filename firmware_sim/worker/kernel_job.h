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
	uint64_t bytes = 0;		     /* of the file */
	std::vector<unpu_kernel_info> infos; /* by name */
	Charge memory;
	Charge table; /* @infos: a short file may have many entries */
	Charge descriptor;
};

/** struct OutputPiece - records that follow each other, of one kind: struct unpu_kernel_output with what follows it. It
 * has OutputPiece::BYTES at most, or one record. */
struct OutputPiece {
	static constexpr uint64_t BYTES = uint64_t{32} << 10;
	/* A launch that has more of them loses the others. */
	static constexpr size_t MOST = 512;

	std::vector<std::byte> records;
	uint64_t text_bytes = 0; /* of the records without their heads */
	bool is_observed = false;
};

struct KernelJob;
struct MemoryChange;

/** struct KernelItem - what a worker has to do, in the order of its queue. */
struct KernelItem {
	std::unique_ptr<KernelJob> job; /* nullptr: one of the others */
	std::shared_ptr<MemoryChange> change;
	uint32_t unloaded = 0;
	bool waits = false; /* a thread is inside await() */

	bool is_launch() const;
};

/** class KernelClient - whose kernels run. Context: under the step token. */
class KernelClient {
public:
	/** end_kernel() - a job of the worker has ended: takes what the client can ask for later. */
	virtual void end_kernel(KernelJob &job) = 0;

protected:
	~KernelClient() = default;
};

/** struct KernelJob - what a worker is asked for: to load an image, or to run a kernel. */
struct KernelJob {
	KernelClient *client = nullptr; /* nullptr: it has left */
	Waiter *owner = nullptr;	/* nullptr: no waiter is told of the end */
	std::shared_ptr<KernelImage> image;
	/* Of a load: */
	bool is_load = false;
	std::shared_ptr<Account> account; /* is charged for the table of entries */
	/* Of a launch: */
	unpu_kernel_launch head{};
	std::vector<uint64_t> args;
	Charge args_memory; /* of arguments that were in memory: a ring pays for all others */
	uint64_t cookie = 0;
	uint32_t timeline = 0;
	uint64_t limit_ns = 0;	   /* base::NO_DEADLINE: none */
	bool is_watchdogs = false; /* @limit_ns, as no other was asked for */
	bool is_again = false;	   /* a process ended before the kernel had begun */
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
	/* MAP; nullptr: the worker can't have the memory, and kernels fail where they touch it. */
	std::shared_ptr<const base::Fd> file;
	bool is_part = false; /* it is a part of other memory of another process: the reason */
};

} // namespace fw
