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
 * import_onnx() - reads an ONNX file. It replaces calls of functions by their nodes, and sorts nodes into an order
 * in which they can run. @bytes: the file. @owner: its owner; the model keeps views of the bytes. @folder: the
 * folder of external data. Return: nullptr after a failure; all problems are then added.
 */
std::unique_ptr<ir::Model> import_onnx(std::string_view bytes,
				       std::shared_ptr<const MappedFile> owner,
				       const std::string &folder, Problems &problems);

/* import_onnx_file() - the same for the file @path. */
std::unique_ptr<ir::Model> import_onnx_file(const std::string &path, Problems &problems);

} // namespace models
