/* SPDX-License-Identifier: MIT */
/*
 * DOC: Mailbox
 *
 * Slow requests go one at a time through a pair of 128-byte messages. The host numbers them: the next
 * one has the value of semaphore UNPU_SEM_MAILBOX plus one. It fills the request, stores @sequence, the
 * low half of the number, last with release, rings UNPU_DOORBELL_MAILBOX, and waits until the semaphore
 * has reached the number; the firmware copies the request, acts, fills the reply and signals: it takes
 * the smallest number above the last one that has @sequence as its low half. The client gets the
 * descriptors of segments that a reply names outside the mailbox (TAKE_SEGMENT of uapi/socket.h).
 */
#ifndef UNPU_UAPI_MAILBOX_H
#define UNPU_UAPI_MAILBOX_H

#include "uapi/kernel.h"
#include "uapi/types.h"

/* X(name, number): numbers are never reused. */
#define UNPU_MESSAGE_LIST(X) \
	X(SEGMENT_CREATE, 1) \
	X(SEGMENT_DESTROY, 2) \
	X(MAP, 3) \
	X(UNMAP, 4) \
	X(CHANNEL_CREATE, 5) \
	X(CHANNEL_DESTROY, 6) \
	X(CHANNEL_CONTROL, 7) \
	X(SEM_SET, 8) \
	X(GRAPH_LOAD, 9) \
	X(GRAPH_UNLOAD, 10) \
	X(MEMORY_INFO, 11) \
	X(EXPORT, 12) \
	X(EXPORT_ALLOW, 13) \
	X(IMPORT, 14) \
	X(UNEXPORT, 15) \
	X(UNIMPORT, 16) \
	X(RESERVE, 17) \
	X(RELEASE, 18) \
	X(PROTECT, 19) \
	X(CHANNEL_ABORT, 20) \
	X(CLIENT_CONTROL, 21) \
	X(GRAPH_TRACE, 23) \
	X(EXPORT_FIND, 26) \
	X(DEVICE_INFO, 33) \
	X(FILE_CLOSE, 34) \
	X(KERNEL_LOAD, 35) \
	X(KERNEL_INFO, 36) \
	X(KERNEL_UNLOAD, 37) \
	X(KERNEL_TEXT, 38)

enum unpu_message_type {
#define UNPU_MESSAGE_ENUM(name, number) UNPU_MSG_##name = number,
	UNPU_MESSAGE_LIST(UNPU_MESSAGE_ENUM)
#undef UNPU_MESSAGE_ENUM
};

/* Segment kinds. */
enum unpu_segment_kind {
	UNPU_SEGMENT_DEVICE = 1,	/* counts against device memory */
	UNPU_SEGMENT_PINNED = 2,	/* host memory that the device may access */
	UNPU_SEGMENT_CHANNEL = 3,	/* packet slots and descriptor pages */
};

/* Page kind that SEGMENT_CREATE requests; the reply has the actual kind. */
enum unpu_page_kind {
	UNPU_PAGE_4K = 0,
	UNPU_PAGE_THP = 1,		/* transparent huge pages are requested */
	UNPU_PAGE_HUGETLB = 2,		/* 2 MiB pages from the kernel's pool, else THP, else 4 KiB */
};

/* SEGMENT_CREATE flag: an importer of the whole segment gets its descriptor, and can map it. */
#define UNPU_SEGMENT_SHAREABLE 0x1u

/* Upper limit of the address space that a client may RESERVE; the firmware may allow less. */
#define UNPU_MAX_RESERVED_BYTES (1ull << 44)

/* SEGMENT_CREATE. Reply: @segment, the rounded @bytes, the actual @pages. */
struct unpu_msg_segment {
	uint64_t segment;		/* id, not 0 */
	uint64_t bytes;
	uint32_t kind;			/* enum unpu_segment_kind */
	uint32_t pages;			/* enum unpu_page_kind */
	uint32_t flags;			/* UNPU_SEGMENT_* */
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_segment, 32);
UNPU_WIRE_OFFSET(unpu_msg_segment, kind, 16);
UNPU_WIRE_OFFSET(unpu_msg_segment, flags, 24);

