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
#include "chaos.h"
#include "hccl/hccl_types.h"
#include "ledger.h"
#include "order.h"
#include "pending.h"
#include "relay.h"
#include "seats.h"
#include "umd/core/notes/collective_note.h"
#include "umd/hccl/meeting/door.h"
#include "umd/hccl/meeting/guest.h"

namespace umd {

/** struct CommSettings - what the program and the environment say about a communicator. */
struct CommSettings {
	uint64_t buffer_bytes = 0;
	uint64_t wait_ns = 0;	   /* for other ranks, in an operation; 0: for ever */
	uint64_t connect_s = 0;	   /* for other ranks, to make the communicator */
	std::string name;	   /* "": made of the secret */
	uint32_t group = NO_GROUP; /* whose members may be other users */
	ChaosSettings chaos;
};

/** struct Entrance - where a rank joins. */
struct Entrance {
	MeetingPlace place;
	uint32_t ranks = 0;
	uint32_t rank = 0;
	CommSettings settings;
	std::vector<uint32_t> members; /* of a sub-communicator: its ranks in the other one */
};

/** class Comm - a communicator: one rank. Context: any thread. */
class Comm final : public RelayUser {
public:
	/** join() - makes the rank @entrance of a communicator on @device; blocks until all ranks do.
	 * Return: the host's refusal, HCCL_E_OOM, HCCL_E_UNAVAIL; with the sentence set. */
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
	const Seats &seats() const { return seats_; }
	const Islands &islands() const { return islands_; }
	/** relay() - to the ranks of other islands; nullptr where there is one island. */
	Relay *relay() const { return relay_.get(); }
	/** id() - a name that only this communicator has, as text. It may be shown. */
	const std::string &id() const { return id_; }
	const Introduction &member(uint32_t rank) const { return all_[rank]; }
	/** door() - where a rank's process listens; empty where all ranks have one network. */
	const TcpPlace &door(uint32_t rank) const { return doors_[rank]; }
	/** has_networks() - whether these ranks are in more than one network. */
	bool has_networks(std::span<const uint32_t> ranks) const;
	int socket() const { return guest_.socket(); }
	short events() { return guest_.events(); }

	/** mutex - held while a call is noted and its operation submitted, so that both have one order. A submit
	 * may wait for room in a ring, which does not depend on later calls of this rank. */
	base::Mutex mutex{"Comm::mutex", base::HeldOver::WORK};
	Ledger ledger; /* notes are made under the mutex */
	PendingCalls pending;
	Chaos chaos; /* used under the mutex */
	std::array<Order, ORDERS> orders GUARDED_BY(mutex);
	bool is_captured GUARDED_BY(mutex) = false; /* a graph may have an operation */
	bool has_ended GUARDED_BY(mutex) = false;
	bool is_suspended GUARDED_BY(mutex) = false; /* takes no calls */
	bool is_resuming GUARDED_BY(mutex) = false;  /* a thread is in resume() */
	uint64_t recorded GUARDED_BY(mutex) = 0;     /* operations in the trace */

	/** await_failure() - until the communicator has failed, or the deadline. Context: no lock held. */
	void await_failure(uint64_t deadline_ns);

	/** look_at_device() - fails the communicator, for all ranks, if the own device is lost. */
	void look_at_device();

	/** end_of_firmware() - polls as readable once lose_device() has to be called; -1 for nothing to poll. */
	int end_of_firmware() const
	{
		return failed_.load() == HCCL_SUCCESS ? end_of_firmware_.get() : -1;
	}

	/** lose_device() - the firmware of the own device has ended: fails the communicator, for all ranks. */
	void lose_device();

	/** failure() - HCCL_SUCCESS, or the first failure. @text: receives its sentence; may be nullptr. */
	HcclResult failure(std::string *text = nullptr);

	/** fail() - fails the communicator, unless it has failed: all its waits end. @tell: the other ranks too.
	 * @text: without the name of the communicator */
	void fail(HcclResult code, const std::string &text, bool tell);

	/** hear() - takes what the host says. Return: false when the connection to it has ended. */
	bool hear();

