// SPDX-License-Identifier: MIT
/**
 * DOC: Loading models
 *
 * The ways to say what is loaded, and into whose memory.
 */
#include <optional>
#include <string>

#include <cstring>

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "failure.h"
#include "offline_model.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::Block;
using umd::find_plain;
using umd::LoadRequest;
using umd::null_argument;
using umd::set_error;

/** struct aclmdlConfigHandle - what aclmdlSetConfigOpt() has set. Numbers and pointers by their attribute. */
struct aclmdlConfigHandle : umd::PlainObject<umd::Kind::MODEL_CONFIG> {
	static constexpr const char *NAME = "description of a load";
	static constexpr size_t ATTRIBUTES = ACL_MDL_MEM_MALLOC_POLICY_SIZET + 1;

	std::optional<uint64_t> values[ATTRIBUTES];
	std::string path;
};

static Block block_of(void *address, size_t bytes)
{
	return {reinterpret_cast<uint64_t>(address), bytes};
}

static aclError load_file(const char *path, uint32_t *id, LoadRequest request)
{
	TRY(umd::check_begun(request.call));
	TRY_CODE(umd::open_source(path, request.source));
	return umd::OfflineModel::load(request, id);
}

static aclError load_memory(const void *model, size_t size, uint32_t *id, LoadRequest request)
{
	TRY(umd::check_begun(request.call));
	TRY_CODE(umd::open_source(model, size, request.source));
	return umd::OfflineModel::load(request, id);
}

aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId)
{
	return load_file(modelPath, modelId, {"aclmdlLoadFromFile"});
}

aclError aclmdlLoadFromMem(const void *model, size_t modelSize, uint32_t *modelId)
{
	return load_memory(model, modelSize, modelId, {"aclmdlLoadFromMem"});
}

aclError aclmdlLoadFromFileWithMem(const char *modelPath, uint32_t *modelId, void *workPtr,
				   size_t workSize, void *weightPtr, size_t weightSize)
{
	return load_file(modelPath, modelId,
			 {"aclmdlLoadFromFileWithMem",
			  {},
			  block_of(workPtr, workSize),
			  block_of(weightPtr, weightSize)});
}

aclError aclmdlLoadFromMemWithMem(const void *model, size_t modelSize, uint32_t *modelId,
				  void *workPtr, size_t workSize, void *weightPtr,
				  size_t weightSize)
{
	return load_memory(model, modelSize, modelId,
			   {"aclmdlLoadFromMemWithMem",
			    {},
			    block_of(workPtr, workSize),
			    block_of(weightPtr, weightSize)});
}

aclmdlConfigHandle *aclmdlCreateConfigHandle()
{
	auto *config = umd::make_plain<aclmdlConfigHandle>();
	if (!config) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	for (auto &value : config->values)
		value.reset();
	config->path.clear();
	return umd::handle_of(*config);
}

aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle *handle)
{
	auto config = TRY(umd::retire_plain(handle, "handle"));
	config->path = {};
	umd::free_plain(*config);
	return ACL_SUCCESS;
}

static aclError check_option(aclmdlConfigAttr attr, const void *value, size_t size)
{
	if (attr < ACL_MDL_PRIORITY_INT32 || attr > ACL_MDL_MEM_MALLOC_POLICY_SIZET)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("attr is {}, which is no aclmdlConfigAttr",
							static_cast<int>(attr))));
	if ((attr >= ACL_MDL_INPUTQ_NUM_SIZET && attr <= ACL_MDL_OUTPUTQ_ADDR_PTR) ||
	    (attr >= ACL_MDL_MODEL_DESC_PTR && attr <= ACL_MDL_DYNAMIC_TASK_SIZET) ||
	    attr == ACL_MDL_WEIGHT_PATH_PTR)
		return REFUSE(ACL_ERROR_FEATURE_UNSUPPORTED,
			      fmt::format("attr is {}: queues, parts of models and files of "
					  "weights are not supported; load a whole model from a "
					  "file or from memory",
					  static_cast<int>(attr)));
	if (!value)
		return acl_return(null_argument("attrValue"));
	const size_t wanted = attr == ACL_MDL_PRIORITY_INT32 ? sizeof(int32_t) : sizeof(size_t);
	if (size == wanted)
		return ACL_SUCCESS;
	return acl_return(
		set_error(Status::NULL_POINTER,
			  fmt::format("valueSize is {}; the value of attr {} has {} bytes", size,
				      static_cast<int>(attr), wanted)));
}

