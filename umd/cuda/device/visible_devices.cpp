// SPDX-License-Identifier: MIT
/**
 * DOC: Visible devices
 *
 * CUDA_VISIBLE_DEVICES hides devices from the interface and renumbers the others. A word is a number or
 * the beginning of a UUID. A list ends before a word that names no device; a list that names a device
 * twice, and an empty one, hide all devices (Documentation/adr/0230). The words name devices that the
 * runtime's own variable leaves visible.
 */
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "base/number.h"
#include "device_list.h"
#include "hal/options.h"
#include "hal/variable.h"
#include "umd/core/device/devices.h"

namespace umd::cuda {

static constexpr const char *VARIABLE = "CUDA_VISIBLE_DEVICES";

/* The runtime's numbers of the visible devices. cuInit() writes them before other calls may read. */
static constinit std::array<int32_t, MAX_DEVICES> indexes{};
static constinit int count = 0;

int32_t driver_number(int32_t index)
{
	auto devices = Devices::get().visible_devices();
	bool is_visible = devices && index >= 0 && static_cast<uint32_t>(index) < devices->count();
	return is_visible ? static_cast<int32_t>(devices->logic(static_cast<uint32_t>(index)))
			  : index;
}

CUuuid uuid_of(int32_t index)
{
	CUuuid uuid{};
	memcpy(uuid.bytes, "unpu", 4);
	uuid.bytes[sizeof(uuid.bytes) - 1] = static_cast<char>(driver_number(index));
	return uuid;
}

std::string uuid_text(const CUuuid &uuid)
{
	std::string text = "GPU-";
	for (size_t i = 0; i < sizeof(uuid.bytes); i++) {
		/* indexes of bytes that have a dash before them */
		constexpr std::string_view DASHED = "\4\6\10\12";
		if (DASHED.find(static_cast<char>(i)) != DASHED.npos)
			text += '-';
		text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
	}
	return text;
}

/* The one device whose UUID begins with @word, or -1. */
static int32_t device_of_uuid(std::string_view word, int32_t devices)
{
	int32_t found = -1;
	for (int32_t index = 0; index < devices; index++) {
		if (!uuid_text(uuid_of(index)).starts_with(word))
			continue;
		if (found >= 0)
			return -1;
		found = index;
	}
	return found;
}

/* The runtime's number of the device that @word names, or -1. */
static int32_t device_of_word(std::string_view word, int32_t devices)
{
	word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
	if (word.starts_with("GPU-"))
		return device_of_uuid(word, devices);
	int32_t number = -1;
	return base::read_number(word, number) && number >= 0 && number < devices ? number : -1;
}

static void read_list(std::string_view list, int32_t devices)
{
	count = 0;
	for (bool more = true; more;) {
		size_t comma = list.find(',');
		int32_t index = device_of_word(list.substr(0, comma), devices);
		if (index < 0)
			return;
		if (device_number(index) != CU_DEVICE_INVALID) {
			count = 0;
			return;
		}
		indexes[static_cast<size_t>(count++)] = index;
		more = comma != list.npos;
		list = more ? list.substr(comma + 1) : "";
	}
}

CUresult read_visible_devices()
{
	auto devices = Devices::get().device_count();
	if (!devices)
		return CUDA_ERROR_NO_DEVICE;
	int32_t all = static_cast<int32_t>(*devices);
	if (hal::has_variable(VARIABLE)) {
		read_list(hal::environment(VARIABLE), all);
	} else {
		for (int32_t index = 0; index < all; index++)
			indexes[static_cast<size_t>(index)] = index;
		count = all;
	}
	if (count > 0)
		return CUDA_SUCCESS;
	return refuse(
		CUDA_ERROR_NO_DEVICE,
		fmt::format("{} is '{}', which hides all devices: it is empty, names a device "
			    "twice, or its first word names none of the {} devices",
			    VARIABLE, hal::environment(VARIABLE), all));
}

int visible_count()
{
	return count;
}

CUresult find_device(CUdevice dev, int32_t &index, const char *name)
{
	if (dev < 0 || dev >= count)
		return refuse(CUDA_ERROR_INVALID_DEVICE,
			      fmt::format("{} is {}, but the devices are 0 to {}{}", name, dev,
					  count - 1,
					  hal::has_variable(VARIABLE)
						  ? ", as CUDA_VISIBLE_DEVICES lists them"
						  : ""));
	index = indexes[static_cast<size_t>(dev)];
	return CUDA_SUCCESS;
}

CUdevice device_number(int32_t index)
{
	auto end = indexes.begin() + count;
	auto found = std::find(indexes.begin(), end, index);
	return found == end ? CU_DEVICE_INVALID : static_cast<CUdevice>(found - indexes.begin());
}

} // namespace umd::cuda
