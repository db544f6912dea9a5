// SPDX-License-Identifier: MIT
/**
 * DOC: Firmware entry points
 *
 * The interface for the process that runs the firmware: the embedded backend runs a device inside the
 * program, the firmware-sim process runs it for other processes. All else goes through the wire
 * (include/uapi).
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/ordering.h"
#include "base/trace/trace_file.h"
#include "firmware_sim/core/config.h"
#include "firmware_sim/memory/account.h"
#include "firmware_sim/storage/closer.h"

namespace fw {

/** struct Attachment - the segments that a new client maps. */
struct Attachment {
	uint32_t client = 0;
	base::Fd bar;	     /* struct unpu_bar, read-only */
	base::Fd completion; /* struct unpu_completion, read-only */
	base::Fd doorbell;   /* struct unpu_client, writable */
	base::Fd kick;	     /* eventfd; Config::processes only */
	/* fence scope of D1 and D2 with this client: the offered one, or NONE */
	base::FenceScope fence = base::FenceScope::NONE;
};

/** enum class Turn - the result of turn(). */
enum class Turn {
	WORKED,	 /* it executed something */
	NOTHING, /* there was no work */
	TAKEN,	 /* another thread has or wants the step token */
	LEFT,	 /* callers must not run the device */
};

/** enum class Callers - which work run() leaves to waiting threads. */
enum class Callers : uint32_t {
	NOTHING,      /* none: run() polls and sleeps */
	WHILE_ASLEEP, /* the work that they wait for, while run() sleeps: waking it would take longer */
	WHILE_SOON, /* all, until run() finds work that no caller did in time */
	ALL,	    /* all; run() does only the work that no caller did in time */
};

/** struct GivenFile - a file that a client's packets may name. */
struct GivenFile {
	uint32_t number = 0;
	bool uring = false; /* transfers use io_uring */
};

/**
 * class Device - one simulated NPU.
 *
 * A device has no thread: it works only while a thread is inside run(), step() or turn(). The step token, a
 * lock, admits one such thread at a time.
 */
class Device {
public:
	/** create() - creates a device. Return: NO_MEMORY when its segments can't be allocated. */
	static base::Result<std::unique_ptr<Device>> create(const Config &config);
	virtual ~Device() = default;

	/** attach() - admits a client.
	 * @pid: its process id, for the client status and for import permissions
	 * @fence: the widest fence scope that the client supports
	 * @user: the account above the client's; nullptr: none
	 * Context: any thread; waits for the token.
	 * Return: NO_RESOURCE past the limit, QUOTA past that of @user, NOT_SUPPORTED where the kernel is too
	 * old to share with other processes safely. */
	virtual base::Result<Attachment> attach(uint32_t pid,
						base::FenceScope fence = base::process_scope(),
						std::shared_ptr<Account> user = nullptr) = 0;

	/** detach() - removes a client and all its objects. Context: any thread; waits for the token
	 * and for engine work of the client.
	 * Return: whether the client had channels left: it did not close its device. */
	virtual bool detach(uint32_t client) = 0;

	/** take_segment() - the descriptor of a segment whose creation a mailbox reply has confirmed.
	 * Context: any thread; waits for the token.
	 * Return: INVALID_HANDLE when there is none to take. */
	virtual base::Result<base::SealedFile> take_segment(uint32_t client, uint64_t segment) = 0;

	/** give_file() - registers a file for transfers of a client.
	 * @file: as the client opened it. @direct: the same file with O_DIRECT, or invalid
	 * @closer: closes the descriptors, on every path; nullptr: they belong to this process
	 * Context: any thread; waits for the token.
	 * Return: its number; BAD_FILE, NO_RESOURCE, QUOTA, INVALID_HANDLE without such a client. */
	virtual base::Result<GivenFile> give_file(uint32_t client, base::Fd file, base::Fd direct,
						  bool always_direct,
						  std::shared_ptr<Closer> closer = nullptr) = 0;

	/** run() - runs the device until stop(); sleeps while there is no work. */
	virtual void run() = 0;

	/** stop() - makes run() return. Context: any thread. */
	virtual void stop() = 0;

	/** kick() - wakes a sleeping run(). Context: any thread of this process. */
	virtual void kick() = 0;

	/** step() - processes at most one packet or message if the token is free.
	 * @deadline_ns: a device without engines waits at most until then for the end of a user kernel, which
	 * then continues
	 * Return: true if it processed something. */
	virtual bool step(uint64_t deadline_ns = base::NO_DEADLINE) = 0;

	/** turn() - a bounded step of the device on a waiting thread: at most one packet or message. Wakes
	 * run() if it sleeps and more work is left.
	 * @many: process several packets of one channel if no other channel has any
	 * Return: the result; LEFT while run() does not admit callers. */
	virtual Turn turn(bool many = false) = 0;

	/** run_at_once() - instead of kick(): runs a device whose run() sleeps, on a thread that has just
	 * submitted a small task. Limited in rate, because run() handles series of tasks better.
	 * Context: any thread.
	 * Return: true if all work is done, or run() was woken for the rest; false: the caller must kick. */
	virtual bool run_at_once() = 0;

	/** help() - executes pieces of the engines' work until @word is at least @value, @deadline_ns has
	 * passed or no piece is left. Wakes run() when a job has ended. Context: any thread.
	 * Return: whether it executed any. */
	virtual bool help(const uint64_t &word, uint64_t value, uint64_t deadline_ns) = 0;

	/** leave_to_callers() - sets which work run() leaves to threads that call turn(). Context: any
	 * thread; wakes run() if it has to do more than before. */
	virtual void leave_to_callers(Callers callers) = 0;

	/** leave_cpu() - makes run() migrate away from @cpu, where a waiting thread polls. Limited in rate.
	 * Context: any thread. */
	virtual void leave_cpu(uint32_t cpu) = 0;

	/** snapshot() - the state of the device, its clients and their channels, as JSON
	 * (Documentation/tools.rst). Context: any thread; waits for the token. */
	virtual std::string snapshot() = 0;

	/** record() - starts recording trace entries (uapi/trace.h) into an empty ring.
	 * @entries: capacity of the ring; 0 stops recording and keeps the entries
	 * Context: any thread; waits for the token. Return: NO_MEMORY. */
	virtual base::Status record(uint32_t entries) = 0;

	/** recorded() - the recorded entries, for base::write_trace().
	 * Context: any thread; waits for the token. */
	virtual base::DeviceTrace recorded() = 0;

	/** next_deadline_ns() - when the next wait task expires; base::NO_DEADLINE if none does. */
	virtual uint64_t next_deadline_ns() = 0;
};

} // namespace fw
