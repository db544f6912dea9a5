// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL configurations of streams
 *
 * The header shows the fields of a configuration, so the handle is its address. The library knows the addresses of
 * those that it made, and refuses any other without reading it.
 */
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/process/plain_object.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

namespace {

/* class StreamConfigs - the configurations of the process. There are few of them. Context: any thread; one
 * thread at a time changes or destroys a configuration. */
class StreamConfigs {
public:
	using Config = aclrtStreamConfigHandle;

	static StreamConfigs &get() { return umd::Process::own<StreamConfigs>(); }

	Config *make()
	{
		auto made = std::make_unique<Config>();
		std::lock_guard lock(mutex_);
		live_.push_back(std::move(made));
		return live_.back().get();
	}

	Result<Config *> find(const Config *handle, const char *caller = __builtin_FUNCTION())
	{
		std::lock_guard lock(mutex_);
		const size_t place = place_of(handle);
		if (place == live_.size())
			return refuse(caller, handle);
		return live_[place].get();
	}

	Status destroy(const Config *handle, const char *caller = __builtin_FUNCTION())
	{
		std::lock_guard lock(mutex_);
		const size_t place = place_of(handle);
		if (place == live_.size())
			return refuse(caller, handle);
		live_[place] = std::move(live_.back());
		live_.pop_back();
		return Status::OK;
	}

private:
	static Status refuse(const char *caller, const Config *handle)
	{
		return umd::refuse_handle(caller, "handle", handle, "configuration of streams");
	}

	size_t place_of(const Config *handle) const REQUIRES(mutex_)
	{
		size_t place = 0;
		while (place < live_.size() && live_[place].get() != handle)
			place++;
		return place;
	}

	base::Mutex mutex_{"StreamConfigs::mutex_"};
	std::vector<std::unique_ptr<Config>> live_ GUARDED_BY(mutex_);
};

} // namespace

aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void)
{
	return StreamConfigs::get().make();
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle)
{
	return acl_return(StreamConfigs::get().destroy(handle));
}

/* Copies an attribute's value if it has the right size. */
template <class T> static Status take_value(T &field, const void *value, size_t bytes)
{
	if (bytes != sizeof(T))
		return set_error(Status::INVALID_ENUM,
				 fmt::format("valueSize is {}; this attribute has {} bytes", bytes,
					     sizeof(T)));
	memcpy(&field, value, sizeof(T));
	return Status::OK;
}

/* The flags have 32 bits, but the field of the attribute is a size_t. Programs pass either size. */
static Status take_flags(size_t &field, const void *value, size_t bytes)
{
	uint32_t flags = 0;
	if (bytes == sizeof(field))
		return take_value(field, value, bytes);
	if (bytes != sizeof(flags))
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("valueSize is {}; ACL_RT_STREAM_FLAG has {} bytes or {}", bytes,
				    sizeof(flags), sizeof(field)));
	TRY(take_value(flags, value, bytes));
	field = flags;
	return Status::OK;
}

static Status take_priority(uint32_t &field, const void *value, size_t bytes)
{
	uint32_t priority = 0;
	TRY(take_value(priority, value, bytes));
	if (priority > 7)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("the priority is {}; it must be 0 to 7", priority));
	field = priority;
	return Status::OK;
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr,
				 const void *attrValue, size_t valueSize)
{
	if (handle && !attrValue)
		return acl_return(null_argument("attrValue"));
	auto config = TRY(StreamConfigs::get().find(handle));
	switch (attr) {
	case ACL_RT_STREAM_WORK_ADDR_PTR:
		return acl_return(take_value(config->workptr, attrValue, valueSize));
	case ACL_RT_STREAM_WORK_SIZE:
		return acl_return(take_value(config->workSize, attrValue, valueSize));
	case ACL_RT_STREAM_FLAG:
		return acl_return(take_flags(config->flag, attrValue, valueSize));
	case ACL_RT_STREAM_PRIORITY:
		return acl_return(take_priority(config->priority, attrValue, valueSize));
	}
	return acl_return(
		set_error(Status::INVALID_ENUM,
			  fmt::format("attr is {}; it must be one of aclrtStreamConfigAttr, 0 to 3",
				      static_cast<int>(attr))));
}

aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	auto config = TRY(StreamConfigs::get().find(handle));
	return aclrtCreateStreamWithConfig(stream, config->priority,
					   static_cast<uint32_t>(config->flag));
}
