// SPDX-License-Identifier: MIT
/**
 * DOC: Communicators
 *
 * A rank joins in the steps of its meeting. After that it has all that its operations need: buffers, semaphores and
 * the call log. Later calls exchange no messages with other ranks. When a rank fails, it withdraws its semaphores, so
 * that no stream waits for them any longer. The host of the meeting then tells the other ranks.
 */
#include "comm.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "drv/packet/cookie.h"
#include "order_guarantees.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/share_key.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/error.h"
#include "umd/core/task/collective_failure.h"
#include "umd/hccl/comm/comms.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/meeting/meeting_coordinator.h"
#include "umd/hccl/network/interfaces.h"
#include "umd/hccl/report/circle.h"

namespace umd {

using base::Status;

/* How long destroying a communicator waits for its operations. */
static constexpr uint64_t GRACE_NS = 2 * base::NS_PER_S;

static HcclResult refuse_resources(Status status, const char *what)
{
	return refuse(hccl_result(status),
		      fmt::format("the device has no {} left for the communicator: {}", what,
				  base::status_sentence(status)));
}

Hello Comm::introduction(drv::Device &device) const
{
	Hello hello{};
	Introduction &own = hello.who;
	own.version = MEETING_VERSION;
	own.ranks = entrance_.ranks;
	own.rank = entrance_.rank;
	own.device = device.hal().bar().device_index;
	own.instance = device.hal().bar().instance;
	own.network = this_network();
	own.pid = process_id(device);
	own.is_host = Meetings::get().has(entrance_.place.secret);
	own.buffer_bytes = entrance_.settings.buffer_bytes;
	own.wait_ns = entrance_.settings.wait_ns;
	own.user = getuid();
	own.group = entrance_.settings.group;
	hello.members.fill(NO_MEMBER);
	std::copy(entrance_.members.begin(), entrance_.members.end(), hello.members.begin());
	snprintf(own.name, sizeof(own.name), "%s", entrance_.settings.name.c_str());
	(void)gethostname(own.host, sizeof(own.host) - 1);
	return hello;
}

/* @some: ranks to check; empty: all ranks */
bool Comm::has_networks(std::span<const uint32_t> some) const
{
	const uint64_t network = all_[some.empty() ? 0 : some[0]].network;
	for (uint32_t i = 0; i < (some.empty() ? ranks() : some.size()); i++) {
		if (all_[some.empty() ? i : some[i]].network != network)
			return true;
	}
	return false;
}

/* Where the process may listen if no setting names an interface. A process in the host's network listens where the root
 * information says. Any other process listens at the address from which it has reached the host. */
TcpPlace Comm::own_place() const
{
	TcpPlace place = entrance_.place.tcp;
	const TcpAddress own = joiner_.own_address();
	if (own.family != 0)
		place = {{own}};
	return place;
}

HcclResult Comm::make_seats(const DeviceHold &device)
{
	const Introduction &own = all_[rank()];
	const uint32_t first = islands_.near()[0];
	std::vector<uint32_t> pids;
	for (const uint32_t other : islands_.near()) {
		if (all_[other].pid != own.pid)
			pids.push_back(all_[other].pid);
	}
	const auto keys = std::make_unique<RankKeys>();
	std::vector<RankPlace> table;
	std::vector<SeatKeys> island;
	const uint64_t bytes = entrance_.settings.buffer_bytes;
	const RankSlots::Layout layout = RankSlots::layout_for(bytes, islands_.most_members());
	const TcpPlace allowed = own_place();
	if (has_networks({}))
		TRY(MeetingListener::get().open(&allowed, keys->place.listener, listener_));
	Status status = seats_.make(device, layout, islands_, rank(), pids, keys->seat);
	if (status == Status::OK && first == rank())
		status = call_log.make(*device, islands_, rank(), pids, keys->seat.call_log);
	if (status == Status::OK && relay_) {
		TRY(relay_->open(keys->place));
		status = relay_->make(device, bytes);
	}
	if (status != Status::OK)
		return refuse_resources(status, "memory or semaphores");
	TRY(joiner_.share(*keys, table, island));
	if (table.size() != ranks() || island.size() != islands_.near().size())
		return refuse(
			HCCL_E_INTERNAL,
			"the host of the communicator has keys of other ranks than those that have "
			"come; start all ranks again, with a rootInfo of their own");
	for (const RankPlace &place : table)
		listeners_.push_back(place.listener);
	status = seats_.join(device, island);
	if (status == Status::OK && first != rank())
		status = call_log.join(*device, islands_, rank(), island[0].call_log);
	if (status != Status::OK)
		return refuse_resources(status, "addresses or semaphores");
	if (relay_)
		TRY(relay_->connect(table));
	return joiner_.settle();
}

void Comm::note_meeting() const
{
	for (uint32_t other = 0; other < ranks(); other++) {
		if (all_[other].pid != all_[rank()].pid)
			recorder::note_collective_shared();
	}
	OrderGuarantees(entrance_).begin();
}

HcclResult Comm::meet(const DeviceHold &device)
{
	TRY(joiner_.enter(entrance_.place, introduction(*device), entrance_.settings.connect_s,
			  all_));
	std::vector<uint64_t> firmwares;
	for (uint32_t rank = 0; rank < ranks(); rank++)
		firmwares.push_back(all_[rank].instance);
	islands_ = Islands(firmwares, rank());
	if (islands_.count() > 1)
		relay_ = std::make_unique<Relay>(entrance_.place.secret, rank(), islands_, *this);
	note_meeting();
	name_ = all_[0].name;
	if (name_.empty())
		name_ = "hccl-" + id().substr(0, 16);
	const HcclResult result = make_seats(device);
	if (result != HCCL_SUCCESS)
		joiner_.refuse_all(result, fmt::format("rank {} could not join: {}", rank(),
						       result_text(result)));
	return result;
}

HcclResult Comm::join(const DeviceHold &device, const Entrance &entrance,
		      std::shared_ptr<Comm> &comm)
{
	std::shared_ptr<Comm> made(new Comm(entrance));
	made->device_ = DeviceRef(device.open());
	made->end_of_firmware_ = device->hal().end_of_firmware();
	const HcclResult result = made->meet(device);
	if (result == HCCL_SUCCESS)
		made->begin_faults(Devices::get().host_faults());
	if (result == HCCL_SUCCESS)
		comm = std::move(made);
	else
		made->give_back(false);
	return result;
}

Comm::Comm(const Entrance &entrance)
	: entrance_(entrance), id_(hex_of(derive(Topic::COMMUNICATOR, entrance.place.secret)))
{
}

Comm::~Comm() = default;

void Comm::give_back(bool keep)
{
	if (relay_)
		relay_->leave(keep);
	seats_.leave(keep);
	const DeviceHold device = device_.hold();
	if (device)
		call_log.leave(*device);
}

void Comm::look_at_device()
{
	const DeviceHold device = device_.hold();
	if (device && !device->hal().alive())
		lose_device();
}

void Comm::lose_device()
{
	/* Requests that wait for an answer of the dead firmware end now. */
	if (const DeviceHold device = device_.hold())
		device->hal().give_up();
	fail(HCCL_E_REMOTE,
	     fmt::format("the firmware of rank {} (process {}, device {}) is gone", rank(),
			 member(rank()).pid, member(rank()).device),
	     true);
}

HcclResult Comm::failure(std::string *text)
{
	const auto code = static_cast<HcclResult>(failed_.load());
	if (code == HCCL_SUCCESS || !text)
		return code;
	std::lock_guard lock(failure_mutex_);
	*text = failure_;
	return code;
}

void Comm::await_failure(uint64_t deadline_ns)
{
	std::unique_lock lock(failure_mutex_);
	while (failed_.load() == HCCL_SUCCESS && has_news_.wait(lock, deadline_ns))
		continue;
}

void Comm::fail(HcclResult code, const std::string &text, bool tell)
{
	{
		std::lock_guard lock(failure_mutex_);
		if (failed_.load() != HCCL_SUCCESS)
			return;
		failure_ = fmt::format("communicator {}: {}", name_, text);
		failed_ = code;
		has_news_.ring();
	}
	seats_.withdraw();
	if (relay_)
		relay_->links().withdraw();
	OrderGuarantees(entrance_).end();
	if (tell)
		joiner_.refuse_all(code, text);
}

void Comm::on_gone(const Gone &gone)
{
	if (gone.rank >= ranks())
		return;
	/* The mark comes before the comparison, so a call that is noted in the meantime sees it. */
	call_log.set_left(gone.rank, gone.is_lost != 0);
	if (gone.is_lost != 0)
		return;
	has_said_goodbye_[gone.rank] = true;
	if (call_log.calls(rank()) > gone.leave.calls)
		fail(HCCL_E_REMOTE,
		     fmt::format("rank {} destroyed the communicator after {} collective calls, "
				 "and rank {} has made {}",
				 gone.rank, gone.leave.calls, rank(), call_log.calls(rank())),
		     true);
	std::lock_guard lock(failure_mutex_);
	if (!first_gone_ || first_gone_->leave.launched > gone.leave.launched)
		first_gone_ = gone;
}

/* After a rank has left, the thread that listens for failures checks graph launches this often. */
static constexpr uint64_t LAUNCH_LOOK_NS = 200 * base::NS_PER_MS;

uint64_t Comm::end_of_launches()
{
	std::optional<Gone> gone;
	{
		std::lock_guard lock(failure_mutex_);
		gone = first_gone_;
	}
	if (!gone || seats_.begins() == 0 || failure() != HCCL_SUCCESS)
		return base::NO_DEADLINE;
	const uint64_t begun = seats_.begun();
	if (begun <= gone->leave.launched)
		return base::deadline_after(LAUNCH_LOOK_NS);
	fail(HCCL_E_REMOTE,
	     fmt::format("rank {} destroyed the communicator after it had run {} collective calls "
			 "of graphs, and rank {} has begun {}",
			 gone->rank, gone->leave.launched, rank(), begun),
	     true);
	return base::NO_DEADLINE;
}

/* Whether the end of the host's process is no failure: it had ranks, and all of them have destroyed the
 * communicator. Only GONE messages from the host prove that. The call log does not, because a rank also writes
 * there what it was told, and the link of this rank may be cut.
 * Return: true if the host's process may end. */
bool Comm::has_coordinator_left() const
{
	bool has_ranks = false;
	for (uint32_t other = 0; other < ranks(); other++) {
		if (member(other).is_host == 0)
			continue;
		if (!has_said_goodbye_[other])
			return false;
		has_ranks = true;
	}
	return has_ranks;
}

bool Comm::hear()
{
	const auto message = std::make_unique<MeetingMessage>();
	const MeetingJoiner::Reply reply = joiner_.next_reply(*message);
	if (reply == MeetingJoiner::Reply::LOST && has_coordinator_left()) {
		joiner_.go_on_alone();
		std::lock_guard lock(failure_mutex_);
		has_news_.ring();
		return true;
	}
	if (reply == MeetingJoiner::Reply::AGAIN) {
		std::lock_guard lock(failure_mutex_);
		is_met_again_ = true;
		has_news_.ring();
	} else if (reply == MeetingJoiner::Reply::GONE) {
		on_gone(message->body.gone);
	} else if (reply != MeetingJoiner::Reply::NONE)
		fail(static_cast<HcclResult>(message->body.refusal.code),
		     message->body.refusal.text, false);
	return reply != MeetingJoiner::Reply::LOST;
}

void Comm::on_call(uint32_t from, const CallNote &note)
{
	Difference found;
	if (call_log.note_call(from, note, found))
		fail(HCCL_E_PARA, difference_text("collective call", from, note, found), true);
}

void Comm::on_message(uint32_t from, uint32_t other, bool is_send, const CallNote &note)
{
	Difference found;
	if (call_log.note_message(from, other, is_send, note, found))
		fail(HCCL_E_PARA, difference_text("message", from, note, found), true);
}

/* How long a lost connection waits for a better explanation. The meeting also learns that a process has
 * ended, and its message says more. */
static constexpr uint64_t LOSS_NS = 500 * base::NS_PER_MS;

void Comm::on_loss(uint32_t rank, const std::string &text)
{
	const Introduction &who = member(rank);
	{
		std::lock_guard lock(failure_mutex_);
		if (loss_ns_ != 0)
			return;
		loss_ = fmt::format("the connection to rank {} (process {} of {}) has failed: {}",
				    rank, who.pid, who.host, text);
		loss_ns_ = base::deadline_after(LOSS_NS);
	}
	Comms::get().look_again();
}

uint64_t Comm::end_of_loss()
{
	std::unique_lock lock(failure_mutex_);
	if (loss_ns_ == 0 || failed_.load() != HCCL_SUCCESS)
		return base::NO_DEADLINE;
	if (base::now_ns() < loss_ns_)
		return loss_ns_;
	const std::string text = loss_;
	lock.unlock();
	fail(HCCL_E_REMOTE, text, true);
	return base::NO_DEADLINE;
}

std::string Comm::missing()
{
	WaitSearch search;
	const std::string ranks =
		search.missing(member(rank()).pid, id(), rank(), call_log.calls(rank()));
	const std::string found = trouble();
	if (ranks == found && !ranks.empty())
		return ranks;
	if (!ranks.empty() || !found.empty())
		return ranks + (ranks.empty() || found.empty() ? "" : "; before that, ") + found;
	std::string unmet;
	for (const uint32_t other : call_log.unmet())
		unmet += fmt::format(
			"{}rank {} (process {}, device {}) has not called for its end of "
			"a message",
			unmet.empty() ? "" : "; ", other, member(other).pid, member(other).device);
	return unmet.empty()
		       ? "all ranks have made their calls, but the stream of one of them has not "
			 "come so far"
		       : unmet;
}

std::string Comm::explain_timeout()
{
	const std::string text =
		fmt::format("the other ranks did not come within {} s (HCCL_EXEC_TIMEOUT, "
			    "hcclExecTimeOut): {}",
			    wait_ns() / base::NS_PER_S, missing());
	fail(HCCL_E_TIMEOUT, text, true);
	return text;
}

std::string Comm::explain_loss()
{
	fail(HCCL_E_REMOTE,
	     "another rank has failed or has left, and the host of the communicator has not said "
	     "why",
	     true);
	std::string text;
	(void)failure(&text);
	return text;
}

bool Comm::has_task(uint32_t stream, uint64_t index)
{
	const DeviceHold device = device_.hold();
	for (const PendingCall &call : pending.all()) {
		const auto before = device ? device->place_of(call.before) : std::nullopt;
		const auto last = device ? device->place_of(call.last) : std::nullopt;
		if (call.stream == stream && before && last &&
		    static_cast<int64_t>(index - before->index) > 0 &&
		    static_cast<int64_t>(last->index - index) >= 0)
			return true;
	}
	return false;
}

std::string Comm::explain_wait(bool &is_circle)
{
	WaitSearch search;
	const uint64_t pid = member(rank()).pid;
	const DeviceHold device = device_.hold();
	is_circle = false;
	uint64_t number = 0;
	for (const PendingCall &call : pending.all()) {
		const bool waits = device && device->done(call.before) && !device->done(call.last);
		number = number == 0 && waits ? call.number : number;
	}
	std::string text = search.circle(pid, id(), rank());
	is_circle = !text.empty();
	if (!is_circle && number != 0)
		text = search.missing(pid, id(), rank(), number);
	std::lock_guard lock(failure_mutex_);
	trouble_ = text;
	return text;
}

std::string Comm::trouble()
{
	std::lock_guard lock(failure_mutex_);
	return trouble_;
}

/* Whether all operations have completed, and the other ranks have read the buffer.
 * @has_calls: receives whether an operation outside graphs has not completed */
bool Comm::is_quiet(bool &has_calls)
{
	has_calls = false;
	const DeviceHold device = device_.hold();
	if (!device || failure() != HCCL_SUCCESS)
		return true;
	const uint64_t deadline_ns = base::deadline_after(GRACE_NS);
	for (const Order &order : orders) {
		has_calls = device->wait(order.fence, deadline_ns) == Status::TIMEOUT;
		if (has_calls)
			return false;
	}
	std::vector<drv::Fence> fences;
	if (relay_)
		fences = relay_->links().all_taken();
	fences.push_back(seats_.read_all());
	if (seats_.begins() != 0)
		fences.push_back(seats_.all_ended());
	for (const drv::Fence &fence : fences) {
		/* If the communicator failed in the meantime, its operations have ended, and no rank reads
		 * the buffer any more. */
		if (failure() == HCCL_SUCCESS &&
		    device->wait(fence, deadline_ns) == Status::TIMEOUT)
			return false;
	}
	return true;
}

bool Comm::has_lost_rank() const
{
	for (uint32_t other = 0; other < ranks(); other++) {
		if (other != rank() && call_log.has_left(other))
			return true;
	}
	return false;
}

/* Looks for an operation that has failed. The communicator itself learns of that only when a call queries the
 * stream.
 * Return: WAIT_TIMEOUT or PEER_LOST if an operation has ended with it; else OK. */
Status Comm::failed_wait()
{
	const DeviceHold device = device_.hold();
	for (const Order &order : orders) {
		const drv::Failure failure =
			device ? collective_failure(device->failure_of(order.fence.sem))
			       : drv::Failure{};
		if ((failure.status == Status::WAIT_TIMEOUT ||
		     failure.status == Status::PEER_LOST) &&
		    is_collective(drv::decode_cookie(failure.cookie).call))
			return failure.status;
	}
	return Status::OK;
}

/* Whether an abort has dropped an operation. Other ranks may wait for its data, and only this rank knows that
 * the data will never come. */
bool Comm::has_dropped()
{
	const DeviceHold device = device_.hold();
	return device && std::any_of(orders.begin(), orders.end(), [&](const Order &order) {
		       return device->was_dropped(order.fence);
	       });
}

HcclResult Comm::begin_end()
{
	if (!mutex.try_lock())
		return refuse(HCCL_E_AGAIN,
			      fmt::format("communicator {} is in use by another thread", name_));
	std::lock_guard lock(mutex, std::adopt_lock);
	if (has_ended)
		return refuse(HCCL_E_PARA,
			      fmt::format("communicator {} was destroyed before; destroy it once",
					  name_));
	if (is_resuming)
		return refuse(HCCL_E_AGAIN, fmt::format("communicator {} is in HcclCommResume of "
							"another thread; wait for that call",
							name_));
	look_at_device();
	if (has_dropped())
		fail(HCCL_E_REMOTE,
		     fmt::format("rank {} destroyed it after its operations were aborted", rank()),
		     true);
	bool has_calls;
	const bool quiet = is_quiet(has_calls);
	const Status failed = quiet ? Status::OK : failed_wait();
	if (failed == Status::PEER_LOST)
		(void)explain_loss();
	if (failed == Status::WAIT_TIMEOUT)
		fail(HCCL_E_TIMEOUT,
		     fmt::format("the other ranks did not come within {} s (HCCL_EXEC_TIMEOUT, "
				 "hcclExecTimeOut)",
				 wait_ns() / base::NS_PER_S),
		     true);
	if (!quiet && failure() == HCCL_SUCCESS) {
		/* The call log does not record graph launches, so one may wait for another rank for ever. */
		const bool is_of_graph = !has_calls && is_captured;
		if (!is_of_graph && !has_lost_rank() && call_log.is_matched())
			return refuse(HCCL_E_AGAIN, fmt::format("communicator {} has operations "
								"under way; synchronise their "
								"streams first",
								name_));
		fail(HCCL_E_REMOTE,
		     fmt::format("rank {} destroyed it while its operations waited for other ranks",
				 rank()),
		     true);
	}
	has_ended = true;
	return HCCL_SUCCESS;
}

void Comm::end()
{
	bool keep;
	{
		std::lock_guard lock(mutex);
		keep = is_captured;
	}
	/* The ranks of the island see this mark before the host tells all ranks. After a failure the mark is
	 * not set: these ranks are told the real cause, and must not mistake this rank's end for it. */
	if (failure() == HCCL_SUCCESS)
		call_log.set_left(rank(), false);
	/* An operation of a graph that begins after this line is not counted, and fails. */
	const Leave leave{call_log.calls(rank()), seats_.ended()};
	give_back(keep);
	OrderGuarantees(entrance_).end();
	joiner_.leave(leave);
	listener_.release();
	if (has_primary_ && device_.is_open())
		(void)Contexts::get().give_back_primary(device_index(), false);
}

} // namespace umd
