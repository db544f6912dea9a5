/* SPDX-License-Identifier: MIT */
/*
 * DOC: Firmware and worker
 *
 * A worker serves one context. Its descriptor UNPU_WORKER_SOCKET is a socket (SOCK_SEQPACKET) to the firmware.
 * The firmware sends one message at a time, with descriptors where the type says so. The worker answers HELLO,
 * LOAD, RESOLVE and LAUNCH, in the order of the messages. It ends when the socket is closed.
 *
 * Longer answers are in a memfd that both map, the board: the firmware creates it and never trusts it.
 *
 *	bytes				contents
 *	0 to UNPU_WORKER_TEXT_BYTES	a sentence, without a terminating zero
 *	then UNPU_WORKER_OUTPUT_BYTES	what the blocks have printed: struct unpu_kernel_output with their text
 */
#ifndef UNPU_KERNELS_ABI_WORKER_H
#define UNPU_KERNELS_ABI_WORKER_H

#include "uapi/kernel.h"

#define UNPU_WORKER_VERSION 1u
#define UNPU_WORKER_SOCKET 3
#define UNPU_WORKER_TEXT_BYTES 4096u
#define UNPU_WORKER_OUTPUT_BYTES UNPU_KERNEL_MAX_TEXT_BYTES
#define UNPU_WORKER_BOARD_BYTES (UNPU_WORKER_TEXT_BYTES + UNPU_WORKER_OUTPUT_BYTES)
#define UNPU_WORKER_MAX_THREADS 8u

enum unpu_worker_type {
	UNPU_WORKER_HELLO =
		1, /* @bytes: the most address space; @count: threads. Descriptor: the board */
	UNPU_WORKER_MAP = 2,	 /* @va, @bytes, @offset, @access. Descriptor: the memory */
	UNPU_WORKER_UNMAP = 3,	 /* @va, @bytes of a MAP */
	UNPU_WORKER_PROTECT = 4, /* @va, @bytes of a MAP, @access */
	UNPU_WORKER_LOAD =
		5, /* @image. Descriptors: the image; an array of struct unpu_kernel_info */
	UNPU_WORKER_UNLOAD = 6, /* @image */
	UNPU_WORKER_LAUNCH = 7, /* @cookie; a struct unpu_kernel_launch and the arguments follow */
	UNPU_WORKER_RESOLVE =
		8, /* @image, @va: an offset in its file's addresses; answer: file:line */
};

/* struct unpu_worker_message - to the worker. */
struct unpu_worker_message {
	uint32_t type; /* enum unpu_worker_type */
	uint32_t image;
	uint32_t access; /* UNPU_ACCESS_* of uapi/operator.h */
	uint32_t count;
	uint64_t va;
	uint64_t bytes;
	uint64_t offset;
	uint64_t cookie;
};

enum unpu_worker_result {
	UNPU_WORKER_OK = 0,
	UNPU_WORKER_BAD_IMAGE = 1, /* LOAD; the sentence says why */
	UNPU_WORKER_BAD_LAUNCH = 2,
	UNPU_WORKER_FAILED = 3, /* LAUNCH: @failure says why */
};

/* struct unpu_worker_answer - from the worker. Of a failed launch the fields from @failure on are set. */
struct unpu_worker_answer {
	uint32_t type;	 /* of the message */
	uint32_t result; /* enum unpu_worker_result */
	uint32_t entries;
	uint32_t text_bytes;
	uint64_t output_bytes;
	uint32_t failure; /* enum unpu_kernel_failure of kernels/abi/block.h */
	uint32_t core;	  /* enum unpu_kernel_core of the block */
	uint32_t block;
	uint32_t signal;  /* SIGNAL: its number */
	uint64_t address; /* SIGNAL: that it was about */
	uint64_t pc;	  /* SIGNAL: in the file's addresses of @image */
	uint32_t image;	  /* SIGNAL: that @pc is in; 0: none */
	uint32_t
		guard; /* SIGNAL: @address is in a guard page: 1 of the stack, 2 + n of local memory n */
};

#endif /* UNPU_KERNELS_ABI_WORKER_H */
