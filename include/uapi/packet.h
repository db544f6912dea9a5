/* SPDX-License-Identifier: MIT */
/*
 * DOC: Packet
 *
 * A packet is one cache line. The host writes bytes 4..63, then stores @valid with release; the
 * firmware loads @valid with acquire, copies the line into private memory, and never reads the shared
 * line again. Packet i of the channel (i never wraps) is valid when @valid == (uint32_t)(i + 1), so an
 * old or a zeroed line is never taken for a new one.
 *
 *	bytes	field		meaning					writer
 *	0-3	valid		sequence word, stored last		host
 *	4	opcode		enum unpu_opcode			host
 *	5	flags		UNPU_PACKET_*				host
 *	6-7	variant		ROW: what is computed; FILE_READ, _WRITE: the file; TENSOR: the kind; else MBZ	host
 *	8-15	cookie		command id of the API call		host
 *	16-47	payload		by opcode				host
 *	48-51	signal_sem	semaphore to signal, 0 = none		host
 *	52	signal_op	enum unpu_signal_op			host
 *	53-55	reserved1	MBZ					host
 *	56-63	signal_value	value for signal_op			host
 *
 * When packet i retires, the firmware sets the channel's timeline to timeline_base + i + 1. This is the
 * fence of the packet and needs no field. The signal fields are for another semaphore of the caller's choice.
 */
#ifndef UNPU_UAPI_PACKET_H
#define UNPU_UAPI_PACKET_H

#include "uapi/types.h"

/* X(name, number): numbers are never reused. No version has used 14 to 17 and 19; they stay free. */
#define UNPU_OPCODE_LIST(X) \
	X(NOP, 1) \
	X(COPY, 2) \
	X(FILL, 3) \
	X(SEM_WAIT, 4) \
	X(SEM_SIGNAL, 5) \
	X(TIMESTAMP, 6) \
	X(OPERATOR, 7) \
	X(GRAPH, 8) \
	X(HOST_CALL, 9) \
	X(HOST_DONE, 10) \
	X(STOP, 11) \
	X(VALUE_WRITE, 12) \
	X(VALUE_WAIT, 13) \
	X(OVERFLOW, 18) \
	X(GRAPH_UPDATE, 20) \
	X(COND, 21) \
	X(JUMP, 22) \
	X(ACTIVATE, 23) \
	X(ROW, 24) \
	X(FILE_READ, 25) \
	X(FILE_WRITE, 26) \
	X(TENSOR, 27) \
	X(KERNEL, 28)

enum unpu_opcode {
#define UNPU_OPCODE_ENUM(name, number) UNPU_OP_##name = number,
	UNPU_OPCODE_LIST(UNPU_OPCODE_ENUM)
#undef UNPU_OPCODE_ENUM
};

/*
 * When set, the packet runs even if an earlier packet of its channel failed and the channel is in
 * stop-on-failure mode. When cleared, such a packet retires as UNPU_STATUS_SKIPPED.
 */
#define UNPU_PACKET_ALWAYS 0x01u
/*
 * For OPERATOR. With either flag, an infinite or NaN floating-point result sets the client's overflow
 * status. With FAILS the packet also fails as UNPU_STATUS_OVERFLOW, after it has stored its result; with
 * SATURATE such elements become the largest finite value of their sign, or zero.
 */
#define UNPU_PACKET_OVERFLOW_FAILS 0x02u
#define UNPU_PACKET_SATURATE 0x04u

/*
 * Nodes of a graph only, SEM_WAIT, SEM_SIGNAL and TIMESTAMP: semaphore and value are those of
 * argument number @wait.value or @signal_value of the launch. The packet's own semaphore is 0.
 */
#define UNPU_PACKET_ARGUMENT 0x08u
#define UNPU_PACKET_FLAGS_MASK 0x0fu

