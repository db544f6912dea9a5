// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "acl/acl_base_rt.h"
#include "models/models_library.h"

namespace umd {

/** struct Source - the bytes of a model. @owner: the mapped file or a copy; nullptr: the program owns them */
struct Source {
	const models::Library *library = nullptr;
	std::string_view bytes;
	std::shared_ptr<const void> owner;

	/** keep() - makes a copy of what the program owns. */
	void keep();
};

/** find_library() - loads the library of models. Return: ACL_ERROR_GE_FAILURE. */
aclError find_library(const models::Library *&library);

/** open_source() - finds the library and the file.
 * Return: ACL_ERROR_INVALID_PARAM for NULL; ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID. */
aclError open_source(const char *path, Source &source);

/** open_source() - finds the library. @size: of @model in bytes
 * Return: ACL_ERROR_INVALID_PARAM for NULL; ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID for 0. */
aclError open_source(const void *model, size_t size, Source &source);

/** read_face() - what a program can ask of the model, without its graph and weights. */
aclError read_face(const Source &source, models::om::Face &face);

/** work_bytes(), weight_bytes() - what a program is told to allocate; never 0, because nothing of 0 bytes can be
 * allocated. */
uint64_t work_bytes(const models::om::Face &face);
uint64_t weight_bytes(const models::om::Face &face);

} // namespace umd
