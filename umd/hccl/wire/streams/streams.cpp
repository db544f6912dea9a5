// SPDX-License-Identifier: MIT
/**
 * DOC: Engine over sockets
 *
 * Messages go over sockets, one for each direction. Processes of one network use Unix sockets, and no port.
 * Processes of other networks connect to the listener of the meetings (umd/hccl/meeting/meeting_listener.h), which is
 * the only port of the process. So a process that does not know the key of this wire gets no further than a handshake
 * of 164 bytes.
 */
#include "streams.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <memory>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/sync/mutex.h"
#include "receiver.h"
#include "sender.h"
#include "umd/hccl/meeting/local.h"
#include "umd/hccl/meeting/meeting_listener.h"
#include "umd/hccl/network/interfaces.h"

namespace umd {

namespace {

using base::Fd;
using base::Status;

/* Period of the timer, which runs while something has a time limit. */
constexpr uint64_t TICK_NS = 20 * base::NS_PER_MS;
/* A wire that ends announces that on one socket before it closes the other one. Over TCP the announcement may
 * arrive later, so the end of a connection is reported with this delay. */
constexpr uint64_t END_NS = 50 * base::NS_PER_MS;
/* How often one process is read before the end of its other connection counts as a failure. */
constexpr int TURNS_MOST = 64;
/* Limit of connections that have not finished their handshake. It is high, because all ranks may connect at
 * once. */
constexpr size_t UNPROVED_MOST = MAX_RANKS;
/* A connection counts as lost if its data were not acknowledged for this long and were sent again this often;
 * see umd/hccl/wire/ucx/guard.cpp. */
constexpr uint32_t ANSWER_MS = 2500;
constexpr uint8_t REPEATS = 3;

/* Values of the data in epoll events. The numbers of senders and receivers begin at FIRST. */
enum : uint64_t { LISTENER = 1, BELL, TIMER, FIRST };

class Streams final : public ListenerUser {
public:
	explicit Streams(const WireUpcalls &upcalls) : up_(upcalls) {}
	~Streams() override;

	/* Return: "", or the reason why there is no engine. */
	std::string open();
	void reach(const TcpPlace &place);
	StreamsAddress address() const;
	int event_fd() const { return events_.get(); }
	bool progress();
	bool check();
	uint64_t connect(const StreamsAddress &to, uint32_t link);
	void disconnect(uint64_t number, bool is_flushed);
	int send(uint64_t number, const Sender::Message &message);
	std::string reason(uint64_t number) const { return senders_.at(number)->sender.reason(); }
	void adopt(Fd socket, const SessionKeys &keys) override;

private:
	struct Way {
		Sender sender;
		/* events that epoll watches; 0: epoll does not watch the socket */
		uint32_t events = 0;
		int known = -1;		 /* the socket that epoll watches */
		bool is_leaving = false; /* disconnect it when it is idle */
		bool is_told = false;	 /* the failure has been reported */
		uint64_t failed_ns = 0;	 /* when to report the failure; 0: it has not failed */
	};

	bool listen();
	bool watch(int fd, uint64_t number, uint32_t events, int operation = EPOLL_CTL_ADD);
	void set_timer(bool is_on);
	void accept_some();
	void take_arrivals();
	uint64_t add(std::unique_ptr<Receiver> receiver);
	void read(uint64_t number);
	void read_all();
	void move(uint64_t number);
	void flush_gathered();
	void settle(uint64_t number, bool is_good);
	void tell_ended();
	void tick();
	bool has_limits() const;
	void part_if_idle(uint64_t number);
	void part(uint64_t number);

	const WireUpcalls up_;
	Key key_{};
	uint32_t group_ = NO_GROUP;
	Fd events_, listener_, bell_, timer_;
	std::array<char, 8> local_{};
	TcpPlace place_{};
	bool is_reached_ = false; /* others connect through the listener of the meetings */
	bool is_ticking_ = false;
	bool is_full_ = false; /* no descriptor is free for new connections */
	uint64_t next_ = FIRST;
	std::map<uint64_t, std::unique_ptr<Way>> senders_;
	std::map<uint64_t, std::unique_ptr<Receiver>> receivers_;
	std::vector<void *> ended_;
	std::vector<uint64_t> gathered_; /* senders to flush */

