/* SPDX-License-Identifier: MIT */
/*
 * DOC: What a program tells the sanitizer
 *
 * While UNPU_SANITIZE names a folder, the library records what the program asks of it, and unpu-san says afterwards
 * where its synchronization is wrong. Here a program adds what the library can't know: call stacks of another language,
 * which part of the program makes the calls, and what it has read in memory that a stream writes. No function here
 * opens a device.
 */
#ifndef UNPU_SANITIZER_H
#define UNPU_SANITIZER_H

#include "unpu/unpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct unpu_san_stack - a call stack in words, for bindings of languages whose functions are no functions of C
 * @key: equal stacks have equal keys, others do not, as far as a hash can tell
 * @frames: lines "FILE:LINE FUNCTION" or "FILE:LINE", the innermost first; 4096 bytes count
 */
struct unpu_san_stack {
	uint64_t key;
	const char *frames;
};

/**
 * unpu_san_records() - tells whether the library records, or checks with UNPU_CHECK: whether it uses call stacks
 *
 * Context: any thread; never blocks. It begins to record or check with its first call that may need a device.
 * Return: 1 or 0.
 */
UNPU_API int unpu_san_records(void);

/**
 * unpu_san_set_stack() - sets the call stack of the calling thread's next calls
 * @stack: taken for the stack from now on; the caller's, who keeps it until the next call of this function; NULL, as
 *	in each new thread, for the functions of C that have called
 *
 * Context: any thread; never blocks. Not inherited by other threads, nor kept by calls.
 * Return: what was set before.
 */
UNPU_API const struct unpu_san_stack *unpu_san_set_stack(const struct unpu_san_stack *stack);

/**
 * unpu_san_mark() - names the part of the program, as a test, whose calls follow, in all threads
 * @part: a text, of which 4096 bytes count; empty or NULL for none
 *
 * A finding names the parts that made its later call. The part that was named last before the library begins to record
 * is that of its first calls; if there was none, it is UNPU_SANITIZE_MARK in the environment, also in child processes.
 *
 * Context: any thread; may block on the trace's file.
 */
UNPU_API void unpu_san_mark(const char *part);

/**
 * unpu_san_acquire() - tells that the program has read in pinned memory what a stream wrote there
 * @address: the first byte, as of a word that the program polls
 * @bytes: how many; a word that cuStreamWriteValue32() or another call for words writes has 4 or 8
 *
 * A program that polls a word learns without a call that the command which wrote it has run. Behind this call the
 * sanitizer knows it too: what was submitted so far to write these bytes has run, and so has all before it in its
 * stream.
 * A call without having read the word hides mistakes.
 *
 * Context: any thread; never blocks.
 */
UNPU_API void unpu_san_acquire(const void *address, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* UNPU_SANITIZER_H */
