// SPDX-License-Identifier: MIT
/**
 * DOC: Accounts
 *
 * Each object that a client can create holds a Charge for its resources, so the charge is returned when
 * the object is destroyed, on every path. The accounts form a chain: client, user, firmware. Devices of
 * one firmware run on threads of their own and share the accounts of users, so the counters are atomic.
 */
#include "account.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace fw {

using base::Status;

bool Account::take(Resource what, uint64_t amount)
{
	const auto index = static_cast<size_t>(what);
	const uint64_t limit = limits_[index];
	if (limit == 0) {
		used_[index] += amount;
		return true;
	}
	uint64_t used = used_[index];
	do {
		if (used > limit || amount > limit - used)
			return false;
	} while (!used_[index].compare_exchange_weak(used, used + amount));
	return true;
}

void Account::give_back(Resource what, uint64_t amount)
{
	for (Account *account = this; account; account = account->above_.get()) {
		const uint64_t before = account->used_[static_cast<size_t>(what)].fetch_sub(amount);
		unpu_assert(before >= amount);
		(void)before;
	}
}

Status Account::charge(Resource what, uint64_t amount, Charge &charge)
{
	for (Account *account = this; account; account = account->above_.get()) {
		if (account->take(what, amount))
			continue;
		for (Account *taken = this; taken != account; taken = taken->above_.get())
			taken->used_[static_cast<size_t>(what)] -= amount;
		return Status::QUOTA;
	}
	charge = Charge(shared_from_this(), what, amount);
	return Status::OK;
}

void Account::charge_anyway(Resource what, uint64_t amount, Charge &charge)
{
	for (Account *account = this; account; account = account->above_.get())
		account->used_[static_cast<size_t>(what)] += amount;
	charge = Charge(shared_from_this(), what, amount);
}

uint64_t Account::left(Resource what) const
{
	const auto index = static_cast<size_t>(what);
	uint64_t left = UINT64_MAX;
	for (const Account *account = this; account; account = account->above_.get()) {
		const uint64_t limit = account->limits_[index], used = account->used_[index];
		if (limit != 0)
			left = std::min(left, limit - std::min(limit, used));
	}
	return left;
}

Charge &Charge::operator=(Charge &&other) noexcept
{
	Charge taken(std::move(other));
	std::swap(account_, taken.account_);
	std::swap(what_, taken.what_);
	std::swap(amount_, taken.amount_);
	return *this;
}

void Charge::end()
{
	if (account_)
		account_->give_back(what_, amount_);
	account_.reset();
}

void Charge::reduce(uint64_t amount)
{
	if (account_)
		account_->give_back(what_, amount_ - amount);
	amount_ = amount;
}

} // namespace fw