	base::Mutex mutex_{"Streams::mutex_"};
	struct Arrival {
		Fd socket;
		SessionKeys keys;
	};
	std::list<Arrival> arrivals_ GUARDED_BY(mutex_);
};

Streams::~Streams()
{
	if (is_reached_)
		MeetingListener::get().forget(address().name());
}

bool Streams::watch(int fd, uint64_t number, uint32_t events, int operation)
{
	epoll_event event{};
	event.events = events;
	event.data.u64 = number;
	return epoll_ctl(events_.get(), operation, fd, &event) == 0;
}

/* The kernel chooses the name of the socket. The name is no secret. */
bool Streams::listen()
{
	sockaddr_un address{};
	socklen_t bytes = sizeof(address);
	address.sun_family = AF_UNIX;
	if (bind(listener_.get(), reinterpret_cast<const sockaddr *>(&address),
		 sizeof(address.sun_family)) != 0 ||
	    ::listen(listener_.get(), 4 * MAX_RANKS) != 0 ||
	    getsockname(listener_.get(), reinterpret_cast<sockaddr *>(&address), &bytes) != 0)
		return false;
	const size_t length = bytes - offsetof(sockaddr_un, sun_path) - 1;
	memcpy(local_.data(), address.sun_path + 1, std::min(length, local_.size()));
	return length <= local_.size();
}

std::string Streams::open()
{
	const auto key = make_key();
	if (!key)
		return "the system gives no random numbers";
	key_ = *key;
	(void)read_group(group_);
	events_ = Fd(epoll_create1(EPOLL_CLOEXEC));
	listener_ = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	bell_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	timer_ = Fd(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
	if (!events_.valid() || !listener_.valid() || !bell_.valid() || !timer_.valid())
		return "the process has no descriptor left; raise RLIMIT_NOFILE";
	if (!listen() || !watch(listener_.get(), LISTENER, EPOLLIN) ||
	    !watch(bell_.get(), BELL, EPOLLIN) || !watch(timer_.get(), TIMER, EPOLLIN))
		return std::string("a Unix socket can't listen: ") + strerror(errno);
	return {};
}

StreamsAddress Streams::address() const
{
	return {key_, this_network(), local_, place_};
}

void Streams::reach(const TcpPlace &place)
{
	place_ = place;
	if (!is_reached_)
		MeetingListener::get().expect(address().name(), Wish::WIRE, key_, this);
	is_reached_ = true;
}

void Streams::adopt(Fd socket, const SessionKeys &keys)
{
	const uint64_t one = 1;
	std::lock_guard lock(mutex_);
	arrivals_.push_back({std::move(socket), keys});
	(void)base::calls::write(bell_.get(), &one, sizeof(one));
}

uint64_t Streams::add(std::unique_ptr<Receiver> receiver)
{
	const uint64_t number = next_++;
	if (watch(receiver->socket(), number, EPOLLIN | EPOLLRDHUP))
		receivers_[number] = std::move(receiver);
	return number;
}

void Streams::take_arrivals()
{
	uint64_t rings;
	std::list<Arrival> arrivals;
	{
		std::lock_guard lock(mutex_);
		(void)base::calls::read(bell_.get(), &rings, sizeof(rings));
		arrivals.swap(arrivals_);
	}
	for (Arrival &each : arrivals) {
		watch_tcp(each.socket);
		(void)add(std::make_unique<Receiver>(up_, std::move(each.socket), each.keys));
	}
}

void Streams::accept_some()
{
	Fd socket(base::calls::accept(listener_.get(), SOCK_CLOEXEC | SOCK_NONBLOCK));
	if (!socket.valid()) {
		/* The connection stays in the queue, and epoll would report it again at once. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			is_full_ = watch(listener_.get(), LISTENER, 0, EPOLL_CTL_MOD);
		return;
	}
	if (!may_meet(socket, group_))
		return;
	std::vector<uint64_t> unproved;
	for (const auto &[number, receiver] : receivers_) {
		if (!receiver->is_proved())
			unproved.push_back(number);
	}
	if (unproved.size() >= UNPROVED_MOST)
		receivers_.erase(unproved.front());
	auto find = [this](Wish wish, const Nonce &name, Key &key) {
		key = key_;
		return wish == Wish::WIRE && name == address().name();
	};
	read(add(std::make_unique<Receiver>(up_, std::move(socket), Handshake::receive(find))));
}

void Streams::read(uint64_t number)
{
	const auto found = receivers_.find(number);
	bool is_empty = false;
	if (found != receivers_.end() && !found->second->read(is_empty))
		receivers_.erase(found);
}

/* Reads everything that has arrived, before the end of a connection counts as a failure. */
void Streams::read_all()
{
	for (auto at = receivers_.begin(); at != receivers_.end();) {
		bool is_empty = false;
		bool is_good = true;
		for (int turn = 0; is_good && !is_empty && turn < TURNS_MOST; turn++)
			is_good = at->second->read(is_empty);
		at = is_good ? std::next(at) : receivers_.erase(at);
	}
}

void Streams::set_timer(bool is_on)
{
	if (is_on == is_ticking_)
		return;
	is_ticking_ = is_on;
	itimerspec when{};
	when.it_interval.tv_nsec = when.it_value.tv_nsec = is_on ? TICK_NS : 0;
	(void)timerfd_settime(timer_.get(), 0, &when, nullptr);
}

/* Makes epoll watch for the event that the sender waits for, and notes a failure. */
void Streams::settle(uint64_t number, bool is_good)
{
	Way &way = *senders_.at(number);
	if (!is_good && way.failed_ns == 0) {
		if (way.known >= 0)
			(void)watch(way.known, number, 0, EPOLL_CTL_DEL);
		way.known = -1;
		way.failed_ns = base::deadline_after(way.sender.is_tcp() ? END_NS : 0);
		read_all();
	}
	if (way.failed_ns != 0 || !way.sender.is_started())
		return;
	const uint32_t events =
		EPOLLIN | EPOLLRDHUP | (way.sender.wants_room() ? uint32_t{EPOLLOUT} : 0);
	/* epoll forgets a socket that was closed, and another socket may have its number. */
	if (events != way.events || way.known != way.sender.socket()) {
		if (!watch(way.sender.socket(), number, events, EPOLL_CTL_MOD))
			(void)watch(way.sender.socket(), number, events);
	}
	way.events = events;
	way.known = way.sender.socket();
}

void Streams::move(uint64_t number)
{
	const auto found = senders_.find(number);
	if (found == senders_.end() || found->second->failed_ns != 0)
		return;
	settle(number, found->second->sender.advance(ended_));
	part_if_idle(number);
}

/* Ends a leaving sender when it has sent everything. */
void Streams::part_if_idle(uint64_t number)
{
	const Way &way = *senders_.at(number);
	if (way.is_leaving && way.failed_ns == 0 && way.sender.is_open() && way.sender.is_idle())
		part(number);
}

void Streams::flush_gathered()
{
	for (const uint64_t number : std::exchange(gathered_, {})) {
		const auto found = senders_.find(number);
		if (found == senders_.end() || found->second->failed_ns != 0)
			continue;
		settle(number, found->second->sender.flush(ended_));
		part_if_idle(number);
	}
}

void Streams::tell_ended()
{
	while (!ended_.empty()) {
		const std::vector<void *> some = std::exchange(ended_, {});
		for (void *token : some)
			up_.sent(up_.user, token);
	}
}

void Streams::part(uint64_t number)
{
	const auto found = senders_.find(number);
	if (found == senders_.end())
		return;
	const std::unique_ptr<Way> way = std::move(found->second);
	senders_.erase(found);
	way->sender.drop(ended_);
	tell_ended();
	up_.parted(up_.user, way->sender.link());
}

bool Streams::has_limits() const
{
	for (const auto &[number, way] : senders_) {
		if (way->failed_ns != 0 ? !way->is_told : !way->sender.is_open())
			return true;
	}
	return is_full_;
}

void Streams::tick()
{
	const uint64_t now = base::now_ns();
	std::vector<uint64_t> numbers;
	for (const auto &[number, way] : senders_)
		numbers.push_back(number);
	if (std::exchange(is_full_, false))
		(void)watch(listener_.get(), LISTENER, EPOLLIN, EPOLL_CTL_MOD);
	for (const uint64_t number : numbers) {
		Way &way = *senders_.at(number);
		if (way.failed_ns == 0 && way.sender.is_late(now))
			settle(number, way.sender.try_next());
		if (way.failed_ns == 0 && !way.sender.is_open())
			move(number);
	}
	for (const uint64_t number : numbers) {
		const auto found = senders_.find(number);
		if (found == senders_.end())
			continue;
		Way &way = *found->second;
		if (way.failed_ns == 0 || now < way.failed_ns || std::exchange(way.is_told, true))
			continue;
		if (way.is_leaving)
			part(number);
		else
			up_.failed(up_.user, way.sender.link(), way.sender.reason().c_str());
	}
}

bool Streams::progress()
{
	epoll_event events[32];
	flush_gathered();
	const int count = base::calls::epoll_wait(events_.get(), events, 32, base::calls::NOW);
	bool is_time = false;
	for (int i = 0; i < count; i++) {
		const uint64_t number = events[i].data.u64;
		uint64_t ticks;
		if (number == LISTENER)
			accept_some();
		else if (number == BELL)
			take_arrivals();
		else if (number == TIMER)
			is_time = base::calls::read(timer_.get(), &ticks, sizeof(ticks)) > 0;
		else if (receivers_.count(number) != 0)
			read(number);
		else
			move(number);
	}
	tell_ended();
	const bool has = has_limits();
	if (has || is_time)
		tick();
	set_timer(has_limits());
	return count > 0 || !gathered_.empty();
}

bool Streams::check()
{
	bool has_unanswered = false;
	for (const auto &[number, way] : senders_) {
		tcp_info info{};
		socklen_t size = sizeof(info);
		if (way->failed_ns != 0 || !way->sender.is_tcp() ||
		    getsockopt(way->sender.socket(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
		    info.tcpi_unacked == 0)
			continue;
		has_unanswered = true;
		if (info.tcpi_retransmits < REPEATS || info.tcpi_last_ack_recv < ANSWER_MS)
			continue;
		way->sender.fail(true);
		settle(number, false);
	}
	return has_unanswered;
}

uint64_t Streams::connect(const StreamsAddress &to, uint32_t link)
{
	const uint64_t number = next_++;
	senders_[number] = std::make_unique<Way>(Way{Sender(link, to, group_)});
	move(number);
	set_timer(has_limits());
	return number;
}

void Streams::disconnect(uint64_t number, bool is_flushed)
{
	Way &way = *senders_.at(number);
	way.is_leaving = true;
	if (!is_flushed || way.failed_ns != 0 || way.sender.is_idle())
		part(number);
}

int Streams::send(uint64_t number, const Sender::Message &message)
{
	Way &way = *senders_.at(number);
	if (way.failed_ns != 0)
		return -1;
	const bool had_gathered = way.sender.has_gathered();
	const Sender::Added added = way.sender.add(message, ended_);
	if (!had_gathered && way.sender.has_gathered())
		gathered_.push_back(number);
	settle(number, added != Sender::Added::FAILED);
	return added == Sender::Added::FAILED ? -1 : added == Sender::Added::SENT ? 1 : 0;
}

/* The functions of struct WireEngine follow. */

Streams &self(void *opaque)
{
	return *static_cast<Streams *>(opaque);
}

/* A connection is a number, which is never 0. */
uint64_t number_of(void *connection)
{
	return reinterpret_cast<uintptr_t>(connection);
}

void tell(char *text, uint64_t bytes, const std::string &why)
{
	snprintf(text, bytes, "%s", why.c_str());
}

void *open_streams(const WireUpcalls *upcalls, const char *const *, char *text, uint64_t bytes)
{
	auto made = std::make_unique<Streams>(*upcalls);
	const std::string why = made->open();
	tell(text, bytes, why);
	return why.empty() ? made.release() : nullptr;
}

void close_streams(void *opaque)
{
	delete &self(opaque);
}

uint64_t address_of(void *opaque, void *bytes, uint64_t most)
{
	const StreamsAddress address = self(opaque).address();
	memcpy(bytes, &address, std::min<uint64_t>(sizeof(address), most));
	return sizeof(address);
}

void reach_through(void *opaque, const void *place)
{
	self(opaque).reach(*static_cast<const TcpPlace *>(place));
}

int event_fd_of(void *opaque)
{
	return self(opaque).event_fd();
}

int make_progress(void *opaque)
{
	return self(opaque).progress();
}

/* epoll is level-triggered: it reports an event as long as it lasts. So there is nothing to arm. */
int arm_events(void *)
{
	return 1;
}

int check_connections(void *opaque)
{
	return self(opaque).check();
}

void *connect_to(void *opaque, const void *address, uint64_t bytes, uint32_t link, char *text,
		 uint64_t text_bytes)
{
	StreamsAddress to;
	if (bytes != sizeof(to)) {
		tell(text, text_bytes, "the address of a rank's process is none");
		return nullptr;
	}
	memcpy(&to, address, sizeof(to));
	return reinterpret_cast<void *>(self(opaque).connect(to, link));
}

void disconnect_from(void *opaque, void *connection, int is_flushed)
{
	self(opaque).disconnect(number_of(connection), is_flushed != 0);
}

/* Connections that are not flushed end at once. */
void sever_all(void *) {}

int send_message(void *opaque, void *connection, const void *head, uint64_t head_bytes,
		 const void *data, uint64_t bytes, int, void *token, char *text,
		 uint64_t text_bytes)
{
	Sender::Message message;
	const Frame frame = {static_cast<uint32_t>(head_bytes), 0, bytes};
	memcpy(message.head.data(), &frame, sizeof(frame));
	memcpy(message.head.data() + sizeof(frame), head, head_bytes);
	message.head_bytes = sizeof(frame) + head_bytes;
	message.data = static_cast<const uint8_t *>(data);
	message.bytes = bytes;
	message.token = token;
	const int sent = self(opaque).send(number_of(connection), message);
	if (sent < 0)
		tell(text, text_bytes, self(opaque).reason(number_of(connection)));
	return sent;
}

constexpr WireEngine ENGINE = {
	.version = WIRE_ENGINE_VERSION,
	.open = open_streams,
	.close = close_streams,
	.address = address_of,
	.reach = reach_through,
	.event_fd = event_fd_of,
	.progress = make_progress,
	.arm = arm_events,
	.check = check_connections,
	.connect = connect_to,
	.disconnect = disconnect_from,
	.sever = sever_all,
	.send = send_message,
};

} // namespace

const WireEngine *streams_engine()
{
	return &ENGINE;
}

} // namespace umd
