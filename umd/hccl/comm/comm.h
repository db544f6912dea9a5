// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "call_log.h"
#include "hal/host_faults.h"
#include "hccl/hccl_types.h"
#include "order.h"
#include "pending.h"
#include "rank_slots.h"
#include "relay.h"
#include "umd/core/notes/collective_note.h"
#include "umd/hccl/meeting/meeting_joiner.h"
#include "umd/hccl/meeting/meeting_listener.h"

namespace umd {

/** struct CommSettings - what the program and the environment say about a communicator. */
struct CommSettings {
	uint64_t buffer_bytes = 0;
	uint64_t wait_ns = 0;	   /* time limit for other ranks in an operation; 0: no limit */
	uint64_t connect_s = 0;	   /* time limit for all ranks to join */
	std::string name;	   /* "": the name is derived from the secret */
	uint32_t group = NO_GROUP; /* group whose members may join as other users */
};

/** struct Entrance - which communicator a rank joins, and as which rank. */
struct Entrance {
	MeetingPlace place;
	uint32_t ranks = 0;
	uint32_t rank = 0;
	CommSettings settings;
	/* only for a sub-communicator: its ranks, as numbers of the parent communicator */
	std::vector<uint32_t> members;
};

/** class Comm - one rank of a communicator. Context: any thread. */
class Comm final : public RelayUser {
public:
	/** join() - joins a communicator on @device as the rank that @entrance names; blocks until all ranks
	 * have joined.
	 * Return: the error by which the host refuses, HCCL_E_OOM, HCCL_E_UNAVAIL; sets the error message. */
	static HcclResult join(const DeviceHold &device, const Entrance &entrance,
			       std::shared_ptr<Comm> &comm);

	~Comm() override;

	const std::string &name() const { return name_; }
	uint32_t ranks() const { return entrance_.ranks; }
	uint32_t rank() const { return entrance_.rank; }
	const Entrance &entrance() const { return entrance_; }
	const DeviceRef &device() const { return device_; }
	int32_t device_index() const { return device_.state->index; }
	uint64_t wait_ns() const { return entrance_.settings.wait_ns; }
	const RankSlots &seats() const { return seats_; }
	const Islands &islands() const { return islands_; }
	/** relay() - the connection to ranks of other islands; nullptr if there is only one island. */
	Relay *relay() const { return relay_.get(); }
	/** id() - a unique name of this communicator, as text. It reveals no secret. */
	const std::string &id() const { return id_; }
	const Introduction &member(uint32_t rank) const { return all_[rank]; }
	/** listener() - where a rank's process listens; empty if all ranks are in one network. */
	const TcpPlace &listener(uint32_t rank) const { return listeners_[rank]; }
	/** has_networks() - whether these ranks are in more than one network. */
	bool has_networks(std::span<const uint32_t> ranks) const;
	int socket() const { return joiner_.socket(); }
	short events() { return joiner_.events(); }

	/** mutex - held while a call is noted in the call log and its operation is submitted, so that both
	 * happen in the same order. A submit may wait for room in a ring. That wait ends without any later
	 * call of this rank. */
	base::Mutex mutex{"Comm::mutex", base::HeldOver::WORK};
	CallLog call_log; /* notes are added under the mutex */
	PendingCalls pending;
	std::array<Order, ORDERS> orders GUARDED_BY(mutex);
	bool is_captured GUARDED_BY(mutex) = false; /* a graph may contain an operation */
	bool has_ended GUARDED_BY(mutex) = false;
	bool is_suspended GUARDED_BY(mutex) = false; /* new calls are refused until resume() */
	bool is_resuming GUARDED_BY(mutex) = false;  /* a thread runs resume() */
	uint64_t recorded GUARDED_BY(mutex) = 0;     /* number of operations in the trace */

	/** inject() - the fault rules of the device string for this call. It may be late, or end the process.
	 * Return: the status with which it fails; sets the error message. */
	base::Status inject(base::FaultRule::Call call)
	{
		return faults_ ? inject_fault(call) : base::Status::OK;
	}

	/** await_failure() - waits until the communicator has failed, or until the deadline. Context: no lock
	 * held. */
	void await_failure(uint64_t deadline_ns);

	/** look_at_device() - checks the device of this rank; if it is lost, fails the communicator for all
	 * ranks. */
	void look_at_device();

	/** end_of_firmware() - a descriptor that becomes readable when the firmware has ended; then call
	 * lose_device(). -1: there is nothing to poll. */
	int end_of_firmware() const
	{
		return failed_.load() == HCCL_SUCCESS ? end_of_firmware_.get() : -1;
	}

	/** lose_device() - fails the communicator for all ranks, because the firmware of this rank's device
	 * has ended. */
	void lose_device();

	/** failure() - HCCL_SUCCESS, or the first failure. @text: receives its message; may be nullptr. */
	HcclResult failure(std::string *text = nullptr);

	/** fail() - fails the communicator, unless it has failed already. All its waits end. @tell: whether
	 * to tell the other ranks.
	 * @text: the message, without the name of the communicator */
	void fail(HcclResult code, const std::string &text, bool tell);

	/** hear() - processes the messages of the host. Return: false if the connection to the host has
	 * ended. */
	bool hear();

