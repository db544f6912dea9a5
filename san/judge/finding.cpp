// SPDX-License-Identifier: MIT
/**
 * DOC: findings
 */
#include "san/judge/finding.h"

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

} // namespace san
