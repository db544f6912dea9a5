// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl.h"
#include "python/call/call.h"

namespace binding {

template <> bool take(PyObject *value, const Place &place, aclrtMemLocation *out);
template <> bool take(PyObject *value, const Place &place, aclrtMemManagedLocation *out);
template <> bool take(PyObject *value, const Place &place, aclrtPhysicalMemProp *out);
template <> bool take(PyObject *value, const Place &place, aclrtMemAccessDesc *out);
template <> bool take(PyObject *value, const Place &place, aclrtMemcpyBatchAttr *out);
template <> bool take(PyObject *value, const Place &place, aclrtCntNotifyRecordInfo *out);
template <> bool take(PyObject *value, const Place &place, aclrtCntNotifyWaitInfo *out);
template <> bool take(PyObject *value, const Place &place, aclrtMallocAttribute *out);
template <> bool take(PyObject *value, const Place &place, aclrtBinaryLoadOption *out);
template <> bool take(PyObject *value, const Place &place, aclrtLaunchKernelAttr *out);
template <> bool take(PyObject *value, const Place &place, aclrtTimeoutUs *out);
template <> bool take(PyObject *value, const Place &place, aclmdlIODims *out);

/** give() - the dict of a struct, with its names in words joined by _. */
PyObject *give(const aclCANNPackageVersion &version);
PyObject *give(const aclrtUtilizationInfo &info);
PyObject *give(const aclrtUuid &uuid);
PyObject *give(const aclrtPtrAttributes &attributes);
PyObject *give(const aclrtPhysicalMemProp &prop);
/** give() - with the names of C, as programs of models read them. */
PyObject *give(const aclmdlIODims &dims);
PyObject *give(const aclmdlIODimsRange &range);
PyObject *give(const aclmdlBatch &batch);
PyObject *give(const aclmdlHW &hw);
PyObject *give(const aclAippInfo &info);

} // namespace binding

#include "python/call/sequence.h"

namespace binding {

/** class StructArgument - a struct that a program gives as a dict. */
template <class Struct> class StructArgument {
public:
	bool read(PyObject *value, const Place &place) { return take(value, place, &value_); }
	Struct *pointer() { return &value_; }
	const Struct &value() const { return value_; }

private:
	Struct value_{};
};

/** The configuration of an allocation: an empty dict, or one without attributes, stands for NULL. */
template <> class StructArgument<aclrtMallocConfig> {
public:
	bool read(PyObject *value, const Place &place);
	aclrtMallocConfig *pointer() { return attributes_.size() > 0 ? &config_ : nullptr; }

private:
	Sequence<aclrtMallocAttribute> attributes_;
	aclrtMallocConfig config_{};
};

/** A list of {type, value}. */
template <> class StructArgument<aclrtBinaryLoadOptions> {
public:
	bool read(PyObject *value, const Place &place);
	aclrtBinaryLoadOptions *pointer() { return &options_; }

private:
	Sequence<aclrtBinaryLoadOption> list_;
	aclrtBinaryLoadOptions options_{};
};

/** A list of {id, value}. */
template <> class StructArgument<aclrtLaunchKernelCfg> {
public:
	bool read(PyObject *value, const Place &place);
	aclrtLaunchKernelCfg *pointer() { return &config_; }

private:
	Sequence<aclrtLaunchKernelAttr> list_;
	aclrtLaunchKernelCfg config_{};
};

} // namespace binding
