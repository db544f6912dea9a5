// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/**
 * DOC: records of a trace
 *
 * A trace lists the calls that a program made to the API, in the order in which they took effect. The judge
 * (san/judge/judge.h) turns it into findings. The file has a head of HEAD_BYTES, then records:
 *
 *	head	offset 0  8 bytes "UNPUSAN" and a zero; 8 u32 VERSION; 12 u32 HEAD_BYTES
 *	record	64 bytes, then its operands, or of STRING and MARK a text:
 *		0  u16 kind        2  u16 flags       4  u32 client     8  u32 thread
 *		12 u32 stream      16 u64 object      24 u64 address    32 u64 bytes
 *		40 u64 value       48 u32 label       52 u32 site
 *		56 u32 operands, or bytes of text                       60 u32 reserved, 0
 *	operand	32 bytes, then 16 bytes for each dimension:
 *		0  u64 address     8  u64 run bytes   16 u8 access      17 u8 dimensions
 *		18 u16 flags       20 u32 role        24 u64 reserved, 0
 *	dimension 0 u64 count  8  i64 stride in bytes
 *	text	without a zero, padded with zeros to a multiple of 8
 *
 * Kind 0 is a hole: a record that was reserved but not published, because the call failed or its thread was
 * killed. The lower half of its first word is 0. The upper half (where other records have the client) is the
 * length of the hole, a multiple of 8. A word of 0 is a hole of 8 bytes: it is in the unused end of the file,
 * or in the record of a thread that was killed before it stored the length. A writer stores the length first
 * and the first word of the record last.
 *
 * Numbers are little-endian. A reader refuses versions that it does not know, and reserved fields that are
 * not 0. Version 2 added MARK, version 3 GRAPH_SIGNAL, GRAPH_AWAIT, GRAPH_FOLLOW, SignalOp and LATCH_ANY,
 * version 4 COMPARED, COMMAND_COMPARED, COMMAND_UNCOMPARED, COMMAND_OPAQUE, contexts of streams and flags of
 * graphs, version 5 LATCH_CLEAR, version 6 OBSERVED, LOST and the address of GRAPH_NODE and GRAPH_UPDATE,
 * version 7 the context of DEVICE_SYNC, version 8 GONE and the parent of CLIENT, version 9 ids of streams,
 * handles of events, DROPPED, COMPARED_AFTER and the flags of GRAPH_LAUNCH, version 10 the value of ALLOC,
 * COMMAND and EVENT_WAIT, and OPERAND_BLOCKS, version 11 the bytes of EVENT_RECORD, EVENT_RESET,
 * GRAPH_LAUNCH, CALLBACK, SIGNAL and AWAIT, and OPERAND_BEYOND, version 12 the bytes of ACQUIRE, version 13
 * WORK; everything else is as in version 1. label, site and role are numbers of earlier STRING records; 0 means none.
 *
 * The text of a site is a call stack: one frame on each line, the innermost first. A frame is
 * "MODULE+0xOFFSET", an address in an ELF file, or "FILE:LINE FUNCTION" or "FILE:LINE", for example of a
 * Python program.
 */
