// SPDX-License-Identifier: MIT
/**
 * DOC: Device in another process
 *
 * The firmware is a separate process that may serve other clients too. After the handshake it differs from
 * an embedded device in three ways: how segments arrive, how a kick is sent, and that the firmware can die.
 */
#include "process_device.h"

#include <cstring>

#include <fmt/format.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "connection.h"
#include "hal/sealed.h"
#include "hal/topology.h"
#include "spawn.h"

namespace hal {

using base::Result;
using base::Status;

namespace {

/* How long the result of a connection check is reused. */
constexpr uint64_t CONNECTED_NS = 10 * base::NS_PER_MS;
/* A larger text is no snapshot: that of 256 clients with 1,024 channels each has fewer bytes. */
constexpr uint64_t SNAPSHOT_MOST = 256 << 20;

class ProcessDevice final : public Device {
public:
	ProcessDevice(std::shared_ptr<SpawnedFirmware> firmware,
		      std::unique_ptr<Connection> connection)
		: firmware_(std::move(firmware)), connection_(std::move(connection))
	{
	}

	Status attach(const Options &options, uint32_t index, std::string &why);

	Result<SharedSegment> take_segment(uint64_t segment) override;
	Result<GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
				    uint32_t flags) override;
	void kick() override;
	bool serves_others() const override { return !firmware_; }
	base::Fd end_of_firmware() const override { return connection_->process(); }
	Result<std::string> snapshot() override;

private:
	bool connected() override;

	std::shared_ptr<SpawnedFirmware>
		firmware_; /* destroyed last; nullptr if another process has started the firmware */
	std::unique_ptr<Connection> connection_;
	base::Fd kick_;
	uint64_t check_at_ns_ = 0;
};

/* Only an eventfd is accepted, because a write to a pipe or a socket may raise SIGPIPE or block. An eventfd
 * has file type 0 in st_mode. Other descriptors of type 0 refuse writes. */
bool is_eventfd(const base::Fd &fd)
{
	struct stat found {};
	return fstat(fd.get(), &found) == 0 && (found.st_mode & S_IFMT) == 0;
}

void explain(Status status, const base::FdMessage &message, const Options &options,
	     const Connection &connection, std::string &why)
{
	const bool is_lack = status == Status::NO_MEMORY || status == Status::NO_RESOURCE;

	std::string place = options.backend == Backend::SPAWN ? "sim+proc" : "unix:" + options.path;
	uint32_t abi = message.message.abi;
	if (status == Status::VERSION_MISMATCH)
		why = fmt::format("{}: wire: expected version {}.x, found version {}.{}", place,
				  UNPU_ABI_MAJOR, abi >> 16, abi & 0xffff);
	else if (status == Status::DEVICE_LOST)
		why = fmt::format(
			"{}: {}", place,
			connection.is_silent()
				? "the process that listens there does not answer; it is "
				  "stopped (SIGCONT lets it go on), or the machine is busy"
				: "the process that listened there has ended or has closed "
				  "the connection; its log says why");
	else
		why = fmt::format("{}: {}{}{}", place, base::status_sentence(status),
				  is_lack ? limits_sentence() : "",
				  is_lack && options.backend != Backend::SPAWN
					  ? connection.peer_limits()
					  : "");
}

Result<std::string> ask_for_snapshot(Connection &connection, base::FdMessage &message,
				     uint32_t index)
{
	message.message.type = UNPU_SOCKET_SNAPSHOT;
	message.message.snapshot.device = index;
	TRY(connection.call(message));
	const uint64_t bytes = message.message.snapshot.bytes;
	if (message.count != 1 || bytes == 0 || bytes > SNAPSHOT_MOST ||
	    check_sealed(message.descriptors[0], bytes, UNPU_PAGE_4K) != Status::OK)
		return Status::DEVICE_LOST;
	std::string text(bytes, '\0');
	if (base::calls::read_at(message.descriptors[0].get(), {text.data(), bytes}, 0) !=
	    static_cast<ssize_t>(bytes))
		return Status::DEVICE_LOST;
	return text;
}

Status ProcessDevice::attach(const Options &options, uint32_t index, std::string &why)
{
	bool fences = base::join_machine_fences();
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_ATTACH;
	message.message.attach.device = index;
	message.message.attach.flags = fences ? UNPU_ATTACH_MACHINE_FENCES : 0;
	Status status = connection_->call(message);
	if (status == Status::OK && message.count != UNPU_SOCKET_DESCRIPTORS)
		status = Status::BAD_MESSAGE;
	if (status != Status::OK) {
		explain(status, message, options, *connection_, why);
		/* Here only the quota of clients can be exceeded. Calls that meet another quota later have
		 * their own error messages. */
		if (status == Status::QUOTA)
			why += fmt::format(
				"; user {} has as many clients of this firmware as one may "
				"have: the quota is --quota-clients",
				geteuid());
		return status;
	}
	if (fences && message.message.attach.flags & UNPU_ATTACH_MACHINE_FENCES)
		fence_ = base::FenceScope::MACHINE;
	const unpu_socket_attach &reply = message.message.attach;
	quotas_ = {reply.quota_memory_bytes, reply.quota_channels, reply.quota_semaphores,
		   reply.quota_graphs};
	configure_waits(waits_, options);
	patience_ns_ = options.patience_ms * base::NS_PER_MS;
	force_ns_ = options.force_ms * base::NS_PER_MS;
	kick_ = std::move(message.descriptors[3]);
	if (!is_eventfd(kick_)) {
		why = "the firmware sent a kick that is not an eventfd";
		return Status::BAD_MESSAGE;
	}
	watch_connection();
	status = map_segments(message.descriptors[0], message.descriptors[1],
			      message.descriptors[2]);
	if (status == Status::BAD_MESSAGE)
		why = "the firmware sent a segment that is too small, or is no memory "
		      "file sealed against shrinking";
	return status;
}

Result<SharedSegment> ProcessDevice::take_segment(uint64_t segment)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_TAKE_SEGMENT;
	message.message.segment.segment = segment;
	TRY(connection_->call(message));
	const unpu_socket_segment &reply = message.message.segment;
	if (message.count != 1 || reply.pages > UNPU_PAGE_HUGETLB || reply.bytes == 0 ||
	    check_sealed(message.descriptors[0], reply.bytes,
			 static_cast<unpu_page_kind>(reply.pages)) != Status::OK)
		return Status::DEVICE_LOST;
	return SharedSegment{std::move(message.descriptors[0]), reply.bytes,
			     static_cast<unpu_page_kind>(reply.pages)};
}

