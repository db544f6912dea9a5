// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <sys/types.h>

#include "base/result.h"

namespace fw {

/** enum class Resource - the firmware resources that are charged to clients. */
enum class Resource : unsigned {
	MEMORY, /* bytes */
	ENTRIES, /* segments, mappings, imports and reservations; about one mapping of the process each */
	DESCRIPTORS, /* file descriptors that the firmware keeps open for the client */
	THREADS,     /* threads that may block in a file or in close() */
};
constexpr size_t RESOURCES = 4;

class Charge;

/**
 * class Account - usage and limit of each resource for a client, a user, a device or the whole firmware. A
 * charge to an account is also charged to the accounts above it. Context: any thread.
 */
class Account : public std::enable_shared_from_this<Account> {
public:
	using Amounts = std::array<uint64_t, RESOURCES>; /* indexed by Resource */

	/** Account() - @limits: 0: no limit. @above: the parent account or nullptr. @user: whose it is */
	explicit Account(const Amounts &limits, std::shared_ptr<Account> above = nullptr,
			 std::optional<uid_t> user = std::nullopt)
		: limits_(limits), above_(std::move(above)), user_(user)
	{
	}

	/** user() - whose this account is, or the one above it; none: no account of them is a user's. */
	std::optional<uid_t> user() const { return user_ || !above_ ? user_ : above_->user(); }

	/** charge() - charges @amount of @what until @charge ends.
	 * Return: QUOTA when this account or one above it has less left; @charge does not change. */
	base::Status charge(Resource what, uint64_t amount, Charge &charge);

	/** charge_anyway() - the same for a resource that the firmware already has, such as a received
	 * descriptor. The usage may exceed the limits; then charge() refuses everything. */
	void charge_anyway(Resource what, uint64_t amount, Charge &charge);

	uint64_t used(Resource what) const { return used_[static_cast<size_t>(what)]; }

	/** left() - the minimum that this account and those above it have left; UINT64_MAX without a limit. */
	uint64_t left(Resource what) const;

private:
	friend class Charge;
	bool take(Resource what, uint64_t amount);
	void give_back(Resource what, uint64_t amount);

	const Amounts limits_;
	const std::shared_ptr<Account> above_;
	const std::optional<uid_t> user_;
	std::array<std::atomic<uint64_t>, RESOURCES> used_{};
};

/** class Charge - an amount that is charged to an account during the lifetime of this object. It keeps the
 * account alive: memory may outlive its client if another client has imported it. */
class Charge {
public:
	Charge() = default;
	Charge(Charge &&other) noexcept = default;
	Charge &operator=(Charge &&other) noexcept;
	~Charge() { end(); }

	/** end() - returns the amount to the account. */
	void end();

	/** reduce() - reduces the charge to @amount, at most the current one. */
	void reduce(uint64_t amount);

private:
	friend class Account;
	Charge(std::shared_ptr<Account> account, Resource what, uint64_t amount)
		: account_(std::move(account)), what_(what), amount_(amount)
	{
	}

	std::shared_ptr<Account> account_;
	Resource what_ = Resource::MEMORY;
	uint64_t amount_ = 0;
};

} // namespace fw
