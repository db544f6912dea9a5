// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "acl/acl_mdl.h"
#include "desc.h"

namespace umd {

/** find_profile() - @profile: receives the number of the profile that @choice stands for; of the largest one if
 * that is empty
 * Return: ACL_ERROR_GE_PARAM_INVALID where none does; the sentence lists them. */
aclError find_profile(const models::om::Face &face, std::span<const int64_t> choice,
		      size_t &profile);

/** find_shape() - the shape of a run with @dataset: of the one shape of the model, of the profile that the program
 * chose, or of the descriptions that it gave.
 * @shape: receives the dims of all inputs, one input after the other
 * Return: ACL_ERROR_GE_PARAM_INVALID where a description is missing, or the model does not take it. */
aclError find_shape(const ModelFace &model, const aclmdlDataset &dataset,
		    models::om::Profile &shape);

/** first_shape() - of a run without a choice. @shape: receives it; empty for a model with free dims
 * Return: ACL_ERROR_DESERIALIZE_MODEL where the face has none. */
aclError first_shape(const ModelFace &model, models::om::Profile &shape);

/** split_shape() - @shape: as above */
std::vector<models::ir::Dims> split_shape(const ModelFace &model, const models::om::Profile &shape);

} // namespace umd