namespace san {

constexpr uint32_t VERSION = 13;
constexpr uint32_t OLDEST_VERSION = 1; /* the oldest version that can still be read */
constexpr uint32_t HEAD_BYTES = 16;
constexpr uint32_t RECORD_BYTES = 64;
constexpr uint32_t OPERAND_BYTES = 32;
constexpr uint32_t DIMENSION_BYTES = 16;
constexpr uint32_t MAX_OPERANDS = 4096;
constexpr uint32_t MAX_DIMENSIONS = 8;
constexpr uint32_t MAX_STRING_BYTES = 4096;

/** PROCESS_BITS - the lower bits of a client number are the process id. The bits above them count how often
 * the process has called exec, which replaces its program. */
constexpr unsigned PROCESS_BITS = 22;
constexpr uint32_t process_of(uint32_t client)
{
	return client & ((uint32_t{1} << PROCESS_BITS) - 1);
}

/** HOST - as the number of a stream: it means the host itself. */
constexpr uint32_t HOST = UINT32_MAX;

/* X(name, number, what the fields mean). A number is never used again. */
#define SAN_KIND_LIST(X) \
	X(STRING, 1, "object: number of the text that follows") \
	X(CLIENT, 2, \
	  "client: a new process; value: Profile; label: its name; object: number of its " \
	  "parent's " \
	  "process, 0: not known") \
	X(STREAM_CREATE, 3, \
	  "stream; flags: StreamFlag; label: its name; object: its context, which a legacy " \
	  "stream orders; value: its id of the API, + 1; bytes: the number of its device") \
	X(STREAM_DESTROY, 4, "stream; flags: WAITS when the call waits for the stream's work") \
	X(COMMAND, 5, \
	  "stream; object: number of the command; flags: CommandFlag; value: its task of the " \
	  "stream, + 1, 0: not known; operands") \
	X(HOST_ACCESS, 6, "operands that the host itself reads or writes") \
	X(EVENT_CREATE, 7, \
	  "object: the event, one number in all clients; value: EventMode; label; address: its " \
	  "handle") \
	X(EVENT_RECORD, 8, "object: the event; stream; bytes: as the value of COMMAND") \
	X(EVENT_WAIT, 9, "object: the event; stream that waits; value: as of COMMAND") \
	X(EVENT_RESET, 10, "object: the event; stream; bytes: as of EVENT_RECORD") \
	X(EVENT_DESTROY, 11, "object: the event") \
	X(EVENT_SYNC, 12, "object: the event; the host waited for it, with success") \
	X(EVENT_DONE, 13, "object: the event; a query found it complete") \
	X(STREAM_SYNC, 14, \
	  "stream; the host waited for it, with success; flags: DROPPED when its work was " \
	  "dropped") \
	X(STREAM_DONE, 15, "stream; a query found it complete") \
	X(DEVICE_SYNC, 16, \
	  "the host waited for all streams of the client, with success; object: context, 0 for " \
	  "all; also for streams that are gone") \
	X(BLOCKED, 17, \
	  "the thread begins to wait: stream, or object: the event, or neither: device") \
	X(ALLOC, 18, \
	  "address, bytes; object: physical block; stream, or HOST; flags: AllocFlag; value: so " \
	  "many of the last bytes the program did not ask for") \
	X(FREE, 19, "address; stream, or HOST; flags: WAITS when the call waits for all work") \
	X(MAP, 20, "address, bytes; object: physical block; value: offset in the block") \
	X(UNMAP, 21, "address, bytes; flags: UNMAP_IN_STREAM, and then its stream") \
	X(GRAPH_NODE, 22, \
	  "object: graph; value: node; stream it was captured on, or HOST; address: number by " \
	  "which it is OBSERVED, or 0; operands") \
	X(GRAPH_EDGE, 23, "object: graph; address: node before; value: node after") \
	X(GRAPH_READY, 24, "object: graph; all nodes and edges are known") \
	X(GRAPH_UPDATE, 25, \
	  "object: graph; value: node; stream, or HOST; address: as of GRAPH_NODE; operands in " \
	  "place of the old") \
	X(GRAPH_LAUNCH, 26, \
	  "object: graph; stream; value: number of the command; bytes: as of EVENT_RECORD") \
	X(GRAPH_DESTROY, 27, "object: graph") \
	X(CALLBACK, 28, \
	  "object: number of the host function; stream; flags: BLOCKS; bytes: as of EVENT_RECORD") \
	X(CALLBACK_BEGIN, 29, "object: number of the host function; thread that runs it") \
	X(CALLBACK_END, 30, "object: number of the host function; thread that ran it") \
	X(SIGNAL, 31, \
	  "object: latch; stream, or HOST; value; flags: SignalOp; bytes: as of EVENT_RECORD") \
	X(AWAIT, 32, \
	  "object: latch; stream, or HOST; value; flags: LatchFlag; bytes: as of EVENT_RECORD") \
	X(RELEASE, 33, "object: key; the host of the client publishes what it knows") \
	X(ACQUIRE, 34, \
	  "object: key; the host of the client learns what was published; or bytes, not 0, from " \
	  "address on: the host has read there what commands wrote; object: latch of the word, " \
	  "value: the word") \
	X(API_CALL, 35, "a call of the API that no other record tells of; label: its name") \
	X(CLOCK, 36, "value: ns of the machine's clock; the records that follow are later") \
	X(MARK, 37, \
	  "the part of the program that begins, as a test, is the text that follows; empty: none") \
	X(GRAPH_SIGNAL, 38, \
	  "object: graph; address: node, which signals; bytes: latch, or flag; value; flags: " \
	  "SignalOp") \
	X(GRAPH_AWAIT, 39, \
	  "object: graph; address: node, which waits; bytes: latch, or flag; value; flags: " \
	  "LatchFlag") \
	X(GRAPH_FOLLOW, 40, \
	  "object: graph; value: graph whose last launch is before its next one") \
	X(COMPARED, 41, \
	  "object: number of a copy that has ended; flags: CompareFlag; operands: what the host " \
	  "changed") \
	X(OBSERVED, 42, \
	  "object: number of a command that has run, or the number by which a node is OBSERVED; " \
	  "value: 0, or n: it goes on with the n-th record; operands: what it has accessed") \
	X(LOST, 43, \
	  "the first record: the trace could not grow; what follows its last one is missing") \
	X(GONE, 44, \
	  "object: another client, whose process is gone by now; its parent knows that its work " \
	  "is over") \
	X(WORK, 45, \
	  "object: number of a command, or a graph; stream: node of the graph, or HOST; flags: " \
	  "WorkClass and WorkFlag; label: what is computed; address: operations, or of a kernel " \
	  "its blocks; bytes: bytes read; value: bytes written; before the record of the command")

/** enum class Kind - the kinds of records. */
enum class Kind : uint16_t {
#define SAN_KIND_ENUM(name, number, text) name = number,
	SAN_KIND_LIST(SAN_KIND_ENUM)
#undef SAN_KIND_ENUM
};

/** enum class Profile - the API by whose rules a client is judged. */
enum class Profile : uint64_t { ASCENDCL = 0, CUDA = 1 };

/** StreamFlag - flags of STREAM_CREATE. Without one the stream is blocking in CUDA's sense. */
enum StreamFlag : uint16_t {
	/* CUDA's legacy default stream, which is ordered with all blocking streams */
	STREAM_LEGACY = 1,
	STREAM_NON_BLOCKING = 2, /* not ordered with the legacy stream */
	STREAM_DEFAULT = 4,	 /* a default stream without implied order, as in AscendCL */
};

/** CommandFlag - flags of COMMAND and GRAPH_NODE. */
enum CommandFlag : uint16_t {
	/* operand 0 is copied to operand 1; undefined bytes may be copied, too */
	COMMAND_COPY = 1,
	COMMAND_TO_HOST = 2,  /* the host will read the destination */
	COMMAND_RETURNED = 4, /* the call returned after the command was complete */
	COMMAND_STAGED = 8,   /* the call returned after the host operands were read or written */
	/* for a copy of pinned memory: a COMPARED record follows when the copy has ended */
	COMMAND_COMPARED = 16,
	COMMAND_UNCOMPARED = 32, /* there was no memory for comparing the copy */
	/* the host may take part in the command, or the command reads addresses from memory */
	COMMAND_OPAQUE = 64,
};

/** CompareFlag - flags of COMPARED. No flag: the source that the device read differed from the source at the
 * call. Both flags: see is_touch(). */
enum CompareFlag : uint16_t {
	COMPARED_TARGET = 1, /* the host wrote the target while the copy was in flight */
	/* when a wait for the copy ended, the source differed from the source at the call */
	COMPARED_AFTER = 2,
};

/** EventMode - the value field of EVENT_CREATE. */
enum EventMode : uint64_t {
	/* a wait refers to the last record before it; if there is none, the wait has no effect */
	EVENT_SNAPSHOT = 0,
	/* a wait blocks until any record, also a later one; the event stays signalled until a
	 * reset */
	EVENT_LATCH = 1,
};

/** AllocFlag - flags of ALLOC. */
enum AllocFlag : uint16_t {
	/* the memory exists from the point of its stream at which the allocation is */
	ALLOC_ASYNC = 1,
	ALLOC_HOST = 2, /* pinned memory of the host */
	/* its bytes count as written: imported memory, or memory that the program had before */
	ALLOC_DEFINED = 4,
};

/** LatchFlag - flags of AWAIT: which value ends the wait. */
enum LatchFlag : uint16_t {
	LATCH_EQUAL = 0,
	LATCH_AT_LEAST = 1,
	/* any signal ends the wait, and the wait consumes it; a SIGNAL_ADD of n counts as n
	 * signals */
	LATCH_CONSUME = 2,
	/* the condition is unknown: the signals so far end the wait, if there are any */
	LATCH_ANY = 4,
	/* the wait sets the word to 0; the first signals that can end the wait do so; not together
	 * with LATCH_CONSUME */
	LATCH_CLEAR = 8,
};

/** SignalOp - flags of SIGNAL: how a signal changes the value of the latch. ADD, OR and AND compute
 * a value of 32 bits; SET stores all 64 bits. */
enum SignalOp : uint16_t {
	SIGNAL_SET = 0,
	SIGNAL_ADD = 1,
	SIGNAL_OR = 2,
	SIGNAL_AND = 3,
	/* for an event that is a flag, in a graph: resets it (SIGNAL_SET records it); for a latch: no
	 * earlier signal counts any more */
	SIGNAL_RESET = 4,
};

/** enum class WorkClass - the lower bits of the flags of WORK: which part of the device does it. */
enum class WorkClass : uint8_t {
	NONE = 0,
	COPY = 1,
	FILL = 2,
	VECTOR = 3,
	CUBE = 4,
	KERNEL = 5,
	FILE = 6
};

/** WorkFlag - flags of WORK. The upper 8 bits are the type of the arithmetic, enum unpu_dtype; 0: none. */
enum WorkFlag : uint16_t {
	WORK_CLASS = 15,     /* mask of the WorkClass */
	WORK_FROM_HOST = 16, /* of a copy: the source is memory of the host */
	WORK_TO_HOST = 32,   /* of a copy: the target is memory of the host */
};

constexpr unsigned WORK_TYPE_SHIFT = 8;

constexpr uint16_t WAITS = 1;		/* flag of STREAM_DESTROY and FREE */
constexpr uint16_t DROPPED = 1;		/* flag of STREAM_SYNC */
constexpr uint16_t UNMAP_IN_STREAM = 1; /* flag of UNMAP: it happens in the order of a stream */
/* flag of CALLBACK: the stream continues only after the function has ended */
constexpr uint16_t BLOCKS = 1;

/** enum class Access - how a command uses an operand. Two reductions of the same bytes need no order. */
enum class Access : uint8_t { READ = 1, WRITE = 2, READ_WRITE = 3, REDUCE = 4 };

/** OperandFlag - flags of an operand. */
enum OperandFlag : uint16_t {
	/* the command may access the range; which bytes it accesses depends on data */
	OPERAND_PARTIAL = 1,
	OPERAND_SCRATCH = 2, /* written before it is read, so it never reads undefined bytes */
	OPERAND_STAGED = 4,  /* with COMMAND_STAGED: this is the host operand */
	/* accessed in whole blocks of 32 bytes; the last block may end beyond the size that the
	 * program asked for */
	OPERAND_BLOCKS = 8,
	/* a part of another operand: the bytes beyond the size that a kernel gave its tensor */
	OPERAND_BEYOND = 16,
};

/** struct Dimension - @count steps of @stride bytes. */
struct Dimension {
	uint64_t count = 0;
	int64_t stride = 0;
	bool operator==(const Dimension &) const = default;
};

/** struct Operand - the bytes [address + sum of i_k * stride_k, + run), for all i_k < count_k. */
struct Operand {
	uint64_t address = 0;
	uint64_t run = 0;
	Access access = Access::READ;
	uint16_t flags = 0;
	uint32_t role = 0;
	std::vector<Dimension> dimensions;
	bool operator==(const Operand &) const = default;
};

/** struct Record - one record; SAN_KIND_LIST says which fields a kind has. */
struct Record {
	Kind kind = Kind::API_CALL;
	uint16_t flags = 0;
	uint32_t client = 0;
	uint32_t thread = 0;
	uint32_t stream = HOST;
	uint64_t object = 0;
	uint64_t address = 0;
	uint64_t bytes = 0;
	uint64_t value = 0;
	uint32_t label = 0;
	uint32_t site = 0;
	std::vector<Operand> operands;
	std::string text; /* text of STRING and MARK */
};

/** has_text() - whether records of this kind have a text instead of operands. */
constexpr bool has_text(Kind kind)
{
	return kind == Kind::STRING || kind == Kind::MARK;
}

/** is_queued() - whether a record has a place in a stream, and may have to wait there. */
inline bool is_queued(const Record &record)
{
	switch (record.kind) {
	case Kind::COMMAND:
	case Kind::EVENT_RECORD:
	case Kind::EVENT_WAIT:
	case Kind::EVENT_RESET:
	case Kind::GRAPH_LAUNCH:
	case Kind::CALLBACK:
		return true;
	case Kind::ALLOC:
	case Kind::FREE:
	case Kind::SIGNAL:
	case Kind::AWAIT:
	case Kind::GRAPH_UPDATE:
		return record.stream != HOST;
	case Kind::UNMAP:
		return (record.flags & UNMAP_IN_STREAM) != 0;
	default:
		return false;
	}
}

/** has_task_in_value() - whether the value field of this kind of record is the number of its task in the
 * stream. has_task_in_bytes() - whether the bytes field is. */
constexpr bool has_task_in_value(Kind kind)
{
	return kind == Kind::COMMAND || kind == Kind::EVENT_WAIT;
}
constexpr bool has_task_in_bytes(Kind kind)
{
	return kind == Kind::EVENT_RECORD || kind == Kind::EVENT_RESET ||
	       kind == Kind::GRAPH_LAUNCH || kind == Kind::CALLBACK || kind == Kind::SIGNAL ||
	       kind == Kind::AWAIT;
}

/** task_of() - the number that the task of a record has in its stream, plus 1. Return: 0 if it is not
 * known. */
inline uint64_t task_of(const Record &record)
{
	return has_task_in_value(record.kind)	? record.value
	       : has_task_in_bytes(record.kind) ? record.bytes
						: 0;
}

/** kind_name() - the name of a kind, such as "EVENT_WAIT". Return: nullptr if the number is no kind. */
const char *kind_name(uint16_t number);

} // namespace san
