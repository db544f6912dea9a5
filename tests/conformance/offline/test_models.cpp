// SPDX-License-Identifier: MIT
/*
 * DOC: What the tests of models from files share
 */
#include "offline/test_models.h"

#include <fstream>
#include <iterator>

namespace conformance {

std::string model_path(const std::string &name)
{
	return std::string(UNPU_TEST_MODELS) + "/" + name + ".om";
}

std::string read_file(const std::string &path)
{
	std::ifstream file(path, std::ios::binary);
	EXPECT_TRUE(file) << path;
	return {std::istreambuf_iterator<char>(file), {}};
}

Dataset::Dataset(const std::vector<const DeviceBuffer *> &buffers) : handle_(aclmdlCreateDataset())
{
	for (const DeviceBuffer *buffer : buffers)
		add(buffer->data(), buffer->size());
}

void Dataset::add(void *address, size_t size)
{
	EXPECT_OK(aclmdlAddDatasetBuffer(handle_, aclCreateDataBuffer(address, size)));
}

Dataset::~Dataset()
{
	for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(handle_); i++)
		EXPECT_OK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(handle_, i)));
	EXPECT_OK(aclmdlDestroyDataset(handle_));
}

LoadedModel::LoadedModel(const std::string &name)
{
	EXPECT_OK(aclmdlLoadFromFile(model_path(name).c_str(), &id_));
	EXPECT_NE(id_, 0u);
}

LoadedModel::~LoadedModel()
{
	EXPECT_OK(aclmdlUnload(id_));
}

} // namespace conformance
