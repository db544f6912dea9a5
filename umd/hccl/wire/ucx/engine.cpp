// SPDX-License-Identifier: MIT
/**
 * DOC: Engine over UCX
 *
 * The engine has one context and one worker of UCP. A message is an active message of UCP, whose header is
 * the head. Small data are sent with the head, by the protocol "eager". Large data wait at the sender until
 * the receiver has said where to store them, by the protocol "rendezvous". So neither side copies them into a
 * buffer of its own.
 *
 * Each endpoint has the error mode "peer": when the other process ends, UCX calls a function, and all
 * requests under way end with an error.
 */
#include "umd/hccl/wire/engine.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ucp/api/ucp.h>

#include "guard.h"

namespace {

constexpr unsigned MESSAGE = 0; /* id of this engine's active message */

struct Connection;

struct Engine {
	WireUpcalls upcalls{};
	ucp_context_h context = nullptr;
	ucp_worker_h worker = nullptr;
	WorkerAddress address;
	std::set<const Connection *> connections;
	bool has_cut = false; /* the last check has shut down a socket */
};

struct Connection {
	Engine *engine;
	ucp_ep_h endpoint;
	uint32_t link;
	WorkerAddress address; /* worker address of the other side */
};

std::vector<WorkerAddress> others(const Engine &engine)
{
	std::vector<WorkerAddress> all;
	for (const Connection *each : engine.connections)
		all.push_back(each->address);
	return all;
}

/* Return: a part of an error message. */
const char *reason(ucs_status_t status)
{
	switch (status) {
	case UCS_ERR_CONNECTION_RESET:
		return "the connection was reset";
	case UCS_ERR_ENDPOINT_TIMEOUT:
	case UCS_ERR_TIMED_OUT:
		return "the other side does not answer";
	case UCS_ERR_UNREACHABLE:
		return "the other side can't be reached";
	case UCS_ERR_REJECTED:
		return "the other side rejected the connection";
	case UCS_ERR_NOT_CONNECTED:
		return "the connection is closed";
	default:
		return ucs_status_string(status);
	}
}

void tell(char *text, uint64_t bytes, const char *what, ucs_status_t status)
{
	snprintf(text, bytes, "%s: %s", what, reason(status));
}

/* struct Pending - the argument for the callback of a request that ends later. */
struct Pending {
	Engine *engine;
	void *token;
};

void on_received(void *request, ucs_status_t status, size_t, void *user)
{
	const std::unique_ptr<Pending> pending(static_cast<Pending *>(user));
	const WireUpcalls &up = pending->engine->upcalls;
	up.arrived(up.user, pending->token, status == UCS_OK);
	ucp_request_free(request);
}

void on_sent(void *request, ucs_status_t, void *user)
{
	const std::unique_ptr<Pending> pending(static_cast<Pending *>(user));
	const WireUpcalls &up = pending->engine->upcalls;
	up.sent(up.user, pending->token);
	ucp_request_free(request);
}

void on_parted(void *request, ucs_status_t, void *user)
{
	const std::unique_ptr<Connection> connection(static_cast<Connection *>(user));
	const WireUpcalls &up = connection->engine->upcalls;
	connection->engine->connections.erase(connection.get());
	up.parted(up.user, connection->link);
	ucp_request_free(request);
}

/* A connection is established, so its socket has a peer address now. */
void on_connected(void *request, ucs_status_t status, void *user)
{
	const Engine &engine = *static_cast<Engine *>(user);
	if (status == UCS_OK)
		guard_sockets(engine.address, others(engine));
	ucp_request_free(request);
}

/* Makes UCX call on_connected(). */
void await_connection(Engine &engine, ucp_ep_h endpoint)
{
	ucp_request_param_t how{};
	how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
	how.user_data = &engine;
	how.cb.send = on_connected;
	if (ucp_ep_flush_nbx(endpoint, &how) == nullptr)
		guard_sockets(engine.address, others(engine));
}

void on_failed(void *user, ucp_ep_h, ucs_status_t status)
{
	const Connection &connection = *static_cast<Connection *>(user);
	const WireUpcalls &up = connection.engine->upcalls;
	const bool is_cut = connection.engine->has_cut && status == UCS_ERR_CONNECTION_RESET;
	up.failed(up.user, connection.link, reason(is_cut ? UCS_ERR_ENDPOINT_TIMEOUT : status));
}

ucs_status_t on_message(void *user, const void *head, size_t head_bytes, void *data, size_t bytes,
			const ucp_am_recv_param_t *about)
{
	Engine &engine = *static_cast<Engine *>(user);
	const WireUpcalls &up = engine.upcalls;
	if ((about->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) == 0) {
		up.take(up.user, head, head_bytes, data, bytes);
		return UCS_OK;
	}
	void *receipt = nullptr;
	void *to = up.place(up.user, head, head_bytes, bytes, &receipt);
	if (!to)
		/* With this result UCX tells the sender that it may release the data. */
		return UCS_OK;
	auto pending = std::make_unique<Pending>(Pending{&engine, receipt});
	ucp_request_param_t how{};
	how.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
	how.user_data = pending.get();
	how.cb.recv_am = on_received;
	ucs_status_ptr_t request = ucp_am_recv_data_nbx(engine.worker, data, to, bytes, &how);
	if (UCS_PTR_IS_PTR(request))
		(void)pending.release();
	else
		up.arrived(up.user, receipt, UCS_PTR_STATUS(request) == UCS_OK);
	return UCS_INPROGRESS;
}

/* Return: the context; nullptr with @text. */
ucp_context_h make_context(const char *const *settings, char *text, uint64_t text_bytes)
{
	ucp_config_t *config = nullptr;
	ucs_status_t status = ucp_config_read(nullptr, nullptr, &config);
	if (status != UCS_OK) {
		tell(text, text_bytes, "UCX can't read its settings", status);
		return nullptr;
	}
	for (; *settings; settings += 2)
		(void)ucp_config_modify(config, settings[0], settings[1]);
	ucp_params_t params{};
	params.field_mask = UCP_PARAM_FIELD_FEATURES;
	params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
	ucp_context_h context = nullptr;
	status = ucp_init(&params, config, &context);
	ucp_config_release(config);
	if (status == UCS_OK)
		return context;
	tell(text, text_bytes, "UCX finds no way to other machines", status);
	return nullptr;
}

bool make_worker(Engine &engine, char *text, uint64_t text_bytes)
{
	ucp_worker_params_t params{};
	params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_EVENTS;
	params.thread_mode = UCS_THREAD_MODE_SINGLE;
	params.events = UCP_WAKEUP_RX | UCP_WAKEUP_TX;
	ucs_status_t status = ucp_worker_create(engine.context, &params, &engine.worker);
	if (status == UCS_OK) {
		ucp_am_handler_param_t handler{};
		handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
				     UCP_AM_HANDLER_PARAM_FIELD_ARG |
				     UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
		handler.id = MESSAGE;
		handler.flags = UCP_AM_FLAG_WHOLE_MSG;
		handler.cb = on_message;
		handler.arg = &engine;
		status = ucp_worker_set_am_recv_handler(engine.worker, &handler);
	}
	ucp_address_t *address = nullptr;
	size_t length = 0;
	if (status == UCS_OK)
		status = ucp_worker_get_address(engine.worker, &address, &length);
	if (status == UCS_OK) {
		engine.address.assign(reinterpret_cast<const char *>(address), length);
		ucp_worker_release_address(engine.worker, address);
	}
	if (status == UCS_OK)
		return true;
	tell(text, text_bytes, "UCX can't make a worker", status);
	return false;
}

void close_engine(void *opaque)
{
	const std::unique_ptr<Engine> engine(static_cast<Engine *>(opaque));
	if (engine->worker)
		ucp_worker_destroy(engine->worker);
	if (engine->context)
		ucp_cleanup(engine->context);
}

void *open_engine(const WireUpcalls *upcalls, const char *const *settings, char *text,
		  uint64_t text_bytes)
{
	auto engine = std::make_unique<Engine>();
	engine->upcalls = *upcalls;
	engine->context = make_context(settings, text, text_bytes);
	if (engine->context && make_worker(*engine, text, text_bytes)) {
		/* At this point the worker has only listening sockets. */
		guard_sockets(engine->address, {});
		return engine.release();
	}
	close_engine(engine.release());
	return nullptr;
}

uint64_t address_of(void *opaque, void *bytes, uint64_t most)
{
	const WorkerAddress &address = static_cast<Engine *>(opaque)->address;
	memcpy(bytes, address.data(), address.size() < most ? address.size() : most);
	return address.size();
}

int event_fd_of(void *opaque)
{
	int fd = -1;
	(void)ucp_worker_get_efd(static_cast<Engine *>(opaque)->worker, &fd);
	return fd;
}

int make_progress(void *opaque)
{
	return ucp_worker_progress(static_cast<Engine *>(opaque)->worker) != 0;
}

int arm_events(void *opaque)
{
	return ucp_worker_arm(static_cast<Engine *>(opaque)->worker) != UCS_ERR_BUSY;
}

int check_connections(void *opaque)
{
	Engine &engine = *static_cast<Engine *>(opaque);
	const SocketCheck check = check_sockets(engine.address, others(engine));
	engine.has_cut = check.has_ended;
	return check.has_unanswered;
}

void *connect_to(void *opaque, const void *address, uint64_t bytes, uint32_t link, char *text,
		 uint64_t text_bytes)
{
	Engine &engine = *static_cast<Engine *>(opaque);
	auto connection = std::make_unique<Connection>(
		Connection{&engine, nullptr, link, {static_cast<const char *>(address), bytes}});
	ucp_ep_params_t params{};
	params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
			    UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
	params.address = static_cast<const ucp_address_t *>(address);
	params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
	params.err_handler.cb = on_failed;
	params.err_handler.arg = connection.get();
	const ucs_status_t status = ucp_ep_create(engine.worker, &params, &connection->endpoint);
	if (status == UCS_OK) {
		engine.connections.insert(connection.get());
		await_connection(engine, connection->endpoint);
		return connection.release();
	}
	tell(text, text_bytes, "UCX can't connect", status);
	return nullptr;
}

void disconnect_from(void *opaque, void *given, int is_flushed)
{
	Engine &engine = *static_cast<Engine *>(opaque);
	const WireUpcalls &up = engine.upcalls;
	std::unique_ptr<Connection> connection(static_cast<Connection *>(given));
	ucp_request_param_t how{};
	how.op_attr_mask =
		UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
	how.flags = is_flushed ? 0 : UCP_EP_CLOSE_FLAG_FORCE;
	how.user_data = connection.get();
	how.cb.send = on_parted;
	if (UCS_PTR_IS_PTR(ucp_ep_close_nbx(connection->endpoint, &how))) {
		(void)connection.release();
		return;
	}
	engine.connections.erase(connection.get());
	up.parted(up.user, connection->link);
}

void sever_all(void *opaque)
{
	const Engine &engine = *static_cast<Engine *>(opaque);
	end_sockets(engine.address, others(engine));
}

int send_message(void *opaque, void *given, const void *head, uint64_t head_bytes, const void *data,
		 uint64_t bytes, int is_placed, void *token, char *text, uint64_t text_bytes)
{
	auto pending = std::make_unique<Pending>(Pending{static_cast<Engine *>(opaque), token});
	const Connection &connection = *static_cast<Connection *>(given);
	ucp_request_param_t how{};
	how.op_attr_mask =
		UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS;
	how.flags = is_placed ? UCP_AM_SEND_FLAG_RNDV : UCP_AM_SEND_FLAG_EAGER;
	how.user_data = pending.get();
	how.cb.send = on_sent;
	ucs_status_ptr_t request =
		ucp_am_send_nbx(connection.endpoint, MESSAGE, head, head_bytes, data, bytes, &how);
	if (UCS_PTR_IS_PTR(request)) {
		(void)pending.release();
		return 0;
	}
	if (UCS_PTR_STATUS(request) == UCS_OK)
		return 1;
	snprintf(text, text_bytes, "%s", reason(UCS_PTR_STATUS(request)));
	return -1;
}

constexpr WireEngine ENGINE = {
	.version = WIRE_ENGINE_VERSION,
	.open = open_engine,
	.close = close_engine,
	.address = address_of,
	.reach = nullptr,
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

extern "C" [[gnu::visibility("default")]] const WireEngine *unpu_wire_engine()
{
	return &ENGINE;
}
