// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of a connection to a firmware, under signals
 */
#include "hal/backend/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "tests/unit/support/interrupted.h"

namespace {

TEST(Connection, IsOpenUnderSignalsUntilTheOtherSideCloses)
{
	int ends[2];
	ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	const hal::Connection connection{base::Fd(ends[0])};
	base::Fd other(ends[1]);
	const test::Interrupted signals;
	while (signals.times() < 4000)
		ASSERT_TRUE(connection.open());
	other = base::Fd();
	EXPECT_FALSE(connection.open());
}

} // namespace