/* What the signal of a packet does to the semaphore's value. */
enum unpu_signal_op {
	UNPU_SIGNAL_NONE = 0,	/* signal_sem and signal_value are zero */
	UNPU_SIGNAL_RAISE = 1,	/* value = max(value, signal_value): values only grow */
	UNPU_SIGNAL_SET = 2,	/* value = signal_value: the set/reset form of flag-like events */
	UNPU_SIGNAL_ADD = 3,	/* value += signal_value, in 32 bits */
	UNPU_SIGNAL_OR = 4,	/* value |= signal_value, in 32 bits */
	UNPU_SIGNAL_AND = 5,	/* value &= signal_value, in 32 bits */
};

/* SEM_WAIT conditions. */
enum unpu_wait_op {
	UNPU_WAIT_GE = 0,	/* value >= wanted */
	UNPU_WAIT_LT = 1,	/* value < wanted */
	UNPU_WAIT_EQ = 2,	/* value == wanted */
	UNPU_WAIT_GT = 3,	/* value > wanted */
	UNPU_WAIT_MASK = 4,	/* (value & wanted) == wanted */
};

/* SEM_WAIT flag: the end of the wait sets the value to 0, atomically towards all other waiters. */
#define UNPU_WAIT_CLEAR 0x1u
/* SEM_WAIT flag: the wait only orders channels, so it also ends when the packet that would signal was
 * dropped (CHANNEL_ABORT). */
#define UNPU_WAIT_ORDER 0x2u
/* SEM_WAIT flag: the wait also ends, without a failure, when the process that was to signal is gone. */
#define UNPU_WAIT_OUTLIVE 0x4u
#define UNPU_WAIT_FLAGS_MASK 0x7u

/* struct unpu_copy - bytes are moved from @src to @dst; either may be device or pinned host memory. */
struct unpu_copy {
	uint64_t dst;		/* device address */
	uint64_t src;		/* device address */
	uint64_t bytes;		/* > 0 */
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_copy, 32);
UNPU_WIRE_OFFSET(unpu_copy, src, 8);
UNPU_WIRE_OFFSET(unpu_copy, bytes, 16);

/* struct unpu_fill - @bytes bytes from @dst on are set to the repeated @pattern. */
struct unpu_fill {
	uint64_t dst;		/* device address, multiple of @width */
	uint64_t bytes;		/* > 0, multiple of @width */
	uint32_t pattern;	/* low @width bytes count */
	uint32_t width;		/* 1, 2 or 4 */
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_fill, 32);
UNPU_WIRE_OFFSET(unpu_fill, bytes, 8);
UNPU_WIRE_OFFSET(unpu_fill, pattern, 16);
UNPU_WIRE_OFFSET(unpu_fill, width, 20);

/* struct unpu_sem_wait - the channel parks until the semaphore fulfils the condition. */
struct unpu_sem_wait {
	uint32_t sem;		/* semaphore index */
	uint32_t op;		/* enum unpu_wait_op */
	uint64_t value;
	uint64_t timeout_ns;	/* 0 = for ever; expiry is UNPU_STATUS_WAIT_TIMEOUT */
	uint32_t flags;		/* UNPU_WAIT_CLEAR, UNPU_WAIT_ORDER */
	uint32_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_sem_wait, 32);
UNPU_WIRE_OFFSET(unpu_sem_wait, op, 4);
UNPU_WIRE_OFFSET(unpu_sem_wait, value, 8);
UNPU_WIRE_OFFSET(unpu_sem_wait, timeout_ns, 16);
UNPU_WIRE_OFFSET(unpu_sem_wait, flags, 24);

/*
 * struct unpu_operator_ref - the place of the operator's descriptor (uapi/operator.h). In a ring: in
 * the descriptor page of the packet's own slot, @offset MBZ. In a graph image: @offset bytes after
 * the image's descriptor area.
 */
struct unpu_operator_ref {
	uint64_t offset;
	uint32_t bytes;		/* sizeof(struct unpu_operator) */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved[2];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_operator_ref, 32);
UNPU_WIRE_OFFSET(unpu_operator_ref, bytes, 8);

