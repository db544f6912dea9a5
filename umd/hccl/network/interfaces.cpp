// SPDX-License-Identifier: MIT
/**
 * DOC: Choice of interfaces
 *
 * HCCL_IF_IP is one address, and comes first. If it is not set, HCCL_SOCKET_IFNAME selects interfaces: "eth"
 * means all names that begin with eth, "=eth0" means exactly that name, "^" in front means all other names,
 * and commas separate several names. If neither is set, the choice is all interfaces except docker* and lo;
 * if there are none, docker*; if there are none, lo.
 */
#include "interfaces.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>

#include "hal/options.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

static std::string list_of(const std::vector<Interface> &all)
{
	std::string text;
	for (const Interface &one : all)
		text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", ip_text(one.address),
				    one.name);
	return text.empty() ? "none" : text;
}

/* Another machine can't use a link-local address of IPv6. */
static bool is_link_local(const TcpAddress &address)
{
	return address.family == AF_INET6 && address.bytes[0] == 0xfe &&
	       (address.bytes[1] & 0xc0) == 0x80;
}

std::vector<Interface> all_interfaces()
{
	std::vector<Interface> found;
	ifaddrs *first = nullptr;
	if (getifaddrs(&first) != 0)
		return found;
	for (const ifaddrs *each = first; each; each = each->ifa_next) {
		if (!each->ifa_addr || !(each->ifa_flags & IFF_UP))
			continue;
		const TcpAddress address = from_socket_address(each->ifa_addr);
		if (address.family != 0 && !is_link_local(address))
			found.push_back({each->ifa_name, address});
	}
	freeifaddrs(first);
	return found;
}

std::string interface_names(const std::vector<Interface> &all,
			    const std::vector<TcpAddress> &addresses)
{
	std::vector<std::string> names;
	for (const Interface &each : all) {
		if (std::count(addresses.begin(), addresses.end(), each.address) != 0 &&
		    std::count(names.begin(), names.end(), each.name) == 0)
			names.push_back(each.name);
	}
	return fmt::format("{}", fmt::join(names, ","));
}

InterfaceSettings read_interface_settings()
{
	return {hal::environment("HCCL_IF_IP"), hal::environment("HCCL_SOCKET_IFNAME"),
		hal::environment("HCCL_SOCKET_FAMILY")};
}

/* struct NamePattern - the parsed value of HCCL_SOCKET_IFNAME. */
struct NamePattern {
	bool excludes = false;
	bool is_exact = false;
	std::vector<std::string> names;

	bool fits(const std::string &name) const
	{
		const bool is_named =
			std::any_of(names.begin(), names.end(), [&](const std::string &each) {
				return is_exact ? name == each : name.starts_with(each);
			});
		return is_named != excludes;
	}
};

static bool read_pattern(std::string text, NamePattern &pattern)
{
	pattern.excludes = text.starts_with('^');
	text.erase(0, pattern.excludes ? 1 : 0);
	pattern.is_exact = text.starts_with('=');
	text.erase(0, pattern.is_exact ? 1 : 0);
	std::stringstream words(text);
	for (std::string word; std::getline(words, word, ',');)
		pattern.names.push_back(word);
	return !text.empty() && text.back() != ',' &&
	       std::none_of(pattern.names.begin(), pattern.names.end(),
			    [](const std::string &each) {
				    return each.empty() || each.size() >= IFNAMSIZ;
			    });
}

static HcclResult choose_ip(const std::string &ip, const std::vector<Interface> &all,
			    std::vector<TcpAddress> &chosen)
{
	TcpAddress wanted;
	if (!read_tcp_address(ip, wanted))
		return refuse(HCCL_E_PARA,
			      fmt::format("HCCL_IF_IP is \"{}\"; it must be an IPv4 or IPv6 "
					  "address of this machine",
					  ip));
	const bool is_own = std::any_of(all.begin(), all.end(), [&](const Interface &each) {
		return each.address == wanted;
	});
	if (!is_own)
		return refuse(HCCL_E_PARA, fmt::format("HCCL_IF_IP is {}, which is no address of "
						       "this machine; its addresses are: {}",
						       ip, list_of(all)));
	chosen = {wanted};
	return HCCL_SUCCESS;
}

