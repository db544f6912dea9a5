// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/view.h"

namespace fw::tensor {

/** enum SparseMode - which keys a query sees. */
enum SparseMode : int64_t {
	/* with a mask: the keys from preTokens before the query to nextTokens behind it */
	SPARSE_BAND = 0,
	SPARSE_ALL = 1,	    /* all */
	SPARSE_LEFT_UP = 2, /* keys up to the query's own number */
	/* keys up to the query's own number, where the queries are numbered so that the last query has the
	 * number of the last key */
	SPARSE_RIGHT_DOWN = 3,
	/* the band of preTokens and nextTokens, where the last query has the number of the last key */
	SPARSE_SHIFTED_BAND = 4
};

/** struct Keys - the keys from @first to @end - 1; no keys if @end <= @first. */
struct Keys {
	int64_t first;
	int64_t end;
};

/** class Window - the keys that each query of a call of ATTENTION sees, before the mask is applied. */
class Window {
public:
	/** is_good() - whether mode and lengths are ones that a Window can be made of. @call: has its shapes */
	static bool is_good(const Call &call);

	/** @batch: index of the batch: each batch may have its own number of queries and keys */
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
