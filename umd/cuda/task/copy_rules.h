// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/cuda.h"
#include "umd/core/copy/copy.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** copy_rules() - the interface's rules for asynchronous copies. @dst, @src: the types of memory that the
 * function or its parameters state */
constexpr CopyRules copy_rules(Claim dst, Claim src)
{
	return {.allows_both_host = true, .captures_pageable = true, .dst = dst, .src = src};
}

/* The rules for each function. They do not check host memory, because the program is responsible for it. */
inline constexpr CopyRules ANY_TO_ANY = copy_rules(Claim::MAPPED, Claim::MAPPED);
inline constexpr CopyRules HOST_TO_DEVICE = copy_rules(Claim::DEVICE, Claim::NOTHING);
inline constexpr CopyRules DEVICE_TO_HOST = copy_rules(Claim::NOTHING, Claim::DEVICE);
inline constexpr CopyRules DEVICE_TO_DEVICE = copy_rules(Claim::DEVICE, Claim::DEVICE);

/** named() - the rules for the copy of one function. */
constexpr CopyRules named(CudaCall call, CopyRules rules)
{
	rules.call = number_of(call);
	return rules;
}

/** rules_of() - the rules for a copy by the types of its ends. */
CopyRules rules_of(CudaCall call, const CUDA_MEMCPY3D &copy);

/** box_of() - the box of a 3D copy.
 * @empty: set if there is nothing to copy.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult box_of(const CUDA_MEMCPY3D &copy, Box &box, bool &empty);

inline void *pointer(CUdeviceptr address)
{
	return reinterpret_cast<void *>(address);
}

} // namespace umd::cuda
