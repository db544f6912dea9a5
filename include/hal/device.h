// SPDX-License-Identifier: MIT
/**
 * DOC: The seam between driver and device
 *
 * The slow operations are virtual; the hot path is loads and stores on the mapped segments.
 */
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/doorbell.h"
#include "base/shm.h"
#include "hal/options.h"
#include "hal/trace.h"
#include "uapi/regs.h"

namespace hal {

/** struct SharedSegment - a segment as it was handed over by the firmware. */
struct SharedSegment {
	base::Fd fd;
	uint64_t bytes = 0;
	unpu_page_kind pages = UNPU_PAGE_4K;
};

/** struct Quotas - what the firmware lets this client have; 0: as much as there is. */
struct Quotas {
	uint64_t memory_bytes = 0; /* segments of all kinds */
	uint32_t channels = 0;
	uint32_t semaphores = 0;
	uint32_t graphs = 0;
};

/** struct GivenFile - a file that packets may name. */
struct GivenFile {
	uint32_t number = 0;
	bool uring = false; /* the firmware uses io_uring for it */
};

/** class Device - one client's attachment to one device. */
class Device {
public:
	virtual ~Device() = default;

	const unpu_bar &bar() const { return *bar_.as<const unpu_bar>(); }
	const unpu_completion &completion() const
	{
		return *completion_.as<const unpu_completion>();
	}
	unpu_client &client() const { return *client_.as<unpu_client>(); }

	/** ring() - hints that @channel has work and wakes the device if it sleeps (D1).
	 * @brief: the work is done in no time: where the device can be moved from here there is no need
	 * to wake its thread */
	[[gnu::noinline]] void ring(uint32_t channel, bool brief = false)
	{
		if (trace::on())
			trace::put(UNPU_TRACE_DOORBELL, attachment_, 0, channel, 0);
		base::ring_doorbell(client().doorbells, channel);
		base::light_fence(fence_);
		if (base::load_relaxed(completion().status.sleeping) == 0)
			return;
		if (brief && run_at_once())
			return;
		if (trace::on())
			trace::put(UNPU_TRACE_KICK, attachment_, 0, 0, 0);
		kick();
	}

	/** attachment() - the number that trace entries name this attachment by. */
	uint16_t attachment() const { return attachment_; }
	void set_attachment(uint16_t number) { attachment_ = number; }

	/** fence() - the scope of D1 and D2 with this device. */
	base::FenceScope fence() const { return fence_; }

	const Quotas &quotas() const { return quotas_; }

	/** waits() - how threads wait for this device. */
	WaitPolicy &waits() { return waits_; }

	/** patience_ns() - how long it may show no sign of life to somebody who waits for it. */
	uint64_t patience_ns() const { return patience_ns_; }

	/** answer_limit_ns() - how long a device that lives may leave undone what it has to do at once: a
	 * reply, the end of what was dropped. One that takes longer is given up. */
	uint64_t answer_limit_ns() const
	{
		return patience_ns_ > base::NO_DEADLINE / 2 ? base::NO_DEADLINE : 2 * patience_ns_;
	}

	/** release_host_work(), acquire_host_work() - what a host function did is visible to a thread
	 * that has waited for the stream that called it (H0). The device carries this order already, but
	 * only through memory that both map twice; this says so to the language and its tools. */
	void release_host_work() { base::fetch_add(host_work_, uint32_t{1}); }
	void acquire_host_work() const { (void)base::load_acquire(host_work_); }

	/** note_submit() - the other direction, from who submits to what then runs. Only the race
	 * detector needs to be told: a submit stays one line. */
	void note_submit()
	{
#if defined(UNPU_TSAN)
		release_host_work();
#endif
	}

	/** take_segment() - the descriptor of a segment the mailbox just confirmed. */
	virtual base::Result<SharedSegment> take_segment(uint64_t segment) = 0;

	/** map() - maps a segment for reading and writing, as base::map_shared() does. */
	virtual base::Result<base::Mapping> map(const base::Fd &fd, uint64_t bytes,
						unpu_page_kind pages, void *where = nullptr);

	/** waited() - a thread is about to go on that had to wait for the device. */
	virtual void waited() {}

	/** give_file() - lets the firmware use a file by copies of this process's descriptors.
	 * @direct: the same file with O_DIRECT, or invalid
	 * @flags: UNPU_FILE_ALWAYS_DIRECT
	 * Return: BAD_FILE when it is not one for transfers, NO_RESOURCE past the limit, DEVICE_LOST. */
	virtual base::Result<GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
						  uint32_t flags) = 0;

	/** kick() - wakes a sleeping device. Context: any thread; one system call. */
	virtual void kick() = 0;

	/** stepped() - whether a waiting thread has to move the device by assist(). */
	virtual bool stepped() const
	{
		return false;
	}

