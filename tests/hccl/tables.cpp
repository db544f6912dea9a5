// SPDX-License-Identifier: MIT
/*
 * DOC: tests of rank tables
 */
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "ranks.h"

namespace hccl_test {

class Tables : public testing::Test {
protected:
	void SetUp() override
	{
		ASSERT_EQ(aclInit(nullptr), 0);
		ASSERT_EQ(aclrtSetDevice(0), 0);
		path_ = testing::TempDir() + "hccl_table_" + std::to_string(getpid()) + ".json";
	}
	void TearDown() override
	{
		std::remove(path_.c_str());
		EXPECT_EQ(aclrtResetDevice(0), 0);
		EXPECT_EQ(aclFinalize(), 0);
	}

	const char *write(const std::string &text) const
	{
		std::ofstream(path_) << text;
		return path_.c_str();
	}

private:
	std::string path_;
};

static std::string table(const std::string &devices, const std::string &status = "completed")
{
	return R"({"status":")" + status +
	       R"(","version":"1.0","server_count":"1","server_list":[)" +
	       R"({"server_id":"node_0","device":[)" + devices + "]}]}";
}

static std::string device(const std::string &number, const std::string &rank)
{
	return R"({"device_id":")" + number + R"(","rank_id":")" + rank + R"("})";
}

/* Two servers; @address is the host_ip of that of rank 0, which is @first, and rank 1 is at the other one. */
static std::string servers(const std::string &address, const std::string &first)
{
	return R"({"status":"completed","version":"1.0","server_list":[{"server_id":"node_1","device":[)" +
	       device("1", "1") + R"(]},{"server_id":"node_0","host_ip":")" + address +
	       R"(","device":[)" + first + "]}]}";
}

TEST_F(Tables, RanksOfOneTableMeetWhoeverComesFirst)
{
	const char *path =
		write(table(device("0", "0") + "," + device("1", "1") + "," + device("2", "2")));
	for (int round = 0; round < 3; round++) {
		HcclComm comms[3] = {};
		std::vector<std::thread> threads;
		for (uint32_t rank = 0; rank < 3; rank++) {
			threads.emplace_back([&, rank] {
				EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(rank)), 0);
				EXPECT_EQ(HcclCommInitClusterInfo(path, rank, &comms[rank]),
					  HCCL_SUCCESS)
					<< take_message();
				uint32_t ranks = 0;
				EXPECT_EQ(HcclGetRankSize(comms[rank], &ranks), HCCL_SUCCESS);
				EXPECT_EQ(ranks, 3u);
				EXPECT_EQ(HcclCommDestroy(comms[rank]), HCCL_SUCCESS)
					<< take_message();
				EXPECT_EQ(aclrtResetDevice(static_cast<int32_t>(rank)), 0);
			});
		}
		for (std::thread &thread : threads)
			thread.join();
	}
}

TEST_F(Tables, WhatIsRefused)
{
	HcclComm comm;
	const std::string good = device("0", "0");
	const auto join = [&](const char *path) { return HcclCommInitClusterInfo(path, 0, &comm); };
	EXPECT_TRUE(refused(join("/nowhere/table.json"), HCCL_E_OPEN_FILE_FAILURE,
			    "/nowhere/table.json"));
	EXPECT_TRUE(refused(join(write("{")), HCCL_E_PARA, "JSON"));
	EXPECT_TRUE(refused(join(write("[]")), HCCL_E_PARA, "JSON"));
	EXPECT_TRUE(refused(join(write(table(good, "initializing"))), HCCL_E_PARA, "initializing"));
	EXPECT_TRUE(refused(join(write(table(good + "," + good))), HCCL_E_PARA, "rank_id 0 twice"));
	EXPECT_TRUE(refused(join(write(table(good + "," + device("0", "1")))), HCCL_E_PARA,
			    "device_id 0 of server node_0 twice|ranks 0 and 1"));
	EXPECT_TRUE(refused(join(write(R"({"status":"completed","server_list":[{"device":[)" +
				       good + "," + device("0", "1") + "]}]}")),
			    HCCL_E_PARA, "device_id 0 of server number 0 twice"));
	for (const char *count : {R"("2")", R"("0")", R"("one")", "1", R"("")"}) {
		std::string text = table(good);
		text.replace(text.find(R"("1")", text.find("server_count")), 3, count);
		EXPECT_TRUE(refused(join(write(text)), HCCL_E_PARA, "server_count")) << text;
	}
	EXPECT_TRUE(refused(join(write(table(device("0", "1")))), HCCL_E_PARA, "numbers"));
	EXPECT_TRUE(refused(join(write(table(device("x", "0")))), HCCL_E_PARA, "device_id"));
	EXPECT_TRUE(refused(join(write(R"({"status":"completed","group_list":[]})")), HCCL_E_PARA,
			    "group_list"));
	EXPECT_TRUE(refused(join(write(R"({"status":"completed","server_list":[{},{}]})")),
			    HCCL_E_PARA, "list of devices"));
	EXPECT_TRUE(refused(join(write(servers("", good))), HCCL_E_PARA, "node_0|host_ip"));
	EXPECT_TRUE(refused(join(write(servers("here", good))), HCCL_E_PARA, "here|host_ip"));
	EXPECT_TRUE(refused(join(write(servers("192.0.2.1", good))), HCCL_E_PARA,
			    "192.0.2.1 is no address of this machine|rank 0"));
	const std::string port = R"({"device_id":"0","rank_id":"0","host_port":"70000"})";
	EXPECT_TRUE(refused(join(write(servers("127.0.0.1", port))), HCCL_E_PARA,
			    "host_port|70000|65535"));
	/* Rank 0 never comes. */
	ASSERT_EQ(setenv("HCCL_CONNECT_TIMEOUT", "1", 1), 0);
	EXPECT_TRUE(refused(HcclCommInitClusterInfo(write(servers("127.0.0.1", good)), 1, &comm),
			    HCCL_E_TIMEOUT, "rank 0|1 s|127.0.0.1:60000|HCCL_CONNECT_TIMEOUT"));
	unsetenv("HCCL_CONNECT_TIMEOUT");
	EXPECT_TRUE(refused(HcclCommInitClusterInfo(write(table(good)), 1, &comm), HCCL_E_PARA,
			    "rank is 1"));
}

} // namespace hccl_test
