/* SPDX-License-Identifier: MIT */
/*
 * DOC: Socket
 *
 * The protocol between the firmware and a client in another process: messages of 128 bytes over a Unix
 * SOCK_SEQPACKET socket, each answered by one of the same type, with descriptors (SCM_RIGHTS). A connection
 * is at most one client of one device, and the client ends with it. After ATTACH the socket carries only
 * requests for descriptors of segments and files; all else uses shared memory and kicks.
 *
 *	type		request			reply			descriptors of the reply
 *	PROBE		-			probe			-
 *	ATTACH		attach.device, flags	attach			BAR, completion, client, kick
 *	TAKE_SEGMENT	segment.segment		segment			the segment
 *	CONNECT		a socket beside it	-			-
 *	SNAPSHOT	snapshot.device		snapshot.bytes		a JSON text
 *	GIVE_FILE	a file beside it	file			-
 *
 * A kick is a write of the 8-byte number 1 to the kick descriptor, an eventfd of this client.
 */
#ifndef UNPU_UAPI_SOCKET_H
#define UNPU_UAPI_SOCKET_H

#include "uapi/types.h"

#define UNPU_SOCKET_MAGIC 0x304b435355504e55ull	/* "UNPUSCK0" */
#define UNPU_SOCKET_DESCRIPTORS 4u		/* at most, beside one message */

/* X(name, number): numbers are never reused. */
#define UNPU_SOCKET_LIST(X) \
	X(PROBE, 1) \
	X(ATTACH, 2) \
	X(TAKE_SEGMENT, 3) \
	X(CONNECT, 4) \
	X(SNAPSHOT, 5) \
	X(GIVE_FILE, 6)

enum unpu_socket_type {
#define UNPU_SOCKET_ENUM(name, number) UNPU_SOCKET_##name = number,
	UNPU_SOCKET_LIST(UNPU_SOCKET_ENUM)
#undef UNPU_SOCKET_ENUM
};

/* PROBE. Reply: all. */
struct unpu_socket_probe {
	uint64_t instance;		/* struct unpu_bar.instance */
	uint64_t memory_bytes;		/* of each device */
	uint32_t devices;
	uint32_t reserved0;
	char soc_name[32];		/* zero-terminated */
	uint64_t reserved1[6];
};
UNPU_WIRE_SIZE(unpu_socket_probe, 104);
UNPU_WIRE_OFFSET(unpu_socket_probe, soc_name, 24);

/* ATTACH flag of the request: the client supports global membarrier fences. In the reply: both sides do,
 * so only the sleeping side pays for D1 and D2 of this client. Without it both sides use full fences. */
#define UNPU_ATTACH_MACHINE_FENCES 0x1u

/* ATTACH, once per connection. Reply: all; a quota of 0: no limit. */
struct unpu_socket_attach {
	uint32_t device;		/* index */
	uint32_t flags;			/* UNPU_ATTACH_* */
	uint64_t quota_memory_bytes;
	uint32_t quota_channels;
	uint32_t quota_semaphores;
	uint32_t quota_graphs;
	uint32_t client;		/* number on the device */
	uint64_t reserved[9];
};
UNPU_WIRE_SIZE(unpu_socket_attach, 104);
UNPU_WIRE_OFFSET(unpu_socket_attach, quota_memory_bytes, 8);
UNPU_WIRE_OFFSET(unpu_socket_attach, quota_channels, 16);
UNPU_WIRE_OFFSET(unpu_socket_attach, client, 28);

/* TAKE_SEGMENT, once, after a mailbox reply has confirmed the segment. Reply: all. */
struct unpu_socket_segment {
	uint64_t segment;
	uint64_t bytes;
	uint32_t pages;			/* enum unpu_page_kind */
	uint32_t reserved0;
	uint64_t reserved1[10];
};
UNPU_WIRE_SIZE(unpu_socket_segment, 104);
UNPU_WIRE_OFFSET(unpu_socket_segment, pages, 16);

/* SNAPSHOT: the state of a device and all its clients. Reply: length of the text in the descriptor. */
struct unpu_socket_snapshot {
	uint64_t bytes;
	uint32_t device;		/* index */
	uint32_t reserved0;
	uint64_t reserved1[11];
};
UNPU_WIRE_SIZE(unpu_socket_snapshot, 104);
UNPU_WIRE_OFFSET(unpu_socket_snapshot, device, 8);

/* ALWAYS_DIRECT, in the request: bypass the page cache without checking it. URING, in the reply: transfers
 * use io_uring. */
#define UNPU_FILE_ALWAYS_DIRECT 0x1u
#define UNPU_FILE_URING 0x2u
#define UNPU_MAX_FILES 1024u		/* of one client at once */

/*
 * GIVE_FILE: a regular file or block device that the client has opened. The firmware uses the client's
 * descriptor, so it has only the client's access rights. A second descriptor is the same file with O_DIRECT.
 * Reply: @file, a number for packets; @flags URING.
 */
struct unpu_socket_file {
	uint32_t file;			/* 1 .. 65535 */
	uint32_t flags;			/* UNPU_FILE_* */
	uint64_t reserved[12];
};
UNPU_WIRE_SIZE(unpu_socket_file, 104);
UNPU_WIRE_OFFSET(unpu_socket_file, flags, 4);

struct unpu_socket_message {
	uint64_t magic;			/* UNPU_SOCKET_MAGIC */
	uint32_t abi;			/* UNPU_ABI of the sender */
	uint32_t type;			/* enum unpu_socket_type */
	uint32_t status;		/* reply: enum unpu_status; request: MBZ */
	uint32_t reserved;		/* MBZ */
	union {
		struct unpu_socket_probe probe;
		struct unpu_socket_attach attach;
		struct unpu_socket_segment segment;
		struct unpu_socket_snapshot snapshot;
		struct unpu_socket_file file;
		uint64_t words[13];
	};
};
UNPU_WIRE_SIZE(unpu_socket_message, 128);
UNPU_WIRE_OFFSET(unpu_socket_message, abi, 8);
UNPU_WIRE_OFFSET(unpu_socket_message, type, 12);
UNPU_WIRE_OFFSET(unpu_socket_message, status, 16);
UNPU_WIRE_OFFSET(unpu_socket_message, words, 24);

#endif /* UNPU_UAPI_SOCKET_H */
