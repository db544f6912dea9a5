// SPDX-License-Identifier: MIT
/**
 * DOC: The interface between driver and device
 *
 * The slow operations are virtual; the fast path uses loads and stores on the mapped segments.
 */
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/os/shm.h"
#include "base/sync/doorbell.h"
#include "options.h"
#include "stepper.h"
#include "trace.h"
#include "uapi/regs.h"

namespace hal {

/** struct SharedSegment - a segment as received from the firmware. */
struct SharedSegment {
	base::Fd fd;
	uint64_t bytes = 0;
	unpu_page_kind pages = UNPU_PAGE_4K;
};

/** struct Quotas - the firmware's limits for this client; 0: no limit. */
struct Quotas {
	uint64_t memory_bytes = 0; /* segments of all kinds */
	uint32_t channels = 0;
	uint32_t semaphores = 0;
	uint32_t graphs = 0;
};

/** struct GivenFile - a file that packets may name. */
struct GivenFile {
	uint32_t number = 0;
	bool has_uring = false; /* the firmware uses io_uring for the transfers of this file */
};

/** struct StuckWait - a wait without a deadline whose semaphore does not change. */
struct StuckWait {
	uint32_t sem = 0;
	uint64_t value = 0;    /* the value for which the thread waits */
	uint64_t since_ns = 0; /* when the wait began, or when the semaphore changed last */
	bool is_named[2] = {}; /* flags of the listener */
};

/** class WaitListener - the device calls it for each StuckWait. Context: the waiting thread; it must not wait for
 * work of the device. */
class WaitListener {
public:
	virtual ~WaitListener() = default;
	/** look() - called about every ALIVE_CHECK_NS while the wait is stuck. */
	virtual void look(StuckWait &wait) = 0;
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
	 * @brief: the work is short. If the device's thread sleeps, the caller may then run the device
	 * itself instead of waking that thread. */
	[[gnu::noinline]] void ring(uint32_t channel, bool brief = false)
	{
		if (trace::on())
			trace::put(UNPU_TRACE_DOORBELL, attachment_, 0, channel, 0);
		if (is_scheduled_) [[unlikely]]
			return ring_until_rest(channel);
		if (!base::ring_doorbell(client().doorbells, channel, completion().status, fence_))
			return;
		if (brief && stepper_->run_at_once())
			return;
		if (trace::on())
			trace::put(UNPU_TRACE_KICK, attachment_, 0, 0, 0);
		kick();
	}

	/** attachment() - the number of this attachment in trace entries. */
	uint16_t attachment() const { return attachment_; }
	void set_attachment(uint16_t number) { attachment_ = number; }

	/** fence() - how far the heavy fences of D1 and D2 with this device must reach. */
	base::FenceScope fence() const { return fence_; }

	const Quotas &quotas() const { return quotas_; }

	/** waits() - the policy of threads that wait for this device. */
	WaitPolicy &waits() { return waits_; }

	/** listen_to_waits() - @listener: it must outlive the waits; nullptr for no listener. Context: no
	 * thread waits yet. */
	void listen_to_waits(WaitListener *listener) { wait_listener_ = listener; }
	WaitListener *wait_listener() const { return wait_listener_; }

	/** patience_ns() - how long the heartbeat may stop while a thread waits, before the device is lost. */
	uint64_t patience_ns() const { return patience_ns_; }

	/** answer_limit_ns() - how long a device that is alive may take for an immediate action: a mailbox
	 * reply, or the end of aborted packets. A device that takes longer is given up. */
	uint64_t answer_limit_ns() const
	{
		return patience_ns_ > base::NO_DEADLINE / 2 ? base::NO_DEADLINE : 2 * patience_ns_;
	}

	/** force_ns() - how long ready tasks may still run after the program has ended their stream or
	 * context by force. */
	uint64_t force_ns() const { return force_ns_; }

	/** release_host_work(), acquire_host_work() - make the stores of a host function visible to a thread
	 * that has waited for the function's stream (H0). The device orders them already, but through memory
	 * that is mapped at two addresses; this pair expresses the order in the C++ memory model and for
	 * TSan. The count is the process's: a stream of one device may wait for a stream of another. */
	static void release_host_work() { base::fetch_add(host_work_, uint32_t{1}); }
	static void acquire_host_work() { (void)base::load_acquire(host_work_); }

	/** note_submit() - the opposite direction: a submit happens before the task's host function. Only
	 * TSan needs it; without TSan it is empty, so that a submit writes only one cache line. */
	void note_submit()
	{
#if defined(UNPU_TSAN)
		release_host_work();
#endif
	}

	/** take_segment() - gets the descriptor of a segment after a mailbox reply has confirmed the
	 * segment. */
	virtual base::Result<SharedSegment> take_segment(uint64_t segment) = 0;

	/** map() - maps a segment for reading and writing, as base::map_shared() does. */
	virtual base::Result<base::Mapping> map(const base::Fd &fd, uint64_t bytes,
						unpu_page_kind pages, void *where = nullptr);

	/** waited() - a thread calls it before it returns from a wait. */
	virtual void waited() {}

