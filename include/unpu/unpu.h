/* SPDX-License-Identifier: MIT */
/*
 * DOC: unpu's own interface
 *
 * Functions of the simulated device that AscendCL does not have: versions, properties of the machine and
 * the device, the state of a device as text, and single steps of a stepped device. AscendCL programs do
 * not need them. Transfers between files and device memory are in unpu/file.h.
 *
 * Conventions. Functions that can fail return an unpu_result: 0, or a status whose name and sentence
 * unpu_status_name() and unpu_status_sentence() give; for the calling thread's last failure
 * aclGetRecentErrMsg() has a sentence with the details. Structs that are filled begin with @size,
 * which the caller sets to their sizeof, so that later versions can append fields. Strings end with
 * a zero. Every function may be called from any thread, without aclInit() and without a device set.
 */
#ifndef UNPU_UNPU_H
#define UNPU_UNPU_H

#include <stddef.h>
#include <stdint.h>

/* UNPU_API - marks what libunpu.so exports. */
#ifndef UNPU_API
#if defined(__GNUC__)
#define UNPU_API __attribute__((visibility("default")))
#else
#define UNPU_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Features of a device, bits of struct unpu_device_info. */
#define UNPU_DEVICE_STEPPED 0x1u	/* runs only when a thread of the program steps it */
#define UNPU_DEVICE_NULL 0x2u		/* completes packets without executing them */
#define UNPU_DEVICE_LIGHT_DOORBELL 0x4u	/* the sleeping side pays for the doorbell's fence */
#define UNPU_DEVICE_ENGINES 0x8u	/* runs long work on threads of their own */

/* Bytes of a device's name, with the zero. */
#define UNPU_NAME_BYTES 32

/* The value of a limit that is not set. */
#define UNPU_UNLIMITED UINT64_MAX

/** typedef unpu_result - 0, or the number of a status. */
typedef uint32_t unpu_result;

/**
 * struct unpu_topology - the machine, as this process may use it
 * @size: in, sizeof(struct unpu_topology)
 * @nodes: NUMA nodes; 1 where there is no NUMA
 * @cpus: CPUs the process may run on, by affinity and quota
 * @membarrier_works: 1 when the kernel has membarrier, which makes the light side of a fence free; else 0
 * @memory_bytes: physical memory
 * @page_bytes: size of a page
 * @huge_page_bytes: size of a huge page of the kernel's pool; 0 when it has none
 * @huge_pages_free: free pages of the pool
 * @thp_bytes: size of a transparent huge page; 0 when the kernel has none
 * @memlock_limit_bytes: memory the process may lock, that is pin; UNPU_UNLIMITED without a limit
 */
struct unpu_topology {
	uint64_t size;
	uint32_t nodes;
	uint32_t cpus;
	uint32_t membarrier_works;
	uint32_t reserved;
	uint64_t memory_bytes;
	uint64_t page_bytes;
	uint64_t huge_page_bytes;
	uint64_t huge_pages_free;
	uint64_t thp_bytes;
	uint64_t memlock_limit_bytes;
};

/**
 * struct unpu_device_info - one device
 * @size: in, sizeof(struct unpu_device_info)
 * @name: the chip's name, as aclrtGetSocName() tells it
 * @memory_total_bytes: device memory
 * @memory_free_bytes: what of it can still be allocated
 * @segments_huge: segments of device and pinned memory in huge pages of the kernel's pool
 * @segments_thp: segments for which transparent huge pages were asked
 * @segments_4k: segments in small pages
 * @engines: threads for long work
 * @node: NUMA node its memory is wanted on, -1 for any
 * @abi_major: version of the wire between driver and firmware; another major one is refused
 * @abi_minor: additions within the major version
 * @features: bits UNPU_DEVICE_*
 * @generation: another number after each reset
 */
struct unpu_device_info {
	uint64_t size;
	char name[UNPU_NAME_BYTES];
	uint64_t memory_total_bytes;
	uint64_t memory_free_bytes;
	uint64_t segments_huge;
	uint64_t segments_thp;
	uint64_t segments_4k;
	uint32_t engines;
	int32_t node;
	uint32_t abi_major;
	uint32_t abi_minor;
	uint32_t features;
	uint32_t reserved;
	uint64_t generation;
};

/**
 * unpu_version() - the version of the loaded library
 * @major: out, or NULL
 * @minor: out, or NULL
 * @patch: out, or NULL
 *
 * Context: any thread; never blocks.
 */
UNPU_API void unpu_version(int *major, int *minor, int *patch);

/**
 * unpu_status_name() - the short name of a status
 * @status: a number some function returned
 *
 * Context: any thread; never blocks.
 * Return: as "MMU_FAULT", owned by the library; "UNKNOWN" for a number that is no status.
 */
UNPU_API const char *unpu_status_name(unpu_result status);

/**
 * unpu_status_sentence() - what a status means
 * @status: a number some function returned
 *
 * Context: any thread; never blocks.
 * Return: a sentence owned by the library, never NULL.
 */
UNPU_API const char *unpu_status_sentence(unpu_result status);

/**
 * unpu_device_step() - runs steps of a stepped device
 * @device: an open device of the device string "sim:step" or "null:"
 * @max_steps: most steps to make; a step handles one packet or one message
 * @moved: out, steps made; less than @max_steps when the device had nothing left to do, or another
 *	thread was stepping it; may be NULL
 *
 * Threads that wait for such a device step it by themselves; this is for programs that want to look
 * at it in between. A device is open from its first aclrtSetDevice() or aclrtCreateContext() on.
 *
 * Context: any thread; blocks no longer than the steps take.
 * Return: 0, INVALID_DEVICE, DEVICE_SET_MISSING when it is not open, or NOT_SUPPORTED when the
 * device moves by itself.
 */
