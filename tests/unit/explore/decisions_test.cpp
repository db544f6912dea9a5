// SPDX-License-Identifier: MIT
/**
 * DOC: files of decisions, and the order in which packets came
 */
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "firmware_sim/explore/arrivals.h"
#include "firmware_sim/explore/decisions.h"
#include "folder.h"

using namespace fw;
using base::Status;

static Choice choice(uint32_t stream, char kind, uint32_t line = NO_LINE, uint32_t client = 0)
{
	Choice made;
	made.stream = stream;
	made.kind = kind;
	made.line = line;
	made.client = client;
	return made;
}

static std::string text_of(const std::string &path)
{
	std::ifstream file(path);
	return {std::istreambuf_iterator<char>(file), {}};
}

static void write_some(const std::string &path)
{
	DecisionLog log(path, "random:seed=7");
	log.begin(Reason::SUBMIT, 2);
	log.note(choice(3, 'c'));
	log.note(choice(3, 'c'));
	log.note(choice(4, 'f'));
	log.begin(Reason::WAIT, 5);
	log.note(choice(4, 'f'));
	log.note(choice(3, 'o', 2));
	log.note(choice(3, 'o', NO_LINE, 1));
}

TEST(Decisions, are_short_words)
{
	const Folder folder;
	const std::string path = folder.file("x");
	write_some(path);
	EXPECT_EQ(text_of(path), "unpu-decisions 1 random:seed=7\n@2s 3c*2 4f @5w 4f 3g2o 1:3o");
}

TEST(Decisions, are_read_as_they_were_written)
{
	const Folder folder;
	const std::string path = folder.file("x");
	write_some(path);
	Replay replay;
	std::string why;
	ASSERT_EQ(replay.read(path, why), Status::OK) << why;
	EXPECT_EQ(replay.next()->reason, Reason::SUBMIT);
	EXPECT_EQ(replay.next()->arrivals, 2u);
	for (const Choice &wanted : {choice(3, 'c'), choice(3, 'c'), choice(4, 'f')}) {
		if (replay.next()->reason != Reason::NONE)
			replay.pass();
		EXPECT_TRUE(replay.next()->names(wanted));
		replay.pass();
	}
	EXPECT_EQ(replay.number(), 3u);
	EXPECT_EQ(replay.next()->reason, Reason::WAIT);
	replay.pass();
	replay.pass();
	EXPECT_TRUE(replay.next()->names(choice(3, 'o', 2)));
	EXPECT_FALSE(replay.next()->names(choice(3, 'o')));
	replay.pass();
	EXPECT_TRUE(replay.next()->names(choice(3, 'o', NO_LINE, 1)));
	replay.pass();
	EXPECT_EQ(replay.next(), nullptr);
}

TEST(Decisions, remarks_do_not_replay)
{
	const Folder folder;
	const std::string path = folder.file("x");
	{
		DecisionLog log(path, "fifo");
		log.begin(Reason::WAIT, 1);
		log.remark("it 3c");
		log.note(choice(1, 'c'));
	}
	Replay replay;
	std::string why;
	ASSERT_EQ(replay.read(path, why), Status::OK) << why;
	replay.pass();
	EXPECT_TRUE(replay.next()->names(choice(1, 'c')));
	replay.pass();
	EXPECT_EQ(replay.next(), nullptr);
}

TEST(Decisions, long_files_have_lines_that_can_be_read)
{
	const Folder folder;
	const std::string path = folder.file("x");
	{
		DecisionLog log(path, "fifo");
		log.begin(Reason::WAIT, 1000);
		for (uint32_t i = 0; i < 1000; i++) {
			log.note(choice(i, 'c'));
			if (i % 100 == 0) {
				EXPECT_EQ(log.flush(), "");
			}
		}
	}
	std::ifstream file(path);
	for (std::string line; std::getline(file, line);)
		EXPECT_LE(line.size(), 100u);
	Replay replay;
	std::string why;
	ASSERT_EQ(replay.read(path, why), Status::OK) << why;
	replay.pass();
	for (uint32_t i = 0; i < 1000; i++) {
		ASSERT_TRUE(replay.next() && replay.next()->names(choice(i, 'c'))) << i;
		replay.pass();
	}
}

TEST(Decisions, wrong_files_are_refused)
{
	const Folder folder;
	std::string why;
	Replay replay;
	EXPECT_EQ(replay.read(folder.file("absent"), why), Status::BAD_FILE);
	EXPECT_EQ(Replay().read("@1w 1c", why), Status::OK) << why;
	for (const char *text : {"@1", "@1z", "@w", "@1w c", "@1w 1", "@1w 1c*0", "@1w 1c*",
				 "@1w 1gc", "@1w 1:c", "@1w 1cc", "@1w 1c*2x"})
		EXPECT_EQ(Replay().read(text, why), Status::BAD_FILE) << text;
	std::ofstream(folder.file("other")) << "UNPUSAN";
	EXPECT_EQ(replay.read(folder.file("other"), why), Status::BAD_FILE);
	EXPECT_NE(why.find("no file of decisions"), std::string::npos);
}

TEST(Decisions, a_log_that_cannot_be_written_says_so_once)
{
	DecisionLog log("/absent/folder/x", "fifo");
	log.note(choice(1, 'c'));
	EXPECT_NE(log.flush().find("/absent/folder/x"), std::string::npos);
	log.note(choice(1, 'c'));
	EXPECT_EQ(log.flush(), "");
}

TEST(Arrivals, know_the_numbers_of_packets_in_the_ring)
{
	Arrivals arrivals(10);
	EXPECT_EQ(arrivals.of(10), 0u);
	arrivals.add(5);
	arrivals.add(7);
	EXPECT_EQ(arrivals.next(), 12u);
	EXPECT_EQ(arrivals.of(10), 5u);
	EXPECT_EQ(arrivals.of(11), 7u);
	EXPECT_EQ(arrivals.of(12), 0u);
	arrivals.drop_below(11);
	EXPECT_EQ(arrivals.of(10), 0u);
	EXPECT_EQ(arrivals.of(11), 7u);
	arrivals.drop_below(20);
	EXPECT_EQ(arrivals.next(), 20u);
	arrivals.add(9);
	EXPECT_EQ(arrivals.of(20), 9u);
}