	void hear_call(uint32_t from, const CallNote &note) override;
	void hear_message(uint32_t from, uint32_t other, bool is_send,
			  const CallNote &note) override;
	void hear_loss(uint32_t rank, const std::string &text) override;

	/** count_launches() - counts the collective operations of graphs from now on. Context: the mutex held.
	 * Return: NO_RESOURCE, QUOTA, DEVICE_LOST. */
	base::Status count_launches() { return seats_.count_launches(); }

	/** end_of_launches() - fails the communicator if a launch of a graph waits for a rank that has left.
	 * Return: as end_of_loss(). */
	uint64_t end_of_launches();

	/** end_of_loss() - fails the communicator if a connection was lost some time ago.
	 * Return: when it has to be called again; NO_DEADLINE. */
	uint64_t end_of_loss();

	/** explain_timeout() - who is missing in an operation that waited too long; fails the communicator. */
	std::string explain_timeout();

	/** explain_loss() - fails the communicator, because another rank has given up an operation and the host has
	 * not said why. Return: the sentence of the failure, which may be an earlier one. */
	std::string explain_loss();

	/** has_task() - whether task @index of a stream belongs to an operation that was submitted lately. */
	bool has_task(uint32_t stream, uint64_t index);

	/** explain_wait() - for whom the rank's streams wait. Context: as WaitSearch.
	 * @is_circle: receives whether ranks wait for each other; then trouble() says it, too
	 * Return: "" if no operation of the rank waits. */
	std::string explain_wait(bool &is_circle);

	/** trouble() - what explain_wait() has found last; "" while nobody has asked. */
	std::string trouble();

	/** suspend() - takes no calls until resume(). Context: no lock held. Return: HCCL_E_AGAIN, HCCL_E_PARA. */
	HcclResult suspend();

	/** resume() - begins anew with all ranks, which call it too; no operation is under way. Context: no lock held.
	 * Return: HCCL_E_AGAIN while there are operations, HCCL_E_TIMEOUT, what the communicator has failed with. */
	HcclResult resume();

	/** begin_end() - waits for the operations, or ends those that wait for other ranks. Later calls are refused.
	 * Context: no lock held. Return: HCCL_E_AGAIN; HCCL_E_PARA for a second time. */
	HcclResult begin_end();

	/** end() - gives everything back, and leaves the other ranks. Context: no lock held, and no other thread
	 * calls hear() any more, or has begun to. */
	void end();

	/** hold_primary() - the communicator gives a reference of its device's primary context back at its end. */
	void hold_primary() { has_primary_ = true; }

private:
	explicit Comm(const Entrance &entrance);

	HcclResult meet(const DeviceHold &device);
	HcclResult make_seats(const DeviceHold &device);
	TcpPlace own_place() const;
	void hear_gone(const Gone &gone);
	bool has_host_left() const;
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
	const std::string id_;
	std::string name_;
	DeviceRef device_;
	base::Fd end_of_firmware_;
	std::vector<Introduction> all_;
	Islands islands_;
	MeetingDoor::Hold door_; /* for sub-communicators */
	std::vector<TcpPlace> doors_;
	Seats seats_;
	MeetingGuest guest_;
	std::unique_ptr<Relay> relay_;
	bool has_primary_ = false;
	std::bitset<MAX_RANKS>
		has_said_goodbye_; /* by rank; only the thread that calls hear() uses it */

	base::Mutex failure_mutex_{"Comm::failure_mutex_"};
	base::Bell has_news_; /* of a failure, or that all have met; with failure_mutex_ held */
	std::atomic<int> failed_{HCCL_SUCCESS};
	std::string failure_ GUARDED_BY(failure_mutex_);
	bool is_met_again_ GUARDED_BY(failure_mutex_) = false; /* all ranks have said AGAIN */
	/* Of the ranks that have left, the one that has run the fewest operations of graphs. */
	std::optional<Gone> first_gone_ GUARDED_BY(failure_mutex_);
	std::string trouble_ GUARDED_BY(failure_mutex_);
	std::string loss_ GUARDED_BY(failure_mutex_);	  /* the first one of a connection */
	uint64_t loss_ns_ GUARDED_BY(failure_mutex_) = 0; /* when it counts; 0: there is none */
};

} // namespace umd
