// SPDX-License-Identifier: MIT
/**
 * DOC: Where models come from
 *
 * The bytes of a model, what is asked of them before a load, and the library that reads them.
 */
#include "source.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "acl/acl_mdl.h"
#include "acl/error_codes/ge_error_codes.h"
#include "base/os/machine.h"
#include "failure.h"
#include "umd/acl/front.h"

namespace umd {

namespace {

constexpr const char *NAME = "libunpu_models.so";

struct Loaded {
	const models::Library *library = nullptr;
	std::string why;
};

/* The library lies beside this one. Programs without models do not pay for it: the first call that needs it loads
 * it. */
Loaded load()
{
	const std::string path =
		base::toolkit_file(reinterpret_cast<const void *>(&load), "lib64", NAME);
	if (path.empty())
		return {nullptr, "/proc/self/maps does not tell where this toolkit is"};
	void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return {nullptr, dlerror()};
	const auto get = reinterpret_cast<decltype(&unpu_models_library)>(
		dlsym(handle, "unpu_models_library"));
	const models::Library *library = get ? get(UNPU_VERSION_TEXT) : nullptr;
	return {library, library ? "" : path + " is of another version; install both of one"};
}

} // namespace

aclError find_library(const models::Library *&library)
{
	static const Loaded loaded = load();
	library = loaded.library;
	if (library)
		return ACL_SUCCESS;
	return REFUSE(ACL_ERROR_GE_FAILURE,
		      fmt::format("models of files need {}, and it can't be loaded: {}", NAME,
				  loaded.why));
}

static constexpr uint64_t PAGE_BYTES = 4096;

/* Sizes of a hostile face may be near the largest number. */
static uint64_t whole_pages(uint64_t bytes)
{
	const uint64_t pages = bytes / PAGE_BYTES + (bytes % PAGE_BYTES != 0 ? 1 : 0);
	return std::max<uint64_t>(pages, 1) * PAGE_BYTES;
}

uint64_t work_bytes(const models::om::Face &face)
{
	return whole_pages(face.work_bytes);
}

uint64_t weight_bytes(const models::om::Face &face)
{
	return whole_pages(face.weight_bytes);
}

aclError open_source(const char *path, Source &source)
{
	if (!path)
		return acl_return(null_argument("the path of the model"));
	TRY_CODE(find_library(source.library));
	models::Problems problems;
	const auto file = source.library->open(path, problems);
	if (!file)
		return refuse_file(problems);
	source.bytes = file->bytes();
	source.owner = file;
	return ACL_SUCCESS;
}

aclError open_source(const void *model, size_t size, Source &source)
{
	if (!model)
		return acl_return(null_argument("model"));
	if (size == 0)
		return REFUSE(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID,
			      "modelSize is 0; it must be the bytes of the whole model");
	TRY_CODE(find_library(source.library));
	source.bytes = {static_cast<const char *>(model), size};
	return ACL_SUCCESS;
}

/* A mapping does not hold the bytes: another program may write to the file, or cut it off, while the model is
 * loaded. */
void Source::keep()
{
	const auto copy = std::make_shared<const std::string>(bytes);
	bytes = *copy;
	owner = copy;
}

aclError read_face(const Source &source, models::om::Face &face)
{
	models::Problems problems;
	if (source.library->read_face(source.bytes, source.bytes.size(), face, problems))
		return ACL_SUCCESS;
	return refuse_file(problems);
}

static aclError query_size(const Source &source, size_t *workSize, size_t *weightSize)
{
	models::om::Face face;
	TRY_CODE(read_face(source, face));
	if (face.dynamic == models::om::Dynamic::FREE)
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      "the model has free dims, so nobody knows its work memory before a "
			      "run; load it with aclmdlLoadFromFile or aclmdlLoadFromMem, which "
			      "allocate it");
	*workSize = work_bytes(face);
	*weightSize = weight_bytes(face);
	return ACL_SUCCESS;
}

static base::Status check_sizes(const char *call, const size_t *workSize, const size_t *weightSize)
{
	TRY(check_begun(call));
	if (!workSize || !weightSize)
		return null_argument(workSize ? "weightSize" : "workSize");
	return base::Status::OK;
}

} // namespace umd

aclError aclmdlQuerySize(const char *fileName, size_t *workSize, size_t *weightSize)
{
	if (const auto status = umd::check_sizes("aclmdlQuerySize", workSize, weightSize);
	    status != base::Status::OK)
		return umd::acl_return(status);
	umd::Source source;
	TRY_CODE(umd::open_source(fileName, source));
	return umd::query_size(source, workSize, weightSize);
}

aclError aclmdlQuerySizeFromMem(const void *model, size_t modelSize, size_t *workSize,
				size_t *weightSize)
{
	if (const auto status = umd::check_sizes("aclmdlQuerySizeFromMem", workSize, weightSize);
	    status != base::Status::OK)
		return umd::acl_return(status);
	umd::Source source;
	TRY_CODE(umd::open_source(model, modelSize, source));
	return umd::query_size(source, workSize, weightSize);
}
