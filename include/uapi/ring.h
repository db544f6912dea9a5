/* SPDX-License-Identifier: MIT */
/*
 * DOC: Ring
 *
 * A channel segment is @slots packets followed by @slots descriptor pages: page i belongs to slot i,
 * and holds data that does not fit into a packet (an operator's descriptor). Packet index i never wraps;
 * packet i is in slot i & (slots - 1). The host may write packet i after packet i - slots has retired
 * (R2/A2: the timeline is the credit). There is no shared head or tail.
 */
#ifndef UNPU_UAPI_RING_H
#define UNPU_UAPI_RING_H

#include "uapi/operator.h"
#include "uapi/packet.h"
#include "uapi/types.h"

#define UNPU_RING_MIN_SLOTS 16u
#define UNPU_RING_MAX_SLOTS 65536u
#define UNPU_DESCRIPTOR_BYTES 512u
/* The bytes of a tensor operator's descriptor that one page holds. */
#define UNPU_TENSOR_PAGE_BYTES 480u

/* struct unpu_descriptor - a descriptor page; bytes past the operator are zero. */
struct unpu_descriptor {
	struct unpu_operator op;
	uint64_t reserved[4];		/* MBZ */
};
UNPU_WIRE_SIZE(unpu_descriptor, UNPU_DESCRIPTOR_BYTES);
UNPU_WIRE_SIZE(unpu_operator, UNPU_TENSOR_PAGE_BYTES);

#define UNPU_CHANNEL_BYTES(slots) \
	((uint64_t)(slots) * (sizeof(struct unpu_packet) + UNPU_DESCRIPTOR_BYTES))
#define UNPU_CHANNEL_DESCRIPTORS(slots) ((uint64_t)(slots) * sizeof(struct unpu_packet))

#endif /* UNPU_UAPI_RING_H */
