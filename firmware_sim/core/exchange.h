// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/os/node_pool.h"
#include "base/sync/mutex.h"
#include "config.h"
#include "firmware_sim/engine/movers.h"
#include "firmware_sim/memory/account.h"
#include "firmware_sim/schedule/share.h"
#include "uapi/mailbox.h"

namespace fw {

/** struct Exporter - the exports of one client. Lock: the exchange's. */
struct Exporter {
	/* all its exports count as ended, even those that are still listed */
	bool has_ended = false;
	size_t count = 0;   /* number of its exports, including ended ones */
	ExportLink exports; /* all its exports */
	ExportLink ended;   /* exports whose segment was destroyed */
};

/** struct Export - an object that a client exports. */
struct Export {
	unpu_export_key key{};
	Exporter *owner = nullptr;
	uint32_t flags = 0;
	std::weak_ptr<Segment> segment; /* for MEMORY */
	uint64_t offset = 0;
	uint64_t bytes = 0;
	std::shared_ptr<Group> group;		/* for all other kinds */
	std::vector<uint32_t> allowed;		/* processes that may import it */
	std::shared_ptr<Charge> allowed_memory; /* charge of the owner for @allowed */
};

/** class Exchange - see config.h. Context: any thread. */
class Exchange {
public:
	Exchange();

	/** instance() - random number that identifies this firmware; never 0. */
	uint64_t instance() const { return instance_; }

	/** movers() - which thread moves which device of this firmware. */
	Movers &movers() { return movers_; }

	/** add() - adds an export. @what: the export; add() completes its key. Throws std::bad_alloc if there
	 * is no memory.
	 * Return: the key. */
	unpu_export_key add(Export what);

	/** allow() - allows processes to import. @account: account of the owner, which is charged for the
	 * list of processes.
	 * Return: NOT_SHARED when @owner did not export @key; QUOTA. */
	base::Status allow(const Exporter *owner, Account &account, const unpu_export_key &key,
			   const uint32_t *pids, uint32_t count);

	/** find() - the export that process @pid may import with a key.
	 * Return: NOT_SHARED, SAME_PROCESS, NOT_ALLOWED. */
	base::Result<Export> find(const unpu_export_key &key, uint32_t pid);

	/** key_of() - the key with a nonce. Return: NOT_SHARED if no export has the nonce. */
	base::Result<unpu_export_key> key_of(uint64_t nonce);

	/** end() - makes all keys of @owner invalid. Its exports stay listed until withdraw(). */
	void end(Exporter &owner);

	/** end() - the same for all exports of a segment of @owner. */
	void end(Exporter &owner, Segment &segment);

	/** free_ended() - frees ended exports of @owner, at most @left of them, and subtracts their number
	 * from @left. Return: whether none is left. */
	bool free_ended(Exporter &owner, unsigned &left);

	/** blocks() - blocks of memory that the exports take. */
	size_t blocks();

	/** withdraw() - removes an export. Return: the removed export; NOT_SHARED when @owner did not export
	 * @key. */
	base::Result<Export> withdraw(const Exporter *owner, const unpu_export_key &key);

private:
	struct Listed {
		explicit Listed(Export made) : what(std::move(made)) {}
		Export what;
		ExportLink of_owner{&what};   /* in Exporter::exports */
		ExportLink of_segment{&what}; /* in Segment::exports, or Exporter::ended */
	};
	using Exports = std::map<uint64_t, Listed, std::less<>,
				 base::PoolAllocator<std::pair<const uint64_t, Listed>>>;

	static bool has_ended(const Export &what);
	Export take(const Export &what) REQUIRES(mutex_);
	Export *look_up(const unpu_export_key &key) REQUIRES(mutex_);

	const uint64_t instance_;
	Movers movers_;
	base::Mutex mutex_{"Exchange::mutex_"};
	base::NodePool pool_ GUARDED_BY(mutex_);
	Exports exports_ GUARDED_BY(mutex_){Exports::allocator_type(pool_)}; /* indexed by nonce */
	uint32_t objects_ GUARDED_BY(mutex_) = 0;
};

} // namespace fw
