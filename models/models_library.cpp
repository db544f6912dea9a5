// SPDX-License-Identifier: MIT
/*
 * DOC: The library of models
 *
 * One function with a name, behind which the others are. Nothing else is visible.
 */
#include "models_library.h"

#include <cstring>

namespace models {

namespace {

class Made final : public Library {
public:
	std::shared_ptr<const MappedFile> open(const std::string &path,
					       Problems &problems) const override
	{
		return MappedFile::open(path, problems);
	}
	bool read_face(std::string_view bytes, uint64_t file_bytes, om::Face &face,
		       Problems &problems) const override
	{
		return om::read_face(bytes, file_bytes, face, problems);
	}
	std::unique_ptr<ir::Model> read(std::string_view bytes, std::shared_ptr<const void> owner,
					om::Face &face, Problems &problems) const override
	{
		return om::read(bytes, std::move(owner), face, problems);
	}
	std::vector<uint64_t> place_weights(const ir::Model &model, uint64_t &bytes) const override
	{
		return om::place_weights(model, bytes);
	}
	bool instantiate(const ir::Model &model, std::span<const ir::Dims> dims, Program &program,
			 Problems &problems) const override
	{
		return models::instantiate(model, dims, program, problems);
	}
	std::unique_ptr<ir::Model> compile_single(const SingleOp &op, CompileOptions &options,
						  om::Face &face, Problems &problems) const override
	{
		return models::compile_single(op, options, face, problems);
	}
};

} // namespace

} // namespace models

const models::Library *unpu_models_library(const char *version)
{
	static constexpr models::Made LIBRARY;
	return std::strcmp(version, UNPU_VERSION_TEXT) == 0 ? &LIBRARY : nullptr;
}
