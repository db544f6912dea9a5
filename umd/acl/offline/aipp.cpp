// SPDX-License-Identifier: MIT
/**
 * DOC: Preprocessing of images
 *
 * Programs ask each input of a model whether it preprocesses images. None does.
 */
#include <fmt/format.h>

#include "acl/acl_mdl.h"
#include "acl/error_codes/ge_error_codes.h"
#include "desc.h"
#include "failure.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;

/* Whether model @id has input @index. */
static aclError check_input(uint32_t id, size_t index, const char *caller)
{
	const auto model = umd::find_model_face(id);
	if (!model)
		return static_cast<aclError>(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
	const size_t count = model->face.inputs.size();
	if (index < count)
		return ACL_SUCCESS;
	return acl_return(umd::set_error(
		Status::NULL_POINTER,
		fmt::format("{}: index is {}; the model has {} inputs", caller, index, count)));
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType *type,
			   size_t *dynamicAttachedDataIndex)
{
	if (!type || !dynamicAttachedDataIndex)
		return acl_return(umd::null_argument(type ? "dynamicAttachedDataIndex" : "type"));
	TRY_CODE(check_input(modelId, index, "aclmdlGetAippType"));
	*type = ACL_DATA_WITHOUT_AIPP;
	*dynamicAttachedDataIndex = ACL_INVALID_NODE_INDEX;
	return ACL_SUCCESS;
}

aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo *aippInfo)
{
	if (!aippInfo)
		return acl_return(umd::null_argument("aippInfo"));
	TRY_CODE(check_input(modelId, index, "aclmdlGetFirstAippInfo"));
	return REFUSE(ACL_ERROR_NOT_STATIC_AIPP,
		      fmt::format("input {} of model {} preprocesses no images; aclmdlGetAippType "
				  "tells so",
				  index, modelId));
}

static aclError refuse_steps(uint32_t id, size_t index, const char *caller)
{
	TRY_CODE(check_input(id, index, caller));
	return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
		      fmt::format("{}: input {} of model {} preprocesses no images, and atc makes "
				  "no model that does; preprocess them before the run",
				  caller, index, id));
}

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset *dataset, size_t index,
			    const aclmdlAIPP *aippParmsSet)
{
	(void)dataset;
	(void)aippParmsSet;
	return refuse_steps(modelId, index, "aclmdlSetInputAIPP");
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset *dataset, size_t index,
				   const aclmdlAIPP *aippParmsSet)
{
	(void)dataset;
	(void)aippParmsSet;
	return refuse_steps(modelId, index, "aclmdlSetAIPPByInputIndex");
}
