// SPDX-License-Identifier: MIT
/*
 * DOC: System calls of kernels
 *
 * What a kernel may ask the kernel of the system for is a table, kernels/worker/process/allowed.h. An image makes every
 * call, and every command of those that have several.
 */
#include <cstring>
#include <iterator>
#include <sstream>

#include "calls_image.h"
#include "kernel_client.h"
#include "kernels/abi/worker.h"
#include "kernels/worker/process/allowed.h"

namespace {

using namespace kernels;

std::string describe(const calls::Difference &one)
{
	std::ostringstream to;
	to << "call " << one.number << '(' << std::hex;
	for (const uint64_t argument : one.arguments)
		to << " 0x" << argument;
	to << std::dec << " ) gives " << one.result << ", and the table "
	   << (one.is_allowed ? "allows it" : "refuses it");
	return to.str();
}

} // namespace

TEST(KernelCalls, AreThoseOfTheTable)
{
	SKIP_WITHOUT_WORKERS();
	KernelClient client;
	Memory memory = client.memory(1 << 20);
	client.load_only("calls_image");
	ASSERT_EQ(client.run("calls", 1, {memory.va}, 60000000000ull), Status::OK)
		<< client.failure();
	const auto &report = *memory.as<calls::Report>();
	EXPECT_EQ(report.is_done, 1u);
	EXPECT_GT(report.tried, 10000u);
	EXPECT_GT(report.passed, std::size(worker::ALLOWED));
	for (uint64_t i = 0; i < report.count; i++)
		ADD_FAILURE() << describe(report.differences[i]);
}

TEST(KernelCalls, HaveReasons)
{
	for (const worker::AllowedCall &call : worker::ALLOWED) {
		EXPECT_GE(strlen(call.reason), 4u) << call.name;
		EXPECT_LE(strlen(call.reason), 80u) << call.name;
	}
}
