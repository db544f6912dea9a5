// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "acl/acl_base_rt.h"
#include "models/models_library.h"
#include "umd/core/device/device_state.h"
#include "umd/core/object/context_object.h"

namespace umd {

/** class DeviceMemory - memory of a device that the runtime allocates for models. The destructor frees it when the
 * device's work so far is done. It ends early with its device. */
class DeviceMemory {
public:
	/** make() - @made: receives it. Return: of acl_return(). */
	static aclError make(const ContextHold &context, uint64_t bytes,
			     std::shared_ptr<DeviceMemory> &made);
	~DeviceMemory();
	DeviceMemory(const DeviceMemory &) = delete;
	DeviceMemory &operator=(const DeviceMemory &) = delete;

	uint64_t va() const { return va_; }
	uint64_t bytes() const { return bytes_; }
	const DeviceRef &device() const { return device_; }

private:
	DeviceMemory(const DeviceRef &device, uint64_t va, uint64_t bytes)
		: device_(device), va_(va), bytes_(bytes)
	{
	}

	const DeviceRef device_;
	const uint64_t va_;
	const uint64_t bytes_;
};

/** struct Block - memory of the runtime (@owner is set) or of the program. */
struct Block {
	uint64_t va = 0;
	uint64_t bytes = 0;
	std::shared_ptr<DeviceMemory> owner{};
};

/** check_block() - whether [@address, @address + @bytes) is memory of the context's device, of @needed bytes at least.
 * @what: "workPtr" or "weightPtr"
 * Return: ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID, ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID. */
aclError check_block(const ContextHold &context, const char *what, const void *address,
		     uint64_t bytes, uint64_t needed);

/** write_block() - copies @bytes to the device at once. @call: the API call. */
aclError write_block(const ContextHold &context, const char *call, uint64_t va,
		     std::string_view bytes);

/** struct Weights - the constants of a model. @places: where each lies in @block */
struct Weights {
	Block block;
	std::vector<uint64_t> places;
};

/**
 * load_weights() - brings the constants to the device. Models with equal constants share one copy of them.
 * @given: memory of the program, or nothing: then the runtime allocates it
 */
aclError load_weights(const ContextHold &context, const char *call, const models::Library &library,
		      const models::ir::Model &model, const Block &given, Weights &weights);

} // namespace umd