aclError aclmdlSetConfigOpt(aclmdlConfigHandle *handle, aclmdlConfigAttr attr,
			    const void *attrValue, size_t valueSize)
{
	constexpr uint64_t MOST_PRIORITY = 7;
	auto config = TRY(find_plain(handle, "handle"));
	TRY_CODE(check_option(attr, attrValue, valueSize));
	uint64_t value = 0;
	std::memcpy(&value, attrValue, valueSize);
	if (attr == ACL_MDL_PRIORITY_INT32 && value > MOST_PRIORITY)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  fmt::format("the priority is {}; it must be 0 (first) to {}",
					      static_cast<int32_t>(value), MOST_PRIORITY)));
	if (attr == ACL_MDL_PATH_PTR) {
		const auto *path = reinterpret_cast<const char *>(value);
		if (!path)
			return acl_return(null_argument("the path"));
		config->path = path;
	}
	config->values[attr] = value;
	return ACL_SUCCESS;
}

/* @address, @size: two attributes that are there together */
static Status take_block(const aclmdlConfigHandle &config, aclmdlConfigAttr address,
			 aclmdlConfigAttr size, Block &block)
{
	const auto &at = config.values[address], &bytes = config.values[size];
	if (at.has_value() != bytes.has_value())
		return set_error(
			Status::NULL_POINTER,
			fmt::format("attr {} is set and attr {} is not; they belong together",
				    static_cast<int>(at ? address : size),
				    static_cast<int>(at ? size : address)));
	block = {at.value_or(0), bytes.value_or(0)};
	return Status::OK;
}

static Status missing(const char *what)
{
	return set_error(Status::NULL_POINTER,
			 fmt::format("{} is not set; aclmdlSetConfigOpt sets it", what));
}

aclError aclmdlLoadWithConfig(const aclmdlConfigHandle *handle, uint32_t *modelId)
{
	auto config = TRY(find_plain(handle, "handle"));
	const auto &values = config->values;
	LoadRequest request{"aclmdlLoadWithConfig"};
	request.priority = static_cast<uint32_t>(values[ACL_MDL_PRIORITY_INT32].value_or(0));
	const uint64_t type = values[ACL_MDL_LOAD_TYPE_SIZET].value_or(0);
	if (type == ACL_MDL_LOAD_FROM_FILE_WITH_Q || type == ACL_MDL_LOAD_FROM_MEM_WITH_Q)
		return REFUSE(ACL_ERROR_FEATURE_UNSUPPORTED,
			      fmt::format("the load type is {}: no queue feeds a model; load it "
					  "with type 1 to 4",
					  type));
	if (type < ACL_MDL_LOAD_FROM_FILE || type > ACL_MDL_LOAD_FROM_MEM_WITH_MEM)
		return acl_return(
			type == 0 ? missing("ACL_MDL_LOAD_TYPE_SIZET")
				  : set_error(Status::NULL_POINTER,
					      fmt::format("the load type is {}; it must be 1 to 4",
							  type)));
	if (type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM || type == ACL_MDL_LOAD_FROM_MEM_WITH_MEM) {
		TRY(take_block(*config, ACL_MDL_WORKSPACE_ADDR_PTR, ACL_MDL_WORKSPACE_SIZET,
			       request.work));
		TRY(take_block(*config, ACL_MDL_WEIGHT_ADDR_PTR, ACL_MDL_WEIGHT_SIZET,
			       request.weights));
	}
	if (type == ACL_MDL_LOAD_FROM_FILE || type == ACL_MDL_LOAD_FROM_FILE_WITH_MEM) {
		if (!values[ACL_MDL_PATH_PTR])
			return acl_return(missing("ACL_MDL_PATH_PTR"));
		return load_file(config->path.c_str(), modelId, std::move(request));
	}
	if (!values[ACL_MDL_MEM_ADDR_PTR] || !values[ACL_MDL_MEM_SIZET])
		return acl_return(missing("ACL_MDL_MEM_ADDR_PTR or ACL_MDL_MEM_SIZET"));
	return load_memory(reinterpret_cast<const void *>(*values[ACL_MDL_MEM_ADDR_PTR]),
			   *values[ACL_MDL_MEM_SIZET], modelId, std::move(request));
}
