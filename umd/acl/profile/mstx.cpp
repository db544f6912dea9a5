// SPDX-License-Identifier: MIT
/**
 * DOC: Marks of tools
 *
 * These marks become the same trace entries as the marks of AscendCL's profiling. The name of the
 * domain becomes their category. A domain is a stamp of the Profiler whose text is the domain's name.
 */
#include "acl/acl.h"
#include "mstx/ms_tools_ext.h"

#include <cstring>
#include <map>

#include "base/sync/mutex.h"
#include "hal/trace.h"
#include "umd/acl/front.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/process/process.h"
#include "umd/core/process/trace_control.h"
#include "umd/core/stream/stream_mark.h"
#include "umd/core/watch/profiler.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Profiler;
using umd::set_error;

namespace {

/* struct Range - the data of an open range that its end needs. */
struct Range {
	aclrtStream stream;
	uint32_t category;
	std::string text;
};

struct Ranges {
	base::Mutex mutex{"Ranges::mutex"};
	std::map<uint64_t, Range> open GUARDED_BY(mutex);
};

Ranges &ranges()
{
	return umd::Process::own<Ranges>();
}

Status check_text(const char *text, const char *name)
{
	constexpr size_t MAX_TEXT = 1024;
	if (!text)
		return null_argument(name);
	size_t length = strnlen(text, MAX_TEXT + 1);
	if (length > 0 && length <= MAX_TEXT)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("{} must have 1 to {} bytes", name, MAX_TEXT));
}

Result<uint32_t> category_of(mstxDomainHandle_t domain)
{
	auto found = TRY(Profiler::get().stamp(domain));
	return found->words;
}

Status mark(const char *text, aclrtStream stream, uint32_t category)
{
	uint32_t words = hal::trace::text(text);
	if (!stream) {
		hal::trace::mark(words, category);
		return Status::OK;
	}
	auto found = umd::find_stream(stream, true);
	return found ? umd::mark_stream(*found, words, category) : found.status();
}

Result<uint64_t> start(const char *text, aclrtStream stream, uint32_t category)
{
	TRY(check_text(text, "message"));
	if (stream)
		TRY(mark(text, stream, category));
	uint64_t id = hal::trace::range_start(hal::trace::text(text), category);
	std::lock_guard lock(ranges().mutex);
	ranges().open[id] = {stream, category, text};
	return id;
}

Status end(uint64_t id)
{
	Range range;
	{
		std::lock_guard lock(ranges().mutex);
		auto found = ranges().open.find(id);
		if (found == ranges().open.end())
			return set_error(Status::INVALID_ENUM,
					 fmt::format("id {} is no range that was started and not "
						     "ended",
						     id));
		range = std::move(found->second);
		ranges().open.erase(found);
	}
	hal::trace::range_stop(id);
	if (!range.stream)
		return Status::OK;
	return mark((range.text + " ends").c_str(), range.stream, range.category);
}

} // namespace

void mstxMarkA(const char *message, aclrtStream stream)
{
	if (!hal::trace::on())
		return;
	Status status = check_text(message, "message");
	if (status == Status::OK)
		status = mark(message, stream, 0);
	(void)acl_return(status);
}

mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream)
{
	if (!hal::trace::on())
		return MSTX_INVALID_RANGE_ID;
	auto id = start(message, stream, 0);
	(void)acl_return(id.status());
	return id ? *id : MSTX_INVALID_RANGE_ID;
}

void mstxRangeEnd(mstxRangeId id)
{
	if (id != MSTX_INVALID_RANGE_ID)
		(void)acl_return(end(id));
}

mstxDomainHandle_t mstxDomainCreateA(const char *name)
{
	Status status = check_text(name, "name");
	if (status != Status::OK) {
		(void)acl_return(status);
		return nullptr;
	}
	auto made = Profiler::get().make_stamp(hal::trace::text(name));
	(void)acl_return(made.status());
	return made ? static_cast<mstxDomainHandle_t>(*made) : nullptr;
}

void mstxDomainDestroy(mstxDomainHandle_t domain)
{
	if (domain)
		Profiler::get().drop_stamp(domain);
}

void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream)
{
	if (!hal::trace::on())
		return;
	auto category = category_of(domain);
	Status status = category ? check_text(message, "message") : category.status();
	if (status == Status::OK)
		status = mark(message, stream, *category);
	(void)acl_return(status);
}

mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message,
				  aclrtStream stream)
{
	if (!hal::trace::on())
		return MSTX_INVALID_RANGE_ID;
	auto category = category_of(domain);
	auto id =
		category ? start(message, stream, *category) : Result<uint64_t>(category.status());
	(void)acl_return(id.status());
	return id ? *id : MSTX_INVALID_RANGE_ID;
}

void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id)
{
	(void)domain;
	mstxRangeEnd(id);
}
