/* SPDX-License-Identifier: MIT */
/*
 * DOC: Segments and registers
 *
 * Host and firmware share memory only through sealed memfd segments, which the firmware creates:
 *
 *	segment		one per	written by	client's view	contents
 *	bar		device	firmware	read-only	struct unpu_bar
 *	completion	client	firmware	read-only	status, mailbox reply, channel status,
 *								call queue, device halves of semaphores
 *	client		client	client		read-write	mailbox request, doorbell queue,
 *								host halves of semaphores
 *	channel		channel	client		read-write	packet slots, descriptor pages
 *	device memory	many	both		read-write	user data (aperture)
 *	pinned memory	many	both		read-write	user data
 *
 * The BAR header is complete when @abi is not zero (B0: stored last with release, loaded first with
 * acquire). A host that finds another magic, major version or struct size reports the expected and the
 * found value and does not attach.
 */
#ifndef UNPU_UAPI_REGS_H
#define UNPU_UAPI_REGS_H

#include "uapi/mailbox.h"
#include "uapi/semaphore.h"
#include "uapi/types.h"

#define UNPU_BAR_MAGIC 0x3055504e55504e55ull	/* "UNPUNPU0" */

/* Feature bits of struct unpu_bar. */
#define UNPU_FEATURE_STEPPED 0x1u	/* the device runs only when a host thread steps it */
#define UNPU_FEATURE_NULL 0x2u		/* packets complete without being executed */
#define UNPU_FEATURE_MEMBARRIER 0x4u	/* the sleeping side pays the fence of D1 and D2 */
#define UNPU_FEATURE_ENGINES 0x8u	/* long work runs on engine threads */
/*
 * A plan decides which packet runs next, and packets may run only when a thread waits for them. A thread kicks
 * the device after it has stored @sleepers. A thread that has rung a channel's doorbell sleeps until @rests of
 * the channel's line changes.
 */
#define UNPU_FEATURE_SCHEDULED 0x10u

#define UNPU_MAX_DEVICES 16u		/* of one firmware */
#define UNPU_MAX_CHANNELS 4096u
#define UNPU_MAX_SEMAPHORES (1u << 20)
#define UNPU_CALL_QUEUE_ENTRIES 8192u	/* one outstanding call per channel, and graphs' lines */
#define UNPU_DOORBELL_ENTRIES 8192u	/* one per channel and arming, and the mailbox's */
#define UNPU_DOORBELL_MAILBOX 0xffffffffu

/* Semaphore 0 is not used: a packet with signal_sem 0 signals nothing. */
#define UNPU_SEM_NONE 0u
#define UNPU_SEM_MAILBOX 1u		/* value = number of the last reply, see mailbox.h */
#define UNPU_SEM_CALLS 2u		/* value = number of call queue entries posted */
#define UNPU_SEM_FIRST_FREE 3u

/* struct unpu_bar - the device header; the firmware writes all of it, @abi last. */
struct unpu_bar {
	uint64_t magic;
	uint32_t abi;			/* UNPU_ABI, stored last */
	uint32_t features;		/* UNPU_FEATURE_* */
	uint64_t generation;		/* changes at each reset */
	uint64_t memory_bytes;		/* device memory */
	uint32_t packet_bytes;		/* sizeof of each wire struct: */
	uint32_t operator_bytes;
	uint32_t semaphore_bytes;
	uint32_t message_bytes;
	uint32_t graph_line_bytes;
	uint32_t max_channels;
	uint32_t max_semaphores;
	uint32_t engines;
	int32_t numa_node;		/* -1: not bound */
	uint32_t device_index;
	uint64_t boot_ns;		/* CLOCK_MONOTONIC at start: time stamps count from here */
	char soc_name[32];		/* zero-terminated */
	uint64_t instance;		/* unique number of the firmware, the same for all its devices */
	uint64_t heartbeat;		/* grows while the device runs, and after each kick */
};
UNPU_WIRE_SIZE(unpu_bar, 128);
UNPU_WIRE_OFFSET(unpu_bar, abi, 8);
UNPU_WIRE_OFFSET(unpu_bar, features, 12);
UNPU_WIRE_OFFSET(unpu_bar, generation, 16);
UNPU_WIRE_OFFSET(unpu_bar, memory_bytes, 24);
UNPU_WIRE_OFFSET(unpu_bar, packet_bytes, 32);
UNPU_WIRE_OFFSET(unpu_bar, numa_node, 64);
UNPU_WIRE_OFFSET(unpu_bar, boot_ns, 72);
UNPU_WIRE_OFFSET(unpu_bar, soc_name, 80);
UNPU_WIRE_OFFSET(unpu_bar, instance, 112);
UNPU_WIRE_OFFSET(unpu_bar, heartbeat, 120);

/* Maximum number of channels in a reported circle; a channel is stored as its index + 1. */
#define UNPU_CIRCLE_CHANNELS 16u

/* struct unpu_client_status - first line of the completion segment. */
struct unpu_client_status {
	uint32_t sleeping;		/* not zero: the device needs a kick after a doorbell */
	uint32_t broken;		/* enum unpu_status: why the client was cut off, or 0 */
	uint64_t context_cookie;	/* cookie of the packet that broke it */
	uint32_t cpu;			/* 1 + the CPU on which the device ran last; 0: unknown */
	uint32_t pid;			/* the client's process, as the firmware sees it */
	uint64_t session;		/* unique number of the client on this device */
	/* a deadlock: channels of which each waits for the next and the last for the first; ends with 0 */
	uint16_t circle[UNPU_CIRCLE_CHANNELS];
};
UNPU_WIRE_SIZE(unpu_client_status, 64);
UNPU_WIRE_OFFSET(unpu_client_status, session, 24);
UNPU_WIRE_OFFSET(unpu_client_status, circle, 32);

