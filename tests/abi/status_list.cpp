// SPDX-License-Identifier: MIT
/*
 * DOC: The list of statuses
 *
 * One list makes the wire's numbers, the C++ type, the names and the sentences. It stays usable
 * only while every entry is different from every other and says something.
 */
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/status.h"
#include "uapi/status.h"

namespace {

struct Entry {
	const char *name;
	uint32_t number;
	const char *sentence;
};

constexpr Entry entries[] = {
#define STATUS_ENTRY(name, number, sentence) {#name, number, sentence},
	UNPU_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

/* A number that no entry has. */
uint32_t unused_number()
{
	uint32_t highest = 0;

	for (const Entry &entry : entries)
		highest = entry.number > highest ? entry.number : highest;
	return highest + 1;
}

TEST(StatusList, BeginsWithSuccess)
{
	EXPECT_STREQ(entries[0].name, "OK");
	EXPECT_EQ(entries[0].number, 0u);
}

TEST(StatusList, NumbersAreUnique)
{
	std::set<uint32_t> seen;

	for (const Entry &entry : entries)
		EXPECT_TRUE(seen.insert(entry.number).second) << entry.name;
}

TEST(StatusList, NamesAreUnique)
{
	std::set<std::string> seen;

	for (const Entry &entry : entries)
		EXPECT_TRUE(seen.insert(entry.name).second) << entry.name;
}

TEST(StatusList, SentencesSayOneThingEach)
{
	std::set<std::string> seen;

	for (const Entry &entry : entries) {
		EXPECT_GT(strlen(entry.sentence), 0u) << entry.name;
		EXPECT_TRUE(seen.insert(entry.sentence).second) << entry.name;
	}
}

/* Calls answer with these alone where the device has said no more. The way out stands behind a semicolon. */
TEST(StatusList, SentencesOfLacksNameARemedy)
{
	using base::Status;
	constexpr Status lacks[] = {
		Status::NOT_SUPPORTED,	Status::NO_MEMORY,	  Status::NO_RESOURCE,
		Status::NO_CONTEXT,	Status::INVALID_DEVICE,	  Status::TIMEOUT,
		Status::NO_PERMISSION,	Status::IN_USE,		  Status::INTERNAL,
		Status::QUOTA,		Status::VERSION_MISMATCH, Status::DEVICE_LOST,
		Status::NO_STREAM,	Status::NO_EVENT,	  Status::NO_NOTIFY,
		Status::GRAPH_TOO_LARGE};

	for (const Status status : lacks)
		EXPECT_NE(strstr(base::status_sentence(status), "; "), nullptr)
			<< base::status_name(status);
}

TEST(StatusList, EnumsCarryTheNumbers)
{
#define STATUS_NUMBERS(name, number, sentence) \
	EXPECT_EQ(static_cast<uint32_t>(UNPU_STATUS_##name), uint32_t{number}) << #name; \
	EXPECT_EQ(static_cast<uint32_t>(base::Status::name), uint32_t{number}) << #name;
	UNPU_STATUS_LIST(STATUS_NUMBERS)
#undef STATUS_NUMBERS
}

TEST(StatusList, NameAndSentenceAgree)
{
	for (const Entry &entry : entries) {
		const base::Status status{entry.number};

		EXPECT_STREQ(base::status_name(status), entry.name);
		EXPECT_STREQ(base::status_sentence(status), entry.sentence);
	}
}

TEST(StatusList, UnknownNumbersHaveANameToo)
{
	const base::Status status{unused_number()};

	EXPECT_STREQ(base::status_name(status), "UNKNOWN");
	EXPECT_GT(strlen(base::status_sentence(status)), 0u);
	for (const Entry &entry : entries)
		EXPECT_STRNE(base::status_sentence(status), entry.sentence) << entry.name;
}

} // namespace
