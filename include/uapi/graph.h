/* SPDX-License-Identifier: MIT */
/*
 * DOC: Graph image
 *
 * A graph is compiled once by the host into an image and loaded by UNPU_MSG_GRAPH_LOAD. The firmware
 * copies the image, validates it as a whole and runs its private copy; one GRAPH packet launches it.
 * Nodes are packets; traces and updates refer to them by their index, which never changes.
 *
 *	in this order, each part as many times as the header says
 *	struct unpu_graph_header	64 bytes
 *	struct unpu_packet		nnodes x 64; valid: which captured stream it came from
 *	struct unpu_operator		descriptor_bytes
 *	uint64_t			tensor_bytes: descriptors of tensor operators
 *	struct unpu_graph_cell		ncells x 16
 *	struct unpu_graph_line		nlines x 24
 *	struct unpu_graph_region	nregions x 8
 *	uint32_t			nwords x 4: edges and jump targets
 *
 * A line is a run of nodes that follow each other; lines cover the nodes in order. A line starts when
 * @joins lines that name it in their edges have ended. Edges lead to higher lines of the same region,
 * so there are no cycles.
 *
 * A region is a run of lines; regions cover the lines in order. A launch runs region 0. Every other
 * region belongs to one COND node of a lower region, and runs when that node selects it. A region has
 * ended when all its lines have ended. Dormant lines, which only ACTIVATE starts, do not count.
 */
#ifndef UNPU_UAPI_GRAPH_H
#define UNPU_UAPI_GRAPH_H

#include "uapi/operator.h"
#include "uapi/packet.h"
#include "uapi/types.h"

#define UNPU_GRAPH_MAGIC 0x48505247u		/* "GRPH" */
#define UNPU_GRAPH_CHANGES_MAGIC 0x47484347u	/* "GCHG" */
#define UNPU_GRAPH_MAX_NODES (1u << 20)
#define UNPU_GRAPH_MAX_WORDS (1u << 22)
#define UNPU_GRAPH_MAX_REGIONS (1u << 16)
#define UNPU_GRAPH_MAX_ARGS (1u << 16)
#define UNPU_GRAPH_MAX_BYTES (1u << 30)
#define UNPU_GRAPH_PAGE_ARGS 30u

struct unpu_graph_header {
	uint32_t magic;
	uint32_t abi;			/* UNPU_ABI */
	uint64_t bytes;			/* of the whole image */
	uint32_t nnodes;
	uint32_t ncells;
	uint32_t nlines;
	uint32_t nregions;		/* > 0 */
	uint32_t nwords;
	uint32_t nargs;			/* arguments of a launch */
	uint64_t descriptor_bytes;
	uint64_t tensor_bytes;		/* multiple of 8 */
	uint64_t reserved;		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_graph_header, 64);
UNPU_WIRE_OFFSET(unpu_graph_header, bytes, 8);
UNPU_WIRE_OFFSET(unpu_graph_header, nnodes, 16);
UNPU_WIRE_OFFSET(unpu_graph_header, nwords, 32);
UNPU_WIRE_OFFSET(unpu_graph_header, descriptor_bytes, 40);
UNPU_WIRE_OFFSET(unpu_graph_header, tensor_bytes, 48);

/* struct unpu_graph_cell - 8 bytes that are stored before each execution. */
struct unpu_graph_cell {
	uint64_t va;			/* device address, multiple of 8 */
	uint64_t value;
};
UNPU_WIRE_SIZE(unpu_graph_cell, 16);

/* Line flag: only ACTIVATE starts the line; it has no joins and no edges. */
#define UNPU_LINE_DORMANT 0x1u

struct unpu_graph_line {
	uint32_t first;			/* node index */
	uint32_t count;			/* > 0 */
	uint32_t joins;			/* edges that lead here */
	uint32_t first_edge;		/* of the words: line indices */
	uint32_t edges;			/* number of them */
	uint32_t flags;			/* UNPU_LINE_* */
};
UNPU_WIRE_SIZE(unpu_graph_line, 24);
UNPU_WIRE_OFFSET(unpu_graph_line, joins, 8);
UNPU_WIRE_OFFSET(unpu_graph_line, flags, 20);

struct unpu_graph_region {
	uint32_t first;			/* line index */
	uint32_t count;
};
UNPU_WIRE_SIZE(unpu_graph_region, 8);

/* struct unpu_graph_argument - a launch argument, for nodes with UNPU_PACKET_ARGUMENT. */
struct unpu_graph_argument {
	uint32_t sem;
	uint32_t reserved;		/* MBZ */
	uint64_t value;
};
UNPU_WIRE_SIZE(unpu_graph_argument, 16);
UNPU_WIRE_OFFSET(unpu_graph_argument, value, 8);

/*
 * struct unpu_graph_changes - the header of the block that a GRAPH_UPDATE packet names. @nnodes packets
 * follow, with the node's index in @valid, then the operators that they name by offset, then the tensor
 * area. A node that has already begun in a running execution is not affected there.
 */
struct unpu_graph_changes {
	uint32_t magic;
	uint32_t nnodes;
	uint64_t descriptor_bytes;
	uint64_t tensor_bytes;		/* multiple of 8 */
	uint64_t reserved[5];		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_graph_changes, 64);
UNPU_WIRE_OFFSET(unpu_graph_changes, descriptor_bytes, 8);
UNPU_WIRE_OFFSET(unpu_graph_changes, tensor_bytes, 16);

/* struct unpu_graph_time - when a node ran last, nanoseconds since the device started. */
struct unpu_graph_time {
	uint64_t begin_ns;
	uint64_t end_ns;
};
UNPU_WIRE_SIZE(unpu_graph_time, 16);

#endif /* UNPU_UAPI_GRAPH_H */
