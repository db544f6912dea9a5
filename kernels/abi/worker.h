/* SPDX-License-Identifier: MIT */
/*
 * DOC: Firmware and worker
 *
 * A worker serves one context. Its descriptor UNPU_WORKER_SOCKET is a socket (SOCK_SEQPACKET) to the firmware.
 * The firmware sends one message at a time, with descriptors where the type says so. The worker answers HELLO,
 * LOAD and RESOLVE, in the order of the messages. It ends when the socket is closed.
 *
 * Launches go through a memfd that both map, the board. The firmware creates it, and trusts nothing in it. The board
 * has lanes. A lane holds one launch, and has a thread of the worker, so kernels of several lanes run at once.
 *
 *	firmware				the lane's thread
 *	-----------------------------------	-------------------------------------------
 *	stores head, arguments, messages
 *	posted = number		(U1)  ------->	reads them
 *	fence			(U2)		started = number
 *	sleeps? wakes the futex @posted  ---->	runs the kernel
 *						stores the answer
 *	ended == number?  <-------------------	ended = number, then ends += 1	(U3)
 *	copies and checks the answer		fence				(U4)
 *						armed is new? writes the kick's eventfd
 *
 * @poster and @cpu are hints: two threads on one CPU must not poll for each other.
 *
 * A thread without a launch polls for a while, stores @sleeps, passes a fence, looks at @posted once more, and sleeps
 * on it. The firmware that stops polling stores a new number in @armed, passes a fence and looks at @ends once more.
 *
 *	offset in the board			contents
 *	0					struct unpu_worker_board
 *	UNPU_WORKER_LANE_AT + n * UNPU_WORKER_LANE_BYTES	struct unpu_worker_lane of lane n; behind it, at
 *	+ UNPU_WORKER_ARGS_AT			arguments of the launch
 *	+ UNPU_WORKER_TEXT_AT			a sentence, without a terminating zero
 *	+ UNPU_WORKER_OUTPUT_AT			what the blocks have printed, and the ranges that they have
 *						accessed: struct unpu_kernel_output with what follows it
 */
#ifndef UNPU_KERNELS_ABI_WORKER_H
#define UNPU_KERNELS_ABI_WORKER_H

#include "uapi/kernel.h"

#define UNPU_WORKER_VERSION 8u
#define UNPU_WORKER_SOCKET 3
#define UNPU_WORKER_KICK 4 /* the eventfd that wakes the firmware */
#define UNPU_WORKER_TEXT_BYTES 4096u
#define UNPU_WORKER_PLACE_BYTES 436u
#define UNPU_WORKER_OUTPUT_BYTES UNPU_KERNEL_MAX_TEXT_BYTES
#define UNPU_WORKER_MAX_THREADS 8u
#define UNPU_WORKER_NO_ADDRESS 255u
#define UNPU_WORKER_NO_MEMORY 254u

#define UNPU_WORKER_LANES 4u
#define UNPU_WORKER_ARGS_AT 4096u
#define UNPU_WORKER_TEXT_AT (UNPU_WORKER_ARGS_AT + UNPU_KERNEL_WIRE_MAX_ARGS)
#define UNPU_WORKER_OUTPUT_AT (UNPU_WORKER_TEXT_AT + UNPU_WORKER_TEXT_BYTES)
#define UNPU_WORKER_LANE_BYTES (UNPU_WORKER_OUTPUT_AT + UNPU_WORKER_OUTPUT_BYTES)
#define UNPU_WORKER_LANE_AT 8192u
#define UNPU_WORKER_BOARD_BYTES (UNPU_WORKER_LANE_AT + UNPU_WORKER_LANES * UNPU_WORKER_LANE_BYTES)

enum unpu_worker_type {
	UNPU_WORKER_HELLO =
		1, /* @bytes: the most address space; @offset: memory for the heaps of images; @count: threads;
		    * @image: cube cores of the chip, 0: the usual number. Descriptors: the kick, the board */
	UNPU_WORKER_MAP = 2,	 /* @va, @bytes, @offset, @access. Descriptor: the memory */
	UNPU_WORKER_UNMAP = 3,	 /* @va, @bytes of a MAP */
	UNPU_WORKER_PROTECT = 4, /* @va, @bytes of a MAP, @access */
	UNPU_WORKER_LOAD =
		5, /* @image, @va: of struct unpu_kernel_objects or 0. Descriptors: the image; an array of
		    * struct unpu_kernel_info */
	UNPU_WORKER_UNLOAD = 6, /* @image */
	/* 7 was a launch. */
	UNPU_WORKER_RESOLVE =
		8, /* @image, @va: an offset in its file's addresses; answer: file:line */
	UNPU_WORKER_WHERE =
		9, /* @count: number of a launch that runs. No answer: it becomes a struct unpu_worker_place */
};