UNPU_API unpu_result unpu_device_step(int32_t device, uint32_t max_steps, uint32_t *moved);

/**
 * unpu_dump() - writes a device's state for people: channels, semaphores, memory
 * @device: the device; opened for the time of the call when it is not open
 * @buffer: out, text of lines; cut to fit; may be NULL when @bytes is 0
 * @bytes: size of @buffer
 * @needed: out, bytes the whole text takes with its zero; may be NULL
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, also when the text was cut; INVALID_DEVICE, NULL_POINTER, or why the device can't be
 * opened.
 */
UNPU_API unpu_result unpu_dump(int32_t device, char *buffer, size_t bytes, size_t *needed);

/**
 * unpu_snapshot() - writes what a device, its clients, channels and graphs are doing, as JSON
 * @device: the device; where it is one of this process and not open, it is opened for the time of the
 *	call; a firmware in another process is asked without becoming its client
 * @buffer: out, one JSON object; cut to fit; may be NULL when @bytes is 0
 * @bytes: size of @buffer
 * @needed: out, bytes the whole text takes with its zero; may be NULL
 *
 * The keys are listed in the chapter "Tools" of the documentation. The device answers between two
 * tasks, also when every stream stands still. It changes from call to call: leave room for more than
 * an earlier call needed, and look at @needed.
 *
 * Context: any thread; may block while the device starts, or while it executes one long task.
 * Return: 0, also when the text was cut; INVALID_DEVICE, NULL_POINTER, or why the device can't be
 * opened.
 */
UNPU_API unpu_result unpu_snapshot(int32_t device, char *buffer, size_t bytes, size_t *needed);

/* Forms of unpu_model_draw(). */
#define UNPU_DRAW_DOT 0u   /* for Graphviz */
#define UNPU_DRAW_SVG 1u   /* a picture: a column for each stream */
#define UNPU_DRAW_TRACE 2u /* JSON for viewers of traces */

/**
 * unpu_model_draw() - writes a captured model as a drawing: nodes, dependencies, streams, and the
 * times of the last execution
 * @model: an aclmdlRI whose capture has ended
 * @path: of the file, which is replaced
 * @form: UNPU_DRAW_*
 *
 * Times are kept from the first drawing on, and for all models while UNPU_DEBUG is set.
 *
 * Context: any thread; the model must not be destroyed meanwhile.
 * Return: 0, NULL_POINTER, INVALID_HANDLE, INVALID_ENUM, MODEL_CAPTURED, NO_MEMORY or BAD_FILE.
 */
UNPU_API unpu_result unpu_model_draw(const void *model, const char *path, uint32_t form);

/**
 * unpu_trace_begin() - starts recording the events of host and device
 * @entries: room in each thread's and each device's ring, of 32 bytes each; 0 for 65536. When a ring
 *	is full its oldest entry goes
 *
 * What was recorded before is forgotten. A device that runs in another process is not recorded; its
 * firmware does that by itself. UNPU_TRACE=FILE in the environment does the same from the first call
 * on, and writes FILE at aclFinalize() and when the process ends.
 *
 * Context: any thread; waits for devices that are busy with one long task.
 * Return: 0, or NO_MEMORY.
 */
UNPU_API unpu_result unpu_trace_begin(uint32_t entries);

/**
 * unpu_trace_end() - stops recording; the entries are kept until the next unpu_trace_begin()
 *
 * Context: any thread; waits for devices that are busy with one long task.
 * Return: 0.
 */
UNPU_API unpu_result unpu_trace_end(void);

/**
 * unpu_trace_write() - writes what was recorded into a file that Perfetto and Chrome show
 * @path: the file, made anew
 * @overwritten: out, entries that were overwritten because their ring was full; may be NULL
 *
 * Context: any thread, also while recording goes on.
 * Return: 0, NULL_POINTER, or BAD_FILE when the file can't be written.
 */
UNPU_API unpu_result unpu_trace_write(const char *path, uint64_t *overwritten);

/**
 * unpu_get_topology() - tells what the machine is
 * @out: filled; @out->size must be set
 *
 * Context: any thread; may block on files of the kernel.
 * Return: 0, NULL_POINTER, or INVALID_ARGUMENT for a size no version had.
 */
UNPU_API unpu_result unpu_get_topology(struct unpu_topology *out);

/**
 * unpu_set_memory_node() - chooses the NUMA node of what the calling thread allocates from now on
 * @node: of device memory and pinned memory; -1, as in each new thread, for the device's node
 *
 * Pages come from that node alone and stay there. Without a choice here pinned memory goes where the
 * thread's own policy, as of numactl, says if that names one node. Memory there is stays where it is,
 * and pools, managed and virtual memory are on the device's node in any case.
 *
 * Context: any thread; may block on files of the kernel.
 * Return: 0, or INVALID_ARGUMENT for a node that gives this process no memory.
 */
UNPU_API unpu_result unpu_set_memory_node(int32_t node);

/**
 * unpu_get_device_info() - tells what a device is and has
 * @device: the device; opened for the time of the call when it is not open
 * @out: filled; @out->size must be set
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, NULL_POINTER, INVALID_ARGUMENT for a size no version had, INVALID_DEVICE, or why the
 * device can't be opened.
 */
UNPU_API unpu_result unpu_get_device_info(int32_t device, struct unpu_device_info *out);

#ifdef __cplusplus
}
#endif

#endif /* UNPU_UNPU_H */
