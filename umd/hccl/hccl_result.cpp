// SPDX-License-Identifier: MIT
/**
 * DOC: Results of collective communication
 *
 * One table has the name and the meaning of each result. A second table maps each status of the runtime to a
 * result.
 */
#include "hccl_result.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Status;

namespace {

struct Row {
	HcclResult code;
	const char *name;
	const char *text;
};

constexpr Row ROWS[] = {
	{HCCL_SUCCESS, "HCCL_SUCCESS", "success"},
	{HCCL_E_PARA, "HCCL_E_PARA", "an argument is wrong, or ranks called different operations"},
	{HCCL_E_PTR, "HCCL_E_PTR", "a required pointer is NULL"},
	{HCCL_E_MEMORY, "HCCL_E_MEMORY", "memory is wrong, or there is none"},
	{HCCL_E_INTERNAL, "HCCL_E_INTERNAL",
	 "the library is at fault, or the communicator was destroyed"},
	{HCCL_E_NOT_SUPPORT, "HCCL_E_NOT_SUPPORT", "not supported"},
	{HCCL_E_NOT_FOUND, "HCCL_E_NOT_FOUND", "nothing has that name"},
	{HCCL_E_UNAVAIL, "HCCL_E_UNAVAIL", "a resource is in use, or used up"},
	{HCCL_E_SYSCALL, "HCCL_E_SYSCALL", "a system call failed"},
	{HCCL_E_TIMEOUT, "HCCL_E_TIMEOUT", "a rank did not come in time"},
	{HCCL_E_OPEN_FILE_FAILURE, "HCCL_E_OPEN_FILE_FAILURE", "a file can't be opened"},
	{HCCL_E_TCP_CONNECT, "HCCL_E_TCP_CONNECT", "no connection to the root rank"},
	{HCCL_E_ROCE_CONNECT, "HCCL_E_ROCE_CONNECT", "no connection by RDMA"},
	{HCCL_E_TCP_TRANSFER, "HCCL_E_TCP_TRANSFER", "the connection to the root rank ended"},
	{HCCL_E_ROCE_TRANSFER, "HCCL_E_ROCE_TRANSFER", "a transfer by RDMA failed"},
	{HCCL_E_RUNTIME, "HCCL_E_RUNTIME", "a call of the runtime failed"},
	{HCCL_E_DRV, "HCCL_E_DRV", "a call of the driver failed"},
	{HCCL_E_PROFILING, "HCCL_E_PROFILING", "profiling failed"},
	{HCCL_E_CCE, "HCCL_E_CCE", "a call of the compute engine failed"},
	{HCCL_E_NETWORK, "HCCL_E_NETWORK", "the network failed"},
	{HCCL_E_AGAIN, "HCCL_E_AGAIN", "busy: call again later"},
	{HCCL_E_REMOTE, "HCCL_E_REMOTE", "another rank has ended"},
	{HCCL_E_SUSPENDING, "HCCL_E_SUSPENDING", "the communicator is suspended"},
	{HCCL_E_OPRETRY_FAIL, "HCCL_E_OPRETRY_FAIL", "an operation failed again"},
	{HCCL_E_OOM, "HCCL_E_OOM", "no device memory is left"},
	{HCCL_E_IN_STATUS, "HCCL_E_IN_STATUS", "the communicator has failed"},
};

const Row *row_of(HcclResult code)
{
	const Row *row = std::find_if(std::begin(ROWS), std::end(ROWS),
				      [code](const Row &each) { return each.code == code; });
	return row == std::end(ROWS) ? nullptr : row;
}

} // namespace

const char *result_name(HcclResult code)
{
	const Row *row = row_of(code);
	return row ? row->name : "HcclResult";
}

const char *result_text(HcclResult code)
{
	const Row *row = row_of(code);
	return row ? row->text : "the number is no result";
}

HcclResult refuse(HcclResult code, std::string text)
{
	note_error(result_name(code), std::move(text));
	return code;
}

HcclResult refuse_null(const char *name)
{
	return refuse(HCCL_E_PTR, fmt::format("{} is NULL", name));
}

HcclResult hccl_result(Status status)
{
	switch (status) {
	case Status::OK:
		return HCCL_SUCCESS;
	case Status::INVALID_ARGUMENT:
	case Status::INVALID_HANDLE:
	case Status::INVALID_ENUM:
	case Status::INVALID_DEVICE:
	case Status::WRONG_CONTEXT:
		return HCCL_E_PARA;
	case Status::NULL_POINTER:
		return HCCL_E_PTR;
	case Status::NOT_SUPPORTED:
		return HCCL_E_NOT_SUPPORT;
	case Status::NO_MEMORY:
		return HCCL_E_OOM;
	case Status::NO_RESOURCE:
	case Status::QUOTA:
		return HCCL_E_UNAVAIL;
	case Status::TIMEOUT:
		return HCCL_E_TIMEOUT;
	case Status::PEER_LOST:
		return HCCL_E_REMOTE;
	default:
		return HCCL_E_RUNTIME;
	}
}

} // namespace umd
