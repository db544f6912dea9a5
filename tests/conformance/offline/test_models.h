// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_CONFORMANCE_TEST_MODELS_H
#define UNPU_TESTS_CONFORMANCE_TEST_MODELS_H

#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "support/fixture.h"

namespace conformance {

/* The path of a model of make_models.py. */
std::string model_path(const std::string &name);

/* All bytes of a file. */
std::string read_file(const std::string &path);

/* A list of buffers, which it destroys with their data buffers. */
class Dataset {
public:
	explicit Dataset(const std::vector<const DeviceBuffer *> &buffers);
	~Dataset();
	Dataset(const Dataset &) = delete;
	Dataset &operator=(const Dataset &) = delete;

	void add(void *address, size_t size);
	operator aclmdlDataset *() const { return handle_; }

private:
	aclmdlDataset *handle_ = nullptr;
};

class LoadedModel {
public:
	explicit LoadedModel(const std::string &name);
	~LoadedModel();
	LoadedModel(const LoadedModel &) = delete;
	LoadedModel &operator=(const LoadedModel &) = delete;

	uint32_t id() const { return id_; }

private:
	uint32_t id_ = 0;
};

} // namespace conformance

#endif
