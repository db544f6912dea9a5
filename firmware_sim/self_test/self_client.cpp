// SPDX-License-Identifier: MIT
/**
 * DOC: Self-test client
 *
 * A minimal host without a driver: it boots a device with its own thread and maps the segments a second
 * time.
 */
#include "self_client.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/sync/sleeper.h"

namespace self_test {

Status Host::attach(const fw::Config &config)
{
	device_ = TRY(fw::Device::create(config));
	auto attachment = TRY(device_->attach(static_cast<uint32_t>(getpid())));
	id_ = attachment.client;
	is_attached_ = true;
	TRY(map_bar(attachment.bar));
	TRY(map_shared(attachment.completion, attachment.doorbell));
	if (bar().magic != UNPU_BAR_MAGIC || base::load_acquire(bar().abi) != UNPU_ABI) /* B0 */
		return Status::VERSION_MISMATCH;
	return Status::OK;
}

Result<std::unique_ptr<Host>> Host::boot(const fw::Config &config)
{
	auto host = std::make_unique<Host>();
	TRY(host->attach(config));
	host->thread_ = std::thread([device = host->device_.get()] { device->run(); });
	return host;
}

Host::~Host()
{
	if (is_attached_)
		device_->detach(id_);
	if (!thread_.joinable())
		return;
	device_->stop();
	thread_.join();
}

bool Host::wait(uint32_t sem, uint64_t wanted)
{
	uint64_t &sleepers = shared().semaphores[sem].sleepers;
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	/* A sleeper entry without a value: any change wakes it. */
	base::fetch_add(sleepers, uint64_t{1});
	base::heavy_fence(base::process_scope()); /* D2 */
	uint64_t seen = value(sem);
	while (seen < wanted && !is_dead_) {
		const bool in_time = base::sleep_below(line(sem).value, wanted, deadline_ns);
		seen = value(sem);
		is_dead_ = !in_time && seen < wanted;
	}
	base::fetch_add(sleepers, UINT64_MAX);
	return seen >= wanted;
}

/* A device that is about to sleep checks for work once more and may stay awake. */
bool Host::wait_asleep()
{
	const uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	const uint32_t &sleeping = completion().status.sleeping;
	uint64_t awake_ns = base::now_ns();
	for (;;) {
		uint64_t now_ns = base::now_ns();
		if (base::load_acquire(sleeping) == 0)
			awake_ns = now_ns;
		if (now_ns - awake_ns > ASLEEP_NS)
			return true;
		if (is_dead_ || now_ns > deadline_ns)
			return false;
		base::cpu_relax();
	}
}

void Host::wake()
{
	doorbells_++;
	base::light_fence(base::process_scope()); /* D1 */
	if (base::load_relaxed(completion().status.sleeping) == 0)
		return;
	device_->kick();
	kicks_++;
}

Status Host::fetch(uint64_t segment, base::Fd &fd, uint64_t &bytes)
{
	auto shared = TRY(device_->take_segment(id_, segment));
	fd = std::move(shared.fd);
	bytes = shared.bytes;
	return Status::OK;
}

uint64_t Host::free_bytes()
{
	unpu_message message{};
	message.type = UNPU_MSG_MEMORY_INFO;
	return call(message) == Status::OK ? message.info.free_bytes : 0;
}

Status Channel::close()
{
	TRY(destroy());
	Memory segment;
	segment.segment = memory().segment;
	return host_.drop(segment);
}

void Channel::publish(const unpu_packet &packet, const unpu_operator *op)
{
	/* A2; if the device does not answer, the packet is skipped and finish() reports it. */
	if (!ring().has_room(retired()) && !host_.wait(timeline(), ring().next() + 1 - SLOTS))
		return;
	(void)raw::Channel::publish(packet, op);
}

Status Channel::finish()
{
	if (!host_.wait(timeline(), ring().next()))
		return Status::TIMEOUT;
	failure_ = host_.line(timeline());
	const auto status = static_cast<Status>(failure_.status);
	if (status != Status::OK)
		TRY(clear());
	return status;
}

} // namespace self_test
