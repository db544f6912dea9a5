/* SPDX-License-Identifier: MIT */
/*
 * DOC: Kernels
 *
 * User kernels run in a worker process of their context. The firmware starts it at the first KERNEL_LOAD and
 * hands it each task.
 *
 * KERNEL_LOAD copies the image (an ELF file, kernels/abi/image.h) from device or pinned memory and loads it
 * into the worker. The reply names the image and how much text describes its entries. KERNEL_INFO then copies
 * that text to memory of the client: one struct unpu_kernel_info for each entry, sorted by name.
 * KERNEL_UNLOAD frees the number; tasks in rings keep the image until they end.
 *
 * A driver cuts objects from segments, and the firmware knows segments alone. So the driver may keep a log of its
 * objects in device memory, and KERNEL_LOAD names its head. The worker reads the log when a kernel accesses memory, to
 * tell whether the access stays in one object. Nothing else depends on the log, so that it need not be trusted.
 *
 * A KERNEL packet names its descriptor as a TENSOR packet does (struct unpu_tensor_ref, uapi/packet.h): in the
 * descriptor pages of its own slot and of the slots behind it, or in the tensor area of a graph image. The
 * descriptor is a struct unpu_kernel_launch and the bytes of the arguments.
 *
 * Kernels print. When a launch has ended, the firmware keeps its output for the client, adds the number of bytes
 * to @output of the timeline's line (struct unpu_sem_device), and only then retires the packet. KERNEL_TEXT takes
 * the output. It also copies the sentence about a launch that has failed.
 *
 * A client can have its kernels observed: a launch with an @observer has the ranges of global memory that it has
 * accessed in its output, if it ended well and checks its calls (@check). Where there are too many ranges, all those of
 * an allocation become one. Accesses by plain pointers are not among them.
 */
#ifndef UNPU_UAPI_KERNEL_H
#define UNPU_UAPI_KERNEL_H

#include "uapi/types.h"

#define UNPU_KERNEL_WIRE_NAME_BYTES 512u
#define UNPU_KERNEL_WIRE_MAX_PARAMS 64u
#define UNPU_KERNEL_WIRE_MAX_BLOCKS 65535u

/* The longest descriptor: it fits into the descriptor pages of the shortest ring. */
#define UNPU_KERNEL_MAX_BYTES 7680u

/* The most bytes of arguments in memory. */
#define UNPU_KERNEL_WIRE_MAX_ARGS 65536u

/* Limits of a client. */
#define UNPU_KERNEL_MAX_IMAGES 1024u
#define UNPU_KERNEL_MAX_IMAGE_BYTES (64u << 20)		/* of one image */
#define UNPU_KERNEL_MAX_TEXT_BYTES (4u << 20)		/* printed and not taken; more is dropped */

/* struct unpu_kernel_launch - head of a launch's descriptor; @args_bytes bytes follow, rounded up to 8. */
struct unpu_kernel_launch {
	uint32_t image;			/* from the load's reply */
	uint32_t entry;			/* index of its struct unpu_kernel_info */
	uint32_t blocks;		/* 1 to UNPU_KERNEL_WIRE_MAX_BLOCKS */
	uint32_t args_bytes;		/* at least the args_bytes of the entry */
	uint64_t timeout_ns;		/* 0: the client's limit */
	uint64_t tiling_key;
	uint64_t workspace;		/* device address of the system workspace; 0: none */
	uint32_t flags;			/* UNPU_KERNEL_LAUNCH_* */
	uint32_t check;			/* level of checks, 0 to 3 */
	uint64_t args_va;		/* with ARGS_IN_MEMORY, a multiple of 8; else MBZ */
	uint64_t objects;		/* number of the last object that was freed before; see the log of objects */
	uint64_t observer;		/* cookie of the output with the ranges that it has accessed; 0: none is wanted */
};
UNPU_WIRE_SIZE(unpu_kernel_launch, 72);
UNPU_WIRE_OFFSET(unpu_kernel_launch, timeout_ns, 16);
UNPU_WIRE_OFFSET(unpu_kernel_launch, flags, 40);
UNPU_WIRE_OFFSET(unpu_kernel_launch, args_va, 48);

