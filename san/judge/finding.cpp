// SPDX-License-Identifier: MIT
/**
 * DOC: findings
 *
 * A fingerprint is made of the rule and the unordered pair of the sides' labels and functions. Line numbers
 * are left out, so that it survives edits elsewhere in a file.
 */
#include "san/judge/finding.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace san {

const char *rule_text(Rule rule)
{
	switch (rule) {
#define SAN_RULE_TEXT(name, text, severity, sentence) \
	case Rule::name: \
		return text;
		SAN_RULE_LIST(SAN_RULE_TEXT)
#undef SAN_RULE_TEXT
	}
	return "?";
}

const char *rule_sentence(Rule rule)
{
	switch (rule) {
#define SAN_RULE_SENTENCE(name, text, severity, sentence) \
	case Rule::name: \
		return sentence;
		SAN_RULE_LIST(SAN_RULE_SENTENCE)
#undef SAN_RULE_SENTENCE
	}
	return "?";
}

Severity rule_severity(Rule rule)
{
	switch (rule) {
#define SAN_RULE_SEVERITY(name, text, severity, sentence) \
	case Rule::name: \
		return Severity::severity;
		SAN_RULE_LIST(SAN_RULE_SEVERITY)
#undef SAN_RULE_SEVERITY
	}
	return Severity::NOTE;
}

const char *severity_text(Severity severity)
{
	switch (severity) {
	case Severity::NOTE:
		return "note";
	case Severity::WARNING:
		return "warning";
	case Severity::ERROR:
		return "error";
	}
	return "?";
}

/* The site without the line: "load() loader.cc" of "load() loader.cc:45". */
static std::string stable(const Side &side)
{
	std::string site = side.site;
	const size_t colon = site.rfind(':');
	if (colon != std::string::npos &&
	    std::all_of(site.begin() + static_cast<ptrdiff_t>(colon) + 1, site.end(),
			[](char c) { return c >= '0' && c <= '9'; }))
		site.resize(colon);
	return side.label + '\1' + side.role + '\1' + site;
}

std::string Finding::fingerprint() const
{
	std::string first = stable(later);
	std::string second = stable(earlier);
	if (second < first)
		std::swap(first, second);
	/* FNV-1a: short, and the same on every machine. */
	uint64_t hash = 14695981039346656037u;
	for (const unsigned char c : rule_text(rule) + ('\2' + first) + '\2' + second) {
		hash ^= c;
		hash *= 1099511628211u;
	}
	return fmt::format("{:016x}", hash);
}

} // namespace san