	void on_call(uint32_t from, const CallNote &note) override;
	void on_message(uint32_t from, uint32_t other, bool is_send, const CallNote &note) override;
	void on_loss(uint32_t rank, const std::string &text) override;

	/** count_launches() - from now on, counts the collective operations that graphs run. Context: the
	 * caller holds the mutex.
	 * Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status count_launches() { return seats_.count_launches(); }

	/** end_of_launches() - fails the communicator if a graph launch waits for a rank that has left.
	 * Return: as end_of_loss(). */
	uint64_t end_of_launches();

	/** end_of_loss() - fails the communicator if a connection was lost some time ago.
	 * Return: when to call it again; NO_DEADLINE: never. */
	uint64_t end_of_loss();

	/** explain_timeout() - fails the communicator because an operation waited too long. Return: a message
	 * that names the ranks that are missing. */
	std::string explain_timeout();

	/** explain_loss() - fails the communicator because another rank has given up an operation, and the
	 * host has not said why. Return: the message of the first failure, which may be an earlier one. */
	std::string explain_loss();

	/** has_task() - whether task @index of a stream belongs to a recently submitted operation. */
	bool has_task(uint32_t stream, uint64_t index);

	/** explain_wait() - describes which ranks the streams of this rank wait for. Context: as WaitSearch.
	 * @is_circle: receives whether the ranks wait for each other in a circle; then trouble() returns the
	 * same text
	 * Return: "" if no operation of the rank waits. */
	std::string explain_wait(bool &is_circle);

	/** trouble() - the latest result of explain_wait(); "" before the first call. */
	std::string trouble();

	/** suspend() - refuses calls until resume(). Context: no lock held. Return: HCCL_E_AGAIN,
	 * HCCL_E_PARA. */
	HcclResult suspend();

	/** resume() - resets the communicator together with all other ranks, which must call it, too. No
	 * operation may be under way. Context: no lock held.
	 * Return: HCCL_E_AGAIN while operations are under way, HCCL_E_TIMEOUT, or the failure of the
	 * communicator. */
	HcclResult resume();

	/** begin_end() - prepares the destruction: waits for the operations, or ends those that wait for
	 * other ranks. Later calls are refused.
	 * Context: no lock held. Return: HCCL_E_AGAIN; HCCL_E_PARA for a second time. */
	HcclResult begin_end();

	/** end() - releases all resources, and leaves the communicator. Context: no lock held; no other
	 * thread is in hear() or will call it. */
	void end();

	/** hold_primary() - the communicator releases one reference to the primary context of its device when
	 * it ends. */
	void hold_primary() { has_primary_ = true; }

private:
	explicit Comm(const Entrance &entrance);

	HcclResult meet(const DeviceHold &device);
	HcclResult make_seats(const DeviceHold &device);
	TcpPlace own_place() const;
	void begin_faults(const std::shared_ptr<const base::FaultPlan> &plan);
	base::Status inject_fault(base::FaultRule::Call call);
	void on_gone(const Gone &gone);
	bool has_coordinator_left() const;
	void give_back(bool keep);
	HcclResult refuse_end() const;
	HcclResult begin_resume();
	HcclResult begin_anew();
	HcclResult meet_again();
	HcclResult restart();
	void note_meeting() const;
	Hello introduction(drv::Device &device) const;
	std::string missing();
	bool is_quiet(bool &has_calls) REQUIRES(mutex);
	bool has_lost_rank() const;
	base::Status failed_wait() REQUIRES(mutex);
	bool has_dropped() REQUIRES(mutex);

	const Entrance entrance_;
	std::unique_ptr<hal::HostFaults> faults_; /* nullptr: no rule is for communicators */
	const std::string id_;
	std::string name_;
	DeviceRef device_;
	base::Fd end_of_firmware_;
	std::vector<Introduction> all_;
	Islands islands_;
	MeetingListener::Hold listener_; /* only sub-communicators use it */
	std::vector<TcpPlace> listeners_;
	RankSlots seats_;
	MeetingJoiner joiner_;
	std::unique_ptr<Relay> relay_;
	bool has_primary_ = false;
	std::bitset<MAX_RANKS>
		has_said_goodbye_; /* indexed by rank; only the thread that calls hear() uses it */

	base::Mutex failure_mutex_{"Comm::failure_mutex_"};
	/* rung with failure_mutex_ held: at a failure, and when all ranks have met again */
	base::Bell has_news_;
	std::atomic<int> failed_{HCCL_SUCCESS};
	std::string failure_ GUARDED_BY(failure_mutex_);
	bool is_met_again_ GUARDED_BY(failure_mutex_) = false; /* all ranks have sent AGAIN */
	/* Among the ranks that have left: the one that has run the fewest operations of graphs. */
	std::optional<Gone> first_gone_ GUARDED_BY(failure_mutex_);
	std::string trouble_ GUARDED_BY(failure_mutex_);
	/* message about the first lost connection */
	std::string loss_ GUARDED_BY(failure_mutex_);
	/* when the loss becomes a failure; 0: no connection was lost */
	uint64_t loss_ns_ GUARDED_BY(failure_mutex_) = 0;
};

} // namespace umd