	/** give_file() - lets the firmware use a file by copies of this process's descriptors.
	 * @direct: the same file with O_DIRECT, or invalid
	 * @flags: UNPU_FILE_ALWAYS_DIRECT
	 * Return: BAD_FILE when the file type does not allow transfers, NO_RESOURCE past the limit,
	 * DEVICE_LOST. */
	virtual base::Result<GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
						  uint32_t flags) = 0;

	/** kick() - wakes a sleeping device. Context: any thread; one system call. */
	virtual void kick() = 0;

	/** stepper() - runs the device on the calling thread, where that is possible. */
	Stepper &stepper() const
	{
		return *stepper_;
	}

	/** scheduled() - whether a plan decides which packets run and when: UNPU_FEATURE_SCHEDULED. */
	bool scheduled() const
	{
		return is_scheduled_;
	}

	/** stepped() - whether waiting threads must run the device through stepper().step(). */
	bool stepped() const
	{
		return is_stepped_;
	}

	/** serves_others() - whether the firmware of this device also serves other processes. */
	virtual bool serves_others() const
	{
		return false;
	}

	/** snapshot() - the state of the device and all its clients, as JSON. It needs no packet, so it works
	 * on a device that makes no progress. Context: any thread. */
	virtual base::Result<std::string> snapshot() = 0;

	/** alive() - false if the device will never answer again. Context: any thread. If the firmware is
	 * another process, some calls make a system call. */
	bool alive();

	/** lost() - whether the device is known to be lost. One load for an embedded device. For a firmware
	 * in another process it also checks the connection from time to time. */
	bool lost()
	{
		uint32_t life = base::load_relaxed(life_);
		return life != NEAR && (life == LOST || !alive());
	}

	/** end_of_firmware() - a descriptor of the caller's, which polls as readable once the firmware has ended.
	 * Return: invalid for an embedded device, and for a firmware whose process is not known. */
	virtual base::Fd end_of_firmware() const
	{
		return {};
	}

	/** give_up() - marks the device as lost, because it does not respond. */
	void give_up()
	{
		base::store_relaxed(life_, uint32_t{LOST});
	}

protected:
	/** watch_connection() - makes lost() call connected(). */
	void watch_connection()
	{
		base::store_relaxed(life_, uint32_t{WATCHED});
	}

	/** connected() - whether the firmware process still exists. */
	virtual bool connected()
	{
		return true;
	}

	/** copy_state_of() - for a decorator: copies the public state of @inner, which must outlive this object. */
	void copy_state_of(const Device &inner);

	/** map_segments() - maps the three segments of an attachment with these quotas(). Return: NO_MEMORY,
	 * BAD_MESSAGE for a segment that is too short or not sealed. */
	base::Status map_segments(const base::Fd &bar, const base::Fd &completion,
				  const base::Fd &client);

	base::Mapping bar_;
	base::Mapping completion_;
	base::Mapping client_;
	uint64_t patience_ns_ = base::NO_DEADLINE;
	uint64_t force_ns_ = base::NS_PER_S;
	Quotas quotas_;
	WaitPolicy waits_;
	base::FenceScope fence_ = base::FenceScope::NONE;
	Stepper *stepper_ = &no_stepper();
	bool is_stepped_ = false;
	bool is_scheduled_ = false;

private:
	void ring_until_rest(uint32_t channel);

	static Stepper &no_stepper();

	enum Life : uint32_t { NEAR, WATCHED, LOST };

	uint32_t life_ = NEAR;
	static inline constinit uint32_t host_work_ = 0;
	uint16_t attachment_ = trace::NO_ATTACHMENT;
	WaitListener *wait_listener_ = nullptr;
};

/** configure_waits() - configures @waits by @options, the affinity mask and the cgroup's CPU quota. */
void configure_waits(WaitPolicy &waits, const Options &options);

/** open_device() - attaches to device @index of @options. Only this function chooses a backend.
 * @why: receives an error message on failure
 * Return: INVALID_DEVICE past the last device, VERSION_MISMATCH, or the backend's error. */
base::Result<std::unique_ptr<Device>> open_device(const Options &options, uint32_t index,
						  std::string &why);

/** look() - gets the Device::snapshot() of device @index of a firmware in another process, without attaching
 * to it.
 * @why: receives an error message on failure
 * Return: NOT_SUPPORTED for other backends, or the error of the request. */
base::Result<std::string> look(const Options &options, uint32_t index, std::string &why);

/** wait_semaphore() - waits until @sem has reached @value.
 * @deadline_ns: monotonic; base::NO_DEADLINE waits for ever.
 * Context: any thread, no lock held.
 * Return: TIMEOUT, DEVICE_LOST.
 */
base::Status wait_semaphore(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			    WaitWay way = WaitWay::BRIEF);

/** wait_passively() - sleeps without a deadline and never runs a stepped device: for threads that serve the
 * device, for example with host functions. Return: DEVICE_LOST. */
base::Status wait_passively(Device &device, uint32_t sem, uint64_t value);

} // namespace hal