#define UNPU_KERNEL_LAUNCH_SATURATE 0x1u	/* overflow mode saturation */
/*
 * No bytes follow the head. The device reads @args_bytes bytes of arguments at @args_va, device or pinned memory,
 * when the task runs: an earlier task of the stream may write them.
 */
#define UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY 0x2u
/* Accesses end where the program's allocations and the kernel's tensors do, also where the device has more memory. */
#define UNPU_KERNEL_LAUNCH_EXACT 0x4u
#define UNPU_KERNEL_LAUNCH_FLAGS_MASK 0x7u
#define UNPU_KERNEL_MAX_CHECK 3u

/* struct unpu_kernel_param_info - see struct unpu_kernel_param of kernels/abi/image.h. */
struct unpu_kernel_param_info {
	uint32_t kind;
	uint32_t bytes;
	uint32_t offset;
	uint32_t reserved;		/* zero */
};
UNPU_WIRE_SIZE(unpu_kernel_param_info, 16);

/* struct unpu_kernel_info - one entry of an image. The device stores it. */
struct unpu_kernel_info {
	char name[UNPU_KERNEL_WIRE_NAME_BYTES];	/* zero-terminated */
	uint32_t args_bytes;
	uint32_t param_count;
	uint32_t type;			/* enum unpu_kernel_type */
	uint32_t flags;			/* UNPU_KERNEL_HAS_* */
	struct unpu_kernel_param_info params[UNPU_KERNEL_WIRE_MAX_PARAMS];
};
UNPU_WIRE_SIZE(unpu_kernel_info, 1552);
UNPU_WIRE_OFFSET(unpu_kernel_info, args_bytes, 512);
UNPU_WIRE_OFFSET(unpu_kernel_info, params, 528);

/*
 * KERNEL_LOAD: @va and @bytes of the image, @objects. Reply: @image, @entries. A file that is not an image is
 * UNPU_STATUS_BAD_KERNEL. KERNEL_INFO: @image, @va and @bytes of an array of @entries struct
 * unpu_kernel_info. KERNEL_UNLOAD: @image.
 */
