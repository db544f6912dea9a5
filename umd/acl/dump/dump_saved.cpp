// SPDX-License-Identifier: MIT
/**
 * DOC: Tensors that the program saves
 *
 * A callback for exceptions knows tensors that the runtime does not know: workspaces, and operands of the program's own
 * kernels. acldumpSaveExceptionInfo() writes them beside the operands of operators that have failed, in the same form.
 * All arguments are checked before the first file is written.
 */
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "dump_calls.h"
#include "dump_config.h"
#include "dump_file.h"
#include "uapi/tensor.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/memory/host_view.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::DumpFile;
using umd::Dumps;
using umd::DumpTensor;
using umd::HostView;
using umd::null_argument;
using umd::set_error;

namespace {

constexpr size_t PIECE_BYTES = size_t{1} << 20;

/* struct Saved - a tensor of the program, and where its bytes are. */
struct Saved {
	DumpTensor tensor;
	const void *data = nullptr;
	uint64_t bytes = 0;
	bool is_on_device = true;
};

uint32_t dtype_of(int32_t type)
{
	switch (type) {
	case ACL_FLOAT:
		return UNPU_DTYPE_F32;
	case ACL_FLOAT16:
		return UNPU_DTYPE_F16;
	case ACL_BF16:
		return UNPU_DTYPE_BF16;
	case ACL_DOUBLE:
		return UNPU_DTYPE_F64;
	case ACL_INT8:
		return UNPU_DTYPE_I8;
	case ACL_INT16:
		return UNPU_DTYPE_I16;
	case ACL_INT32:
		return UNPU_DTYPE_I32;
	case ACL_INT64:
		return UNPU_DTYPE_I64;
	case ACL_BOOL:
		return UNPU_DTYPE_BOOL;
	default:
		return UNPU_DTYPE_U8;
	}
}

bool has_type_of_file(int32_t type)
{
	return type == ACL_UINT8 || dtype_of(type) != UNPU_DTYPE_U8;
}

/* Number of elements of the shape; the largest number of the type if there are more. */
uint64_t elements(const acldumpTensorInfo &info)
{
	uint64_t count = 1;
	for (uint32_t d = 0; d < info.shapeNum; d++) {
		if (__builtin_mul_overflow(count, info.shape[d], &count))
			return std::numeric_limits<uint64_t>::max();
	}
	return count;
}

/* If the shape does not match the size, or .npy has no such type, the file contains plain bytes. */
void describe(const acldumpTensorInfo &info, Saved &saved)
{
	DumpTensor &tensor = saved.tensor;
	const auto type = static_cast<aclDataType>(info.dataType);
	uint64_t bytes = 0;
	const bool fits = has_type_of_file(info.dataType) &&
			  !__builtin_mul_overflow(elements(info), aclDataTypeSize(type), &bytes) &&
			  bytes == info.tensorSize;
	tensor.role = static_cast<DumpTensor::Role>(info.type);
	tensor.type_number = info.dataType;
	tensor.format = info.format;
	tensor.dtype = fits ? dtype_of(info.dataType) : uint32_t{UNPU_DTYPE_U8};
	tensor.dims = {static_cast<int64_t>(info.tensorSize)};
	if (fits)
		tensor.dims.assign(info.shape, info.shape + info.shapeNum);
	tensor.storage.assign(info.shape, info.shape + info.shapeNum);
	tensor.strides.resize(tensor.dims.size());
	int64_t stride = 1;
	for (size_t d = tensor.dims.size(); d-- > 0; stride *= tensor.dims[d])
		tensor.strides[d] = stride;
}

Status refuse(size_t index, const std::string &what)
{
	return set_error(Status::INVALID_ENUM, fmt::format("tensors[{}].{}", index, what));
}

Status check_fields(const acldumpTensorInfo &info, size_t index)
{
	if (info.type != ACL_DUMP_TENSOR_INPUT && info.type != ACL_DUMP_TENSOR_OUTPUT &&
	    info.type != ACL_DUMP_TENSOR_WORKSPACE)
		return refuse(index, fmt::format("type is {}; it must be an acldumpTensorType",
						 static_cast<int>(info.type)));
	if (info.addrType != ACL_DUMP_ADDR_PTR && info.addrType != ACL_DUMP_ADDR_PTR_PTR &&
	    info.addrType != ACL_DUMP_ADDR_RAW)
		return refuse(index,
			      fmt::format("addrType is {}; it must be an acldumpTensorAddressType",
					  static_cast<int>(info.addrType)));
	if (info.placement != ACL_DUMP_PLACEMENT_DEVICE &&
	    info.placement != ACL_DUMP_PLACEMENT_HOST)
		return refuse(index, fmt::format("placement is {}; it must be "
						 "ACL_DUMP_PLACEMENT_DEVICE or _HOST",
						 static_cast<int>(info.placement)));
	if (info.shapeNum > ACL_DUMP_MAX_SHAPE_NUM)
		return refuse(index, fmt::format("shapeNum is {}; it must be at most {}",
						 info.shapeNum, ACL_DUMP_MAX_SHAPE_NUM));
	if (!info.tensorAddr && info.tensorSize != 0)
		return refuse(index, "tensorAddr is NULL");
	return Status::OK;
}

/* Whether the memory can be read. @view: receives the host's view of it */
Status find_bytes(const void *data, uint64_t bytes, bool is_on_device, size_t index, HostView &view)
{
	TRY(umd::view_range("tensorAddr", data, bytes, UNPU_ACCESS_READ, view));
	if (is_on_device && !view.device)
		return refuse(index, fmt::format("tensorAddr: {} is not memory of a device; "
						 "placement says that it is",
						 fmt::ptr(data)));
	return Status::OK;
}

Status read_bytes(const HostView &from, uint64_t offset, void *to, size_t bytes)
{
	HostView target;
	target.view = static_cast<std::byte *>(to);
	target.address = reinterpret_cast<uintptr_t>(to);
	return umd::move_bytes(target, 0, from, offset, bytes);
}

Result<Saved> look_at(const acldumpTensorInfo &info, size_t index)
{
	TRY(check_fields(info, index));
	Saved saved;
	HostView view;
	describe(info, saved);
	saved.data = info.tensorAddr;
	saved.bytes = info.tensorSize;
	saved.is_on_device = info.placement == ACL_DUMP_PLACEMENT_DEVICE;
	if (saved.bytes != 0 && info.addrType == ACL_DUMP_ADDR_PTR_PTR) {
		TRY(find_bytes(saved.data, sizeof(saved.data), saved.is_on_device, index, view));
		TRY(read_bytes(view, 0, &saved.data, sizeof(saved.data)));
	}
	if (saved.bytes != 0)
		TRY(find_bytes(saved.data, saved.bytes, saved.is_on_device, index, view));
	saved.tensor.address = reinterpret_cast<uintptr_t>(saved.data);
	return saved;
}

/* Tensors of a role are numbered from 0. */
Result<std::vector<Saved>> look_at_all(const acldumpTensorInfo *tensors, size_t count)
{
	std::vector<Saved> all;
	uint32_t roles[3] = {};
	for (size_t i = 0; i < count; i++) {
		auto saved = TRY(look_at(tensors[i], i));
		saved.tensor.index = roles[static_cast<size_t>(saved.tensor.role)]++;
		all.push_back(std::move(saved));
	}
	return all;
}

void write_saved(const Saved &saved, DumpFile &file)
{
	const std::string header = umd::npy_header(saved.tensor);
	HostView view;
	if (saved.bytes != 0 && umd::view_range("tensorAddr", saved.data, saved.bytes,
						UNPU_ACCESS_READ, view) != Status::OK)
		return file.give_up("the memory can't be read any more");
	std::vector<std::byte> piece(std::min<uint64_t>(saved.bytes, PIECE_BYTES));
	if (!file.put(header.data(), header.size(), saved.bytes == 0))
		return;
	for (uint64_t at = 0; at < saved.bytes; at += piece.size()) {
		const auto bytes =
			static_cast<size_t>(std::min<uint64_t>(saved.bytes - at, piece.size()));
		if (read_bytes(view, at, piece.data(), bytes) != Status::OK)
			return file.give_up("the memory can't be read any more");
		if (!file.put(piece.data(), bytes, at + bytes == saved.bytes))
			return;
	}
}

aclError fail_to_write(const DumpFile &file)
{
	return umd::fail_dump(ACL_ERROR_WRITE_FILE, "ACL_ERROR_WRITE_FILE", file.why());
}

aclError write_all(const std::string &stem, const std::string &tag, const std::vector<Saved> &all)
{
	std::vector<DumpTensor> tensors;
	for (const Saved &saved : all) {
		DumpFile file(fmt::format("{}.{}.{}.npy", stem, umd::role_name(saved.tensor.role),
					  saved.tensor.index),
			      nullptr);
		write_saved(saved, file);
		if (file.failed())
			return fail_to_write(file);
		tensors.push_back(saved.tensor);
	}
	DumpFile file(stem + ".json", nullptr);
	(void)file.put(umd::describe_saved(tag, tensors));
	return file.failed() ? fail_to_write(file) : ACL_SUCCESS;
}

/* Checks a tag. It becomes a part of a file name, so it must not name another folder. */
Status check_name(const char *name)
{
	if (*name && !strchr(name, '/'))
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("fileName is '{}'; it must be a name without '/', since the "
				     "files go to the folder for dumps of faults",
				     name));
}

} // namespace

aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag,
				  const acldumpTensorInfo *tensors, size_t tensorCount)
{
	TRY(umd::Process::check_fork());
	if (!fileName)
		return acl_return(null_argument("fileName"));
	if (!tensors)
		return acl_return(null_argument("tensors"));
	if (tensorCount == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "tensorCount is 0; it must be at least 1"));
	TRY(check_name(fileName));
	const std::string folder = Dumps::get().fault_folder();
	if (folder.empty())
		return umd::faults_not_dumped("acldumpSaveExceptionInfo");
	auto all = TRY(look_at_all(tensors, tensorCount));
	return write_all(fmt::format("{}/{}/{}", folder, umd::chosen_device(), fileName),
			 userTag ? userTag : "", all);
}
