// SPDX-License-Identifier: MIT
/*
 * DOC: the log of a firmware that serves
 */
#include "firmware_sim/daemon/log.h"

#include <string>

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os/calls/transfers.h"
#include "base/os/shm.h"

namespace {

using fwd::Log;

struct DaemonLog : testing::Test {
	base::Fd file{memfd_create("log", MFD_CLOEXEC)};
	std::shared_ptr<Log> log = std::make_shared<Log>(file.get());
	spdlog::logger logger{"firmware-sim", log};

	void SetUp() override { logger.set_pattern("%l: %v"); }

	std::string written()
	{
		log->finish();
		lseek(file.get(), 0, SEEK_SET);
		std::string text(1 << 20, 0);
		text.resize(static_cast<size_t>(
			base::calls::read_all(file.get(), text.data(), text.size())));
		return text;
	}
};

TEST_F(DaemonLog, CountsTheLinesThatItDrops)
{
	for (size_t i = 0; i < Log::MOST + 3; i++)
		logger.info("{}", i);
	const std::string text = written();
	EXPECT_EQ(text.find("warning: 3 lines of the log were dropped, because nobody has read "
			    "it\ninfo: 3\ninfo: 4\n"),
		  0u)
		<< text.substr(0, 200);
	EXPECT_NE(text.find(fmt::format("info: {}\n", Log::MOST + 2)), std::string::npos);
}

TEST_F(DaemonLog, ItsThreadWritesAllLinesInTheirOrder)
{
	Log::start(log);
	std::string expected;
	for (size_t i = 0; i < 500; i++) {
		logger.info("{}", i);
		expected += fmt::format("info: {}\n", i);
	}
	EXPECT_EQ(written(), expected);
}

} // namespace
