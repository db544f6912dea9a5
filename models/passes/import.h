// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "models/common/mapped_file.h"
#include "models/common/problems.h"
#include "models/ir/ir_model.h"
#include "models/onnx/file.h"

namespace models {

/*
 * import_onnx() - what an ONNX file computes. Functions become their nodes, constants are values, and nodes come in an
 * order in which they can run.
 * @bytes: the file; the model keeps views into @owner, if there is one
 * @folder: where its external data lies
 * Return: nullptr, with all problems added.
 */
std::unique_ptr<ir::Model> import_onnx(std::string_view bytes,
				       std::shared_ptr<const MappedFile> owner,
				       const std::string &folder, Problems &problems);

/* import_onnx_file() - the same of the file @path. */
std::unique_ptr<ir::Model> import_onnx_file(const std::string &path, Problems &problems);

} // namespace models
