// SPDX-License-Identifier: MIT
/**
 * DOC: Server
 *
 * One control thread handles all slow events: connections, their messages, ends of client processes,
 * signals. It never handles packets; each device runs on its own thread.
 */
#include "server.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <grp.h>
#include <spdlog/spdlog.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/thread.h"
#include "base/trace/trace_ring.h"
#include "firmware_sim/tensor/operator_library.h"
#include "firmware_sim/worker/worker_process.h"
#include "limits.h"
#include "sandbox.h"

namespace fwd {

using base::Status;

static constexpr size_t SESSIONS_MAX = 4096;
/* The most connections that have not attached; each costs two descriptors. */
static constexpr size_t WAITING_MAX = 256;
static constexpr size_t WAITING_OF_USER_MAX = 128;
/* The most refused connections of a user that wait to be closed. */
static constexpr size_t REFUSALS_MAX = 64;
/* The most threads that close descriptors or use files of clients; a user may have half of them. A connection
 * counts as one, whether its thread runs or not. */
static constexpr uint64_t THREADS_MAX = 4096;
/* Delay before the next accept when the process has no free descriptor. */
static constexpr uint64_t RETRY_NS = base::NS_PER_S / 10;
static constexpr gid_t NO_GROUP = static_cast<gid_t>(-1);

Server::Server(const Options &options, std::shared_ptr<Log> log)
	: options_(options), log_(std::move(log))
{
}

Server::~Server()
{
	for (Hosted &hosted : devices_) {
		if (hosted.thread.joinable()) {
			hosted.device->stop();
			hosted.thread.join();
		}
	}
}

/* Return: the part of @limit that is left for clients if the firmware keeps @own; at least a quarter. */
static uint64_t leave(uint64_t limit, uint64_t own)
{
	return std::max(limit / 4, limit - std::min(limit, own));
}

/* The kernel bounds mappings and descriptors of a process. All clients together get the part that the
 * firmware does not need, and the clients of one user at most half of that. */
void Server::open_accounts()
{
	constexpr uint64_t OWN_MAPPINGS = 8192, OWN_DESCRIPTORS = 64, DEVICE_DESCRIPTORS = 8;
	own_descriptors_ =
		OWN_DESCRIPTORS + 2 * WAITING_MAX + DEVICE_DESCRIPTORS * options_.devices;
	limits_of_user_ = {0, leave(mapping_limit(), OWN_MAPPINGS),
			   leave(file_limit(), own_descriptors_), THREADS_MAX};
	all_users_ = std::make_shared<fw::Account>(limits_of_user_);
	if (options_.path.empty())
		return;
	for (uint64_t &limit : limits_of_user_)
		limit /= 2;
}

/* By default one client gets half of its user's quota. If that is less than a program needs, the client gets
 * FEWEST, or everything that its user has. */
fw::Quotas Server::quotas_of_client() const
{
	constexpr uint64_t FEWEST = 64;
	fw::Quotas quotas = options_.quotas;
	if (options_.path.empty())
		return quotas;
	const auto part = [&](fw::Resource what) {
		const uint64_t all = limits_of_user_[static_cast<size_t>(what)];
		return std::min(all, std::max(all / 2, FEWEST));
	};
	if (quotas.entries == 0)
		quotas.entries = part(fw::Resource::ENTRIES);
	if (quotas.descriptors == 0)
		quotas.descriptors = part(fw::Resource::DESCRIPTORS);
	return quotas;
}

std::string Server::use_of_shares(uid_t user)
{
	const auto used = account(user);
	const auto part = [&](fw::Resource what) {
		return fmt::format("{} of {}", used->used(what),
				   limits_of_user_[static_cast<size_t>(what)]);
	};
	return fmt::format("{} descriptors and {} mappings of its user are in use; RLIMIT_NOFILE "
			   "(ulimit -n) is {}",
			   part(fw::Resource::DESCRIPTORS), part(fw::Resource::ENTRIES),
			   file_limit());
}

std::shared_ptr<fw::Account> Server::account(uid_t user)
{
	std::erase_if(users_, [](const auto &entry) { return entry.second.expired(); });
	auto &known = users_[user];
	auto account = known.lock();
	if (!account) {
		account = std::make_shared<fw::Account>(limits_of_user_, all_users_, user);
		known = account;
	}
	return account;
}

bool Server::find_group()
{
	if (options_.group.empty())
		return true;
	const group *found = getgrnam(options_.group.c_str());
	if (found) {
		group_ = found->gr_gid;
		return true;
	}
	char *end = nullptr;
	unsigned long number = strtoul(options_.group.c_str(), &end, 10);
	if (*end != 0 || number >= NO_GROUP) {
		spdlog::error("--group: there is no group '{}'", options_.group);
		return false;
	}
	group_ = static_cast<gid_t>(number);
	return true;
}

bool Server::start_loop()
{
	std::string why_not;
	/* io_uring operations bypass a seccomp sandbox, so a sandboxed daemon uses poll. */
	const auto wish = options_.sandbox ? EventLoop::Wish::POLL : options_.loop;
	auto loop = EventLoop::create(wish, why_not);
	if (!loop) {
		spdlog::error("--event-loop: io_uring is not available: {}", why_not);
		return false;
	}
	loop_ = loop.take();
	if (why_not.empty())
		spdlog::info("event loop: {}", loop_->name());
	else
		spdlog::info("event loop: {}, since io_uring is not available: {}", loop_->name(),
			     why_not);
	return true;
}

bool Server::give_up_calls(bool (*calls)(std::string &why))
{
	std::string why;
	if (!options_.sandbox || calls(why))
		return true;
	spdlog::error("--sandbox: the kernel does not give up system calls: {}", why);
	return false;
}

/* Logs what bounds the firmware. An operator does not see the sentences that programs get. */
void Server::tell_operator()
{
	for (const std::string &low : low_limits(own_descriptors_, config_.memory_bytes))
		spdlog::warn("{}", low);
	for (const std::string &large : large_sizes(options_, config_))
		spdlog::warn("{}", large);
	spdlog::info("{}", bounds_sentence(options_, config_));
	config_.note = [this](uid_t user, const std::string &text) {
		if (may_log(user))
			spdlog::warn("{}", text);
	};
}

bool Server::start_devices()
{
	open_accounts();
	config_ = fw::configure(options_.wishes);
	config_.exchange = fw::make_exchange();
	config_.processes = true;
	if (!options_.trace.empty())
		config_.trace = base::TraceRing::room(options_.trace_entries);
	config_.soc_name = options_.soc_name.c_str();
	config_.quotas = quotas_of_client();
	name_limits(options_, config_);
	config_.faults = options_.faults;
	config_.report = [](const std::string &text) { spdlog::error("device: {}", text); };
	if (options_.schedule)
		fw::explore(config_, options_.schedule);
	/* A program that starts a firmware of its own has sentences of its own. */
	if (!options_.path.empty())
		tell_operator();
	for (uint32_t index = 0; index < options_.devices; index++) {
		fw::Config config = config_;
		config.index = index;
		if (!options_.nodes.empty())
			config.numa_node =
				options_.nodes[std::min<size_t>(index, options_.nodes.size() - 1)];
		auto device = fw::Device::create(config);
		if (!device) {
			spdlog::error("device {}: {}", index,
				      base::status_sentence(device.status()));
			return false;
		}
		devices_.push_back({device.take(), {}});
		fw::Device *firmware = devices_.back().device.get();
		auto thread = base::start_thread("unpu-firmware", [firmware] { firmware->run(); });
		if (!thread) {
			spdlog::error("device {}: its thread can't be started", index);
			return false;
		}
		devices_.back().thread = thread.take();
	}
	if (options_.faults)
		spdlog::warn("fault rules: {}", options_.fault_rules);
	spdlog::info("{} device(s) {} with {} MiB and {} engine(s) each", devices(),
		     config_.soc_name, config_.memory_bytes >> 20, config_.engines);
	return true;
}

/* Warns if a file is missing. Only work that needs the file fails. The check comes before the sandbox,
 * because files can't be opened in it. */
static void warn_of_lacks(bool is_sandboxed)
{
	if (const std::string why = fw::lack_of_kernels(is_sandboxed); !why.empty())
		spdlog::warn("tensor operators will fail: {}", why);
	if (const std::string why = fw::WorkerProcess::lack(); !why.empty())
		spdlog::warn("kernels of programs will fail: {}", why);
}

/* A signal that was ignored at the start, as nohup does, stays ignored. */
static bool is_ignored(int number)
{
	struct sigaction found {};
	return sigaction(number, nullptr, &found) == 0 && found.sa_handler == SIG_IGN;
}

void Server::watch_signals()
{
	sigset_t set;
	sigemptyset(&set);
	for (int number : {SIGTERM, SIGINT})
		sigaddset(&set, number);
	if (!is_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	/* Block the signals before other threads start, because they inherit the mask. */
	pthread_sigmask(SIG_BLOCK, &set, nullptr);
	signal(SIGPIPE, SIG_IGN);
	/* Past the limit of file sizes a request fails with EFBIG. */
	signal(SIGXFSZ, SIG_IGN);
	signals_ = base::Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int Server::listen()
{
	if (options_.path.empty())
		return EXIT_GOOD;
	std::string why;
	auto listener = Listener::open(options_.path, group_, why);
	if (!listener) {
		spdlog::error("{}", why);
		return listener.status() == Status::IN_USE ? EXIT_SERVED : EXIT_SOCKET;
	}
	listener_ = listener.take();
	return EXIT_GOOD;
}

int Server::run()
{
	raise_file_limit();
	watch_signals();
	if (!find_group())
		return EXIT_SOCKET;
	if (!options_.path.empty() && discarder_.start() != Status::OK)
		spdlog::warn("no process can be started that closes refused connections");
	/* The sandbox allows no program to be executed. */
	if (options_.sandbox && fw::start_workers_outside() != Status::OK)
		spdlog::warn("no process can be started that starts workers: kernels will not run");
	Log::start(log_);
	int listening = listen();
	if (listening != EXIT_GOOD)
		return listening;
	/* Write an empty trace now, so that an unwritable file is reported before a trace is lost. */
	if (!write_trace() || !signals_.valid() || !start_loop() || !give_up_calls(give_up_rings) ||
	    !start_devices())
		return EXIT_DEVICE;
	signal_.fd = signals_.get();
	signal_.done = [this](int result) {
		pending_--;
		signalfd_siginfo info{};
		if (result >= 0 &&
		    base::calls::read(signals_.get(), &info, sizeof(info)) == sizeof(info))
			stop(strsignal(static_cast<int>(info.ssi_signo)));
	};
	pending_++;
	loop_->start(signal_);
	if (listener_)
		accept_next();
	if (options_.control_fd >= 0 &&
	    admit(base::Fd(options_.control_fd), Session::Role::PARENT) != Status::OK) {
		spdlog::error("--control-fd: {} is not a socket to a parent", options_.control_fd);
		return EXIT_SOCKET;
	}
	if (listener_)
		spdlog::info("listening at {0}; programs find the devices by UNPU_DEVICE=unix:{0}",
			     std::filesystem::absolute(options_.path).lexically_normal().string());
	warn_of_lacks(options_.sandbox);
	if (!give_up_calls(enter_sandbox))
		return EXIT_DEVICE;
	manager_.notify("READY=1\nSTATUS=serving " + std::to_string(devices()) + " device(s)");
	while (!is_stopping_ || !sessions_.empty() || pending_ > 0) {
		if (loop_->turn() != Status::OK) {
			spdlog::error("the event loop fails: {}", strerror(errno));
			return EXIT_DEVICE;
		}
		sweep();
	}
	spdlog::info("ended");
	return write_trace() ? EXIT_GOOD : EXIT_DEVICE;
}

bool Server::write_trace()
{
	if (options_.trace.empty())
		return true;
	std::vector<base::DeviceTrace> traces;
	for (Hosted &hosted : devices_)
		traces.push_back(hosted.device->recorded());
	if (base::write_trace(options_.trace, nullptr, traces) == Status::OK)
		return true;
	spdlog::error("--trace: '{}' can't be written: {}", options_.trace, strerror(errno));
	return false;
}

void Server::accept_next()
{
	accept_.kind = Operation::Kind::ACCEPT;
	accept_.fd = listener_->fd();
	accept_.done = [this](int result) {
		pending_--;
		accepted(result);
	};
	pending_++;
	loop_->start(accept_);
}

void Server::accepted(int result)
{
	if (result >= 0)
		(void)admit(base::Fd(result), Session::Role::CLIENT);
	if (is_stopping_)
		return;
	if (result >= 0 || result == -ECONNABORTED || result == -EINTR)
		return has_room_for_refusals() ? accept_next() : accept_later();
	spdlog::warn("a connection can't be accepted: {}", strerror(-result));
	accept_later();
}

void Server::accept_later()
{
	retry_.kind = Operation::Kind::TIMER;
	retry_.deadline_ns = base::deadline_after(RETRY_NS);
	retry_.done = [this](int) {
		pending_--;
		if (is_stopping_)
			return;
		if (has_room_for_refusals())
			accept_next();
		else
			accept_later();
	};
	pending_++;
	loop_->start(retry_);
}

bool Server::has_room_for_refusals() const
{
	return std::all_of(refusals_.begin(), refusals_.end(), [](const auto &entry) {
		return entry.second->waiting() < REFUSALS_MAX;
	});
}

/* Refuses a connection. Its queue may have messages with descriptors whose close() blocks, so another process
 * closes it. */
void Server::refuse(base::Fd socket, uid_t user)
{
	if (discarder_.discard(socket))
		return;
	std::erase_if(refusals_, [](const auto &entry) { return entry.second->waiting() == 0; });
	auto &closer = refusals_[user];
	if (!closer)
		closer = fw::Closer::create(account(user), true).take();
	closer->close(std::move(socket));
}

/* The mode of the socket file has the same effect; this check holds even if the mode was changed. */
bool Server::may_connect(const base::Fd &socket, const ucred &peer) const
{
	if (peer.uid == geteuid() || peer.uid == 0)
		return true;
	if (group_ == NO_GROUP)
		return false;
	if (peer.gid == group_)
		return true;
	std::vector<gid_t> groups(NGROUPS_MAX);
	auto bytes = static_cast<socklen_t>(groups.size() * sizeof(groups[0]));
	if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERGROUPS, groups.data(), &bytes) != 0)
		return false;
	groups.resize(bytes / sizeof(groups[0]));
	return std::find(groups.begin(), groups.end(), group_) != groups.end();
}

bool Server::may_log(uid_t user)
{
	uint64_t left_out = 0;
	std::unique_lock lock(log_mutex_);
	const bool admits = log_share_.admit(user, base::now_ns(), left_out);
	lock.unlock();
	if (admits && left_out != 0)
		spdlog::warn("{} lines about processes of user {} were left out", left_out, user);
	return admits;
}

Status Server::admit(base::Fd socket, Session::Role role)
{
	ucred peer{};
	socklen_t bytes = sizeof(peer);
	int type = 0;
	socklen_t type_bytes = sizeof(type);
	if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 ||
	    getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
	    type != SOCK_SEQPACKET)
		return Status::INVALID_ARGUMENT;
	if (!may_connect(socket, peer)) {
		if (may_log(peer.uid))
			spdlog::warn("process {} of user {} may not connect", peer.pid, peer.uid);
		refuse(std::move(socket), peer.uid);
		return Status::NO_PERMISSION;
	}
	auto user = account(peer.uid);
	auto closer = fw::Closer::create(user);
	if (sessions_.size() >= SESSIONS_MAX || is_stopping_ || !closer) {
		if (!closer && may_log(peer.uid))
			spdlog::warn(
				"process {} may not connect: user {} has {} threads that close "
				"descriptors or use files, at most {} are allowed",
				peer.pid, peer.uid, user->used(fw::Resource::THREADS),
				limits_of_user_[static_cast<size_t>(fw::Resource::THREADS)]);
		refuse(std::move(socket), peer.uid);
		return Status::NO_RESOURCE;
	}
	if (role == Session::Role::CLIENT)
		make_room(peer);
	sessions_.push_back(std::make_unique<Session>(*this, std::move(socket), peer, role,
						      std::move(user), closer.take()));
	sessions_.back()->start();
	return Status::OK;
}

