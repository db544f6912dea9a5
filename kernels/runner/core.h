// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <sys/auxv.h>

#include "accesses.h"
#include "fiber.h"
#include "kernels/abi/block.h"

namespace runner {

class Launch;

/* The most cores of a chip, and its usual number: vector cores, and cube cores with two vector cores each. */
constexpr uint32_t VECTOR_CORES = 48, CUBE_CORES = 24;

/* page_bytes() - the page size of the system: 4, 16 or 64 KiB. Async-signal-safe. */
inline uint64_t page_bytes()
{
	return getauxval(AT_PAGESZ);
}

/** enum class Waits - what an instance waits for. */
enum class Waits : uint8_t {
	NOTHING,
	TURN, /* it has yielded: other instances run first */
	BARRIER,
	FLAG,
	BLOCK,
};

/** struct Instance - one instance of a kernel: a fiber, its local memories, and what it waits for. */
struct Instance {
	Fiber fiber;
	unpu_kernel_block block{};
	unsigned char *state = nullptr;

	/* While it runs: */
	Launch *launch = nullptr;
	uint32_t group = 0;
	uint32_t number = 0;
	Waits waits = Waits::NOTHING;
	uint32_t what = 0; /* barrier, flag or block */
	uint32_t event = 0;
	uint64_t generation = 0; /* number of the barrier when the instance arrived */
	struct {
		const char *file;
		uint32_t line;
	} wait_at{};
	bool has_ended = false;
	Accesses accesses; /* its accesses, if the launch is observed */

	/** init() - allocates stack, local memories and state. Return: false: no memory. */
	bool init();

	/** set_ub() - moves the guard page behind UB. @bytes: UNPU_KERNEL_UB_BYTES or UNPU_KERNEL_UB_310P_BYTES.
	 * Return: false: no memory. */
	bool set_ub(uint64_t bytes);

	/** guarding() - the local memory in whose guard pages @address is; UNPU_KERNEL_MEMORIES: none. */
	uint32_t guarding(uint64_t address) const;
};

/** class CorePool - instances that are not in use. Memory of instances is used again and never freed. */
class CorePool {
public:
	/* all() - the pool of the process. */
	static CorePool &all();

	/** most_bytes() - memory of the instances of as many cores as the chip has. */
	static uint64_t most_bytes();

	/** take() - Return: nullptr: no memory. */
	Instance *take();
	void give(Instance &instance);

private:
	std::mutex mutex_;
	std::vector<Instance *> free_;
};

} // namespace runner
