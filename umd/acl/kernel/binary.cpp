// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL binaries of kernels
 */
#include "acl/acl.h"
#include "umd/core/kernel/kernel_binary.h"

#include "umd/acl/front.h"
#include "umd/core/device/fault_watch.h"

using base::Status;
using umd::acl_return;
using umd::KernelBinary;
using umd::null_argument;
using umd::set_error;

/* A binary that the program describes by aclrtCreateBinary(). */
struct BinaryData {
	static constexpr bool IS_RARE = true;
	umd::HandleWord handle;
	const std::byte *data = nullptr;
	size_t bytes = 0;

	using Table = umd::HandleTable<BinaryData, umd::Kind::BINARY_DATA>;
	static Table &table() { return umd::Process::own<Table>(); }
};

static bool is_known_magic(uint32_t magic)
{
	return magic == ACL_RT_BINARY_MAGIC_ELF_AICORE ||
	       magic == ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE ||
	       magic == ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE;
}

static Status read_option(const aclrtBinaryLoadOption &option, bool &is_lazy)
{
	switch (option.type) {
	case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
		is_lazy = option.value.isLazyLoad != 0;
		if (option.value.isLazyLoad <= 1)
			return Status::OK;
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("isLazyLoad is {}; it must be 0 or 1",
					     option.value.isLazyLoad));
	case ACL_RT_BINARY_LOAD_OPT_MAGIC:
		if (is_known_magic(option.value.magic))
			return Status::OK;
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("magic is {:#x}, which is no ACL_RT_BINARY_MAGIC_*",
					     option.value.magic));
	case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
		return set_error(Status::NOT_SUPPORTED,
				 "ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE: the device has no "
				 "processors for kernels beside its cores; leave the option out");
	default:
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("option type is {}; it must be 1 to 3",
					     static_cast<int>(option.type)));
	}
}

static Status read_options(const aclrtBinaryLoadOptions *options, bool &is_lazy)
{
	is_lazy = false;
	if (!options || options->numOpt == 0)
		return Status::OK;
	if (!options->options)
		return null_argument("options->options");
	for (size_t i = 0; i < options->numOpt; i++)
		TRY(read_option(options->options[i], is_lazy));
	return Status::OK;
}

static aclError load(std::span<const std::byte> contents, bool is_lazy, aclrtBinHandle *binHandle)
{
	auto binary = TRY(umd::load_binary(contents, is_lazy));
	*binHandle = KernelBinary::Table::pointer(*binary);
	return ACL_SUCCESS;
}

aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options,
				 aclrtBinHandle *binHandle)
{
	if (!binPath || !binHandle)
		return acl_return(null_argument(binPath ? "binHandle" : "binPath"));
	bool is_lazy;
	TRY(read_options(options, is_lazy));
	auto contents = TRY(umd::read_kernel_file(binPath));
	return load(contents, is_lazy, binHandle);
}

aclError aclrtBinaryLoadFromData(const void *data, size_t length,
				 const aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
{
	if (!data || !binHandle)
		return acl_return(null_argument(data ? "binHandle" : "data"));
	if (length == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "length is 0; it must be positive"));
	bool is_lazy;
	TRY(read_options(options, is_lazy));
	return load({static_cast<const std::byte *>(data), length}, is_lazy, binHandle);
}

aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen)
{
	if (!data || dataLen == 0) {
		(void)set_error(Status::NULL_POINTER,
				data ? "dataLen is 0; it must be positive" : "data is NULL");
		return nullptr;
	}
	BinaryData *made = BinaryData::table().create();
	if (!made) {
		(void)set_error(Status::NO_RESOURCE,
				"too many descriptions of binaries; destroy some");
		return nullptr;
	}
	made->data = static_cast<const std::byte *>(data);
	made->bytes = dataLen;
	return BinaryData::Table::pointer(*made);
}

static Status refuse_description()
{
	return set_error(Status::INVALID_HANDLE, "binary is none that aclrtCreateBinary gave, or "
						 "was destroyed; make one by that call");
}

aclError aclrtDestroyBinary(aclrtBinary binary)
{
	if (!binary)
		return acl_return(null_argument("binary"));
	BinaryData *found = BinaryData::table().get(binary);
	if (!found || !BinaryData::Table::retire(*found, binary))
		return acl_return(refuse_description());
	BinaryData::table().recycle(*found);
	return ACL_SUCCESS;
}

aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle)
{
	if (!binary || !binHandle)
		return acl_return(null_argument(binary ? "binHandle" : "binary"));
	const BinaryData *found = BinaryData::table().get(binary);
	if (!found)
		return acl_return(refuse_description());
	return load({found->data, found->bytes}, false, binHandle);
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle)
{
	auto binary = TRY(umd::find_binary(binHandle));
	umd::FaultCallbacks::get().remove(binHandle);
	return acl_return(umd::unload_binary(*binary, binHandle));
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName,
				aclrtFuncHandle *funcHandle)
{
	if (!kernelName || !funcHandle)
		return acl_return(null_argument(kernelName ? "funcHandle" : "kernelName"));
	auto binary = TRY(umd::find_binary(binHandle));
	auto function = TRY(umd::function_by_name(*binary, kernelName));
	*funcHandle = umd::KernelFunction::Table::pointer(*function);
	return ACL_SUCCESS;
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
				       aclrtFuncHandle *funcHandle)
{
	if (!funcHandle)
		return acl_return(null_argument("funcHandle"));
	auto binary = TRY(umd::find_binary(binHandle));
	auto function = TRY(umd::function_by_key(*binary, funcEntry));
	*funcHandle = umd::KernelFunction::Table::pointer(*function);
	return ACL_SUCCESS;
}

/* The kernels run in the memory of a worker process. Device memory has only a copy of the file. */
aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void **binAddr, size_t *binSize)
{
	if (!binAddr || !binSize)
		return acl_return(null_argument(binAddr ? "binSize" : "binAddr"));
	auto binary = TRY(umd::find_binary(binHandle));
	const umd::KernelImageRef image = umd::loaded_image(*binary);
	*binAddr = reinterpret_cast<void *>(umd::device_copy(*binary));
	*binSize = image ? image->bytes() : 0;
	return ACL_SUCCESS;
}

aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name, void **dptr, size_t *size)
{
	if (!name || (!dptr && !size))
		return acl_return(null_argument(name ? "dptr and size" : "name"));
	TRY(umd::find_binary(binHandle).status());
	return acl_return(set_error(
		Status::NO_SYMBOL,
		fmt::format("the binary has no variable \"{}\": an image of kernels names its "
			    "kernels and no variables; give it the value as an argument",
			    name)));
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char *funcName,
			      const char *kernelName, aclrtFuncHandle *funcHandle)
{
	if (!funcName || !kernelName || !funcHandle)
		return acl_return(null_argument(!funcName     ? "funcName"
						: !kernelName ? "kernelName"
							      : "funcHandle"));
	TRY(umd::find_binary(handle).status());
	return acl_return(set_error(Status::INVALID_ARGUMENT,
				    "handle is a binary of kernels for the cores, none for the "
				    "scalar processors; aclrtBinaryGetFunction finds its kernels"));
}