/* At the limit, closes the oldest connection that has sent no message, or else the oldest one. Sessions
 * are in the order of their arrival. */
void Server::make_room(const ucred &peer)
{
	size_t waiting = 0, of_user = 0;
	Session *any = nullptr, *of_same_user = nullptr;
	auto keep_older = [](Session *&candidate, Session &session) {
		if (!candidate || (candidate->has_spoken() && !session.has_spoken()))
			candidate = &session;
	};
	for (auto &session : sessions_) {
		if (!session->waiting())
			continue;
		waiting++;
		keep_older(any, *session);
		if (session->peer().uid != peer.uid)
			continue;
		of_user++;
		keep_older(of_same_user, *session);
	}
	if (of_user >= WAITING_OF_USER_MAX)
		of_same_user->close("its user has too many connections that did not attach");
	else if (waiting >= WAITING_MAX)
		any->close("there are too many connections that did not attach");
}

bool Server::has_room(const ucred &peer) const
{
	auto theirs = [&](const auto &session) {
		return session->attached() && session->peer().uid == peer.uid;
	};
	return options_.clients_of_user == 0 ||
	       std::count_if(sessions_.begin(), sessions_.end(), theirs) < options_.clients_of_user;
}

void Server::ended(const Session &session)
{
	std::erase(turns_, &session);
	if (session.role() == Session::Role::PARENT)
		stop("the parent has exited");
}