/*
 * struct unpu_tensor_ref - the place of a tensor operator's descriptor (uapi/tensor.h). In a ring: in the
 * descriptor pages of the packet's own slot and of the slots behind it, UNPU_TENSOR_PAGE_BYTES in each,
 * @offset MBZ; NOP packets follow in these slots. In a graph image: @offset bytes after the start of the
 * image's tensor area. The packet's @variant is the kind.
 *
 * The same for a KERNEL, whose descriptor is a struct unpu_kernel_launch with the arguments (uapi/kernel.h).
 */
struct unpu_tensor_ref {
	uint64_t offset;	/* multiple of 8 */
	uint32_t bytes;		/* multiple of 8, at most UNPU_TENSOR_MAX_BYTES; KERNEL: UNPU_KERNEL_MAX_BYTES */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved[2];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_tensor_ref, 32);
UNPU_WIRE_OFFSET(unpu_tensor_ref, bytes, 8);

/* struct unpu_packet.variant of a ROW: enum unpu_operator_kind, and which source is one element. */
#define UNPU_ROW_KIND_MASK 0x00ffu
#define UNPU_ROW_LEFT_ONE 0x0100u
#define UNPU_ROW_RIGHT_ONE 0x0200u
#define UNPU_ROW_MASK 0x03ffu

/*
 * struct unpu_row - ROW: an ADD or MUL on contiguous F32 elements, as the operator of that kind, but
 * without a descriptor. @scalar of an ADD multiplies the right elements.
 */
struct unpu_row {
	uint64_t out;		/* device address */
	uint64_t left;		/* device address */
	uint64_t right;		/* device address */
	uint32_t count;		/* elements, > 0 */
	uint32_t scalar;	/* bits of an F32; MUL: MBZ */
};
UNPU_WIRE_SIZE(unpu_row, 32);
UNPU_WIRE_OFFSET(unpu_row, count, 24);

/*
 * struct unpu_graph_ref - launches a graph loaded by UNPU_MSG_GRAPH_LOAD, with as many arguments
 * (struct unpu_graph_argument) as its image says. They are copied when the packet is fetched.
 */
struct unpu_graph_ref {
	uint32_t graph;		/* id from the load's reply */
	uint32_t args;		/* number of arguments */
	uint64_t args_va;	/* device address; 0: in the slot's page, UNPU_GRAPH_PAGE_ARGS at most */
	uint64_t reserved[2];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_graph_ref, 32);
UNPU_WIRE_OFFSET(unpu_graph_ref, args_va, 8);

/* struct unpu_graph_change - GRAPH_UPDATE: changes nodes of a graph; @va: see uapi/graph.h. */
struct unpu_graph_change {
	uint32_t graph;
	uint32_t reserved0;	/* MBZ */
	uint64_t va;
	uint64_t bytes;
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_graph_change, 32);
UNPU_WIRE_OFFSET(unpu_graph_change, va, 8);

enum unpu_cond_kind {
	UNPU_COND_IF = 1,	/* not 0: the first region; 0: the second, if there are two */
	UNPU_COND_WHILE = 2,	/* the region again and again while not 0; 1 region */
	UNPU_COND_SWITCH = 3,	/* region number @va; none when there are not so many */
};

/* struct unpu_cond - COND: runs one of its regions, by a 64-bit value, or none. */
struct unpu_cond {
	uint64_t va;		/* device address of the value, multiple of 8 */
	uint32_t kind;		/* enum unpu_cond_kind */
	uint32_t first;		/* region */
	uint32_t count;		/* of regions, > 0 */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_cond, 32);
UNPU_WIRE_OFFSET(unpu_cond, kind, 8);
UNPU_WIRE_OFFSET(unpu_cond, count, 16);

/*
 * struct unpu_jump - JUMP: the line continues at another of its nodes. The 32-bit value at @va selects
 * one of @count targets; a value that is too large selects the last one.
 */
