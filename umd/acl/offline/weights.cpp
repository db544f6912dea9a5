// SPDX-License-Identifier: MIT
/**
 * DOC: Memory of models
 *
 * Constants are read only, so all loads of one model on one device share them. Whether two models have the same
 * constants is seen by comparing all of their bytes: the file decides nothing here, and a checksum may be made to fit.
 */
#include "weights.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "acl/error_codes/ge_error_codes.h"
#include "failure.h"
#include "umd/acl/front.h"
#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/memory.h"
#include "umd/core/memory/nearest.h"

namespace umd {

namespace {

constexpr uint64_t LEAST_BYTES = 64;

/* class KnownWeights - memory with constants that models of this process have. */
class KnownWeights {
public:
	static KnownWeights &get() { return Process::own<KnownWeights>(); }

	std::vector<std::shared_ptr<DeviceMemory>> list()
	{
		const std::lock_guard lock(mutex_);
		std::vector<std::shared_ptr<DeviceMemory>> live;
		std::erase_if(known_, [&](const std::weak_ptr<DeviceMemory> &each) {
			auto memory = each.lock();
			const bool is_gone = !memory;
			if (memory)
				live.push_back(std::move(memory));
			return is_gone;
		});
		return live;
	}
	void add(const std::shared_ptr<DeviceMemory> &memory)
	{
		const std::lock_guard lock(mutex_);
		known_.push_back(memory);
	}

private:
	base::Mutex mutex_{"KnownWeights::mutex_"};
	std::vector<std::weak_ptr<DeviceMemory>> known_ GUARDED_BY(mutex_);
};

bool holds_weights(const ContextHold &context, const DeviceMemory &memory,
		   const models::ir::Model &model, const std::vector<uint64_t> &places)
{
	const std::byte *at = context->device().space().aperture(memory.va(), memory.bytes());
	if (!at)
		return false;
	for (size_t i = 0; i < places.size(); i++) {
		const std::string_view bytes = model.constants[i].bytes;
		if (std::memcmp(at + places[i], bytes.data(), bytes.size()) != 0)
			return false;
	}
	return true;
}

} // namespace

aclError DeviceMemory::make(const ContextHold &context, uint64_t bytes,
			    std::shared_ptr<DeviceMemory> &made)
{
	void *address = nullptr;
	const uint64_t wanted = std::max(bytes, LEAST_BYTES);
	TRY(malloc_device(*context, wanted, 0, UNPU_PAGE_THP, &address));
	made.reset(new DeviceMemory(DeviceRef(*context->open), reinterpret_cast<uint64_t>(address),
				    wanted));
	return ACL_SUCCESS;
}

DeviceMemory::~DeviceMemory()
{
	const DeviceHold device = device_.hold();
	if (device)
		(void)free_memory(reinterpret_cast<void *>(va_), drv::Place::DEVICE);
}

aclError check_block(const ContextHold &context, const char *what, const void *address,
		     uint64_t bytes, uint64_t needed)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(address, place);
	if (!device || place != drv::Place::DEVICE || !device.holds(context->device()))
		return REFUSE(
			ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
			fmt::format("{} is {}; it must be device memory of device {}, which "
				    "aclrtMalloc gives, or NULL: then the system allocates it",
				    what, fmt::ptr(address), context->state->index));
	if (bytes < needed)
		return REFUSE(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID,
			      fmt::format("{} has {} bytes; the model needs {}, as aclmdlQuerySize "
					  "tells",
					  what, bytes, needed));
	if (bytes > 0 && !device->memory().covers(reinterpret_cast<uint64_t>(address), bytes,
						  UNPU_ACCESS_READ | UNPU_ACCESS_WRITE))
		return REFUSE(ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID,
			      fmt::format("{}: the {} bytes from {} are not inside one live "
					  "allocation: {}",
					  what, bytes, fmt::ptr(address),
					  check::tell_nearest(reinterpret_cast<uint64_t>(address),
							      bytes)));
	return ACL_SUCCESS;
}

aclError write_block(const ContextHold &context, const char *call, uint64_t va,
		     std::string_view bytes)
{
	if (bytes.empty())
		return ACL_SUCCESS;
	return acl_return(
		copy_now(context, call, reinterpret_cast<void *>(va), bytes.data(), bytes.size()));
}

aclError load_weights(const ContextHold &context, const char *call, const models::Library &library,
		      const models::ir::Model &model, const Block &given, Weights &weights)
{
	uint64_t bytes = 0;
	weights.places = library.place_weights(model, bytes);
	weights.block = given;
	if (given.va == 0) {
		for (auto &memory : KnownWeights::get().list())
			if (memory->device().is(*context->open) &&
			    memory->bytes() == std::max(bytes, LEAST_BYTES) &&
			    holds_weights(context, *memory, model, weights.places)) {
				weights.block = {memory->va(), memory->bytes(), memory};
				return ACL_SUCCESS;
			}
		TRY_CODE(DeviceMemory::make(context, bytes, weights.block.owner));
		weights.block.va = weights.block.owner->va();
		weights.block.bytes = weights.block.owner->bytes();
	} else if (given.bytes < bytes) {
		return check_block(context, "weightPtr", reinterpret_cast<void *>(given.va),
				   given.bytes, bytes);
	}
	for (size_t i = 0; i < weights.places.size(); i++)
		TRY_CODE(write_block(context, call, weights.block.va + weights.places[i],
				     model.constants[i].bytes));
	if (weights.block.owner)
		KnownWeights::get().add(weights.block.owner);
	return ACL_SUCCESS;
}

} // namespace umd