struct unpu_msg_kernel {
	uint64_t va;
	uint64_t bytes;
	uint32_t image;
	uint32_t entries;
	uint64_t objects;		/* KERNEL_LOAD: where struct unpu_kernel_objects is, 0: nowhere; else MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_kernel, 32);
UNPU_WIRE_OFFSET(unpu_msg_kernel, image, 16);
UNPU_WIRE_OFFSET(unpu_msg_kernel, objects, 24);

struct unpu_kernel_window {
	uint64_t start;
	uint64_t bytes;
};
UNPU_WIRE_SIZE(unpu_kernel_window, 16);

/* struct unpu_kernel_objects - head of the log of objects; it does not move. */
struct unpu_kernel_objects {
	uint64_t log;			/* device address of struct unpu_kernel_log; 0: there is none any more */
	uint64_t reserved;		/* zero */
	struct unpu_kernel_window windows[2];	/* all objects that lie in these addresses are in the log */
};
UNPU_WIRE_SIZE(unpu_kernel_objects, 48);
UNPU_WIRE_OFFSET(unpu_kernel_objects, windows, 16);

/*
 * struct unpu_kernel_log - @count struct unpu_kernel_object follow. The driver stores an entry, and then @count. When
 * there is no room it begins another log with all objects that exist, stores its address in the head, and frees this
 * one after all tasks have ended that were submitted before.
 */
struct unpu_kernel_log {
	uint64_t generation;		/* each log has another one; never 0 */
	uint64_t count;
};
UNPU_WIRE_SIZE(unpu_kernel_log, 16);

/* struct unpu_kernel_object - an object was made, or freed. */
struct unpu_kernel_object {
	uint64_t start;
	uint64_t bytes;
	/*
	 * 0: it was made. Else the number of the free, which rises: tasks whose launch has a smaller number may still
	 * use the object.
	 */
	uint64_t freed;
	uint64_t group;			/* objects of one group that touch are one object; 0: it is alone */
	uint64_t slack;			/* so many of the last bytes the program did not ask for */
};
UNPU_WIRE_SIZE(unpu_kernel_object, 40);

enum unpu_kernel_text_kind {
	UNPU_KERNEL_TEXT_OUTPUT = 1,	/* printed text; what the request takes is gone */
	UNPU_KERNEL_TEXT_FAULT = 2,	/* the sentence about the failed launch with @cookie */
	UNPU_KERNEL_TEXT_LOAD = 3,	/* the sentence about the last KERNEL_LOAD that failed */
	UNPU_KERNEL_TEXT_PLACE = 4,	/* where the blocks of the launch with @cookie are, which runs */
};

/*
 * struct unpu_kernel_output - the text that one block of a launch has printed; @bytes bytes follow, rounded up
 * to 8. Launches come in the order in which they ended, and blocks of a launch by their index.
 */
struct unpu_kernel_output {
	uint64_t cookie;		/* of the packet; with OBSERVED the @observer of the launch */
	uint32_t image;
	uint32_t entry;
	uint32_t block;
	uint32_t core;			/* enum unpu_kernel_core of kernels/abi/block.h, or OBSERVED */
	uint32_t bytes;
	uint32_t dropped;		/* 1: the block has printed more than could be kept */
};
UNPU_WIRE_SIZE(unpu_kernel_output, 32);
UNPU_WIRE_OFFSET(unpu_kernel_output, block, 16);

/* As @core: no text, but 1 to UNPU_KERNEL_MAX_ACCESSES struct unpu_kernel_access. */
#define UNPU_KERNEL_OBSERVED 0x100u
#define UNPU_KERNEL_MAX_ACCESSES 256u

enum unpu_kernel_access_kind {
	UNPU_KERNEL_ACCESS_READ = 0,
	UNPU_KERNEL_ACCESS_WRITE = 1,
	UNPU_KERNEL_ACCESS_ATOMIC = 2,	/* the order of such accesses does not change the result */
};

#define UNPU_KERNEL_ACCESS_OWN 0x1u	/* the launch has written some of it, before or after */
#define UNPU_KERNEL_ACCESS_PARTIAL 0x2u	/* some of these bytes, the first and the last one among them */
#define UNPU_KERNEL_ACCESS_BEYOND 0x4u	/* behind the size that the kernel gave the tensor; listed without the flag, too */

/*
 * struct unpu_kernel_access - @count parts of @bytes bytes; each begins @stride bytes behind the start of the last one.
 * All of them lie in one object.
 */
struct unpu_kernel_access {
	uint64_t start;
	uint64_t bytes;
	uint64_t stride;
	uint32_t count;
	uint16_t kind;			/* enum unpu_kernel_access_kind */
	uint16_t flags;			/* UNPU_KERNEL_ACCESS_* */
};
UNPU_WIRE_SIZE(unpu_kernel_access, 32);
UNPU_WIRE_OFFSET(unpu_kernel_access, count, 24);

/*
 * KERNEL_TEXT: copies text of @kind to the client's memory at @va. OUTPUT copies as many struct unpu_kernel_output
 * with their text as fit into @bytes, but 64 KiB at most, or one that is longer; the client asks until there is none.
 * FAULT copies one, whose text is the sentence. A sentence has no terminating zero; it is cut when it does not fit.
 * PLACE copies a text without a head; the first request for a launch has none, and lets the worker find it.
 * Reply: @bytes that were stored; 0: there is none. The firmware keeps the sentences of the last 64 failed launches.
 */
struct unpu_msg_kernel_text {
	uint64_t va;
	uint64_t bytes;
	uint64_t cookie;		/* FAULT, PLACE: of the packet; else MBZ */
	uint32_t kind;			/* enum unpu_kernel_text_kind */
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_kernel_text, 32);
UNPU_WIRE_OFFSET(unpu_msg_kernel_text, cookie, 16);
UNPU_WIRE_OFFSET(unpu_msg_kernel_text, kind, 24);

#endif /* UNPU_UAPI_KERNEL_H */
