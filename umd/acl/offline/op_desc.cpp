// SPDX-License-Identifier: MIT
/**
 * DOC: Operands of failed nodes
 *
 * While a function of the program is told of a failure, the program may ask which node of a model failed, and for its
 * operands. The descriptor of the node has them.
 */
#include <cstring>

#include "drv/packet/cookie.h"
#include "offline_models.h"
#include "umd/acl/dump/dump.h"
#include "umd/acl/front.h"
#include "umd/acl/legacy/tensor_desc.h"
#include "umd/acl/stream/exception_info.h"

namespace umd {

using base::Status;

static std::shared_ptr<const DumpOperator> find_failed(const FaultInfo &fault)
{
	const drv::Command command = drv::decode_cookie(fault.cookie);
	if (!command.is_node() || command.program() == 0)
		return nullptr;
	for (const auto &model : OfflineModels::get().all())
		if (auto found = model->describe_node(command.program(), command.node()))
			return found;
	return nullptr;
}

/* Makes a list of the operands of a role. Return: false if there is no memory; nothing is made then. */
static bool make_list(const DumpOperator &op, DumpTensor::Role role, aclTensorDesc *&list,
		      size_t &count)
{
	aclTensorDesc *first = nullptr;
	list = nullptr;
	count = 0;
	for (const DumpTensor &tensor : op.tensors) {
		if (tensor.role != role)
			continue;
		aclTensorDesc *made = aclCreateTensorDesc(
			static_cast<aclDataType>(tensor.type_number),
			static_cast<int>(tensor.dims.size()), tensor.dims.data(),
			static_cast<aclFormat>(tensor.format));
		auto found = find_plain(made, "desc");
		if (!found) {
			aclDestroyTensorDesc(list);
			list = nullptr;
			return false;
		}
		(*found)->address = reinterpret_cast<void *>(tensor.address);
		if (!first)
			first = *found;
		else
			first->others.push_back(made);
		list = list ? list : made;
		count++;
	}
	return true;
}

} // namespace umd

aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId, uint32_t taskId,
				  char *opName, size_t opNameLen, aclTensorDesc **inputDesc,
				  size_t *numInputs, aclTensorDesc **outputDesc, size_t *numOutputs)
{
	using base::Status;
	using umd::acl_return;
	using umd::DumpTensor;
	using umd::null_argument;
	if (!opName || opNameLen == 0)
		return acl_return(null_argument("opName"));
	if (!inputDesc || !numInputs || !outputDesc || !numOutputs)
		return acl_return(null_argument("inputDesc, numInputs, outputDesc or numOutputs"));
	const umd::FaultInfo *fault = umd::ToldException::now();
	if (!fault || fault->device != deviceId || fault->stream != streamId ||
	    fault->task != taskId)
		return acl_return(umd::set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("the calling thread is not told of a failure of task {} of "
				    "stream {} of device {}; call this in a function of "
				    "aclrtSetExceptionInfoCallback, with the numbers of its "
				    "argument",
				    taskId, streamId, deviceId)));
	const auto op = umd::find_failed(*fault);
	if (!op)
		return acl_return(umd::set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("task {} of stream {} is no node of a model that is loaded; "
				    "aclGetRecentErrMsg says what it is",
				    taskId, streamId)));
	if (!umd::make_list(*op, DumpTensor::Role::INPUT, *inputDesc, *numInputs))
		return acl_return(Status::NO_MEMORY);
	if (!umd::make_list(*op, DumpTensor::Role::OUTPUT, *outputDesc, *numOutputs)) {
		aclDestroyTensorDesc(*inputDesc);
		return acl_return(Status::NO_MEMORY);
	}
	const size_t length = std::min(op->name.size(), opNameLen - 1);
	std::memcpy(opName, op->name.data(), length);
	opName[length] = 0;
	return ACL_SUCCESS;
}
