// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace worker {

/** struct Sample - what a thread has executed of the block that it runs. */
struct Sample {
	static constexpr uint32_t MOST = 1024;

	bool has_block = false; /* the thread runs one */
	uint32_t core = 0;	/* enum unpu_kernel_core */
	uint64_t block = 0;
	uint64_t polled = 0; /* address in device memory that the block reads; 0: not found */
	uint32_t reader = 0; /* the instruction that does */
	uint32_t count = 0;
	uint64_t codes[MOST]; /* instructions in images */
	/* Words of the stack that are in images, the innermost first: the calls that the thread is in, and perhaps
	 * earlier ones. */
	static constexpr uint32_t CALLERS_MOST = 64;
	uint32_t callers_count = 0;
	uint64_t callers[CALLERS_MOST];
};

/**
 * class Home - the process in which a session runs kernels: one of its own, which it confines, or the program itself,
 * which it leaves as it is. Context: the session's thread, unless it says otherwise.
 */
class Home {
public:
	virtual ~Home() = default;

	/** keep_kick() - takes the eventfd that wakes the firmware. Return: the descriptor to write; -1: failed. */
	virtual int keep_kick(int file) { return file; }

	/* begin() - to be called before the session starts a thread. Return: false: the kernel lacks a function that
	 * is needed. */
	virtual bool begin() { return true; }

	/** begin_thread() - Context: a thread of the session, before it does anything. */
	virtual void begin_thread() {}

	/** close() - to be called before the first image is loaded. @threads: number of threads that call
	 * begin_thread()
	 * @address_bytes: the most address space. @heap_bytes: private memory besides that of the cores
	 * Return: as begin(). */
	virtual bool close(uint32_t threads, uint64_t address_bytes, uint64_t heap_bytes)
	{
		(void)threads;
		(void)address_bytes;
		(void)heap_bytes;
		return true;
	}

	/** note_message() - the type of the message that is handled from now on. */
	virtual void note_message(uint32_t type) { (void)type; }

	/** sample() - follows thread @thread for a moment. Return: false: it can't be followed. */
	virtual bool sample(int thread, Sample &sample)
	{
		(void)thread;
		(void)sample;
		return false;
	}

	/* is_program() - whether this process is the program that owns the memory. It then has its own memory mapped
	 * at the device addresses, and has reserved those of device memory without access. */
	virtual bool is_program() const { return false; }
};

} // namespace worker