/*
 * struct unpu_channel_status - a channel's line. @armed is 0 while the firmware polls the ring; when
 * it gives up polling it stores a new arming number. The host rings the doorbell once per number.
 * @rests counts, with UNPU_FEATURE_SCHEDULED, how often the firmware took a doorbell and then rested.
 */
struct unpu_channel_status {
	uint32_t armed;
	uint32_t rests;
	uint64_t reserved[7];
};
UNPU_WIRE_SIZE(unpu_channel_status, 64);

/* The value of @call in an entry that reports a failed packet. No HOST_CALL may use it. */
#define UNPU_CALL_FAULT 0xffffffffffffffffull

/*
 * struct unpu_call_entry - one HOST_CALL for the host to run, or a packet that failed; valid when
 * @sequence == index + 1.
 */
struct unpu_call_entry {
	uint64_t sequence;		/* stored last */
	uint64_t call;			/* struct unpu_host_call.call, or UNPU_CALL_FAULT */
	uint64_t token;			/* HOST_DONE must return it */
	uint64_t cookie;		/* of the packet */
	uint64_t address;		/* FAULT: the address that faulted, or 0 */
	uint32_t status;		/* FAULT: enum unpu_status */
	uint32_t timeline;		/* FAULT: of the channel, or of the channel that launched the graph */
	uint64_t reserved[2];
};
UNPU_WIRE_SIZE(unpu_call_entry, 64);
UNPU_WIRE_OFFSET(unpu_call_entry, token, 16);
UNPU_WIRE_OFFSET(unpu_call_entry, address, 32);
UNPU_WIRE_OFFSET(unpu_call_entry, timeline, 44);

/*
 * struct unpu_doorbells - a queue of hints "channel c has work". A producer takes a place by adding
 * to @tail and stores ((place + 1) << 32 | channel). An entry is only a hint: the ring itself tells
 * which packets are valid. @kicked_on is a hint too: a device that was woken on that CPU would take it
 * from the thread that kicked.
 */
struct unpu_doorbells {
	uint64_t tail;
	uint32_t kicked_on;		/* 1 + the CPU of the thread that kicked last; 0: unknown */
	uint32_t reserved0;
	uint64_t reserved[6];
	uint64_t entries[UNPU_DOORBELL_ENTRIES];
};
UNPU_WIRE_SIZE(unpu_doorbells, 64 + 8 * UNPU_DOORBELL_ENTRIES);
UNPU_WIRE_OFFSET(unpu_doorbells, kicked_on, 8);
UNPU_WIRE_OFFSET(unpu_doorbells, entries, 64);

/*
 * The two segments below end after the last semaphore that the client may use. A client with a quota of
 * semaphores has shorter segments than one without.
 */
#define UNPU_SEMAPHORES_END(quota) \
	((quota) && (quota) < UNPU_MAX_SEMAPHORES - UNPU_SEM_FIRST_FREE \
		 ? (quota) + UNPU_SEM_FIRST_FREE \
		 : UNPU_MAX_SEMAPHORES)
#define UNPU_COMPLETION_BYTES(quota) \
	(offsetof(struct unpu_completion, semaphores) + \
	 sizeof(struct unpu_sem_device) * (uint64_t)UNPU_SEMAPHORES_END(quota))
#define UNPU_CLIENT_BYTES(quota) \
	(offsetof(struct unpu_client, semaphores) + \
	 sizeof(struct unpu_sem_host) * (uint64_t)UNPU_SEMAPHORES_END(quota))

/* The completion segment. */
struct unpu_completion {
	struct unpu_client_status status;
	struct unpu_message reply;
	struct unpu_channel_status channels[UNPU_MAX_CHANNELS];
	struct unpu_call_entry calls[UNPU_CALL_QUEUE_ENTRIES];
	struct unpu_sem_device semaphores[UNPU_MAX_SEMAPHORES];
};
UNPU_WIRE_OFFSET(unpu_completion, reply, 64);
UNPU_WIRE_OFFSET(unpu_completion, channels, 192);
UNPU_WIRE_OFFSET(unpu_completion, calls, 192 + 64 * UNPU_MAX_CHANNELS);
UNPU_WIRE_OFFSET(unpu_completion, semaphores,
		 192 + 64 * (UNPU_MAX_CHANNELS + UNPU_CALL_QUEUE_ENTRIES));
UNPU_WIRE_SIZE(unpu_completion, 192 + 64 * (UNPU_MAX_CHANNELS + UNPU_CALL_QUEUE_ENTRIES) +
					64ull * UNPU_MAX_SEMAPHORES);

/* The client segment. */
struct unpu_client {
	struct unpu_message request;
	struct unpu_doorbells doorbells;
	struct unpu_sem_host semaphores[UNPU_MAX_SEMAPHORES];
};
UNPU_WIRE_OFFSET(unpu_client, doorbells, 128);
UNPU_WIRE_OFFSET(unpu_client, semaphores, 192 + 8 * UNPU_DOORBELL_ENTRIES);
UNPU_WIRE_SIZE(unpu_client, 192 + 8 * UNPU_DOORBELL_ENTRIES + 64ull * UNPU_MAX_SEMAPHORES);

#endif /* UNPU_UAPI_REGS_H */
