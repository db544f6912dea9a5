// SPDX-License-Identifier: MIT
/**
 * DOC: Inspecting a device and stepping it
 *
 * If the program has not opened the device, each call opens it for the duration of the call. So a tool
 * can inspect a device without a context on it.
 */
#include <algorithm>

#include "api.h"
#include "uapi/regs.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/devices.h"

using base::Status;
using umd::Devices;

static_assert(UNPU_DEVICE_STEPPED == UNPU_FEATURE_STEPPED);
static_assert(UNPU_DEVICE_NULL == UNPU_FEATURE_NULL);
static_assert(UNPU_DEVICE_LIGHT_DOORBELL == UNPU_FEATURE_MEMBARRIER);
static_assert(UNPU_DEVICE_ENGINES == UNPU_FEATURE_ENGINES);
static_assert(UNPU_NAME_BYTES == sizeof(unpu_bar::soc_name));

static Status step(drv::Device &device, uint32_t max_steps, uint32_t &moved)
{
	hal::Device &hal = device.hal();
	if (!hal.stepped())
		return umd::set_error(
			Status::NOT_SUPPORTED,
			"the device runs by itself; UNPU_DEVICE=sim:step gives one to step");
	while (moved < max_steps && hal.stepper().step(base::NO_DEADLINE))
		moved++;
	return Status::OK;
}

unpu_result unpu_device_step(int32_t device, uint32_t max_steps, uint32_t *moved)
{
	uint32_t steps = 0;
	Status status = Devices::get().with_device(
		device, true, [&](drv::Device &opened) { return step(opened, max_steps, steps); });
	if (moved)
		*moved = steps;
	return umd::to_result(status);
}

/* Copies the text that @write makes to the caller's buffer, truncated to fit. @needed: gets the full
 * size */
template <class Write>
static unpu_result give_text(char *buffer, size_t bytes, size_t *needed, Write write)
{
	if (!buffer && bytes > 0)
		return umd::to_result(
			umd::set_error(Status::NULL_POINTER,
				       "buffer is NULL, but bytes is not 0; pass both or neither"));
	std::string text;
	Status status = write(text);
	if (status != Status::OK)
		return umd::to_result(status);
	if (needed)
		*needed = text.size() + 1;
	if (bytes == 0)
		return 0;
	size_t copied = std::min(text.size(), bytes - 1);
	memcpy(buffer, text.data(), copied);
	buffer[copied] = '\0';
	return 0;
}

unpu_result unpu_dump(int32_t device, char *buffer, size_t bytes, size_t *needed)
{
	return give_text(buffer, bytes, needed, [device](std::string &text) {
		return Devices::get().with_device(device, false, [&](drv::Device &opened) {
			text = opened.dump();
			return Status::OK;
		});
	});
}

unpu_result unpu_snapshot(int32_t device, char *buffer, size_t bytes, size_t *needed)
{
	return give_text(buffer, bytes, needed, [device](std::string &text) {
		auto seen = Devices::get().snapshot(device);
		if (seen)
			text = seen.take();
		return seen ? Status::OK : seen.status();
	});
}

static Status describe(drv::Device &device, struct unpu_device_info &info)
{
	auto memory = device.memory_info();
	if (!memory)
		return umd::device_failed(device, memory.status(),
					  "the device did not report its memory");
	const unpu_bar &bar = device.hal().bar();
	memcpy(info.name, bar.soc_name, sizeof(info.name));
	info.name[sizeof(info.name) - 1] = '\0';
	info.memory_total_bytes = memory->total_bytes;
	info.memory_free_bytes = memory->free_bytes;
	info.segments_huge = memory->pages_huge;
	info.segments_thp = memory->pages_thp;
	info.segments_4k = memory->pages_4k;
	info.engines = bar.engines;
	info.node = bar.numa_node;
	info.abi_major = bar.abi >> 16;
	info.abi_minor = bar.abi & 0xffff;
	info.features = bar.features;
	info.generation = bar.generation;
	return Status::OK;
}

unpu_result unpu_get_device_info(int32_t device, struct unpu_device_info *out)
{
	Status status = umd::check_size(out, "unpu_device_info");
	if (status != Status::OK)
		return umd::to_result(status);
	struct unpu_device_info info {};
	status = Devices::get().with_device(
		device, false, [&](drv::Device &opened) { return describe(opened, info); });
	if (status == Status::OK)
		umd::give(out, info);
	return umd::to_result(status);
}
