// SPDX-License-Identifier: MIT
/*
 * DOC: Words of the interface, tested
 *
 * Sentences of the runtime get the names of the interface that the program uses.
 */
#include "umd/core/process/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "drv/packet/cookie.h"
#include "umd/acl/acl_words.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/cuda/cuda_words.h"

namespace {

class WordsTest : public testing::Test {
protected:
	~WordsTest() override { umd::set_words(umd::acl_words); }
};

TEST_F(WordsTest, TablesAreSortedAndHaveNoWordTwice)
{
	for (const umd::Words *words : {&umd::acl_words, &umd::cuda::cuda_words})
		for (size_t i = 1; i < words->count; i++)
			EXPECT_LT(strcmp(words->rows[i - 1].word, words->rows[i].word), 0)
				<< words->rows[i].word;
}

/* Else a sentence that names the call of one interface could not name it in the other. */
TEST_F(WordsTest, AscendClHasEachWordOfTheOtherInterface)
{
	for (size_t i = 0; i < umd::cuda::cuda_words.count; i++) {
		const char *word = umd::cuda::cuda_words.rows[i].word;
		EXPECT_TRUE(std::any_of(
			umd::acl_words.rows, umd::acl_words.rows + umd::acl_words.count,
			[&](const umd::Word &row) { return strcmp(row.word, word) == 0; }))
			<< word;
	}
}

TEST_F(WordsTest, EachInterfaceReadsItsOwnNames)
{
	const char *sentence = "call $set_current_context first, or $malloc_host";
	EXPECT_EQ(umd::expand_words(sentence),
		  "call aclrtSetCurrentContext first, or aclrtMallocHost");
	EXPECT_STREQ(umd::call_name(umd::Call::RECORD_EVENT), "aclrtRecordEvent");
	umd::set_words(umd::cuda::cuda_words);
	EXPECT_EQ(umd::expand_words(sentence), "call cuCtxSetCurrent first, or cuMemAllocHost");
	EXPECT_STREQ(umd::call_name(umd::Call::RECORD_EVENT), "cuEventRecord");
}

/* A cookie has room for more calls than a byte counts, beside the highest channel and index. */
TEST_F(WordsTest, CookiesNameEachOperator)
{
	static const char *names[umd::MAX_OPERATORS + 1];
	std::fill(std::begin(names), std::end(names), "another operator");
	for (const uint16_t number :
	     {uint16_t{1}, uint16_t{0x7f}, uint16_t{0x80}, uint16_t{300}, umd::MAX_OPERATORS}) {
		names[number] = "the operator";
		umd::Words words = umd::acl_words;
		words.operators = names;
		words.operator_count = std::size(names);
		umd::set_words(words);
		const uint64_t cookie =
			drv::cookie_call(umd::operator_call(number)) |
			drv::cookie_place(drv::COOKIE_GRAPH, drv::COOKIE_INDEX_MASK);
		const drv::Command command = drv::decode_cookie(cookie);
		EXPECT_TRUE(umd::is_operator(command.call)) << number;
		EXPECT_STREQ(umd::call_name(static_cast<umd::Call>(command.call)), "the operator")
			<< number;
		EXPECT_EQ(command.channel, drv::COOKIE_GRAPH);
		EXPECT_EQ(command.index, drv::COOKIE_INDEX_MASK);
		umd::set_words(umd::acl_words);
		names[number] = "another operator";
	}
}

TEST_F(WordsTest, OtherTextStaysAsItIs)
{
	for (const char *text :
	     {"", "$", "$$", "costs 5$", "$not_a_word", "$mallocs", "set_device"})
		EXPECT_EQ(umd::expand_words(text), text);
	EXPECT_EQ(umd::expand_words("$malloc$free$"), "aclrtMallocaclrtFree$");
}

TEST_F(WordsTest, SentencesHaveNames)
{
	(void)umd::set_error(base::Status::INVALID_ARGUMENT, "call $set_device first");
	EXPECT_STREQ(umd::take_error(), "call aclrtSetDevice first");
}

} // namespace