using Fits = std::function<bool(const std::string &)>;

/* The addresses of one family on interfaces whose names match. */
static std::vector<TcpAddress> addresses_of(const std::vector<Interface> &all, int family,
					    const Fits &fits)
{
	std::vector<TcpAddress> found;
	for (const Interface &each : all) {
		if (each.address.family == family && fits(each.name) &&
		    found.size() < TcpPlace{}.at.size())
			found.push_back(each.address);
	}
	return found;
}

/* Tries each family within the first class of names before it tries the next class of names. */
static std::vector<TcpAddress> first_class(const std::vector<Interface> &all,
					   const std::vector<int> &families,
					   const std::vector<Fits> &classes)
{
	for (const Fits &fits : classes) {
		for (const int family : families) {
			auto found = addresses_of(all, family, fits);
			if (!found.empty())
				return found;
		}
	}
	return {};
}

static void only_fitting(const NamePattern &pattern, std::vector<Fits> &classes)
{
	for (Fits &fits : classes)
		fits = [&pattern, fits](const std::string &name) {
			return pattern.fits(name) && fits(name);
		};
}

HcclResult choose_interfaces(const InterfaceSettings &settings, const std::vector<Interface> &all,
			     std::vector<TcpAddress> &chosen)
{
	NamePattern pattern;
	const auto is_docker = [](const std::string &name) { return name.starts_with("docker"); };
	const auto is_loop = [](const std::string &name) { return name == "lo"; };
	std::vector<Fits> classes = {
		[&](const std::string &name) { return !is_docker(name) && !is_loop(name); },
		is_docker, is_loop};
	std::vector<int> families = {AF_INET, AF_INET6};
	if (!settings.family.empty() && settings.family != "AF_INET" &&
	    settings.family != "AF_INET6")
		return refuse(HCCL_E_PARA, fmt::format("HCCL_SOCKET_FAMILY is \"{}\"; it must be "
						       "AF_INET or AF_INET6",
						       settings.family));
	if (!settings.ip.empty())
		return choose_ip(settings.ip, all, chosen);
	if (!settings.family.empty())
		families = {settings.family == "AF_INET" ? AF_INET : AF_INET6};
	if (!settings.names.empty()) {
		if (!read_pattern(settings.names, pattern))
			return refuse(HCCL_E_PARA,
				      fmt::format("HCCL_SOCKET_IFNAME is \"{}\"; it must be names "
						  "of interfaces with commas, each with 1 to {} "
						  "characters, with ^, = or ^= in front of all",
						  settings.names, IFNAMSIZ - 1));
		/* An interface that the user names counts whatever it is. With "^" the remaining interfaces
		 * keep their order, so lo is the last. */
		if (pattern.excludes)
			only_fitting(pattern, classes);
		else
			classes = {[&](const std::string &name) { return pattern.fits(name); }};
	}
	chosen = first_class(all, families, classes);
	if (!chosen.empty() || (settings.names.empty() && settings.family.empty()))
		return HCCL_SUCCESS;
	const bool has_names = !settings.names.empty();
	return refuse(HCCL_E_PARA,
		      fmt::format("{} is \"{}\", which fits no {} of this machine; its addresses "
				  "are: {}",
				  has_names ? "HCCL_SOCKET_IFNAME" : "HCCL_SOCKET_FAMILY",
				  has_names ? settings.names : settings.family,
				  has_names && !settings.family.empty()
					  ? settings.family + " address"
					  : "address",
				  list_of(all)));
}

std::string this_machine()
{
	std::string line;
	std::ifstream("/proc/sys/kernel/random/boot_id") >> line;
	return line;
}

uint64_t this_network()
{
	char space[64] = "";
	const ssize_t bytes = readlink("/proc/self/ns/net", space, sizeof(space) - 1);
	const std::string name = this_machine() + std::string(space, bytes > 0 ? bytes : 0);
	/* The hash is FNV-1a. */
	uint64_t hash = 0xcbf29ce484222325ull;
	for (const char each : name)
		hash = (hash ^ static_cast<uint8_t>(each)) * 0x100000001b3ull;
	return hash;
}

} // namespace umd
