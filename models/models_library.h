// SPDX-License-Identifier: MIT
/*
 * DOC: The library of models
 *
 * What a runtime needs of libunpu_models.so, which it loads with the first model. Both are built together: the version
 * tells a library of another build.
 */
#pragma once

#include "single.h"

namespace models {

/* class Library - the functions of om/om.h, compile.h and single.h of the same names. */
class Library {
public:
	/* open() - MappedFile::open() */
	virtual std::shared_ptr<const MappedFile> open(const std::string &path,
						       Problems &problems) const = 0;
	virtual bool read_face(std::string_view bytes, uint64_t file_bytes, om::Face &face,
			       Problems &problems) const = 0;
	virtual std::unique_ptr<ir::Model> read(std::string_view bytes,
						std::shared_ptr<const void> owner, om::Face &face,
						Problems &problems) const = 0;
	virtual std::vector<uint64_t> place_weights(const ir::Model &model,
						    uint64_t &bytes) const = 0;
	virtual bool instantiate(const ir::Model &model, std::span<const ir::Dims> dims,
				 Program &program, Problems &problems) const = 0;
	virtual std::unique_ptr<ir::Model> compile_single(const SingleOp &op,
							  CompileOptions &options, om::Face &face,
							  Problems &problems) const = 0;

protected:
	~Library() = default;
};

} // namespace models

/* unpu_models_library() - @version: UNPU_VERSION_TEXT of the caller.
 * Return: an object that is never destroyed; nullptr for another version */
extern "C" __attribute__((visibility("default"))) const models::Library *unpu_models_library(
	const char *version);
