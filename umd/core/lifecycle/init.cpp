// SPDX-License-Identifier: MIT
/**
 * DOC: Initialisation and its end
 *
 * A program may initialise the library several times; the library counts the calls. The last finalize lets
 * ready work run, and closes all contexts. The singletons stay, so the program may initialise again.
 */
#include <fmt/format.h>

#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/config.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/process/trace_control.h"

namespace umd {

using base::Status;

Status Process::init(const char *config_path)
{
	std::lock_guard lock(mutex_);
	TRY(begin_use());
	if (init_count_ > 0) {
		init_count_++;
		return set_error(
			Status::ALREADY_INITIALISED,
			fmt::format("$init: already initialised ({} times now); this may be "
				    "ignored",
				    init_count_));
	}
	InitConfig config;
	TRY(read_config(config_path, config));
	if (ever_initialised_ && config.hash != config_hash_)
		return set_error(Status::CONFIG_CHANGED,
				 "$init: the configuration differs from the "
				 "one this process was first initialised with");
	auto devices = TRY(Devices::get().device_count());
	if (config.default_device >= static_cast<int32_t>(devices))
		return set_error(
			Status::BAD_CONFIG,
			fmt::format("$init: default_device is {}, but there are {} devices",
				    config.default_device, devices));
	config_hash_ = config.hash;
	config_text_ = std::move(config.text);
	Contexts::get().set_default_device(config.default_device);
	share_errors(config.process_errors);
	for (unsigned i = 0; i < LIMITS; i++) {
		if (config.limits[i])
			limits.set(i, *config.limits[i]);
	}
	initialised_before_ = std::exchange(ever_initialised_, true);
	init_count_ = 1;
	return Status::OK;
}

void Process::cancel_init()
{
	std::lock_guard lock(mutex_);
	init_count_ = 0;
	Contexts::get().set_default_device(-1);
	ever_initialised_ = initialised_before_;
}

uint64_t Process::init_count()
{
	std::lock_guard lock(mutex_);
	return init_count_;
}

std::string Process::config_text()
{
	std::lock_guard lock(mutex_);
	return config_text_;
}

/* Releases the lock while it waits for the host functions to end, because they may call the library. */
Status Process::end()
{
	ever_finalised_ = true;
	init_count_ = 0;
	Contexts::get().set_default_device(-1);
	const base::Unlocked unlocked(mutex_);
	Status drained = Contexts::get().end_all();
	trace::write_if_asked();
	return drained;
}

Status Process::finalize()
{
	std::lock_guard lock(mutex_);
	TRY(check_fork());
	if (init_count_ == 0 && (ever_initialised_ || ever_finalised_))
		return set_error(
			Status::ALREADY_FINALISED,
			"$finalize: the library is not initialised any more; call $init first");
	return end();
}

bool Process::is_finalised()
{
	std::lock_guard lock(mutex_);
	return ever_finalised_ && init_count_ == 0;
}

Status Process::finalize_reference(uint64_t *left)
{
	std::lock_guard lock(mutex_);
	TRY(check_fork());
	if (init_count_ == 0)
		return set_error(Status::ALREADY_FINALISED,
				 "$finalize_reference: the library is not initialised any more");
	Status status = Status::OK;
	if (init_count_ == 1)
		status = end();
	else
		init_count_--;
	if (left)
		*left = init_count_;
	return status;
}

} // namespace umd
