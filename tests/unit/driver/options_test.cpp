// SPDX-License-Identifier: MIT
/*
 * DOC: Device string, tested
 *
 * Every key with what it may hold, and a sentence that names the culprit for everything else.
 */
#include <gtest/gtest.h>

#include "hal/options.h"

namespace {

using base::Status;
using hal::Backend;

hal::Options parse(std::string_view text)
{
	std::string why;
	auto options = hal::parse_device_string(text, why);
	EXPECT_TRUE(options.ok()) << text << ": " << why;
	EXPECT_EQ(why, "");
	return options.ok() ? *options : hal::Options{};
}

/* refuses() - the string is refused and the sentence holds @mention. */
void refuses(std::string_view text, const char *mention)
{
	std::string why;
	auto options = hal::parse_device_string(text, why);
	EXPECT_EQ(options.status(), Status::INVALID_ARGUMENT) << text;
	EXPECT_NE(why.find(mention), std::string::npos) << text << ": " << why;
}

TEST(DeviceString, DefaultsAreThoseOfSim)
{
	for (const char *text : {"", "sim", "sim:"}) {
		hal::Options options = parse(text);
		EXPECT_EQ(options.backend, Backend::THREAD);
		EXPECT_EQ(options.memory_bytes, 0u);
		EXPECT_EQ(options.engines, -1);
		EXPECT_EQ(options.node(0), -1);
		EXPECT_EQ(options.poll_us, -1);
		EXPECT_EQ(options.spin_us, -1);
		EXPECT_EQ(options.window_bytes, 0u);
		EXPECT_EQ(options.devices, 1u);
	}
}

TEST(DeviceString, BackendsHaveNames)
{
	EXPECT_EQ(parse("sim:step").backend, Backend::STEP);
	EXPECT_EQ(parse("null:").backend, Backend::NONE);
	EXPECT_EQ(parse("null").backend, Backend::NONE);
	EXPECT_EQ(parse("sim:memory=1G,step").backend, Backend::STEP);
	EXPECT_EQ(parse("null:memory=1G").backend, Backend::NONE);
}

TEST(DeviceString, CallersRunAsAsked)
{
	EXPECT_EQ(parse("sim:").caller_runs, hal::CallerRuns::AUTO);
	EXPECT_EQ(parse("sim:caller-runs=auto").caller_runs, hal::CallerRuns::AUTO);
	EXPECT_EQ(parse("sim:caller-runs=on").caller_runs, hal::CallerRuns::ON);
	EXPECT_EQ(parse("sim:memory=1G,caller-runs=off").caller_runs, hal::CallerRuns::OFF);
	refuses("sim:caller-runs=yes", "must be auto, on or off");
	refuses("sim:caller-runs=", "must be auto, on or off");
	refuses("sim:step,caller-runs=on", "sim: alone");
	EXPECT_FALSE(parse("sim:").inline_kernels);
	EXPECT_FALSE(parse("sim:kernels=worker").inline_kernels);
	EXPECT_TRUE(parse("sim:kernels=inline").inline_kernels);
	EXPECT_TRUE(parse("sim:step,kernels=inline").inline_kernels);
	refuses("sim:kernels=inside", "must be worker or inline");
	refuses("unix:/tmp/npu,kernels=inline", "for sim: alone");
	refuses("sim+proc:kernels=inline", "for sim: alone");
	refuses("sim+proc:caller-runs=off", "sim: alone");
}

TEST(DeviceString, EveryKeyIsRead)
{
	hal::Options options = parse("sim:memory=3M,engines=2,node=1,poll_us=30,spin_us=40,"
				     "window=256M,devices=5,soc=Ascend310");
	EXPECT_EQ(options.memory_bytes, uint64_t{3} << 20);
	EXPECT_EQ(options.engines, 2);
	EXPECT_EQ(options.node(0), 1);
	EXPECT_EQ(options.node(15), 1);
	EXPECT_EQ(options.poll_us, 30);
	EXPECT_EQ(options.spin_us, 40);
	EXPECT_EQ(options.window_bytes, uint64_t{256} << 20);
	EXPECT_EQ(options.devices, 5u);
	EXPECT_EQ(options.soc_name, "Ascend310");
	EXPECT_EQ(options.pages, hal::PagePolicy::AUTO);
	EXPECT_EQ(options.force_ms, 1000u);
	EXPECT_EQ(parse("unix:/a,force_ms=20").force_ms, 20u);
	EXPECT_EQ(parse("sim:pages=4k").pages, hal::PagePolicy::SMALL);
	EXPECT_EQ(parse("sim:pages=thp").pages, hal::PagePolicy::THP);
	EXPECT_EQ(parse("unix:/a,pages=huge").pages, hal::PagePolicy::HUGETLB);
	EXPECT_EQ(parse("sim:engine_cpus=2-4+8").engine_cpus, (std::vector<int>{2, 3, 4, 8}));
	EXPECT_EQ(parse("sim+proc:engine_cpus=1").engine_cpus, std::vector<int>{1});
	refuses("sim:engine_cpus=", "must be CPUs as 2-5+8");
	refuses("sim:engine_cpus=2x", "must be CPUs as 2-5+8");
	refuses("unix:/a,engine_cpus=2", "engine_cpus");
	EXPECT_EQ(parse("sim:prefault=0").prefault_bytes, 0u);
	EXPECT_EQ(parse("unix:/a,prefault=1G").prefault_bytes, uint64_t{1} << 30);
	refuses("sim:pages=2m", "auto, 4k, thp or huge");
}

TEST(DeviceString, NumbersHaveUnitsAndLimits)
{
	EXPECT_EQ(parse("sim:memory=4096").memory_bytes, 4096u);
	EXPECT_EQ(parse("sim:memory=2K").memory_bytes, 2048u);
	EXPECT_EQ(parse("sim:memory=2G").memory_bytes, uint64_t{2} << 30);
	EXPECT_EQ(parse("sim:memory=65536G").memory_bytes, uint64_t{1} << 46);
	EXPECT_EQ(parse("sim:engines=0").engines, 0);
	EXPECT_EQ(parse("sim:engines=64").engines, 64);
	EXPECT_EQ(parse("sim:node=1023").node(0), 1023);
	const hal::Options nodes = parse("sim:devices=4,node=0,node=1");
	EXPECT_EQ(nodes.node(0), 0);
	EXPECT_EQ(nodes.node(1), 1);
	EXPECT_EQ(nodes.node(3), 1) << "the last one counts for the rest";
	EXPECT_EQ(parse("sim:poll_us=0").poll_us, 0);
	EXPECT_EQ(parse("sim:spin_us=1000000").spin_us, 1000000);
	EXPECT_EQ(parse("sim:devices=16").devices, 16u);
	EXPECT_EQ(parse("sim:engines=1,engines=3").engines, 3);
	EXPECT_EQ(parse("sim:,engines=1,").engines, 1);
}

TEST(DeviceString, FaultsAreForASide)
{
	hal::Options options = parse("sim:memory=1G,faults=drop:op=copy;fail:call=map,step");
	EXPECT_TRUE(options.faults.host && options.faults.device);
	EXPECT_EQ(options.backend, Backend::STEP);
	EXPECT_TRUE(parse("sim+proc:faults=exit:nth=3").faults.device);
	EXPECT_TRUE(parse("unix:/a,faults=fail:call=map").faults.host);
	EXPECT_FALSE(parse("sim:").faults.host);
	refuses("sim:faults=explode", "explode");
	refuses("sim:faults", "unknown word");
	refuses("sim:faults=exit:nth=3", "process");
	refuses("unix:/a,faults=drop:op=copy", "call=");
}

TEST(DeviceString, BadNumbersAreRefused)
{
	for (const char *number :
	     {"", "K", "-1", "+1", " 1", "1 ", "0x10", "1T", "1KK", "1.5", "one", "65537G",
	      "18446744073709551615", "18446744073709551616", "18446744073709551615G"})
		refuses("sim:memory=" + std::string(number), "memory");
	refuses("sim:memory", "memory");
	refuses("sim:engines=65", "engines");
	refuses("sim:node=1024", "node");
	refuses("sim:poll_us=1000001", "poll_us");
	refuses("sim:spin_us=1M", "spin_us");
	refuses("sim:window=65537G", "window");
	refuses("sim:devices=17", "devices");
	refuses("sim:devices=0", "devices");
}

TEST(DeviceString, UnknownWordsAreNamed)
{
	refuses("simulator:", "simulator");
	refuses(":", "backend");
	refuses("SIM:", "SIM");
	refuses("sim:fast", "fast");
	refuses("sim:Memory=1", "Memory");
	refuses("sim:stepper", "stepper");
	refuses("sim:step=1", "step");
	refuses("null:step", "step");
	refuses("sim:engines=1,colour=red", "colour");
	refuses("sim:=1", "=1");
}

TEST(DeviceString, TheSocNameFitsTheHeader)
{
	EXPECT_EQ(parse("sim:soc=" + std::string(31, 'x')).soc_name.size(), 31u);
	refuses("sim:soc=" + std::string(32, 'x'), "soc");
	refuses("sim:soc=", "soc");
	refuses("sim:soc", "soc");
}

TEST(DeviceString, NeedsNoTerminator)
{
	const char text[] = {'s', 'i', 'm', ':', 's', 't', 'e', 'p', 'X'};
	EXPECT_EQ(parse(std::string_view(text, 8)).backend, Backend::STEP);
}

} // namespace
