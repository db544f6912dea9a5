/* SPDX-License-Identifier: MIT */
/*
 * DOC: Graph image
 *
 * A captured graph is compiled once by the host into an image and loaded by UNPU_MSG_GRAPH_LOAD. The
 * firmware copies the image, validates it as a whole and runs its private copy; one GRAPH packet
 * launches it. Nodes are packets; their index is stable and is what traces name.
 *
 *	offset in the image		contents
 *	0				struct unpu_graph_header
 *	64				nlines x struct unpu_graph_line
 *	.. + 8 * nlines, 64-aligned	nnodes x struct unpu_graph_node
 *	.. + 80 * nnodes		nedges x uint32_t: node indices
 *	.., 64-aligned			descriptor area, descriptor_bytes
 *
 * A line is a run of nodes that follow each other without a wait for another line. A node starts when
 * its line has reached it and @joins other nodes have completed; when it completes, every node in its
 * edge list is told. Nodes of a line are contiguous and lines cover all nodes in order. Edges lead to
 * higher indices only, so there can be no circle.
 */
#ifndef UNPU_UAPI_GRAPH_H
#define UNPU_UAPI_GRAPH_H

#include "uapi/packet.h"
#include "uapi/types.h"

#define UNPU_GRAPH_MAGIC 0x48505247u	/* "GRPH" */
#define UNPU_GRAPH_MAX_NODES (1u << 20)
#define UNPU_GRAPH_MAX_EDGES (1u << 22)
#define UNPU_GRAPH_MAX_BYTES (1u << 30)

struct unpu_graph_header {
	uint32_t magic;
	uint32_t abi;			/* UNPU_ABI */
	uint64_t bytes;			/* of the whole image */
	uint32_t nlines;
	uint32_t nnodes;
	uint32_t nedges;
	uint32_t reserved0;		/* MBZ */
	uint64_t descriptor_bytes;
	uint64_t reserved[3];		/* MBZ */
};

struct unpu_graph_line {
	uint32_t first;			/* node index */
	uint32_t count;			/* > 0 */
};

struct unpu_graph_node {
	struct unpu_packet packet;	/* valid MBZ; GRAPH, STOP and HOST_DONE are not allowed */
	uint32_t joins;			/* nodes of other lines that must have completed */
	uint32_t first_edge;
	uint32_t edges;
	uint32_t stream;		/* which captured stream it came from, for traces */
};

UNPU_WIRE_SIZE(unpu_graph_header, 64);
UNPU_WIRE_OFFSET(unpu_graph_header, bytes, 8);
UNPU_WIRE_OFFSET(unpu_graph_header, nlines, 16);
UNPU_WIRE_OFFSET(unpu_graph_header, nnodes, 20);
UNPU_WIRE_OFFSET(unpu_graph_header, nedges, 24);
UNPU_WIRE_OFFSET(unpu_graph_header, descriptor_bytes, 32);
UNPU_WIRE_SIZE(unpu_graph_line, 8);
UNPU_WIRE_SIZE(unpu_graph_node, 80);
UNPU_WIRE_OFFSET(unpu_graph_node, joins, 64);

#endif /* UNPU_UAPI_GRAPH_H */
