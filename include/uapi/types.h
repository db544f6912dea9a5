/* SPDX-License-Identifier: MIT */
/*
 * Definitions for all wire headers: fixed-width integers, the line size and the layout asserts.
 * Wire structs hold fixed-width integers, offsets and device addresses only, natural alignment,
 * explicit padding, reserved fields zero and checked. One writer per 64-byte line.
 */
#ifndef UNPU_UAPI_TYPES_H
#define UNPU_UAPI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define UNPU_STATIC_ASSERT(expr, text) static_assert(expr, text)
#else
#define UNPU_STATIC_ASSERT(expr, text) _Static_assert(expr, text)
#endif

#define UNPU_LINE_BYTES 64u

#define UNPU_ABI_MAJOR 1u	/* a changed meaning */
#define UNPU_ABI_MINOR 21u	/* a new opcode, field or bit */
#define UNPU_ABI ((UNPU_ABI_MAJOR << 16) | UNPU_ABI_MINOR)

/* UNPU_WIRE_SIZE - pins a wire struct's size. */
#define UNPU_WIRE_SIZE(type, bytes) \
	UNPU_STATIC_ASSERT(sizeof(struct type) == (bytes), #type " has the wrong size")

/* UNPU_WIRE_OFFSET - pins the offset of a field of a wire struct. */
#define UNPU_WIRE_OFFSET(type, field, bytes) \
	UNPU_STATIC_ASSERT(offsetof(struct type, field) == (bytes), #type "." #field " has moved")

#endif /* UNPU_UAPI_TYPES_H */
