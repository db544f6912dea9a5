// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "models/om/om.h"
#include "umd/core/process/plain_object.h"

namespace umd {

/** struct ModelFace - what a program can ask of a model. @id: of the loaded model; 0: not loaded */
struct ModelFace {
	models::om::Face face;
	uint32_t id = 0;
};

/** type_of() - the interface's number of an element type. */
aclDataType type_of(models::ir::Type type);

/** find_model_face() - the face of a loaded model. Defined with the models.
 * Return: nullptr, sets the error message. */
std::shared_ptr<const ModelFace> find_model_face(uint32_t id);

} // namespace umd

/** struct aclmdlDesc - a snapshot. It stays when the model is unloaded. */
struct aclmdlDesc : umd::PlainObject<umd::Kind::MODEL_DESC> {
	static constexpr const char *NAME = "model description";

	std::shared_ptr<const umd::ModelFace> model;
};
