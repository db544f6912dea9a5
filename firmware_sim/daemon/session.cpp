// SPDX-License-Identifier: MIT
/**
 * DOC: Session
 *
 * Handles the requests of a peer, one message at a time. The peer is not trusted: a malformed request
 * is answered with an error status, and a message that is no request ends the connection.
 */
#include "session.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <linux/sockios.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "server.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace fwd {

using base::Status;

Session::Session(Server &server, base::Fd socket, const ucred &peer, Role role,
		 std::shared_ptr<fw::Account> account, std::shared_ptr<fw::Closer> closer)
	: server_(server), socket_(std::move(socket)), peer_(peer), role_(role),
	  account_(std::move(account)), closer_(std::move(closer))
{
	int pidfd = -1;
	socklen_t bytes = sizeof(pidfd);
	if (getsockopt(socket_.get(), SOL_SOCKET, SO_PEERPIDFD, &pidfd, &bytes) == 0)
		process_ = base::Fd(pidfd);
	/* Before Linux 6.5, open a pidfd by PID. PID 0 is a process of another PID namespace: only the
	 * end of its connection tells that it has ended. */
	else if (peer.pid > 0)
		process_ = base::Fd(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
}

/* Whether a socket that was shut down has no unread message. At the end of the stream recvmsg() returns 0, as it
 * does for a message without bytes. SO_PASSCRED makes the difference: each message then has credentials, for
 * which there is no buffer here, so the kernel sets MSG_CTRUNC. */
static bool is_empty(const base::Fd &socket)
{
	const int on = 1;
	msghdr header{};
	return setsockopt(socket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0 &&
	       base::calls::recvmsg(socket.get(), header, MSG_PEEK, base::calls::NOW) == 0 &&
	       !(header.msg_flags & MSG_CTRUNC);
}

/* Unread messages in the socket may hold descriptors of the peer. */
Session::~Session()
{
	if (!is_empty(socket_))
		closer_->close(std::move(socket_));
}

void Session::begin(Operation &operation)
{
	pending_++;
	server_.loop().start(operation);
}

void Session::start()
{
	receive_.kind = Operation::Kind::READABLE;
	receive_.fd = socket_.get();
	receive_.done = [this](int result) {
		pending_--;
		readable(result);
	};
	begin(receive_);
	death_.kind = Operation::Kind::READABLE;
	death_.fd = process_.get();
	death_.done = [this](int) {
		pending_--;
		close(nullptr);
	};
	if (process_.valid())
		begin(death_);
	patience_.kind = Operation::Kind::TIMER;
	patience_.deadline_ns = base::deadline_after(server_.attach_limit_ns());
	patience_.done = [this](int result) {
		pending_--;
		if (result == 0 && !is_attached_)
			close("it did not attach in time");
	};
	if (role_ == Role::CLIENT)
		begin(patience_);
}

/* The end of a process and that of its connection come in any order. What a program has closed itself has no
 * channels left. */
void Session::close(const char *why)
{
	if (is_closed_)
		return;
	is_closed_ = true;
	if (is_attached_) {
		const bool is_open = server_.device(device_).detach(client_);
		if (!why)
			why = is_open ? "its process has ended without closing the device"
				      : "its program has closed the device";
		if (server_.may_log(peer_.uid))
			spdlog::info("client {} of device {} (process {}, user {}) has left: {}",
				     client_, device_, peer_.pid, peer_.uid, why);
	} else {
		spdlog::debug("connection of process {} ends: {}", peer_.pid,
			      why ? why : "its peer has ended or closed it");
	}
	is_attached_ = false;
	/* Ends the pending receive, and the peer sees the end at once. */
	shutdown(socket_.get(), SHUT_RDWR);
	for (Operation *operation : {&receive_, &death_, &patience_, &pause_})
		server_.loop().cancel(*operation);
	server_.ended(*this);
}

/* The CPU time of the control thread. The time of other threads on its CPU does not count. */
static uint64_t worked_ns()
{
	timespec now{};
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return static_cast<uint64_t>(now.tv_sec) * base::NS_PER_S +
	       static_cast<uint64_t>(now.tv_nsec);
}

/* Whether the next message brings descriptors while the user has as many as it may have. Such a message stays
 * in the socket. Without a control buffer the kernel only says that there are some. */
bool Session::brings_too_much() const
{
	if (account_->left(fw::Resource::DESCRIPTORS) != 0)
		return false;
	msghdr header{};
	return base::calls::recvmsg(socket_.get(), header, MSG_PEEK, base::calls::NOW) >= 0 &&
	       header.msg_flags & MSG_CTRUNC;
}

void Session::readable(int result)
{
	constexpr uint64_t AGAIN_NS = 10 * base::NS_PER_MS;
	if (is_closed_)
		return;
	if (result < 0)
		return close(strerror(-result));
	if (next_ns_ > base::now_ns() && role_ != Role::PARENT)
		return is_costly_ ? server_.ask_turn(*this) : pause(next_ns_);
	if (brings_too_much())
		return pause(base::deadline_after(AGAIN_NS));
	receive();
}

/* Rate limit. After each message the session waits before it receives the next one, which a normal client does not
 * notice. The wait grows with the time that the message took: a receive wakes all threads that wait at the
 * client's end of the socket, and a client may have many of them. */
void Session::receive()
{
	constexpr uint64_t EACH_NS = base::NS_PER_MS / 5;
	constexpr uint64_t CREDIT_NS = base::NS_PER_S / 4;
	const uint64_t began_ns = worked_ns();
	const auto bytes = static_cast<int>(base::calls::recvmsg(
		socket_.get(), buffer_.header(), MSG_CMSG_CLOEXEC, base::calls::NOW));
	if (bytes < 0 && errno == EAGAIN)
		return begin(receive_);
	received(bytes < 0 ? -errno : bytes);
	const uint64_t took_ns = worked_ns() - began_ns;
	is_costly_ = took_ns >= Server::COSTLY_NS;
	next_ns_ = std::max(next_ns_, base::now_ns() - CREDIT_NS) +
		   std::max(EACH_NS, Server::RESTS * took_ns);
	if (is_costly_)
		server_.note_cost(peer_.uid, took_ns);
}

void Session::take_turn()
{
	if (!snapshot_)
		return receive();
	const uint64_t began_ns = worked_ns();
	base::FdMessage request = std::move(*snapshot_);
	snapshot_.reset();
	serve(request);
	server_.note_cost(peer_.uid, std::max(worked_ns() - began_ns, Server::COSTLY_NS));
}

/* If this many descriptors of a client wait to be closed, a request with more of them is refused; at twice as
 * many the client is cut off. */
static constexpr size_t CLOSES_MOST = 256;

/* struct CloseApart - closes the descriptors of a message that no handler has taken. It closes them on a
 * separate thread. */
struct CloseApart {
	~CloseApart()
	{
		for (unsigned i = 0; message && i < message->count; i++)
			closer.close(std::move(message->descriptors[i]));
		for (base::Fd &fd : surplus)
			closer.close(std::move(fd));
	}

	fw::Closer &closer;
	base::FdMessage *message;
	std::vector<base::Fd> surplus;
};

void Session::received(int bytes)
{
	auto request = buffer_.open(bytes);
	const CloseApart rest{*closer_, request ? &*request : nullptr, buffer_.take_surplus()};
	if (bytes == 0)
		return close(nullptr);
	if (bytes < 0)
		return close(strerror(-bytes));
	has_spoken_ = true;
	if (!request && request.status() != Status::NO_RESOURCE) {
		if (server_.may_log(peer_.uid))
			spdlog::warn("process {} (user {}) does not speak our protocol", peer_.pid,
				     peer_.uid);
		return close("it broke the protocol");
	}
	base::FdMessage refused;
	if (!request)
		return send(refused, Status::NO_RESOURCE);
	refused.message.type = request->message.type;
	if (request->message.type == UNPU_SOCKET_SNAPSHOT && request->count == 0) {
		snapshot_ = request.take();
		return server_.ask_turn(*this);
	}
	const size_t waiting = closer_->waiting();
	if (request->count == 0 || waiting < CLOSES_MOST)
		return serve(*request);
	if (waiting >= 2 * CLOSES_MOST)
		return close("it sends descriptors faster than they can be closed");
	if (server_.may_log(peer_.uid))
		spdlog::warn("a request of process {} (user {}) is refused: {} descriptors that it "
			     "sent wait to "
			     "be closed, at most {} may",
			     peer_.pid, peer_.uid, waiting, CLOSES_MOST);
	send(refused, Status::NO_RESOURCE);
}

void Session::serve(base::FdMessage &request)
{
	base::FdMessage reply;
	reply.message = request.message;
	const Status status = answer(request, reply);
	if (status != Status::OK)
		spdlog::debug("request {} of process {}: {}", reply.message.type, peer_.pid,
			      base::status_name(status));
	send(reply, status);
}

void Session::send(base::FdMessage &reply, Status status)
{
	reply.message.status = static_cast<uint32_t>(status);
	const bool attaches = reply.message.type == UNPU_SOCKET_ATTACH && status == Status::OK;
	Status sent = send_message(socket_, reply, base::calls::NOW);
	const bool bare = sent == Status::NO_RESOURCE && reply.count > 0;
	if (bare) {
		/* The kernel limits the descriptors in unread messages of a user, so send the reply
		 * without them. */
		reply.descriptors = {};
		reply.count = 0;
		reply.message.status = static_cast<uint32_t>(Status::NO_RESOURCE);
		sent = send_message(socket_, reply, base::calls::NOW);
	}
	if (sent != Status::OK)
		return close("it does not take replies");
	if (bare && attaches)
		return close("its descriptors could not be sent");
	begin(receive_);
}

void Session::pause(uint64_t until_ns)
{
	pause_.kind = Operation::Kind::TIMER;
	pause_.deadline_ns = until_ns;
	pause_.done = [this](int) {
		pending_--;
		if (!is_closed_)
			begin(receive_);
	};
	begin(pause_);
}

/* Whether all unused fields of a request are zero. */
static bool rest_is_zero(const unpu_socket_message &message)
{
	unpu_socket_message said{};
	switch (message.type) {
	case UNPU_SOCKET_ATTACH:
		said.attach.device = message.attach.device;
		said.attach.flags = message.attach.flags;
		break;
	case UNPU_SOCKET_TAKE_SEGMENT:
		said.segment.segment = message.segment.segment;
		break;
	case UNPU_SOCKET_GIVE_FILE:
		said.file.flags = message.file.flags;
		break;
	case UNPU_SOCKET_SNAPSHOT:
		said.snapshot.device = message.snapshot.device;
		break;
	default:
		break;
	}
	return memcmp(said.words, message.words, sizeof(said.words)) == 0;
}

static bool descriptors_fit(const base::FdMessage &request)
{
	switch (request.message.type) {
	case UNPU_SOCKET_CONNECT:
		return request.count == 1;
	case UNPU_SOCKET_GIVE_FILE:
		return request.count == 1 || request.count == 2;
	default:
		return request.count == 0;
	}
}

static bool gives_descriptors(uint32_t type)
{
	return type == UNPU_SOCKET_ATTACH || type == UNPU_SOCKET_TAKE_SEGMENT ||
	       type == UNPU_SOCKET_SNAPSHOT;
}

/* Descriptors in unread messages count against the firmware's user. So the firmware refuses a request
 * for a descriptor while the last such reply is unread. */
bool Session::has_unread_reply() const
{
	int bytes = 0;
	return ioctl(socket_.get(), SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

Status Session::answer(base::FdMessage &request, base::FdMessage &reply)
{
	try {
		return handle(request, reply);
	} catch (const std::bad_alloc &) {
		return Status::NO_MEMORY;
	}
}

Status Session::handle(base::FdMessage &request, base::FdMessage &reply)
{
	const unpu_socket_message &message = request.message;
	if (message.abi >> 16 != UNPU_ABI_MAJOR)
		return Status::VERSION_MISMATCH;
	if (message.status || message.reserved || !descriptors_fit(request) ||
	    !rest_is_zero(message))
		return Status::BAD_MESSAGE;
	if (gives_descriptors(message.type) && has_unread_reply())
		return Status::NO_RESOURCE;
	switch (message.type) {
	case UNPU_SOCKET_PROBE:
		return probe(reply.message.probe);
	case UNPU_SOCKET_ATTACH:
		return attach(message.attach, reply);
	case UNPU_SOCKET_TAKE_SEGMENT:
		return take_segment(message.segment, reply);
	case UNPU_SOCKET_SNAPSHOT:
		return snapshot(message.snapshot, reply);
	case UNPU_SOCKET_GIVE_FILE:
		return give_file(request, reply);
	case UNPU_SOCKET_CONNECT:
		return connect(request);
	default:
		return Status::BAD_MESSAGE;
	}
}

Status Session::probe(unpu_socket_probe &reply) const
{
	const fw::Config &config = server_.config();
	reply = {};
	reply.instance = fw::instance(*config.exchange);
	reply.memory_bytes = config.memory_bytes;
	reply.devices = server_.devices();
	strncpy(reply.soc_name, config.soc_name, sizeof(reply.soc_name) - 1);
	return Status::OK;
}

/* The least quotas are enough to attach, so here the shares of the firmware's limits are used up. The peer
 * takes QUOTA for --quota-clients. */
Status Session::refuse_client(uint32_t device, Status status)
{
	const bool is_share = status == Status::QUOTA;
	if (server_.may_log(peer_.uid))
		spdlog::warn("process {} (user {}) can't attach to device {}: {}", peer_.pid,
			     peer_.uid, device,
			     is_share ? server_.use_of_shares(peer_.uid)
				      : base::status_sentence(status));
	return is_share ? Status::NO_RESOURCE : status;
}

Status Session::attach(const unpu_socket_attach &request, base::FdMessage &reply)
{
	if (request.flags & ~UNPU_ATTACH_MACHINE_FENCES || is_attached_ || role_ == Role::PARENT)
		return Status::BAD_MESSAGE;
	if (request.device >= server_.devices())
		return Status::INVALID_DEVICE;
	if (!server_.has_room(peer_)) {
		if (server_.may_log(peer_.uid))
			spdlog::warn("process {} (user {}) is refused by --quota-clients: its user "
				     "has as many clients as it may have",
				     peer_.pid, peer_.uid);
		return Status::QUOTA;
	}
	bool fences = request.flags & UNPU_ATTACH_MACHINE_FENCES;
	auto attached = server_.device(request.device)
				.attach(static_cast<uint32_t>(peer_.pid),
					fences ? base::FenceScope::MACHINE : base::FenceScope::NONE,
					account_);
	if (!attached)
		return refuse_client(request.device, attached.status());
	is_attached_ = true;
	device_ = request.device;
	client_ = attached->client;
	reply.message.attach = {};
	reply.message.attach.device = device_;
	reply.message.attach.client = client_;
	const fw::Quotas &quotas = server_.config().quotas;
	reply.message.attach.quota_memory_bytes = quotas.memory_bytes;
	reply.message.attach.quota_channels = quotas.channels;
	reply.message.attach.quota_semaphores = quotas.semaphore_limit();
	reply.message.attach.quota_graphs = quotas.graphs;
	if (attached->fence == base::FenceScope::MACHINE)
		reply.message.attach.flags = UNPU_ATTACH_MACHINE_FENCES;
	reply.add(std::move(attached->bar));
	reply.add(std::move(attached->completion));
	reply.add(std::move(attached->doorbell));
	reply.add(std::move(attached->kick));
	server_.loop().cancel(patience_);
	if (server_.may_log(peer_.uid))
		spdlog::info("client {} of device {} is process {} (user {}), {}", client_, device_,
			     peer_.pid, peer_.uid,
			     reply.message.attach.flags ? "membarrier" : "full fences");
	return Status::OK;
}

Status Session::take_segment(const unpu_socket_segment &request, base::FdMessage &reply)
{
	if (!is_attached_)
		return Status::BAD_MESSAGE;
	auto taken = TRY(server_.device(device_).take_segment(client_, request.segment));
	reply.message.segment = {};
	reply.message.segment.segment = request.segment;
	reply.message.segment.bytes = taken.bytes;
	reply.message.segment.pages = taken.pages;
	reply.add(std::move(taken.fd));
	return Status::OK;
}

Status Session::give_file(base::FdMessage &request, base::FdMessage &reply)
{
	const unpu_socket_file &wanted = request.message.file;
	if (!is_attached_ || wanted.flags & ~UNPU_FILE_ALWAYS_DIRECT)
		return Status::BAD_MESSAGE;
	/* An invalid descriptor means that there is none. */
	auto given = TRY(server_.device(device_).give_file(
		client_, std::move(request.descriptors[0]), std::move(request.descriptors[1]),
		wanted.flags & UNPU_FILE_ALWAYS_DIRECT, closer_));
	reply.message.file = {};
	reply.message.file.file = given.number;
	reply.message.file.flags = given.uring ? UNPU_FILE_URING : 0;
	return Status::OK;
}

Status Session::snapshot(const unpu_socket_snapshot &request, base::FdMessage &reply)
{
	if (request.device >= server_.devices())
		return Status::INVALID_DEVICE;
	std::string text = server_.device(request.device).snapshot();
	base::Mapping window;
	auto file = TRY(base::create_single_writer("unpu-snapshot", text.size(), window));
	memcpy(window.data(), text.data(), text.size());
	reply.message.snapshot = {};
	reply.message.snapshot.device = request.device;
	reply.message.snapshot.bytes = text.size();
	reply.add(std::move(file.fd));
	return Status::OK;
}

Status Session::connect(base::FdMessage &request)
{
	if (role_ != Role::PARENT)
		return Status::BAD_MESSAGE;
	return server_.admit(std::move(request.descriptors[0]), Role::CLIENT);
}

} // namespace fwd
