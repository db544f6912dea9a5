// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "desc.h"

namespace umd {

/** find_profile() - @profile: receives the number of the profile that @choice stands for; of the largest one if
 * that is empty
 * Return: ACL_ERROR_GE_PARAM_INVALID where none does; the sentence lists them. */
aclError find_profile(const models::om::Face &face, std::span<const int64_t> choice,
		      size_t &profile);

/** dims_of() - the shapes of the inputs in a profile.
 * Return: ACL_ERROR_DESERIALIZE_MODEL where the face has none. */
aclError dims_of(const ModelFace &model, size_t profile, std::vector<models::ir::Dims> &dims);

} // namespace umd
