// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "models/om/om.h"
#include "umd/core/process/plain_object.h"

namespace umd {

/**
 * struct ModelFace - what a program can ask of a model.
 * @id: of the loaded model; 0: not loaded
 * @real_inputs: without the one that a model with profiles has at the end, for the choice
 */
struct ModelFace {
	models::om::Face face;
	uint32_t id = 0;
	size_t real_inputs = 0;

	/** complete() - adds that input to @face, which is as its file has it. */
	void complete();

	bool has_profiles() const { return !face.profiles.empty(); }

	/** images_of() - of an input that is made of images; else nullptr. */
	const models::om::Images *images_of(size_t input) const
	{
		for (const models::om::Images &images : face.images)
			if (images.input == input)
				return &images;
		return nullptr;
	}
};

/** type_of() - the interface's number of an element type. */
aclDataType type_of(models::ir::Type type);

/** format_of() - the interface's number of a format. */
aclFormat format_of(models::om::Format format);

/** write_dims() - @dims: receives the name, cut to what it can hold, and the sizes */
void write_dims(const std::string &name, const models::ir::Dims &sizes, aclmdlIODims &dims);

/** check_steps() - whether the program has given @dataset the steps that the images of @model need. Defined with them.
 * Return: ACL_ERROR_GE_PARAM_INVALID. */
aclError check_steps(const ModelFace &model, const aclmdlDataset &dataset);

/** current_dims() - the shape of an output by the last choice for the model. Defined with the models. */
aclError current_dims(uint32_t id, size_t output, aclmdlIODims &dims);

/** find_model_face() - the face of a loaded model. Defined with the models.
 * Return: nullptr, sets the error message. */
std::shared_ptr<const ModelFace> find_model_face(uint32_t id);

} // namespace umd

/** struct aclmdlDesc - a snapshot. It stays when the model is unloaded. */
struct aclmdlDesc : umd::PlainObject<umd::Kind::MODEL_DESC> {
	static constexpr const char *NAME = "model description";

	std::shared_ptr<const umd::ModelFace> model;
};
