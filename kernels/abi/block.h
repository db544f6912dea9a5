/* SPDX-License-Identifier: MIT */
/*
 * DOC: Block
 *
 * A launch runs a kernel once for each block. A block is a fiber of the worker. It stays on one thread of the
 * worker from its start to its end and runs until it returns, fails, or waits for another block. Mixed kernels
 * run one cube instance and up to two vector instances for each block; each instance is a fiber, and has its
 * own struct unpu_kernel_block.
 *
 * The emulation in kernel_operator.h reads the block and calls the services; it keeps its own state of a block
 * (pipe, queues, masks) at @state, which the worker sets to zero before each block starts.
 */
#ifndef UNPU_KERNELS_ABI_BLOCK_H
#define UNPU_KERNELS_ABI_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNPU_KERNEL_STATE_BYTES 16384u

/* Kind of core that an instance runs on. */
enum unpu_kernel_core {
	UNPU_KERNEL_CORE_AIC = 0, /* cube */
	UNPU_KERNEL_CORE_AIV = 1, /* vector */
};

/*
 * Local memories of a core. VECIN, VECOUT and VECCALC are UB; A1, B1 and C1 are L1; A2 is L0A, B2 is L0B and
 * CO1 is L0C. Each begins at a multiple of 4096 and has a page without access at both ends.
 */
enum unpu_kernel_memory {
	UNPU_KERNEL_UB = 0,
	UNPU_KERNEL_L1 = 1,
	UNPU_KERNEL_L0A = 2,
	UNPU_KERNEL_L0B = 3,
	UNPU_KERNEL_L0C = 4,
	UNPU_KERNEL_MEMORIES = 5,
};

/* The size of UB on the chip of the language, and on Ascend310P. */
#define UNPU_KERNEL_UB_BYTES 196608u
#define UNPU_KERNEL_UB_310P_BYTES 262144u

struct unpu_kernel_local {
	unsigned char *base;
	uint64_t bytes;
};

/* struct unpu_kernel_block - one instance of a kernel while it runs. All fields are set by the worker. */
struct unpu_kernel_block {
	uint64_t
		index; /* the result of GetBlockIdx(): for vector instances of a mixed kernel 0..2N-1 */
	uint64_t count;	    /* GetBlockNum() */
	uint32_t sub_index; /* GetSubBlockIdx() */
	uint32_t sub_count; /* GetSubBlockNum() */
	uint32_t core;	    /* enum unpu_kernel_core */
	uint32_t type;	    /* enum unpu_kernel_type */
	uint32_t check;	    /* level of checks, 0 to 3 */
	uint32_t saturate;  /* 1: overflow mode saturation, 0: infinities and NaNs */
	uint64_t tiling_key;
	uint64_t workspace; /* device address of the system workspace, 0: none */
	struct unpu_kernel_local local[UNPU_KERNEL_MEMORIES];
	unsigned char *state; /* UNPU_KERNEL_STATE_BYTES, aligned to 64 */
	const char *kernel;   /* name of the entry */
	uint64_t
		launch; /* number of the launch: it grows with each launch of a worker and is never 0 */
	uint32_t
		exact; /* 1: the kernel must not access the bytes that the device has behind allocations and tensors */
	uint32_t reserved; /* zero */
};

/* What a failed check is about; the firmware turns it into the status of the task. */
enum unpu_kernel_failure {
	UNPU_KERNEL_FAIL_CHECK = 1,  /* a check found a wrong use of the language */
	UNPU_KERNEL_FAIL_ASSERT = 2, /* assert() or ASSERT() */
	UNPU_KERNEL_FAIL_TRAP = 3,   /* Trap() or asm("trap") */
	UNPU_KERNEL_FAIL_SIGNAL =
		4, /* SIGSEGV, SIGBUS, SIGFPE, SIGILL: only the worker reports it */
	UNPU_KERNEL_FAIL_DEADLOCK = 5, /* only the worker reports it */
};

/* struct unpu_kernel_memory_range - a live allocation of device or pinned memory. */
struct unpu_kernel_memory_range {
	uint64_t start;
	uint64_t bytes;
};

/* Waits between blocks. @id: 0 to 15. */
enum unpu_kernel_barrier {
	UNPU_KERNEL_SYNC_CORES = 0, /* SyncAll(): all instances of the caller's kind of core */
	UNPU_KERNEL_SYNC_ALL = 1,   /* SyncAll<false>(): cube and vector instances */
};

/*
 * struct unpu_kernel_services - functions that the worker gives to an image. All may be called from a block
 * only; they are not signal safe. Members are only ever added at the end.
 */
struct unpu_kernel_services {
	uint32_t bytes;	   /* sizeof(struct unpu_kernel_services) of the worker */
	uint32_t observes; /* 0: observe() does nothing, and need not be called; it may become 1 */

	/* The block that runs on the calling thread, or NULL. It is constant for the life of a fiber. */
	struct unpu_kernel_block *(*block)(void);

	/* Lets other blocks run. A block that polls global memory calls it between two reads. */
	void (*yield)(void);

	/* Waits until all instances have arrived. If some have ended already, the launch fails with DEADLOCK. */
	void (*barrier)(uint32_t kind);

	/*
	 * Flags between cores. @mode as in CrossCoreSetFlag: 0 all cores of a kind, 1 the vector cores of a
	 * group, 2 the cube core and its vector cores. A flag counts up to 15; a 16th set fails the kernel.
	 */
	void (*flag_set)(uint32_t mode, uint32_t id);
	void (*flag_wait)(uint32_t id);

	/* IBSet and IBWait: flag @event of block @block. */
	void (*block_set)(uint32_t block, uint32_t event);
	void (*block_wait)(uint32_t block, uint32_t event);

	/*
	 * Ends the kernel with a sentence. @failure: enum unpu_kernel_failure; @file and @line of the user's own
	 * call, or NULL and 0. Does not return.
	 */
	void (*fail)(uint32_t failure, const char *file, uint32_t line, const char *sentence)
#ifdef __cplusplus
		__attribute__((noreturn))
#endif
		;

	/* Appends to the block's output, which the program prints when it synchronises; 1 MiB a block. */
	void (*print)(const char *text, size_t bytes);

	/*
	 * Finds the live allocation that contains @address. Returns 1 and fills @range, or 0 and the nearest
	 * one below (bytes 0: there is none). If that contains @address nevertheless, it was freed before the
	 * launch.
	 */
	int (*find_memory)(uint64_t address, struct unpu_kernel_memory_range *range);

	/* Level 1 and up: reports that the block accesses global memory. @write: 0: read, 1: write, 2: atomic */
	void (*observe)(uint64_t address, uint64_t bytes, uint32_t write, const char *file,
			uint32_t line);

	/* Nanoseconds since some point in the past; GetSystemCycle() counts at 50 MHz. */
	uint64_t (*now_ns)(void);

	/* One lock for all blocks of the launch. Atomic copies to global memory take it. */
	void (*atomic_begin)(void);
	void (*atomic_end)(void);

	/* How many bytes the program asked for of an allocation that find_memory() has found. May be NULL. */
	uint64_t (*asked_bytes)(const struct unpu_kernel_memory_range *range);
	/* Sets the place of the block's next wait for other blocks, for the error message about a deadlock. @file
	 * must stay valid. */
	void (*wait_at)(const char *file, uint32_t line);
};

#ifdef __cplusplus
}
#endif

#endif /* UNPU_KERNELS_ABI_BLOCK_H */
