// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of files of users that are pipes with names
 *
 * The open of such a file waits for the other end, and each read for more. Signals come meanwhile.
 */
#include <cerrno>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/os/shm.h"
#include "tests/unit/support/interrupted.h"
#include "umd/core/process/config.h"
#include "umd/hccl/calls/rank_table.h"

namespace {

/** class Piped - a pipe with a name. A thread writes @text into it after some signals have met who opens it. */
class Piped {
public:
	Piped(const std::string &text, const test::Interrupted &signals)
	{
		EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0);
		writer_ = std::thread([this, text, &signals] {
			for (const unsigned before = signals.times();
			     signals.times() < before + 100;)
				std::this_thread::yield();
			EXPECT_TRUE(base::calls::write_file(path_.c_str(), text));
		});
	}
	~Piped()
	{
		/* A writer waits until a reader opens the pipe, so one without a reader would wait forever. */
		const base::Fd reader(base::calls::open(path_.c_str(), O_RDONLY | O_NONBLOCK));
		writer_.join();
		unlink(path_.c_str());
	}
	Piped(const Piped &) = delete;
	Piped &operator=(const Piped &) = delete;
	const char *path() const { return path_.c_str(); }

private:
	std::string path_ = testing::TempDir() + "unpu-piped-" + std::to_string(getpid());
	std::thread writer_;
};

TEST(NamedPipes, OfTheInitialisationAreReadUnderSignals)
{
	const test::Interrupted signals;
	const Piped file(R"({"err_msg_mode": "1"})", signals);
	umd::InitConfig config;
	ASSERT_EQ(umd::read_config(file.path(), config), base::Status::OK);
	EXPECT_TRUE(config.process_errors);
}

TEST(NamedPipes, OfRankTablesAreReadUnderSignals)
{
	const test::Interrupted signals;
	const Piped file("[]", signals);
	umd::RankTable table;
	EXPECT_EQ(umd::read_rank_table(file.path(), table), HCCL_E_PARA);
}

TEST(NamedPipes, OfAnySizeAreReadWhole)
{
	const std::string text(1 << 20, 'x');
	const test::Interrupted signals;
	const Piped file(text, signals);
	std::string read = "before";
	ASSERT_TRUE(base::calls::read_file(file.path(), read));
	EXPECT_EQ(read, text);
}

TEST(NamedPipes, ThatAreFoldersOrNothingSayWhy)
{
	std::string text;
	EXPECT_FALSE(base::calls::read_file("/", text));
	EXPECT_EQ(errno, EISDIR);
	EXPECT_FALSE(base::calls::read_file("/nowhere/at/all", text));
	EXPECT_EQ(errno, ENOENT);
}

} // namespace
