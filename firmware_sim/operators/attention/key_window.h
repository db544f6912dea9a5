// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/view.h"

namespace fw::tensor {

/** enum SparseMode - which keys a query sees. */
enum SparseMode : int64_t {
	SPARSE_BAND = 0,	/* with a mask: from preTokens before it to nextTokens behind it */
	SPARSE_ALL = 1,		/* all */
	SPARSE_LEFT_UP = 2,	/* those of its own number and before */
	SPARSE_RIGHT_DOWN = 3,	/* likewise, where the last query has the number of the last key */
	SPARSE_SHIFTED_BAND = 4 /* the band, where the last query has the number of the last key */
};

/** struct Keys - keys @first .. @end - 1; none where @end <= @first. */
struct Keys {
	int64_t first;
	int64_t end;
};

/** class Window - the keys that each query of a call of ATTENTION sees, but for its mask. */
class Window {
public:
	/** is_good() - whether mode and lengths are ones that a Window can be made of. @call: has its shapes */
	static bool is_good(const Call &call);

	/** @batch: number of the batch, of queries that have actual lengths of their own */
	Window(const Call &call, int64_t batch);

	Keys keys_of(int64_t query) const;

private:
	int64_t mode_;
	int64_t queries_;
	int64_t keys_;
	int64_t before_; /* keys seen before the query's own number */
	int64_t behind_;
};

} // namespace fw::tensor
