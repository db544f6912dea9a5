// SPDX-License-Identifier: MIT
/**
 * DOC: Embedded device
 *
 * The firmware as a thread of this program (or stepped by whoever waits). The client maps the same
 * segments a second time, at other addresses and read-only where the wire says so: a pointer that
 * slipped into shared memory, or a write to the device's lines, fails here and not in the field.
 *
 * The only file that calls the firmware.
 */
#include "sim_thread.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include <unistd.h>

#include "base/thread.h"
#include "fw/device.h"
#include "hal/topology.h"

namespace hal {

using base::Result;
using base::Status;

namespace {

/* One empty poll of a ring costs about this much; turns a time into a number of polls. */
constexpr uint32_t POLLS_PER_US = 40;
constexpr uint32_t DEFAULT_POLL_US = 50;
constexpr uint32_t DEFAULT_SPIN_US = 50;

class EmbeddedDevice final : public Device {
public:
	explicit EmbeddedDevice(const Options &options) : options_(options) {}
	~EmbeddedDevice() override;

	Status start(uint32_t index);

	Result<SharedSegment> take_segment(uint64_t segment) override;
	void kick() override { firmware_->kick(); }
	bool stepped() const override { return options_.backend != Backend::THREAD; }
	bool assist() override { return firmware_->step(); }
	bool assist_others() override;
	Result<std::string> snapshot() override { return firmware_->snapshot(); }

private:
	Status attach();

	const Options options_;
	std::unique_ptr<fw::Device> firmware_;
	uint32_t id_ = 0;
	bool attached_ = false;
	std::thread thread_;
};

/* struct Process - what the embedded devices of this process have in common. */
struct Process {
	const std::shared_ptr<fw::Exchange> exchange = fw::make_exchange();
	std::mutex mutex; /* protects the following */
	std::vector<fw::Device *> stepped;
};

/* Stays, however often the devices close: programs may end in the middle of a call. */
Process &process()
{
	static Process *const made = new Process;
	return *made;
}

fw::Config configure(const Options &options, uint32_t index, unsigned cpus)
{
	constexpr uint64_t MOST = uint64_t{64} << 30;
	fw::Config config;
	config.exchange = process().exchange;
	config.index = index;
	config.memory_bytes = options.memory_bytes;
	if (config.memory_bytes == 0)
		config.memory_bytes = std::min(host_memory_bytes() / 2, MOST);
	config.memory_bytes = base::round_up(config.memory_bytes, base::HUGE_PAGE_BYTES);
	config.numa_node = options.node;
	config.soc_name = options.soc_name.c_str();
	if (options.backend == Backend::THREAD) {
		uint32_t poll_us = cpus > 1 ? DEFAULT_POLL_US : 0;
		if (options.poll_us >= 0)
			poll_us = static_cast<uint32_t>(options.poll_us);
		config.idle_polls = poll_us * POLLS_PER_US;
		config.engines = cpus > 1 ? std::min(cpus - 1, 4u) : 0;
		if (options.engines >= 0)
			config.engines = static_cast<uint32_t>(options.engines);
	} else {
		config.features |= UNPU_FEATURE_STEPPED;
	}
	if (options.backend == Backend::NONE)
		config.features |= UNPU_FEATURE_NULL;
	return config;
}

EmbeddedDevice::~EmbeddedDevice()
{
	{
		std::lock_guard lock(process().mutex);
		std::erase(process().stepped, firmware_.get());
	}
	if (thread_.joinable()) {
		firmware_->stop();
		thread_.join();
	}
	if (attached_)
		firmware_->detach(id_);
}

Status EmbeddedDevice::attach()
{
	auto attachment = firmware_->attach(static_cast<uint32_t>(getpid()));
	if (!attachment)
		return attachment.status();
	id_ = attachment->client;
	attached_ = true;
	auto bar = base::map_shared(attachment->bar, sizeof(unpu_bar), false, UNPU_PAGE_4K);
	auto completion = base::map_shared(attachment->completion, sizeof(unpu_completion), false,
					   UNPU_PAGE_4K);
	auto client =
		base::map_shared(attachment->doorbell, sizeof(unpu_client), true, UNPU_PAGE_4K);
	if (!bar || !completion || !client)
		return Status::NO_MEMORY;
	bar_ = bar.take();
	completion_ = completion.take();
	client_ = client.take();
	return Status::OK;
}

Status EmbeddedDevice::start(uint32_t index)
{
	unsigned cpus = usable_cpus();
	auto firmware = fw::Device::create(configure(options_, index, cpus));
	if (!firmware)
		return firmware.status();
	firmware_ = firmware.take();
	spin_ns_ = cpus > 1 ? DEFAULT_SPIN_US * 1000 : 0;
	if (options_.spin_us >= 0)
		spin_ns_ = static_cast<uint64_t>(options_.spin_us) * 1000;
	TRY(attach());
	if (options_.backend == Backend::THREAD) {
		auto thread = base::start_thread("unpu-firmware", [this] { firmware_->run(); });
		if (!thread)
			return thread.status();
		thread_ = thread.take();
	} else {
		std::lock_guard lock(process().mutex);
		process().stepped.push_back(firmware_.get());
	}
	return Status::OK;
}

bool EmbeddedDevice::assist_others()
{
	std::unique_lock lock(process().mutex, std::try_to_lock);
	if (!lock.owns_lock())
		return false;
	for (fw::Device *other : process().stepped) {
		if (other != firmware_.get() && other->step())
			return true;
	}
	return false;
}

Result<SharedSegment> EmbeddedDevice::take_segment(uint64_t segment)
{
	auto taken = firmware_->take_segment(id_, segment);
	if (!taken)
		return taken.status();
	return SharedSegment{std::move(taken->fd), taken->bytes, taken->pages};
}

} // namespace

Result<std::unique_ptr<Device>> open_embedded(const Options &options, uint32_t index)
{
	auto device = std::make_unique<EmbeddedDevice>(options);
	TRY(device->start(index));
	return std::unique_ptr<Device>(std::move(device));
}

} // namespace hal