void Server::ask_turn(Session &session)
{
	turns_.push_back(&session);
	await_turn();
}

/* Starts the timer of the next turn, or moves it forward. */
void Server::await_turn()
{
	uint64_t next_ns = base::NO_DEADLINE;
	for (const Session *session : turns_)
		next_ns = std::min(next_ns, rests_until_ns(session->peer().uid));
	if (next_ns == base::NO_DEADLINE || is_stopping_)
		return;
	next_ns = std::max(next_ns, next_turn_ns_);
	if (awaits_turn_) {
		if (next_ns < turn_.deadline_ns)
			loop_->cancel(turn_);
		return;
	}
	turn_.kind = Operation::Kind::TIMER;
	turn_.deadline_ns = next_ns;
	turn_.done = [this](int) {
		pending_--;
		awaits_turn_ = false;
		if (!is_stopping_)
			give_turn();
		await_turn();
	};
	awaits_turn_ = true;
	pending_++;
	loop_->start(turn_);
}

void Server::give_turn()
{
	const uint64_t now_ns = base::now_ns();
	const auto found = std::find_if(turns_.begin(), turns_.end(), [&](const Session *session) {
		return rests_until_ns(session->peer().uid) <= now_ns;
	});
	if (found == turns_.end() || next_turn_ns_ > now_ns)
		return;
	Session &session = **found;
	turns_.erase(found);
	session.take_turn();
}

/* The next turn of any other user comes after as much time as this turn has taken. */
void Server::note_cost(uid_t user, uint64_t took_ns)
{
	const uint64_t now_ns = base::now_ns();
	std::erase_if(rests_, [&](const auto &entry) { return entry.second <= now_ns; });
	rests_[user] = std::max(rests_[user], now_ns + RESTS * took_ns);
	next_turn_ns_ = now_ns + took_ns;
}

uint64_t Server::rests_until_ns(uid_t user) const
{
	const auto found = rests_.find(user);
	return found == rests_.end() ? 0 : found->second;
}

void Server::stop(const char *why)
{
	if (is_stopping_)
		return;
	is_stopping_ = true;
	spdlog::info("ending: {}", why);
	manager_.notify("STOPPING=1");
	for (Operation *operation : {&accept_, &signal_, &retry_, &turn_})
		loop_->cancel(*operation);
	for (auto &session : sessions_)
		session->close("the firmware ends");
	/* Close the listening socket first, so that new connections are refused instead of queued. */
	listener_.reset();
}

/* Destroys closed sessions between turns: during a turn the loop may still access their operations. */
void Server::sweep()
{
	std::erase_if(sessions_, [](const auto &session) { return session->idle(); });
}

} // namespace fwd
