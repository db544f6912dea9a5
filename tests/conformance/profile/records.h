// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_CONFORMANCE_RECORDS_H
#define UNPU_TESTS_CONFORMANCE_RECORDS_H

#include <cerrno>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "acl/acl_prof.h"
#include "support/fixture.h"

namespace conformance {

struct Record {
	std::string type;
	std::string name;
	uint64_t start = 0;
	uint64_t end = 0;
	size_t model = 0;
};

/* The program's end of a pipe; the other one is the library's once a model is subscribed to. */
class Pipe {
public:
	Pipe() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
	~Pipe()
	{
		if (ends_[0] >= 0) {
			EXPECT_EQ(close(ends_[0]), 0);
		}
	}
	Pipe(const Pipe &) = delete;
	Pipe &operator=(const Pipe &) = delete;

	int *target() { return &ends_[1]; }
	void stop_reading()
	{
		EXPECT_EQ(close(ends_[0]), 0);
		ends_[0] = -1;
	}

	/* Everything up to the end of the pipe, which has to come. */
	std::vector<char> rest() const
	{
		constexpr int kPatienceMs = 60000;
		std::vector<char> all;
		char part[4096];

		for (;;) {
			pollfd ready = {ends_[0], POLLIN, 0};

			if (TEMP_FAILURE_RETRY(poll(&ready, 1, kPatienceMs)) != 1) {
				ADD_FAILURE() << "the pipe has no end";
				return all;
			}
			const ssize_t got = TEMP_FAILURE_RETRY(read(ends_[0], part, sizeof(part)));
			if (got <= 0)
				return all;
			all.insert(all.end(), part, part + got);
		}
	}

private:
	int ends_[2] = {-1, -1};
};

/* A configuration that sends records through a pipe. */
class Config {
public:
	explicit Config(Pipe &pipe, int8_t times = 1,
			aclprofAicoreMetrics metrics = ACL_AICORE_NONE)
		: config_(aclprofCreateSubscribeConfig(times, metrics, pipe.target()))
	{
		EXPECT_NE(config_, nullptr);
	}
	~Config() { EXPECT_OK(aclprofDestroySubscribeConfig(config_)); }
	Config(const Config &) = delete;
	Config &operator=(const Config &) = delete;

	operator const aclprofSubscribeConfig *() const { return config_; }

private:
	aclprofSubscribeConfig *config_;
};

inline std::vector<Record> decode(const std::vector<char> &bytes)
{
	std::vector<Record> records;
	uint32_t count = 0;

	if (!bytes.empty()) {
		EXPECT_OK(aclprofGetOpNum(bytes.data(), bytes.size(), &count));
	}
	for (uint32_t i = 0; i < count; ++i) {
		Record record;
		size_t length = 0;

		EXPECT_OK(aclprofGetOpTypeLen(bytes.data(), bytes.size(), i, &length));
		std::vector<char> text(length);
		EXPECT_OK(aclprofGetOpType(bytes.data(), bytes.size(), i, text.data(), length));
		record.type = text.data();
		EXPECT_OK(aclprofGetOpNameLen(bytes.data(), bytes.size(), i, &length));
		text.resize(length);
		EXPECT_OK(aclprofGetOpName(bytes.data(), bytes.size(), i, text.data(), length));
		record.name = text.data();
		record.start = aclprofGetOpStart(bytes.data(), bytes.size(), i);
		record.end = aclprofGetOpEnd(bytes.data(), bytes.size(), i);
		record.model = aclprofGetModelId(bytes.data(), bytes.size(), i);
		EXPECT_EQ(aclprofGetOpDuration(bytes.data(), bytes.size(), i),
			  record.end - record.start);
		EXPECT_EQ(aclprofGetOpFlag(bytes.data(), bytes.size(), i), ACL_SUBSCRIBE_OP);
		const char *thread = aclprofGetOpAttriValue(bytes.data(), bytes.size(), i,
							    ACL_SUBSCRIBE_ATTRI_THREADID);
		EXPECT_STREQ(thread, std::to_string(gettid()).c_str());
		records.push_back(record);
	}
	return records;
}

} // namespace conformance

#endif