Result<GivenFile> ProcessDevice::give_file(const base::Fd &file, const base::Fd &direct,
					   uint32_t flags)
{
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_GIVE_FILE;
	message.message.file.flags = flags;
	if (!message.add(file.duplicate()) || (direct.valid() && !message.add(direct.duplicate())))
		return Status::NO_RESOURCE;
	TRY(connection_->call(message));
	const unpu_socket_file &reply = message.message.file;
	return GivenFile{reply.file, (reply.flags & UNPU_FILE_URING) != 0};
}

void ProcessDevice::kick()
{
	base::store_relaxed(client().doorbells.kicked_on,
			    static_cast<uint32_t>(sched_getcpu() + 1));
	/* Check for room first: the firmware can clear O_NONBLOCK, and a write to a full counter would then
	 * block. A full counter has woken the device already. */
	pollfd entry{kick_.get(), POLLOUT, 0};
	const uint64_t one = 1;
	if (base::calls::poll(&entry, 1, base::calls::NOW) == 1)
		(void)base::calls::write(kick_.get(), &one, sizeof(one));
	/* A thread that only submits, and never waits, notices a dead firmware only here. */
	(void)alive();
}

Result<std::string> ProcessDevice::snapshot()
{
	base::FdMessage message;
	return ask_for_snapshot(*connection_, message, bar().device_index);
}

bool ProcessDevice::connected()
{
	uint64_t now = base::coarse_ns();
	if (now < base::load_relaxed(check_at_ns_))
		return true;
	base::store_relaxed(check_at_ns_, now + CONNECTED_NS);
	return connection_->open();
}

} // namespace

Result<std::unique_ptr<Device>> open_process(const Options &options, uint32_t index,
					     std::string &why)
{
	std::shared_ptr<SpawnedFirmware> firmware;
	if (options.backend == Backend::SPAWN)
		firmware = TRY(SpawnedFirmware::get(options, why));
	auto connection =
		TRY(firmware ? firmware->connect(why) : Connection::to(options.path, why));
	auto device = std::make_unique<ProcessDevice>(std::move(firmware), std::move(connection));
	TRY(device->attach(options, index, why));
	return std::unique_ptr<Device>(std::move(device));
}

Result<std::string> look_at_process(const Options &options, uint32_t index, std::string &why)
{
	auto connection = TRY(Connection::to(options.path, why));
	base::FdMessage message;
	auto text = ask_for_snapshot(*connection, message, index);
	if (!text)
		explain(text.status(), message, options, *connection, why);
	return text;
}

Status probe_process(Options &options, std::string &why)
{
	auto connection = TRY(Connection::to(options.path, why));
	base::FdMessage message;
	message.message.type = UNPU_SOCKET_PROBE;
	Status status = connection->call(message);
	const unpu_socket_probe &probe = message.message.probe;
	if (status == Status::OK && (probe.devices == 0 || probe.devices > UNPU_MAX_DEVICES))
		status = Status::BAD_MESSAGE;
	if (status != Status::OK) {
		explain(status, message, options, *connection, why);
		return status;
	}
	options.devices = probe.devices;
	options.memory_bytes = probe.memory_bytes;
	options.soc_name.assign(probe.soc_name, strnlen(probe.soc_name, sizeof(probe.soc_name)));
	return Status::OK;
}

} // namespace hal
