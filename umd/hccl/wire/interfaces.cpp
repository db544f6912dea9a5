// SPDX-License-Identifier: MIT
/**
 * DOC: Interfaces of the wire
 *
 * UCX would offer each interface of the machine to the other side, also those that have the same address on many
 * machines, such as docker's.
 */
#include "interfaces.h"

#include <algorithm>
#include <memory>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include "hal/options.h"

namespace umd {

static std::vector<std::string> split(const std::string &text)
{
	std::vector<std::string> parts;
	for (size_t at = 0; at <= text.size();) {
		const size_t end = std::min(text.find(',', at), text.size());
		if (end > at)
			parts.push_back(text.substr(at, end - at));
		at = end + 1;
	}
	return parts;
}

static bool is_asked_for(const std::string &name, const std::string &asked)
{
	const bool is_others = asked.starts_with("^");
	const std::string rest = asked.substr(is_others ? 1 : 0);
	const bool is_whole = rest.starts_with("=");
	const auto parts = split(rest.substr(is_whole ? 1 : 0));
	const bool is_named = std::any_of(parts.begin(), parts.end(), [&](const std::string &part) {
		return is_whole ? name == part : name.starts_with(part);
	});
	return is_named != is_others;
}

/* Return: the lower, the better. */
static int kind_of(const std::string &name)
{
	if (name == "lo")
		return 2;
	return name.starts_with("docker") ? 1 : 0;
}

std::string choose_interfaces(const std::vector<Interface> &all, const std::string &ip,
			      const std::string &names)
{
	int best = 2;
	for (const Interface &each : all)
		best = std::min(best, kind_of(each.name));
	std::string chosen;
	for (const Interface &each : all) {
		const auto &addresses = each.addresses;
		const bool is_chosen =
			!ip.empty()	 ? std::count(addresses.begin(), addresses.end(), ip) != 0
			: !names.empty() ? is_asked_for(each.name, names)
					 : kind_of(each.name) == best;
		if (is_chosen)
			chosen += (chosen.empty() ? "" : ",") + each.name;
	}
	return chosen;
}

static std::vector<Interface> interfaces()
{
	ifaddrs *first = nullptr;
	if (getifaddrs(&first) != 0)
		return {};
	const std::unique_ptr<ifaddrs, void (*)(ifaddrs *)> owner(first, freeifaddrs);
	std::vector<Interface> all;
	for (const ifaddrs *each = first; each; each = each->ifa_next) {
		if (!each->ifa_addr || (each->ifa_flags & IFF_UP) == 0)
			continue;
		char text[INET6_ADDRSTRLEN] = "";
		const int family = each->ifa_addr->sa_family;
		if (family == AF_INET)
			inet_ntop(family,
				  &reinterpret_cast<sockaddr_in *>(each->ifa_addr)->sin_addr, text,
				  sizeof(text));
		else if (family == AF_INET6)
			inet_ntop(family,
				  &reinterpret_cast<sockaddr_in6 *>(each->ifa_addr)->sin6_addr,
				  text, sizeof(text));
		else
			continue;
		auto found = std::find_if(all.begin(), all.end(), [&](const Interface &other) {
			return other.name == each->ifa_name;
		});
		if (found == all.end())
			found = all.insert(all.end(), Interface{each->ifa_name, {}});
		found->addresses.emplace_back(text);
	}
	return all;
}

std::string chosen_interfaces()
{
	return choose_interfaces(interfaces(), hal::environment("HCCL_IF_IP"),
				 hal::environment("HCCL_SOCKET_IFNAME"));
}

} // namespace umd