struct unpu_jump {
	uint64_t va;		/* device address, multiple of 4; 0: the value is 0 */
	uint32_t first;		/* of the image's words: node indices */
	uint32_t count;		/* > 0 */
	uint64_t reserved[2];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_jump, 32);
UNPU_WIRE_OFFSET(unpu_jump, first, 8);

enum unpu_compare {
	UNPU_COMPARE_ALWAYS = 0,	/* @left, @right and @width are 0 */
	UNPU_COMPARE_EQ = 1,
	UNPU_COMPARE_NE = 2,
	UNPU_COMPARE_GT = 3,
	UNPU_COMPARE_GE = 4,
	UNPU_COMPARE_LT = 5,
	UNPU_COMPARE_LE = 6,
};

/* ACTIVATE flag: the packet's own line ends after it has started the other one. */
#define UNPU_ACTIVATE_LEAVES 0x1u

/*
 * struct unpu_activate - ACTIVATE: starts a dormant line of the region if the signed integer at @left
 * compares to the one at @right as asked for. A line that runs already runs once more afterwards.
 */
struct unpu_activate {
	uint64_t left;		/* device address, multiple of @width */
	uint64_t right;		/* device address, multiple of @width */
	uint32_t line;
	uint32_t compare;	/* enum unpu_compare */
	uint32_t width;		/* 4 or 8 */
	uint32_t flags;		/* UNPU_ACTIVATE_* */
};
UNPU_WIRE_SIZE(unpu_activate, 32);
UNPU_WIRE_OFFSET(unpu_activate, line, 16);

/*
 * struct unpu_host_call - HOST_CALL: the firmware posts an entry to the context's call queue and the
 * channel (or graph line) is parked until the host sends HOST_DONE with the entry's token.
 */
struct unpu_host_call {
	uint64_t call;		/* HOST_CALL: the host's own number for the function */
	uint64_t token;		/* HOST_DONE: the token of the queue entry; HOST_CALL: MBZ */
	uint32_t status;	/* HOST_DONE: OK, or MMU_FAULT if the call failed; HOST_CALL: MBZ */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_host_call, 32);
UNPU_WIRE_OFFSET(unpu_host_call, token, 8);
UNPU_WIRE_OFFSET(unpu_host_call, status, 16);

/* struct unpu_value_write - one atomic store of @bytes bytes. */
struct unpu_value_write {
	uint64_t address;	/* device address, multiple of @bytes */
	uint64_t value;		/* low @bytes bytes count; with 4 the others are zero */
	uint32_t bytes;		/* 4 or 8 */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved;	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_value_write, 32);
UNPU_WIRE_OFFSET(unpu_value_write, bytes, 16);

/* VALUE_WAIT conditions on the word in memory, in the word's own width. */
enum unpu_value_op {
	UNPU_VALUE_GE = 0,	/* (signed)(word - value) >= 0, so that counters may wrap */
	UNPU_VALUE_EQ = 1,	/* word == value */
	UNPU_VALUE_AND = 2,	/* (word & value) != 0 */
	UNPU_VALUE_NOR = 3,	/* ~(word | value) != 0 */
};

/*
 * struct unpu_value_wait - the channel parks until a word in memory fulfils the condition. Another
 * packet, another client or a CPU of the host may store the word.
 */
struct unpu_value_wait {
	uint64_t address;	/* device address, multiple of @bytes */
	uint64_t value;		/* with 4 bytes the upper half is zero */
	uint64_t timeout_ns;	/* 0 = for ever; expiry is UNPU_STATUS_WAIT_TIMEOUT */
	uint32_t op;		/* enum unpu_value_op */
	uint32_t bytes;		/* 4 or 8 */
};
UNPU_WIRE_SIZE(unpu_value_wait, 32);
UNPU_WIRE_OFFSET(unpu_value_wait, timeout_ns, 16);
UNPU_WIRE_OFFSET(unpu_value_wait, op, 24);

