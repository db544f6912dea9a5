// SPDX-License-Identifier: MIT
/**
 * DOC: Datasets of a run
 *
 * Addresses and sizes are taken at the call. A later change of a data buffer is for the next run.
 */
#include "datasets.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/os/mapped.h"
#include "failure.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/model/dataset.h"
#include "umd/core/copy/host_copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/host_view.h"
#include "umd/core/memory/memory.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/check.h"

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

/* Every run asks, and few findings need the name. */
Status check_range(const char *call, const Role &role, size_t i, const aclDataBuffer &buffer,
		   uint64_t bytes, drv::Device &device)
{
	const void *const address = buffer.data;
	const bool is_inside =
		device.memory().covers(reinterpret_cast<uint64_t>(address), bytes, 0);
	if (is_inside && !check::is_on()) [[likely]]
		return Status::OK;
	HostView view;
	const std::string name = fmt::format("{} {}", role.noun, i);
	TRY(view_range(name.c_str(), address, bytes, 0, view));
	if (!check::is_on())
		return Status::OK;
	/* The run reads @bytes. What the buffer promises beyond them is the program's mistake all the same. */
	return check::check_end(call, name.c_str(), address, std::max(bytes, buffer.size));
}

/* The device reaches its own memory, pinned memory, and what the program has registered. */
Status check_memory(const char *call, const Role &role, size_t i, const aclDataBuffer &buffer,
		    uint64_t bytes)
{
	const void *const address = buffer.data;
	drv::Place place;
	TRY(ReleasedMemory::check("the address of a data buffer", address));
	if (const DeviceHold device = Devices::get().locate(address, place))
		return check_range(call, role, i, buffer, bytes, *device);
	if (is_registered(address, bytes, 0))
		return Status::OK;
	const char *const what = base::is_mapped(reinterpret_cast<uint64_t>(address), 1)
					 ? "which is ordinary memory of the host"
					 : "where the program has no memory";
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} {} is at {}, {}; a model needs memory of aclrtMalloc",
				     role.noun, i, fmt::ptr(address), what));
}

/* Whether the program asked for memory that goes on for @bytes from @address. */
bool has_room(const void *address, uint64_t bytes)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(address, place);
	if (!device)
		return false;
	const drv::Bo bo = device->memory().lookup(reinterpret_cast<uint64_t>(address));
	const uint64_t offset = reinterpret_cast<uint64_t>(address) - bo.va;
	return bo.bytes != 0 && offset <= bo.asked_bytes() && bytes <= bo.asked_bytes() - offset;
}

aclError find_address(const char *call, const Role &role, size_t i, const models::Port &port,
		      bool may_be_short, const aclDataBuffer *handle, uint64_t &address)
{
	auto buffer = TRY(find_plain(handle, "dataBuffer", call));
	if (buffer->size < port.bytes && !may_be_short)
		return no_match(role, fmt::format("{} {} ({}) has {} bytes; a run of this shape, "
						  "{}, needs {}",
						  role.noun, i, port.name, buffer->size,
						  models::ir::print(port.dims), port.bytes));
	if (!buffer->data && port.bytes > 0)
		return no_match(role,
				fmt::format("{} {} ({}) has the address NULL; give it {} bytes "
					    "of aclrtMalloc",
					    role.noun, i, port.name, port.bytes));
	address = reinterpret_cast<uint64_t>(buffer->data);
	return acl_return(port.bytes > 0 ? check_memory(call, role, i, *buffer, port.bytes)
					 : Status::OK);
}

aclError find_all(const char *call, const Role &role, const std::vector<models::Port> &ports,
		  bool may_be_short, const aclmdlDataset &dataset, std::vector<uint64_t> &addresses)
{
	addresses.resize(ports.size());
	for (size_t i = 0; i < ports.size(); i++)
		TRY_CODE(find_address(call, role, i, ports[i], may_be_short, dataset.buffers[i],
				      addresses[i]));
	return ACL_SUCCESS;
}

aclError check_count(const Role &role, size_t wanted, const aclmdlDataset &dataset)
{
	if (dataset.buffers.size() == wanted)
		return ACL_SUCCESS;
	return no_match(role, fmt::format("{} has {} buffers; the model has {} {}s", role.argument,
					  dataset.buffers.size(), wanted, role.noun));
}

} // namespace

aclError find_datasets(const aclmdlDataset *input, const aclmdlDataset *output, const char *call,
		       Datasets &found)
{
	auto in = TRY(find_plain(input, IN.argument, call));
	auto out = TRY(find_plain(output, OUT.argument, call));
	found = {in, out, call};
	return ACL_SUCCESS;
}

aclError check_counts(const ModelFace &model, const Datasets &datasets)
{
	TRY_CODE(check_count(IN, model.face.inputs.size(), *datasets.input));
	return check_count(OUT, model.face.outputs.size(), *datasets.output);
}

aclError allocate_outputs(const ContextHold &context, const models::Program &program,
			  const Datasets &datasets)
{
	for (size_t i = 0; i < program.outputs.size(); i++) {
		const uint64_t bytes = program.outputs[i].bytes;
		auto buffer =
			TRY(find_plain(datasets.output->buffers[i], "dataBuffer", datasets.call));
		if (bytes == 0 || buffer->data || buffer->size != 0)
			continue;
		TRY(malloc_device(*context, bytes, 0, UNPU_PAGE_THP, &buffer->data));
		buffer->size = bytes;
	}
	return ACL_SUCCESS;
}

aclError find_short(const models::Program &program, const Datasets &datasets, Addresses &at)
{
	std::vector<uint64_t> told;
	bool is_short = false;
	for (size_t i = 0; i < program.outputs.size() && !check::is_on(); i++) {
		const uint64_t bytes = program.outputs[i].bytes;
		auto buffer =
			TRY(find_plain(datasets.output->buffers[i], "dataBuffer", datasets.call));
		told.push_back(buffer->size);
		if (buffer->size >= bytes)
			continue;
		if (buffer->size == 0 || !has_room(buffer->data, bytes))
			return ACL_SUCCESS; /* find_addresses() refuses it */
		is_short = true;
	}
	if (is_short)
		at.told = std::move(told);
	return ACL_SUCCESS;
}

aclError find_addresses(const models::Program &program, const Datasets &datasets, Addresses &at)
{
	TRY_CODE(find_all(datasets.call, IN, program.inputs, false, *datasets.input, at.inputs));
	return find_all(datasets.call, OUT, program.outputs, !at.told.empty(), *datasets.output,
			at.outputs);
}

aclError describe_outputs(const models::Program &program, const Datasets &datasets)
{
	for (size_t i = 0; i < program.outputs.size(); i++) {
		const models::Port &port = program.outputs[i];
		TRY(set_desc(*datasets.output, i, type_of(port.type), ACL_FORMAT_ND,
			     port.dims.span()));
	}
	return ACL_SUCCESS;
}

} // namespace umd
