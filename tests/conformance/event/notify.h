// SPDX-License-Identifier: MIT
/*
 * DOC: helpers of the tests that share
 */
#ifndef UNPU_TESTS_CONFORMANCE_NOTIFY_H
#define UNPU_TESTS_CONFORMANCE_NOTIFY_H

#include "support/fixture.h"

namespace conformance {

/* A notify of the current device. */
class Notify {
public:
	Notify() { EXPECT_OK(aclrtCreateNotify(&handle_, ACL_NOTIFY_DEFAULT)); }
	~Notify() { EXPECT_OK(aclrtDestroyNotify(handle_)); }
	Notify(const Notify &) = delete;
	Notify &operator=(const Notify &) = delete;

	operator aclrtNotify() const { return handle_; }

private:
	aclrtNotify handle_ = nullptr;
};

/* The text of a key, and room for its 0 byte. */
constexpr size_t kKeyBytes = 65;

struct Key {
	char text[kKeyBytes] = {};
};

/* The key as another firmware could have made it: its first 16 digits are the firmware's. */
inline Key of_another_firmware(Key key)
{
	key.text[3] = key.text[3] == '0' ? '1' : '0';
	return key;
}

} // namespace conformance

#endif