/*
 * MAP: maps @segment, from @offset on, at [@va, @va + @bytes) of the context. With @access 0 the range is
 * not accessible before a PROTECT. @segment 0 names the client's own memory at @va, with @offset 0: a firmware
 * in the client's process accesses it in place, any other firmware answers NOT_SUPPORTED.
 * UNMAP: @va and @bytes must be those of the MAP.
 * PROTECT: changes the access of a mapping to @access; @va and @bytes must be those of the MAP.
 *
 * RESERVE: reserves [@va, @va + @bytes), multiples of 2 MiB, for mappings in pieces. A task may access
 * adjacent pieces of one reservation as one range. There, a piece starts and ends at multiples of 2 MiB,
 * and its segment is SHAREABLE. RELEASE: @va and @bytes must be those of the RESERVE, without mappings.
 */
#define UNPU_MAP_UNIT 8u			/* @va and @offset differ by a multiple of it */
struct unpu_msg_map {
	uint64_t va;
	uint64_t bytes;
	uint64_t segment;
	uint64_t offset;
	uint32_t access;		/* UNPU_ACCESS_* of uapi/operator.h */
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_map, 40);
UNPU_WIRE_OFFSET(unpu_msg_map, access, 32);

/* CHANNEL_CREATE. Reply: @channel. CHANNEL_DESTROY: @channel; drops packets that are not fetched. */
struct unpu_msg_channel {
	uint64_t segment;
	uint32_t slots;			/* power of two, 16..65536 */
	uint32_t timeline;		/* semaphore index */
	uint64_t timeline_base;		/* its value now: packet i retires at timeline_base + i + 1 */
	uint32_t channel;		/* index */
	uint32_t priority;		/* 0 highest .. 7 */
	uint32_t group;			/* channels that stop together; 0: this one alone */
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_channel, 40);
UNPU_WIRE_OFFSET(unpu_msg_channel, timeline_base, 16);
UNPU_WIRE_OFFSET(unpu_msg_channel, channel, 24);
UNPU_WIRE_OFFSET(unpu_msg_channel, group, 32);

/* CHANNEL_CONTROL. */
#define UNPU_CHANNEL_CLEAR_STATUS 0x1u		/* timeline status back to OK */
#define UNPU_CHANNEL_STOP_ON_FAILURE 0x2u	/* tasks of the group after a failed one are SKIPPED */
#define UNPU_CHANNEL_PRIORITY 0x4u		/* the priority becomes @priority */
struct unpu_msg_channel_control {
	uint32_t channel;
	uint32_t actions;		/* UNPU_CHANNEL_* */
	uint32_t priority;		/* for PRIORITY, else MBZ */
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_channel_control, 16);
UNPU_WIRE_OFFSET(unpu_msg_channel_control, priority, 8);

/*
 * CHANNEL_ABORT: drops the packets below @upto: none of them runs or signals any more, and the running
 * one is stopped. The timeline continues from @upto; channels that were parked on it stay parked.
 * With CURRENT only the running packet is stopped, as UNPU_STATUS_CHANNEL_STOPPED, and @upto is MBZ.
 */
#define UNPU_ABORT_CURRENT 0x1u
struct unpu_msg_channel_abort {
	uint32_t channel;
	uint32_t flags;			/* UNPU_ABORT_* */
	uint64_t upto;			/* packet index, at most the number of published packets */
};
UNPU_WIRE_SIZE(unpu_msg_channel_abort, 16);
UNPU_WIRE_OFFSET(unpu_msg_channel_abort, upto, 8);

