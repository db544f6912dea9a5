// SPDX-License-Identifier: MIT
/**
 * DOC: Visible devices
 *
 * Which devices a list of ASCEND_RT_VISIBLE_DEVICES selects, and which lists are invalid.
 */
#include "umd/core/device/visible_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using base::Status;
using testing::HasSubstr;
using umd::VisibleDevices;

TEST(VisibleDevices, AnEmptyListIsEveryDevice)
{
	VisibleDevices devices;
	std::string why;
	for (const char *text : {"", " ", "\t "}) {
		ASSERT_EQ(devices.read(text, 3, why), Status::OK);
		EXPECT_FALSE(devices.filtered());
		ASSERT_EQ(devices.count(), 3u);
		for (uint32_t i = 0; i < 3; i++) {
			EXPECT_EQ(devices.logic(i), i);
			EXPECT_EQ(devices.user(static_cast<int32_t>(i)), static_cast<int32_t>(i));
		}
	}
}

TEST(VisibleDevices, TheListRenumbers)
{
	VisibleDevices devices;
	std::string why;
	ASSERT_EQ(devices.read("3,1", 4, why), Status::OK);
	EXPECT_TRUE(devices.filtered());
	ASSERT_EQ(devices.count(), 2u);
	EXPECT_EQ(devices.logic(0), 3u);
	EXPECT_EQ(devices.logic(1), 1u);
	EXPECT_EQ(devices.user(3), 0);
	EXPECT_EQ(devices.user(1), 1);
	for (int32_t hidden : {-1, 0, 2, 4})
		EXPECT_EQ(devices.user(hidden), -1) << hidden;
}

TEST(VisibleDevices, AWrongEntryEndsTheList)
{
	const struct {
		const char *text;
		std::vector<uint32_t> devices;
		const char *end;
	} lists[] = {
		{"1,3,8", {1, 3}, "no device 8"},
		{"1, 2,3", {1}, "' 2' is not"},
		{"1,-1,2", {1}, "'-1' is not"},
		{"0,", {0}, "'' is not"},
		{"0,,1", {0}, "'' is not"},
		{"2,x,1", {2}, "'x' is not"},
		{"0,0", {0}, "device 0 is listed twice"},
		{"0,1,0,2", {0, 1}, "device 0 is listed twice"},
		{" 3,1 ", {3, 1}, ""},
	};
	for (const auto &list : lists) {
		VisibleDevices devices;
		std::string why;
		EXPECT_EQ(devices.read(list.text, 4, why), Status::OK) << list.text;
		EXPECT_TRUE(devices.filtered());
		ASSERT_EQ(devices.count(), list.devices.size()) << list.text;
		for (uint32_t i = 0; i < devices.count(); i++)
			EXPECT_EQ(devices.logic(i), list.devices[i]);
		EXPECT_THAT(devices.end(), HasSubstr(list.end));
		EXPECT_EQ(devices.end().empty(), *list.end == '\0');
	}
}

TEST(VisibleDevices, AListWithoutADeviceIsNamed)
{
	const struct {
		const char *text;
		const char *word;
	} lists[] = {
		{",1", "'' is not"},	{"x", "'x' is not"},
		{"-1", "'-1' is not"},	{"1.5", "'1.5' is not"},
		{"0 1", "'0 1' is"},	{"2", "no device 2"},
		{"4,0", "no device 4"}, {"99999999999", "is not a device"},
	};
	for (const auto &list : lists) {
		VisibleDevices devices;
		std::string why;
		EXPECT_EQ(devices.read(list.text, 2, why), Status::INVALID_DEVICE) << list.text;
		EXPECT_THAT(why, HasSubstr(list.word));
		EXPECT_THAT(why, HasSubstr("$VISIBLE_DEVICES"));
		EXPECT_THAT(why, HasSubstr(list.text));
	}
}

} // namespace