/* struct unpu_worker_message - a message to the worker. */
struct unpu_worker_message {
	uint32_t type; /* enum unpu_worker_type */
	uint32_t image;
	uint32_t access; /* UNPU_ACCESS_* of uapi/operator.h */
	uint32_t count;
	uint64_t va;
	uint64_t bytes;
	uint64_t offset;
	uint64_t reserved;
};

enum unpu_worker_result {
	UNPU_WORKER_OK = 0,
	UNPU_WORKER_BAD_IMAGE = 1, /* the image was not loaded; the sentence says why */
	UNPU_WORKER_BAD_LAUNCH = 2,
	UNPU_WORKER_FAILED = 3, /* the launch failed; @failure says why */
};

/* struct unpu_worker_answer - an answer of the worker. The fields from @failure on are valid for a failed launch. */
struct unpu_worker_answer {
	uint32_t type;	 /* type of the message; 0 for a launch */
	uint32_t result; /* enum unpu_worker_result */
	uint32_t entries;
	uint32_t text_bytes;
	uint64_t output_bytes;
	uint32_t failure; /* enum unpu_kernel_failure of kernels/abi/block.h */
	uint32_t core;	  /* enum unpu_kernel_core of the block */
	uint32_t block;
	uint32_t signal;  /* SIGNAL: its number */
	uint64_t address; /* SIGNAL: the address of the fault */
	uint64_t pc;	  /* SIGNAL: the address of the instruction, as in the file of @image */
	uint32_t image;	  /* SIGNAL: the image that contains @pc; 0: none */
	uint32_t
		guard; /* SIGNAL: @address is in a guard page: 1 of the stack, 2 + n of local memory n; or it is
			  UNPU_WORKER_NO_ADDRESS: no address can be so large, and the processor does not tell it; or
			  UNPU_WORKER_NO_MEMORY: the process has got as much memory as it may have */
};

/* struct unpu_worker_lane - the shared words of one thread of the worker. Each line has one writer. Numbers of
 * launches grow over all lanes, and are not 0. */
struct unpu_worker_lane {
	/* The firmware's lines. */
	uint32_t
		posted; /* number of the launch: the last store of the launch, and the futex of the thread */
	uint32_t poster; /* CPU of the thread that posted, counted from 1 */
	uint64_t
		messages; /* number of messages that the worker has to handle before it runs the launch */
	uint64_t cookie;
	uint8_t reserved1[40];
	struct unpu_kernel_launch head;
	uint8_t reserved3[56];
	/* The worker's lines. */
	uint32_t sleeps;  /* 1: the thread sleeps, or is about to */
	uint32_t started; /* number of the launch whose kernel has begun */
	uint32_t ended;	  /* number of the launch whose answer is complete */
	uint32_t cpu;	  /* CPU on which the thread took its last launch, counted from 1 */
	uint8_t reserved2[48];
	struct unpu_worker_answer answer;
};

/* struct unpu_worker_place - where the blocks of a launch are, as a part of a sentence, and what they have printed. */
struct unpu_worker_place {
	uint32_t number; /* number of the launch, stored after @output_bytes; 0: there is none */
	uint32_t bytes;	 /* stored after @text; 0: the worker still looks */
	uint32_t output_bytes; /* in the lane's output; valid once the process has ended */
	uint8_t text[UNPU_WORKER_PLACE_BYTES];
};

/* struct unpu_worker_board - the head of the board. */
struct unpu_worker_board {
	/* The firmware's line. */
	uint32_t
		armed; /* a number that grows: the firmware wants a kick at the next end of a launch; 0: it polls */
	uint8_t reserved0[60];
	/* The worker's line. */
	uint32_t ends; /* how many launches have ended */
	uint8_t reserved1[60];
	uint8_t reserved2[2176];
	struct unpu_worker_place places[UNPU_WORKER_LANES]; /* by lane */
	uint8_t text[UNPU_WORKER_TEXT_BYTES]; /* the sentence of an answer to a message */
};

UNPU_WIRE_SIZE(unpu_worker_message, 48);
UNPU_WIRE_SIZE(unpu_worker_answer, 64);
UNPU_WIRE_SIZE(unpu_worker_place, 448);
UNPU_WIRE_SIZE(unpu_worker_board, UNPU_WORKER_LANE_AT);
UNPU_WIRE_OFFSET(unpu_worker_lane, head, 64);
UNPU_WIRE_OFFSET(unpu_worker_lane, sleeps, 192);
UNPU_WIRE_OFFSET(unpu_worker_lane, answer, 256);
UNPU_WIRE_SIZE(unpu_worker_lane, 320);

#endif /* UNPU_KERNELS_ABI_WORKER_H */
