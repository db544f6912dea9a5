// SPDX-License-Identifier: MIT
/**
 * DOC: Datasets of a run
 *
 * Addresses and sizes are taken at the call. A later change of a data buffer is for the next run.
 */
#include "datasets.h"

#include <fmt/format.h>

#include "failure.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/model/dataset.h"
#include "umd/core/copy/host_copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/released.h"

namespace umd {

using base::Status;

namespace {

/* struct Role - the words and the code of inputs or outputs. */
struct Role {
	const char *argument, *noun;
	int code;
	const char *code_name;
};

constexpr Role IN = {"input", "input", ACL_ERROR_MODEL_INPUT_NOT_MATCH,
		     "ACL_ERROR_MODEL_INPUT_NOT_MATCH"};
constexpr Role OUT = {"output", "output", ACL_ERROR_MODEL_OUTPUT_NOT_MATCH,
		      "ACL_ERROR_MODEL_OUTPUT_NOT_MATCH"};

aclError no_match(const Role &role, std::string text)
{
	return refuse_model(role.code, role.code_name, std::move(text));
}

/* The device reaches its own memory, pinned memory, and what the program has registered. */
Status check_memory(const Role &role, size_t i, const void *address, uint64_t bytes)
{
	drv::Place place;
	TRY(ReleasedMemory::check("the address of a data buffer", address));
	if (Devices::get().locate(address, place) || is_registered(address, bytes, 0))
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{} {} is at {}, which is ordinary memory of the host; a model "
			    "needs memory of aclrtMalloc",
			    role.noun, i, fmt::ptr(address)));
}

aclError find_address(const Role &role, size_t i, const models::Port &port,
		      const aclDataBuffer *handle, uint64_t &address)
{
	TRY_VALUE(buffer, find_plain(handle, "dataBuffer", "aclmdlExecute"));
	if (buffer->size < port.bytes)
		return no_match(role, fmt::format("{} {} ({}) has {} bytes; the model needs {}, as "
						  "aclmdlGet{}SizeByIndex tells",
						  role.noun, i, port.name, buffer->size, port.bytes,
						  &role == &IN ? "Input" : "Output"));
	if (!buffer->data && port.bytes > 0)
		return no_match(role,
				fmt::format("{} {} ({}) has the address NULL; give it {} bytes "
					    "of aclrtMalloc",
					    role.noun, i, port.name, port.bytes));
	address = reinterpret_cast<uint64_t>(buffer->data);
	return acl_return(port.bytes > 0 ? check_memory(role, i, buffer->data, port.bytes)
					 : Status::OK);
}

aclError find_all(const Role &role, const std::vector<models::Port> &ports, size_t extra,
		  const aclmdlDataset *handle, std::vector<uint64_t> &addresses)
{
	TRY_VALUE(dataset, find_plain(handle, role.argument, "aclmdlExecute"));
	if (dataset->buffers.size() != ports.size() + extra)
		return no_match(role, fmt::format("{} has {} buffers; the model has {} {}s",
						  role.argument, dataset->buffers.size(),
						  ports.size() + extra, role.noun));
	addresses.resize(ports.size());
	for (size_t i = 0; i < ports.size(); i++)
		TRY_CODE(find_address(role, i, ports[i], dataset->buffers[i], addresses[i]));
	return ACL_SUCCESS;
}

} // namespace

aclError find_choice(const aclmdlDataset *input, std::vector<int64_t> &choice)
{
	TRY_VALUE(dataset, find_plain(input, "input", "aclmdlExecute"));
	choice = dataset->choice;
	return ACL_SUCCESS;
}

aclError find_addresses(const models::Program &program, size_t extra, const aclmdlDataset *input,
			const aclmdlDataset *output, Addresses &at)
{
	TRY_CODE(find_all(IN, program.inputs, extra, input, at.inputs));
	return find_all(OUT, program.outputs, 0, output, at.outputs);
}

} // namespace umd
