// SPDX-License-Identifier: MIT
/**
 * DOC: Objects that a program did not free
 */
#include "owned.h"

#include <iterator>
#include <mutex>
#include <string_view>

#include <dlfcn.h>
#include <fmt/format.h>

#include "reported_stack.h"

namespace umd::check {

static uint64_t number(const void *object)
{
	return reinterpret_cast<uint64_t>(object);
}

/* "FILE:LINE FUNCTION" of the innermost frame, as "FILE:LINE in FUNCTION()". A file's name may have spaces. */
static std::string told_line(std::string_view frames)
{
	const std::string_view line = frames.substr(0, frames.find('\n'));
	const size_t space = line.rfind(' ');
	if (space == std::string_view::npos || line.find(':', space) != std::string_view::npos)
		return std::string(line);
	return fmt::format("{} in {}()", line.substr(0, space), line.substr(space + 1));
}

Site Site::here(const void *address)
{
	const recorder::ReportedStack *told = recorder::ReportedStack::mine();
	return {address, told && told->frames ? told_line(told->frames) : ""};
}

std::string Site::text() const
{
	if (!told.empty())
		return told;
	Dl_info where{};
	/* The return address is behind the call. */
	const void *call = static_cast<const char *>(address) - 1;
	if (dladdr(call, &where) == 0 || !where.dli_fname)
		return fmt::format("{}", fmt::ptr(address));
	std::string module = where.dli_fname;
	module.erase(0, module.rfind('/') + 1);
	const uint64_t offset = number(call) - number(where.dli_fbase);
	std::string text = fmt::format("{}+{:#x}", module, offset);
	if (where.dli_sname)
		text += fmt::format(" ({})", where.dli_sname);
	return text;
}

static std::string name_of(const Owned &owned, uint64_t object)
{
	const std::string size = owned.bytes > 0 ? fmt::format("{} bytes of ", owned.bytes) : "";
	return fmt::format("{}{} {:#x}, made on device {} by a call at {}", size, owned.kind,
			   object, owned.device, owned.site.text());
}

void OwnedObjects::add(const void *object, const Owned &owned)
{
	std::lock_guard lock(mutex_);
	objects_[number(object)] = owned;
}

void OwnedObjects::add_reference(const void *object, const Owned &owned)
{
	std::lock_guard lock(mutex_);
	const auto [at, is_new] = objects_.try_emplace(number(object), owned);
	if (!is_new)
		at->second.references++;
}

void OwnedObjects::remove(const void *object, const void *site)
{
	constexpr size_t MOST = 1000;
	std::lock_guard lock(mutex_);
	auto at = objects_.find(number(object));
	if (at == objects_.end() || --at->second.references != 0)
		return;
	if (site) {
		freed_.push_front({at->first, at->second, Site::here(site)});
		if (freed_.size() > MOST)
			freed_.pop_back();
	}
	objects_.erase(at);
}

void OwnedObjects::count(const char *kind, Count counter)
{
	std::lock_guard lock(mutex_);
	counts_.emplace_back(kind, counter);
}

/* A counter takes locks of the API, so none is held here. Return: the number of objects. */
size_t OwnedObjects::add_counted(std::vector<std::string> &lines)
{
	std::vector<std::pair<const char *, Count>> counts;
	{
		std::lock_guard lock(mutex_);
		counts = counts_;
	}
	size_t sum = 0;
	for (const auto &[kind, counter] : counts) {
		const uint32_t number = counter();
		if (number != 0)
			lines.push_back(fmt::format("{} x {}", number, kind));
		sum += number;
	}
	return sum;
}

void OwnedObjects::report(const char *call, int32_t device)
{
	constexpr size_t MOST = 20;
	std::vector<std::string> lines;
	size_t objects = device < 0 ? add_counted(lines) : 0;
	{
		std::lock_guard lock(mutex_);
		for (auto at = objects_.begin(); at != objects_.end();) {
			const auto here = at++;
			if (device >= 0 && here->second.device != device)
				continue;
			lines.push_back(name_of(here->second, here->first));
			objects_.erase(here);
			objects++;
		}
	}
	if (lines.empty())
		return;
	say(fmt::format("{}: the program did not free {} {}:", call, objects,
			objects == 1 ? "object" : "objects"));
	for (size_t i = 0; i < lines.size() && i < MOST; i++)
		say("  " + lines[i]);
	if (lines.size() > MOST)
		say(fmt::format("  and {} more", lines.size() - MOST));
}

std::string OwnedObjects::find(uint64_t address)
{
	if (!mutex_.try_lock())
		return "";
	std::lock_guard lock(mutex_, std::adopt_lock);
	auto at = objects_.upper_bound(address);
	if (at == objects_.begin())
		return freed_at(address);
	at = std::prev(at);
	if (address - at->first >= at->second.bytes)
		return freed_at(address);
	return fmt::format("byte {} of ", address - at->first) + name_of(at->second, at->first);
}

std::string OwnedObjects::find_freed(uint64_t address)
{
	std::lock_guard lock(mutex_);
	return freed_at(address);
}

std::string OwnedObjects::freed_at(uint64_t address) const
{
	for (const Freed &one : freed_) {
		if (address - one.address < one.owned.bytes)
			return fmt::format("{}, and freed by a call at {}",
					   name_of(one.owned, one.address), one.site.text());
	}
	return "";
}

std::string OwnedObjects::maker(uint64_t address)
{
	std::lock_guard lock(mutex_);
	const auto at = objects_.find(address);
	if (at == objects_.end())
		return "";
	return fmt::format(", made on device {} by a call at {}", at->second.device,
			   at->second.site.text());
}

} // namespace umd::check
