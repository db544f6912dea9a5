// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core.h"
#include "kernels/abi/image.h"
#include "uapi/kernel.h"

namespace runner {

/** struct Failure - why a launch failed: the first reason. */
struct Failure {
	uint32_t kind = 0; /* enum unpu_kernel_failure; 0: none */
	uint32_t core = 0;
	uint32_t block = 0;
	std::string sentence;
};

/** struct Job - what a launch executes. Entry, head and arguments are valid until its end. */
struct Job {
	const unpu_kernel_entry &entry;
	const unpu_kernel_launch &head;
	const unsigned char *args;
	uint32_t cube_cores; /* of the chip */
	uint64_t number;     /* of the launch, not 0 */
	HomeFinder find;     /* for accesses; of a launch that nobody observes it may be empty */
};

/**
 * class Launch - one execution of a kernel. Its instances are fibers on the threads that call run(). Each group of
 * instances, which is a block, stays on one thread. As many groups are resident as the modelled chip has cores;
 * the others start when earlier ones have ended.
 */
class Launch {
public:
	explicit Launch(Job job);
	~Launch();
	Launch(const Launch &) = delete;
	Launch &operator=(const Launch &) = delete;

	/** run() - runs groups on the calling thread until the launch has ended. Context: each thread once. */
	void run();

	/* stop() - instances that wait or yield do not continue. Context: any thread. */
	void stop();

	/** runners() - numbers of the threads that run its blocks now. Context: any thread. */
	std::vector<int> runners() const;

	/* threads() - the most threads that can run parts of it at the same time. */
	uint32_t threads() const { return std::min(groups_, most_resident_); }

	const Failure &failure() const { return failure_; }

	/** is_exact() - whether the kernel must not access the bytes that the device has behind allocations and
	 * tensors. */
	bool is_exact() const { return head_.flags & UNPU_KERNEL_LAUNCH_EXACT || head_.check > 1; }

	/** is_observed() - whether somebody wants to know what the kernel accesses. */
	bool is_observed() const { return head_.observer != 0 && head_.check != 0; }

	/** freed_objects() - how many objects were freed before the launch was made. */
	uint64_t freed_objects() const { return head_.objects; }

	/** copy_output() - copies what the instances have accessed and printed, as struct unpu_kernel_output with
	 * accesses or text.
	 * @most: bytes. Return: how many */
	uint64_t copy_output(uint64_t cookie, unsigned char *to, uint64_t most) const;

	/** copy_text() - the same of what the instances have printed so far. Return: 0 too where another thread is in
	 * the launch and @may_wait is false. Context: another thread, or a signal handler, where it may not wait. */
	uint64_t copy_text(uint64_t cookie, unsigned char *to, uint64_t most, bool may_wait) const;

	/** current() - the instance that runs on the calling thread; nullptr: none. */
	static Instance *current();

	/* The services, for the current instance. */
	void yield();
	void barrier(uint32_t kind);
	void flag_set(uint32_t mode, uint32_t id);
	void flag_wait(uint32_t id);
	void block_set(uint32_t block, uint32_t event);
	void block_wait(uint32_t block, uint32_t event);
	[[noreturn]] void fail(uint32_t kind, const char *file, uint32_t line,
			       const char *sentence);
	void print(const char *text, size_t bytes);
	void observe(uint64_t address, uint64_t bytes, uint32_t write);

	std::mutex atomic; /* of atomic copies */

private:
	using Lock = std::unique_lock<std::mutex>;

	/* Flags between cores: sets that are not complete until other cores have set them, too, and flags that are
	 * complete. */
	struct Flags {
		uint8_t sets[3][16] = {};
		uint8_t raised[16] = {};
	};

	struct Output {
		uint32_t block;
		uint32_t core;
		bool is_dropped;
		std::string text;
	};

	struct Local; /* of one thread */

	uint64_t put_text(uint64_t cookie, unsigned char *to, uint64_t at, uint64_t most) const;

	bool start_group(Local &local);
	bool is_ready(const Instance &instance) const;
	void end_wait(Instance &instance);
	Instance *pick(Local &local, bool yielded);
	void resume(Local &local, Instance &instance, Lock &lock);
	void end(Local &local, Instance &instance);
	bool is_stuck() const;
	void report_deadlock();
	std::string lines_of_waits(Waits waits) const;
	void note_change();
	void wait(Instance &instance, Lock &lock, Waits waits);
	void set_failure(uint32_t kind, const Instance *instance, std::string sentence);
	bool set_flag(const Instance &instance, uint32_t mode, uint32_t id);
	bool set_flag_of_all(bool is_cube, uint32_t id);
	bool take_sets(uint32_t first, uint32_t count, uint32_t mode, uint32_t id);
	bool raise(uint32_t number, uint32_t id);
	uint32_t number(uint32_t group, uint32_t sub) const { return group * each_ + sub; }
	uint32_t participants(uint32_t kind, uint32_t core) const;
	uint64_t copy_accesses(unsigned char *to, uint64_t most) const;
	static void begin(void *instance);

	const unpu_kernel_entry &entry_;
	const unpu_kernel_launch &head_;
	const unsigned char *const args_;
	CorePool &cores_;
	const uint64_t number_;
	const HomeFinder find_; /* for accesses */
	uint32_t groups_ = 0;
	uint32_t cubes_ = 0;   /* in each group: 0 or 1 */
	uint32_t vectors_ = 0; /* in each group: 0 to 2 */
	uint32_t each_ = 0;
	uint32_t most_resident_ = 0; /* groups */

	mutable std::mutex mutex_; /* guards all below */
	std::condition_variable changed_;
	uint64_t version_ = 0;
	uint32_t started_ = 0;	/* groups */
	uint32_t resident_ = 0; /* groups */
	uint64_t instances_ended_ = 0;
	std::vector<Instance *> live_;
	std::vector<int> runners_; /* numbers of the threads inside run() */
	struct Barrier {
		uint32_t arrived = 0;
		uint64_t generation = 0;
	};
	Barrier barriers_[3]; /* cubes, vectors, all */
	std::vector<Flags> flags_;
	std::map<std::pair<uint32_t, uint32_t>, uint32_t> block_flags_;
	std::map<uint32_t, Output> output_; /* by number of the instance */
	size_t output_bytes_ = 0;
	Accesses accesses_;
	Failure failure_;
};

/** services() - what a launch gives to images. Who runs it adds @find_memory and @asked_bytes, and may replace
 * others. */
unpu_kernel_services services();

} // namespace runner
