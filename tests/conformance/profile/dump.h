// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the tests of dumps
 */
#ifndef UNPU_TESTS_CONFORMANCE_DUMP_H
#define UNPU_TESTS_CONFORMANCE_DUMP_H

#include <nlohmann/json.hpp>

#include "acl/acl_dump.h"
#include "folder.h"
#include "operator/operator_objects.h"
#include "profile/npy.h"

namespace conformance {

using Files = std::map<std::string, std::string>;
using Floats = std::vector<float>;

/* The service of aclmdlInitDump with a folder of its own. */
class DumpService {
public:
	explicit DumpService(const std::string &keys)
	{
		EXPECT_OK(aclmdlInitDump());
		set(keys);
	}
	~DumpService()
	{
		if (running_) {
			EXPECT_OK(aclmdlFinalizeDump());
		}
	}
	DumpService(const DumpService &) = delete;
	DumpService &operator=(const DumpService &) = delete;

	/* Keys of the section besides the path, with a comma in front. */
	void set(const std::string &keys) const
	{
		EXPECT_OK(aclmdlSetDump(write_config(keys).c_str()));
	}

	std::string write_config(const std::string &keys) const
	{
		std::ofstream(config_.file("dump.json"))
			<< R"({"dump": {"dump_path": ")" << data_.path()
			<< R"(", "dump_op_switch": "on")" << keys << "}}";
		return config_.file("dump.json");
	}

	aclError finish()
	{
		running_ = false;
		return aclmdlFinalizeDump();
	}

	const std::string &path() const { return data_.path(); }
	Files files() const { return files_below(data_.path()); }

private:
	const Folder config_;
	const Folder data_;
	bool running_ = true;
};

/* The one file whose name has this end. */
inline std::string only_file(const Files &files, const std::string &end)
{
	std::vector<std::string> found;

	for (const auto &[name, text] : files) {
		if (name.size() >= end.size() &&
		    name.compare(name.size() - end.size(), end.size(), end) == 0)
			found.push_back(text);
	}
	EXPECT_EQ(found.size(), 1u) << end;
	return found.empty() ? "" : found.front();
}

inline size_t count_files(const Files &files, const std::string &part)
{
	size_t count = 0;

	for (const auto &[name, text] : files)
		count += name.find(part) != std::string::npos;
	return count;
}

/* A tensor of floats with its memory. */
struct FloatTensor {
	explicit FloatTensor(const Floats &values)
		: buffer(device_copy(values)),
		  tensor(buffer, ACL_FLOAT, {static_cast<int64_t>(values.size())})
	{
	}

	DeviceBuffer buffer;
	Tensor tensor;
};

inline void add_in_place(const aclTensor *self, const aclTensor *other, aclrtStream stream)
{
	const Scalar alpha(1.0f, ACL_FLOAT);
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnInplaceAddGetWorkspaceSize(self, other, alpha, &workspace_bytes, &executor));
	EXPECT_OK(aclnnInplaceAdd(nullptr, 0, executor, stream));
}

} // namespace conformance

#endif