/*
 * struct unpu_file_transfer - FILE_READ copies from a file to device memory, FILE_WRITE from device memory
 * to a file. The packet's @variant is the file's number (UNPU_SOCKET_GIVE_FILE). If a read reaches the end of
 * the file, it succeeds with fewer bytes, which @progress tells; without @progress it fails as FILE_SHORT.
 */
struct unpu_file_transfer {
	uint64_t va;		/* device address */
	uint64_t bytes;		/* > 0 */
	uint64_t offset;	/* in the file; @offset + @bytes is at most INT64_MAX */
	uint64_t progress;	/* device address of a struct unpu_file_state, multiple of 64; 0: none */
};
UNPU_WIRE_SIZE(unpu_file_transfer, 32);
UNPU_WIRE_OFFSET(unpu_file_transfer, progress, 24);

/* struct unpu_file_state - the progress of a transfer; the device stores it during the transfer. */
struct unpu_file_state {
	uint64_t bytes;		/* transferred, from the first byte on without a gap */
	uint64_t total;		/* requested */
	uint32_t status;	/* NOT_READY during the transfer; OK, FILE_SHORT, BAD_FILE, CHANNEL_STOPPED */
	uint32_t error;		/* of BAD_FILE: the host's errno */
	uint64_t reserved[5];	/* zero */
};
UNPU_WIRE_SIZE(unpu_file_state, 64);
UNPU_WIRE_OFFSET(unpu_file_state, status, 16);

/* OVERFLOW actions. */
enum unpu_overflow_action {
	UNPU_OVERFLOW_READ = 1,		/* the status is stored at @dst */
	UNPU_OVERFLOW_CLEAR = 2,
};

/* struct unpu_overflow - reads or clears the client's overflow status. */
struct unpu_overflow {
	uint64_t dst;		/* READ: device address; CLEAR: MBZ */
	uint32_t action;	/* enum unpu_overflow_action */
	uint32_t reserved0;	/* MBZ */
	uint64_t reserved[2];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_overflow, 32);
UNPU_WIRE_OFFSET(unpu_overflow, action, 8);

/* struct unpu_overflow_status - what READ stores. */
struct unpu_overflow_status {
	uint32_t overflowed;	/* 1 when an operator overflowed since the last CLEAR, else 0 */
	uint32_t reserved[15];	/* zero */
};
UNPU_WIRE_SIZE(unpu_overflow_status, 64);

struct unpu_packet {
	uint32_t valid;
	uint8_t opcode;
	uint8_t flags;
	uint16_t variant;
	uint64_t cookie;
	union {
		struct unpu_copy copy;
		struct unpu_fill fill;
		struct unpu_sem_wait wait;
		struct unpu_operator_ref op;
		struct unpu_tensor_ref tensor;
		struct unpu_row row;
		struct unpu_graph_ref graph;
		struct unpu_graph_change change;
		struct unpu_cond cond;
		struct unpu_jump jump;
		struct unpu_activate activate;
		struct unpu_host_call call;
		struct unpu_value_write value_write;
		struct unpu_value_wait value_wait;
		struct unpu_overflow overflow;
		struct unpu_file_transfer file;
		uint64_t words[4];
	};
	uint32_t signal_sem;
	uint8_t signal_op;
	uint8_t reserved1[3];
	uint64_t signal_value;
};
UNPU_WIRE_SIZE(unpu_packet, 64);
UNPU_WIRE_OFFSET(unpu_packet, opcode, 4);
UNPU_WIRE_OFFSET(unpu_packet, flags, 5);
UNPU_WIRE_OFFSET(unpu_packet, variant, 6);
UNPU_WIRE_OFFSET(unpu_packet, cookie, 8);
UNPU_WIRE_OFFSET(unpu_packet, words, 16);
UNPU_WIRE_OFFSET(unpu_packet, signal_sem, 48);
UNPU_WIRE_OFFSET(unpu_packet, signal_op, 52);
UNPU_WIRE_OFFSET(unpu_packet, reserved1, 53);
UNPU_WIRE_OFFSET(unpu_packet, signal_value, 56);

#endif /* UNPU_UAPI_PACKET_H */
