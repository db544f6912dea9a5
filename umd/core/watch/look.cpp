// SPDX-License-Identifier: MIT
/**
 * DOC: Diagnostics of a running program
 *
 * An embedded device lives in threads of the program, so no other process knows what the device does. A
 * thread of the program answers such questions. It takes no lock that a waiting thread holds, and sends no
 * packet to the device, so it also answers if the program hangs. It needs no signal and no debugger.
 */
#include "look.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json/controls.h"
#include "base/json/text.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "blocked.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "hal/options.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/node_names.h"

namespace umd {

using Json = nlohmann::ordered_json;

/* The reader has to take all of the text within this time, since a device that closes waits for this thread. */
static constexpr uint64_t PATIENCE_NS = 2 * base::NS_PER_S;

/* A name in the abstract namespace needs no folder, and ends with the process. */
socklen_t Look::address_of(pid_t pid, sockaddr_un &address)
{
	address = {};
	address.sun_family = AF_UNIX;
	const int bytes = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
				   "unpu-look-%d", static_cast<int>(pid));
	return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
				      static_cast<size_t>(bytes));
}

static base::Fd listen_here()
{
	constexpr int WAITING = 4;
	sockaddr_un address;
	const socklen_t bytes = Look::address_of(getpid(), address);
	base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (!socket.valid() ||
	    bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), bytes) != 0 ||
	    listen(socket.get(), WAITING) != 0)
		return {};
	return socket;
}

/* Abstract sockets have no permissions. */
static bool is_trusted(int peer)
{
	ucred who{};
	socklen_t bytes = sizeof(who);
	return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 &&
	       (who.uid == geteuid() || who.uid == 0);
}

/* The nodes of models of files at which a graph of the process stands; "" for none. @graph: of a snapshot */
static std::string nodes_of(const Json &graph)
{
	constexpr size_t MOST = 4;
	std::string text;
	size_t count = 0;
	for (const Json &at : graph.value("at", Json::array())) {
		const drv::Command command = drv::decode_cookie(at.get<uint64_t>());
		if (!command.is_node() || command.program() == 0 || count == MOST)
			continue;
		const std::string name = NodeNames::get().text(command.program(), command.node());
		if (!name.empty() && ++count != 0)
			text += (text.empty() ? "" : "; ") + base::without_controls(name);
	}
	return text;
}

/* The same for the graph that the oldest packet of a stream has launched. */
static std::string nodes_of(OpenDevice &open, uint32_t timeline, const Json &snapshot)
{
	const auto task = open.device->oldest_task(timeline);
	if (!task || task->packet.opcode != UNPU_OP_GRAPH)
		return {};
	for (const Json &client : snapshot.value("clients", Json::array())) {
		if (client.value("pid", 0) != getpid())
			continue;
		for (const Json &graph : client.value("graphs", Json::array()))
			if (graph.value("graph", 0u) == task->packet.graph.graph)
				return nodes_of(graph);
	}
	return {};
}

static Json streams_of(OpenDevice &open, const Json &snapshot)
{
	Json streams = Json::array();
	for (const uint32_t timeline : open.device->open_timelines()) {
		const Blocked blocked = blocked_by(open, {timeline, UINT64_MAX});
		const auto place = open.device->place_of({timeline, 0});
		if (!place || blocked.sentence.empty())
			continue;
		const std::string nodes = nodes_of(open, timeline, snapshot);
		streams.push_back({{"stream", place->channel},
				   {"state", nodes.empty() ? blocked.sentence
							   : blocked.sentence + ": " + nodes}});
	}
	return streams;
}

/* The hold ends with the function: a device that closes waits for it. */
static Json look_at(const DeviceState &state)
{
	const DeviceHold device(state);
	if (!device)
		return nullptr;
	const auto seen = device->hal().snapshot();
	Json snapshot = seen ? base::read_json<Json>(*seen) : Json::object();
	if (!snapshot.is_object())
		snapshot = Json::object();
	snapshot["streams"] = streams_of(device.open(), snapshot);
	return snapshot;
}

std::string Look::text()
{
	std::vector<const DeviceState *> shown;
	{
		std::lock_guard lock(mutex_);
		shown = shown_;
	}
	Json all = {{"pid", getpid()},
		    {"program", program_invocation_short_name},
		    {"version", UNPU_VERSION_TEXT},
		    {"devices", Json::array()}};
	for (const DeviceState *state : shown) {
		Json device = look_at(*state);
		if (!device.is_null())
			all["devices"].push_back(std::move(device));
	}
	all["communicators"] = base::read_json<Json>(communicators());
	return base::write_json(all);
}

/* Return: whether the error is temporary, so that a later accept() may succeed. */
static bool is_passing(int error)
{
	return error == ECONNABORTED || error == EMFILE || error == ENFILE || error == ENOBUFS ||
	       error == ENOMEM;
}

/* The thread waits in poll(), not in accept(). A waiting accept() has already reserved a descriptor, and
 * releases it for a moment at each signal. So the program would not always have the same number of free
 * descriptors. */
void Look::serve(int listener)
{
	constexpr uint64_t PAUSE_NS = 20 * base::NS_PER_MS;
	for (;;) {
		pollfd entry{listener, POLLIN, 0};
		(void)base::calls::poll(&entry, 1, base::NO_DEADLINE);
		const base::Fd peer(base::calls::accept(listener, SOCK_CLOEXEC));
		const int error = peer.valid() ? 0 : errno;
		if (error != 0 && !is_passing(error))
			return;
		if (error != 0 && error != ECONNABORTED) {
			/* Only the end of the listener ends this pause early. */
			entry = {listener, 0, 0};
			(void)base::calls::poll(&entry, 1, base::deadline_after(PAUSE_NS));
		}
		if (error != 0 || !is_trusted(peer.get()))
			continue;
		const std::string text = get().text();
		(void)base::calls::send_all(peer.get(), text.data(), text.size(),
					    base::deadline_after(PATIENCE_NS));
	}
}

void Look::start_serving()
{
	if (listener_.valid() || hal::environment("UNPU_LOOK") == "0")
		return;
	base::Fd listener = listen_here();
	if (!listener.valid())
		return;
	auto thread = base::start_thread("unpu-look", [at = listener.get()] { serve(at); });
	if (!thread)
		return;
	thread_ = thread.take();
	listener_ = std::move(listener);
}

void Look::add(const DeviceState &state, bool later)
{
	std::lock_guard lock(mutex_);
	shown_.push_back(&state);
	if (!later)
		start_serving();
}

void Look::start()
{
	std::lock_guard lock(mutex_);
	start_serving();
}

void Look::remove(const DeviceState &state)
{
	std::thread thread;
	base::Fd listener;
	{
		std::lock_guard lock(mutex_);
		const auto found = std::find(shown_.begin(), shown_.end(), &state);
		if (found != shown_.end())
			shown_.erase(found);
		if (!shown_.empty() || !listener_.valid())
			return;
		thread = std::move(thread_);
		listener = std::move(listener_);
	}
	/* This ends accept(). */
	(void)shutdown(listener.get(), SHUT_RDWR);
	thread.join();
}

} // namespace umd
