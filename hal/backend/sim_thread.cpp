// SPDX-License-Identifier: MIT
/**
 * DOC: Embedded device
 *
 * The firmware runs as a thread of this program, or inside the waiting threads if the device is stepped. The
 * client maps the segments a second time, at other addresses, and read-only where the wire says so. So a
 * pointer stored in shared memory by mistake, or a write to the device's lines, already fails here and not
 * only with a firmware in another process.
 *
 * This is the only file that calls the firmware.
 */
#include "sim_thread.h"

#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/no_destructor.h"
#include "base/os/thread.h"
#include "base/sync/mutex.h"
#include "firmware_sim/device/sim_device.h"
#include "uapi/socket.h"

namespace hal {

using base::Result;
using base::Status;

namespace {

class EmbeddedDevice final : public Device, public Stepper, public trace::Source {
public:
	explicit EmbeddedDevice(const Options &options) : options_(options)
	{
		stepper_ = this;
		is_stepped_ = options.backend != Backend::THREAD;
	}
	~EmbeddedDevice() override;

	Status start(uint32_t index);

	Result<SharedSegment> take_segment(uint64_t segment) override;
	Result<GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
				    uint32_t flags) override;
	void kick() override { firmware_->kick(); }
	bool step(uint64_t deadline_ns) override { return firmware_->step(deadline_ns); }
	bool step_others(uint64_t deadline_ns) override;
	Turn run_turn(bool many) override;
	bool run_at_once() override { return firmware_->run_at_once(); }
	bool help(uint32_t sem, uint64_t value, uint64_t deadline_ns) override
	{
		return options_.caller_runs != CallerRuns::OFF &&
		       firmware_->help(completion().semaphores[sem].value, value, deadline_ns);
	}
	void let_callers_run(bool run) override;
	void leave_cpu(uint32_t cpu) override { firmware_->leave_cpu(cpu); }
	Result<std::string> snapshot() override { return firmware_->snapshot(); }
	Status record(uint32_t entries) override { return firmware_->record(entries); }
	base::DeviceTrace recorded() override { return firmware_->recorded(); }

private:
	Status attach();