	/** serves_others() - whether other processes can use what this device belongs to. */
	virtual bool serves_others() const
	{
		return false;
	}

	/** assist() - moves the device by one step from this thread.
	 * Return: false when nothing moved, or when another thread has the step token. */
	virtual bool assist()
	{
		return false;
	}

	/** snapshot() - what the device and all its clients are doing, as JSON; no packet is needed for
	 * it, so it works on a device that stands still. Context: any thread. */
	virtual base::Result<std::string> snapshot() = 0;

	/** assist_others() - the same for the other stepped devices of this process: what this one waits
	 * for may have to come from there. */
	virtual bool assist_others()
	{
		return false;
	}

	/** enum class Turn - what run_turn() came to. */
	enum class Turn { WORKED, NOTHING, TAKEN, LEFT };

	/** run_turn() - moves a device that has a thread of its own by a bounded step.
	 * @many: the caller waits for a row of tasks
	 * Return: TAKEN while another thread is in it, LEFT where callers are not to run it. */
	virtual Turn run_turn(bool many = false)
	{
		(void)many;
		return Turn::LEFT;
	}

	/** run_at_once() - moves a device whose thread sleeps until there is nothing to do, if that is
	 * soon. Return: whether there is no need to kick. */
	virtual bool run_at_once()
	{
		return false;
	}

	/** help() - does part of what the device has long work to do with, until the semaphore has the
	 * value, the time is over or there is none. Return: whether it did any. */
	virtual bool help(uint32_t, uint64_t, uint64_t)
	{
		return false;
	}

	/** let_callers_run() - whether the device's own thread keeps out of it. */
	virtual void let_callers_run(bool) {}

	/** leave_cpu() - asks the device's thread to go from @cpu, where the caller wants to poll. */
	virtual void leave_cpu(uint32_t) {}

	/** alive() - false when the device will never answer again. Context: any thread; now and then a
	 * system call where the firmware is another process. */
	bool alive();

	/** lost() - whether the device will never answer again, as far as is known. One load where the
	 * firmware is in this process; where it is another, that one is looked at now and then. */
	bool lost()
	{
		uint32_t life = base::load_relaxed(life_);
		return life != NEAR && (life == LOST || !alive());
	}

	/** give_up() - the device shows no life: from now on it is lost. */
	void give_up()
	{
		base::store_relaxed(life_, uint32_t{LOST});
	}

protected:
	/** watch_connection() - from now on lost() asks connected(). */
	void watch_connection()
	{
		base::store_relaxed(life_, uint32_t{WATCHED});
	}

	/** connected() - whether the firmware is there. */
	virtual bool connected()
	{
		return true;
	}

	/** stand_before() - this is @inner to those above. It has to outlive this. */
	void stand_before(const Device &inner);

	/** map_segments() - maps what an attachment consists of. Return: NO_MEMORY. */
	base::Status map_segments(const base::Fd &bar, const base::Fd &completion,
				  const base::Fd &client);

	base::Mapping bar_;
	base::Mapping completion_;
	base::Mapping client_;
	uint64_t patience_ns_ = base::NO_DEADLINE;
	Quotas quotas_;
	WaitPolicy waits_;
	base::FenceScope fence_ = base::FenceScope::NONE;

private:
	enum Life : uint32_t { NEAR, WATCHED, LOST };

	uint32_t life_ = NEAR;
	uint32_t host_work_ = 0;
	uint16_t attachment_ = trace::NO_ATTACHMENT;
};

/** configure_waits() - by @options, the affinity mask and the cgroup's quota. */
void configure_waits(WaitPolicy &waits, const Options &options);

/** open_device() - attaches to device @index of @options. The one place that chooses a backend.
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_DEVICE past the last device, VERSION_MISMATCH, why the backend can't.
 */
base::Result<std::unique_ptr<Device>> open_device(const Options &options, uint32_t index,
						  std::string &why);

/** look() - what device @index of a firmware in another process does, as Device::snapshot() tells it,
 * without becoming a client of it.
 * @why: receives a sentence when the result is not OK
 * Return: NOT_SUPPORTED for other backends, why the firmware can't be asked. */
base::Result<std::string> look(const Options &options, uint32_t index, std::string &why);

/** wait_semaphore() - waits until @sem has reached @value.
 * @deadline_ns: monotonic; base::NO_DEADLINE waits for ever.
 * @spin: false sleeps at once.
 * Context: any thread, no lock held.
 * Return: TIMEOUT, DEVICE_LOST.
 */
base::Status wait_semaphore(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			    bool spin = true);

/** wait_passively() - waits for ever, asleep, and never moves a stepped device: for threads that
 * serve the device rather than wait for work of their own. Return: DEVICE_LOST. */
base::Status wait_passively(Device &device, uint32_t sem, uint64_t value);

} // namespace hal