/* CLIENT_CONTROL. */
#define UNPU_CLIENT_REPORT_FAULTS 0x1u	/* failed packets are posted to the call queue from now on */
#define UNPU_CLIENT_EXECUTE_LIMIT 0x2u	/* work on engines may take @execute_limit_ns */
struct unpu_msg_client_control {
	uint32_t actions;		/* UNPU_CLIENT_* */
	uint32_t reserved;		/* MBZ */
	uint64_t execute_limit_ns;	/* for EXECUTE_LIMIT, 0 = no limit; else MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_client_control, 16);
UNPU_WIRE_OFFSET(unpu_msg_client_control, execute_limit_ns, 8);

/* SEM_SET: sets the initial value of an unused semaphore. */
struct unpu_msg_sem_set {
	uint32_t sem;
	uint32_t reserved;		/* MBZ */
	uint64_t value;
};
UNPU_WIRE_SIZE(unpu_msg_sem_set, 16);

/*
 * GRAPH_LOAD: copies and validates the image at @va and keeps the copy. Reply: @graph. UNLOAD: @graph.
 * GRAPH_TRACE: from its next execution on, @graph stores a struct unpu_graph_time for each node at @va.
 * @bytes 0 turns this off.
 */
struct unpu_msg_graph {
	uint64_t va;
	uint64_t bytes;
	uint32_t graph;
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_graph, 24);

/* MEMORY_INFO. Reply: all. */
struct unpu_msg_memory_info {
	uint64_t total_bytes;
	uint64_t free_bytes;
	uint64_t pages_huge;		/* segments got by page kind */
	uint64_t pages_thp;
	uint64_t pages_4k;
};
UNPU_WIRE_SIZE(unpu_msg_memory_info, 40);

/*
 * DEVICE_INFO. Reply: all. The cores are the command processor and the engines; an unknown value is 0.
 * @busy_ns stays 0 on a stepped device, which runs only inside host threads.
 */
struct unpu_msg_device_info {
	uint64_t uptime_ns;		/* since the start, now */
	uint64_t busy_ns;		/* in which the command processor had work */
	uint64_t engines_busy_ns;	/* in which engines had work, summed over them */
	uint64_t local_bytes;		/* a core's own data memory */
	uint64_t core_bytes;		/* the next larger memory of a core */
	uint64_t shared_bytes;		/* the memory all cores share before device memory */
	uint32_t cores;
	uint32_t clock_mhz;		/* of a core */
};
UNPU_WIRE_SIZE(unpu_msg_device_info, 56);
UNPU_WIRE_OFFSET(unpu_msg_device_info, cores, 48);

/*
 * A key names a shared object. A program may send it to another process by any means. @instance
 * identifies the firmware; @nonce can't be guessed and is never reused. So the firmware refuses a key of
 * a destroyed object or of another firmware, and such a key never finds another object.
 */
struct unpu_export_key {
	uint64_t instance;		/* struct unpu_bar.instance of the exporter's firmware */
	uint64_t nonce;
	uint32_t object;		/* not 0 */
	uint32_t kind;			/* enum unpu_export_kind */
	uint32_t pid;			/* the exporter's, as the firmware sees it */
	uint32_t device;		/* the exporter's device */
};
UNPU_WIRE_SIZE(unpu_export_key, 32);
UNPU_WIRE_OFFSET(unpu_export_key, object, 16);

enum unpu_export_kind {
	UNPU_EXPORT_MEMORY = 1,		/* a range of a segment */
	UNPU_EXPORT_EVENT = 2,		/* UNPU_EVENT_LANES semaphores and a page: uapi/event.h */
	UNPU_EXPORT_NOTIFY = 3,		/* one semaphore that lives on the exporter's device */
	UNPU_EXPORT_MIRROR = 4,		/* semaphores whose values importers follow */
};

#define UNPU_EXPORT_ANY_PROCESS 0x1u	/* EXPORT: every process may import */
#define UNPU_EXPORT_SAME_PROCESS 0x2u	/* EXPORT: the exporter's process may import too */
#define UNPU_EXPORT_FLAGS_MASK 0x3u
#define UNPU_EXPORT_WHOLE 0x4u		/* reply of IMPORT: TAKE_SEGMENT can get the segment's descriptor */
#define UNPU_EXPORT_PINNED 0x8u		/* reply of IMPORT: it is host memory */

#define UNPU_EXPORT_MAX_SEMAPHORES 8u
#define UNPU_EXPORT_MAX_PIDS 19u	/* in one EXPORT_ALLOW */
#define UNPU_EXPORT_MAX_ALLOWED 4096u	/* processes of one export */
#define UNPU_EXPORT_MAX_PER_CLIENT 65536u

/*
 * EXPORT: shares [@offset, @offset + @bytes) of @segment, @offset a multiple of UNPU_MAP_UNIT, or @count
 * semaphores of the client; an event also names its page as @segment from @offset 0 on. Reply: @key; of an
 * event, @member.
 *
 * IMPORT: imports the object of @key. Imported memory, and the page of an event, get a segment id of the
 * importer, for MAP from offset 0 on and for SEGMENT_DESTROY. For semaphores, @count @semaphores of the
 * importer join the group. Reply: @segment, @bytes, @kind, @flags WHOLE and PINNED, @member.
 *
 * EXPORT_FIND: finds the key with the nonce of @key; all other fields are 0. Reply: @key. This grants no
 * rights: the firmware checks at the IMPORT which processes may import.
 *
 * A signal to a semaphore of a MIRROR or an EVENT is executed on the signaller's device and forwarded to
 * all members. A signal to a NOTIFY is executed on the exporter's device, and only clients of that device
 * may wait for it. CLEAR waits are allowed for a NOTIFY and for semaphores that are not shared.
 *
 * UNEXPORT, by the exporter: @key can't be imported any more. Clients that have imported memory keep it.
 * Waits for a NOTIFY or MIRROR end with PEER_LOST. UNIMPORT: @semaphores[0] names the group to leave. When
 * a member leaves an EVENT, the firmware ends the waits for values that the member has claimed and not
 * signalled: the lane's line gets status PEER_LOST, the first and the last of these values in fault_cookie
 * and fault_address, and the last one as value. The end of a client does all of this.
 */
struct unpu_msg_export {
	struct unpu_export_key key;
	uint64_t segment;
	uint64_t offset;
	uint64_t bytes;
	uint32_t kind;			/* enum unpu_export_kind */
	uint32_t flags;			/* UNPU_EXPORT_* */
	uint32_t count;
	uint32_t member;		/* reply, of an event: the client's member number; else MBZ */
	uint32_t semaphores[UNPU_EXPORT_MAX_SEMAPHORES];
};
UNPU_WIRE_SIZE(unpu_msg_export, 104);
UNPU_WIRE_OFFSET(unpu_msg_export, segment, 32);
UNPU_WIRE_OFFSET(unpu_msg_export, kind, 56);
UNPU_WIRE_OFFSET(unpu_msg_export, semaphores, 72);

/* EXPORT_ALLOW, by the exporter: allows more processes to import; @count 0: all processes. */
struct unpu_msg_export_allow {
	struct unpu_export_key key;
	uint32_t count;
	uint32_t pids[UNPU_EXPORT_MAX_PIDS];
};
UNPU_WIRE_SIZE(unpu_msg_export_allow, 112);
UNPU_WIRE_OFFSET(unpu_msg_export_allow, count, 32);

/* FILE_CLOSE: frees the number @file; transfers that have begun continue. */
struct unpu_msg_file {
	uint32_t file;
	uint32_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_msg_file, 8);

struct unpu_message {
	uint32_t sequence;		/* stored last */
	uint32_t type;			/* enum unpu_message_type */
	uint32_t status;		/* reply: enum unpu_status; request: MBZ */
	uint32_t reserved;		/* MBZ */
	union {
		struct unpu_msg_segment segment;
		struct unpu_msg_map map;
		struct unpu_msg_channel channel;
		struct unpu_msg_channel_control control;
		struct unpu_msg_channel_abort abort;
		struct unpu_msg_client_control client;
		struct unpu_msg_sem_set sem;
		struct unpu_msg_graph graph;
		struct unpu_msg_memory_info info;
		struct unpu_msg_device_info device;
		struct unpu_msg_export share;
		struct unpu_msg_export_allow allow;
		struct unpu_msg_file file;
		struct unpu_msg_kernel kernel;
		struct unpu_msg_kernel_text text;
		uint64_t words[14];
	};
};
UNPU_WIRE_SIZE(unpu_message, 128);
UNPU_WIRE_OFFSET(unpu_message, type, 4);
UNPU_WIRE_OFFSET(unpu_message, status, 8);
UNPU_WIRE_OFFSET(unpu_message, words, 16);

#endif /* UNPU_UAPI_MAILBOX_H */