	const Options options_;
	std::unique_ptr<fw::Device> firmware_;
	uint32_t id_ = 0;
	bool attached_ = false;
	std::thread thread_;
};

/* struct EmbeddedDevices - the state that all embedded devices of this process share. */
struct EmbeddedDevices {
	const std::shared_ptr<fw::Exchange> exchange = fw::make_exchange();
	base::Mutex mutex{"EmbeddedDevices::mutex"};
	std::vector<fw::Device *> stepped GUARDED_BY(mutex);
};

/* Never destroyed: the process may exit while another thread is inside a call. */
EmbeddedDevices &embedded()
{
	static base::NoDestructor<EmbeddedDevices> made;
	return *made;
}

/* TSan does not see the order that rings give, because host and device map them at two addresses. It would report
 * memory that both access at one address. */
#if defined(UNPU_TSAN)
constexpr bool REACHES_CLIENTS = false;
#else
constexpr bool REACHES_CLIENTS = true;
#endif

fw::Config configure(const Options &options, uint32_t index)
{
	fw::Wishes wishes;
	wishes.memory_bytes = options.memory_bytes;
	wishes.engines = options.engines;
	wishes.engine_cpus = options.engine_cpus;
	wishes.poll_us = options.poll_us;
	wishes.watchdog_ms = options.watchdog_ms;
	fw::Config config = fw::configure(wishes);
	config.exchange = embedded().exchange;
	config.index = index;
	config.reaches_clients = REACHES_CLIENTS;
	config.numa_node = options.node(index);
	config.soc_name = options.soc_name.c_str();
	config.faults = options.faults.device;
	config.inline_kernels = options.inline_kernels;
	/* When callers run the device, threads seldom sleep, so the light side should be the cheap one. */
	if (options.caller_runs != CallerRuns::OFF)
		config.full_fences = false;
	if (options.backend != Backend::THREAD) {
		config.idle_polls = 0;
		config.engines = 0;
		config.features |= UNPU_FEATURE_STEPPED;
	}
	if (options.backend == Backend::NONE)
		config.features |= UNPU_FEATURE_NULL;
	if (options.schedule) {
		fw::explore(config, options.schedule);
		config.report = [](const std::string &text) {
			fmt::print(stderr, "unpu: {}\n", text);
		};
	}
	return config;
}

EmbeddedDevice::~EmbeddedDevice()
{
	{
		std::lock_guard lock(embedded().mutex);
		std::erase(embedded().stepped, firmware_.get());
	}
	if (thread_.joinable()) {
		firmware_->stop();
		thread_.join();
	}
	if (attached_) {
		trace::remove_source(*this);
		firmware_->detach(id_);
	}
}

Status EmbeddedDevice::attach()
{
	auto attachment = TRY(firmware_->attach(static_cast<uint32_t>(getpid())));
	id_ = attachment.client;
	fence_ = attachment.fence;
	attached_ = true;
	trace::add_source(*this);
	return map_segments(attachment.bar, attachment.completion, attachment.doorbell);
}

Status EmbeddedDevice::start(uint32_t index)
{
	firmware_ = TRY(fw::Device::create(configure(options_, index)));
	configure_waits(waits_, options_);
	patience_ns_ = options_.patience_ms * base::NS_PER_MS;
	force_ns_ = options_.force_ms * base::NS_PER_MS;
	TRY(attach());
	if (options_.backend == Backend::THREAD) {
		let_callers_run(waits_.callers_run());
		thread_ = TRY(base::start_thread("unpu-firmware", [this] { firmware_->run(); }));
	} else {
		std::lock_guard lock(embedded().mutex);
		embedded().stepped.push_back(firmware_.get());
	}
	return Status::OK;
}

Stepper::Turn EmbeddedDevice::run_turn(bool many)
{
	switch (firmware_->turn(many)) {
	case fw::Turn::WORKED:
		return Turn::WORKED;
	case fw::Turn::NOTHING:
		return Turn::NOTHING;
	case fw::Turn::TAKEN:
		return Turn::TAKEN;
	case fw::Turn::LEFT:
		break;
	}
	return Turn::LEFT;
}

void EmbeddedDevice::let_callers_run(bool run)
{
	switch (options_.caller_runs) {
	case CallerRuns::OFF:
		return;
	case CallerRuns::AUTO:
		return firmware_->leave_to_callers(run ? fw::Callers::WHILE_SOON
						       : fw::Callers::WHILE_ASLEEP);
	case CallerRuns::ON:
		return firmware_->leave_to_callers(run ? fw::Callers::ALL : fw::Callers::NOTHING);
	}
}

bool EmbeddedDevice::step_others(uint64_t deadline_ns)
{
	if (!embedded().mutex.try_lock())
		return false;
	std::lock_guard lock(embedded().mutex, std::adopt_lock);
	for (fw::Device *other : embedded().stepped) {
		if (other != firmware_.get() && other->step(deadline_ns))
			return true;
	}
	return false;
}

Result<SharedSegment> EmbeddedDevice::take_segment(uint64_t segment)
{
	auto taken = TRY(firmware_->take_segment(id_, segment));
	return SharedSegment{std::move(taken.fd), taken.bytes, taken.pages};
}

Result<GivenFile> EmbeddedDevice::give_file(const base::Fd &file, const base::Fd &direct,
					    uint32_t flags)
{
	base::Fd own = file.duplicate();
	base::Fd own_direct = direct.valid() ? direct.duplicate() : base::Fd();
	if (!own.valid() || own_direct.valid() != direct.valid())
		return Status::NO_RESOURCE;
	auto given = TRY(firmware_->give_file(id_, std::move(own), std::move(own_direct),
					      flags & UNPU_FILE_ALWAYS_DIRECT));
	return GivenFile{given.number, given.uring};
}

} // namespace

Result<std::unique_ptr<Device>> open_embedded(const Options &options, uint32_t index)
{
	auto device = std::make_unique<EmbeddedDevice>(options);
	TRY(device->start(index));
	return std::unique_ptr<Device>(std::move(device));
}

} // namespace hal
