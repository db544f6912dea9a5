// SPDX-License-Identifier: MIT
/*
 * DOC: Inboxes, tested
 *
 * What a device is told by another one is bounded, however seldom it looks.
 */
#include "tests/unit/support/sharing.h"

namespace {

using namespace wire;

class Floods : public Sharing {
protected:
	/* Carol's semaphore, on the other device, follows Alice's. */
	void mirror()
	{
		unpu_export_key key = export_group(alice, UNPU_EXPORT_MIRROR, {source});
		unpu_msg_export reply{};
		ASSERT_EQ(carol.import(key, reply, {far}), Status::OK);
	}

	const uint32_t source = alice.new_semaphore(), far = carol.new_semaphore();
};

/* A device that does not get round to it keeps one post for a value that only grows. */
TEST_F(Floods, GrowingValuesAreOnePost)
{
	constexpr unsigned SIGNALS = 3000;
	mirror();
	rest();
	Channel signals(alice);
	for (unsigned i = 1; i <= SIGNALS; i++)
		ASSERT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_RAISE, i)),
			  Status::OK);
	EXPECT_LE(settle(*second), 4u);
	EXPECT_EQ(carol.value(far), SIGNALS);
}

/* The inbox of a device is bounded for each group: it keeps the last value, and refuses a signal that
 * counts. */
TEST_F(Floods, PostsOfAGroupAreCounted)
{
	constexpr unsigned SIGNALS = 4200;
	mirror();
	unpu_msg_export reply{};
	const uint32_t home = carol.new_semaphore(), notify = alice.new_semaphore();
	unpu_export_key counted = export_group(carol, UNPU_EXPORT_NOTIFY, {home});
	ASSERT_EQ(alice.import(counted, reply, {notify}), Status::OK);
	rest();
	Channel signals(alice);
	unsigned refused = 0;
	for (unsigned i = 1; i <= SIGNALS; i++) {
		ASSERT_EQ(signals.run(drv::signal_packet(1, source, UNPU_SIGNAL_SET, i)),
			  Status::OK);
		const Status status =
			signals.run(drv::signal_packet(1, notify, UNPU_SIGNAL_ADD, 1));
		refused += status == Status::NO_RESOURCE;
	}
	EXPECT_GT(refused, 0u);
	rest();
	EXPECT_EQ(carol.value(far), SIGNALS);
	EXPECT_EQ(carol.value(home), SIGNALS - refused);
	EXPECT_EQ(signals.run(drv::signal_packet(1, notify, UNPU_SIGNAL_ADD, 1)), Status::OK)
		<< "there is room again";
}

} // namespace
