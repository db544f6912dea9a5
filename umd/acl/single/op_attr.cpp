// SPDX-License-Identifier: MIT
/**
 * DOC: Attributes of single operators
 *
 * An attribute that is set again has the new value. Which ones an operator has is checked when it is compiled.
 */
#include "op_attr.h"

#include <algorithm>
#include <string>

#include "umd/acl/front.h"

using base::Status;
using models::ir::Attribute;
using umd::acl_return;
using umd::null_argument;
using umd::set_error;

aclopAttr *aclopCreateAttr()
{
	auto *attr = umd::make_plain<aclopAttr>();
	if (!attr) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	attr->values.clear();
	return umd::handle_of(*attr);
}

void aclopDestroyAttr(const aclopAttr *attr)
{
	/* As free(), it does nothing with NULL. */
	if (!attr)
		return;
	const auto ended = umd::retire_plain(attr, "attr");
	(void)acl_return(ended.status());
	if (!ended)
		return;
	(*ended)->values = {};
	umd::free_plain(**ended);
}

static aclError set(aclopAttr *attr, const char *name, Attribute value,
		    const char *caller = __builtin_FUNCTION())
{
	auto found = TRY(umd::find_plain(attr, "attr", caller));
	if (!name)
		return acl_return(null_argument("attrName"));
	value.name = name;
	std::vector<Attribute> &all = found->values;
	const auto at = std::ranges::lower_bound(all, value.name, {}, &Attribute::name);
	if (at != all.end() && at->name == value.name)
		*at = std::move(value);
	else
		all.insert(at, std::move(value));
	return ACL_SUCCESS;
}

static Attribute integer(int64_t value)
{
	Attribute made;
	made.integers = {value};
	return made;
}

static Status check_list(int count, const void *values)
{
	if (count < 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("numValues is {}; it must be 0 or more", count));
	return count > 0 && !values ? null_argument("values") : Status::OK;
}

/* A list of @count integers. @values: is not read if @attr is NULL */
template <class T>
static aclError set_integers(aclopAttr *attr, const char *name, int count, const T *values,
			     const char *caller = __builtin_FUNCTION())
{
	TRY(check_list(count, values));
	Attribute made;
	made.is_list = true;
	if (count > 0)
		made.integers.assign(values, values + count);
	return set(attr, name, std::move(made), caller);
}

aclError aclopSetAttrBool(aclopAttr *attr, const char *attrName, uint8_t attrValue)
{
	return set(attr, attrName, integer(attrValue != 0 ? 1 : 0));
}

aclError aclopSetAttrInt(aclopAttr *attr, const char *attrName, int64_t attrValue)
{
	return set(attr, attrName, integer(attrValue));
}

aclError aclopSetAttrFloat(aclopAttr *attr, const char *attrName, float attrValue)
{
	Attribute made;
	made.kind = Attribute::Kind::REALS;
	made.reals = {attrValue};
	return set(attr, attrName, std::move(made));
}

aclError aclopSetAttrString(aclopAttr *attr, const char *attrName, const char *attrValue)
{
	if (!attrValue)
		return acl_return(null_argument("attrValue"));
	Attribute made;
	made.kind = Attribute::Kind::TEXTS;
	made.texts = {attrValue};
	return set(attr, attrName, std::move(made));
}

aclError aclopSetAttrDataType(aclopAttr *attr, const char *attrName, aclDataType attrValue)
{
	return set(attr, attrName, integer(attrValue));
}

aclError aclopSetAttrListBool(aclopAttr *attr, const char *attrName, int numValues,
			      const uint8_t *values)
{
	return set_integers(attr, attrName, numValues, values);
}

aclError aclopSetAttrListInt(aclopAttr *attr, const char *attrName, int numValues,
			     const int64_t *values)
{
	return set_integers(attr, attrName, numValues, values);
}

aclError aclopSetAttrListFloat(aclopAttr *attr, const char *attrName, int numValues,
			       const float *values)
{
	TRY(check_list(numValues, values));
	Attribute made;
	made.kind = Attribute::Kind::REALS;
	made.is_list = true;
	if (numValues > 0)
		made.reals.assign(values, values + numValues);
	return set(attr, attrName, std::move(made));
}

aclError aclopSetAttrListString(aclopAttr *attr, const char *attrName, int numValues,
				const char **values)
{
	TRY(check_list(numValues, values));
	Attribute made;
	made.kind = Attribute::Kind::TEXTS;
	made.is_list = true;
	for (int i = 0; i < numValues; i++) {
		if (!values[i])
			return acl_return(null_argument("an element of values"));
		made.texts.emplace_back(values[i]);
	}
	return set(attr, attrName, std::move(made));
}

/* No operator reads lists of lists: the numbers are kept one after the other, and an operator that gets them tells
 * that it has no such attribute. */
aclError aclopSetAttrListListInt(aclopAttr *attr, const char *attrName, int numLists,
				 const int *numValues, const int64_t *const values[])
{
	TRY(check_list(numLists, numValues));
	TRY(check_list(numLists, values));
	Attribute made;
	made.is_list = true;
	for (int i = 0; i < numLists; i++) {
		TRY(check_list(numValues[i], values[i]));
		if (numValues[i] > 0)
			made.integers.insert(made.integers.end(), values[i],
					     values[i] + numValues[i]);
	}
	return set(attr, attrName, std::move(made));
}
