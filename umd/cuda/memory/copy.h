// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/cuda.h"
#include "umd/core/copy/copy.h"
#include "umd/core/record/notes.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** copy_rules() - the interface's rules for asynchronous copies.
 * @dst, @src: what the function or the parameters say about the ends */
constexpr CopyRules copy_rules(Claim dst, Claim src)
{
	return {.allows_both_host = true, .captures_pageable = true, .dst = dst, .src = src};
}

/* The rules by the names of the functions. The program's own accesses to host memory are not checked. */
inline constexpr CopyRules ANY_TO_ANY = copy_rules(Claim::MAPPED, Claim::MAPPED);
inline constexpr CopyRules HOST_TO_DEVICE = copy_rules(Claim::DEVICE, Claim::NOTHING);
inline constexpr CopyRules DEVICE_TO_HOST = copy_rules(Claim::NOTHING, Claim::DEVICE);
inline constexpr CopyRules DEVICE_TO_DEVICE = copy_rules(Claim::DEVICE, Claim::DEVICE);

/** named() - rules for the copy of a function. */
constexpr CopyRules named(CudaCall call, CopyRules rules)
{
	rules.call = number_of(call);
	return rules;
}

/** rules_of() - the rules for a copy by the types of its ends. */
CopyRules rules_of(CudaCall call, const CUDA_MEMCPY3D &copy);

/** copy() - copies in stream order.
 * @blocking: return when the host may access both ends */
CUresult copy(CUstream stream, const CopyRules &rules, void *dst, const void *src, size_t bytes,
	      bool blocking);

/** take_for_copy() - take_stream(); for a synchronous copy also checks that no capture forbids it. */
CUresult take_for_copy(CUstream handle, bool blocking, Held<Stream> &stream);

/** notes_of() - what a record of the copy has to say beside the copy itself. */
recorder::CallNotes notes_of(const void *dst, const void *src, bool blocking);

/** finish_copy() - waits for a synchronous copy, unless both ends are in device memory. */
CUresult finish_copy(Stream &stream, const void *dst, const void *src, bool blocking);

/** box_of() - the box of a 3D copy.
 * @empty: set if there is nothing to copy.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult box_of(const CUDA_MEMCPY3D &copy, Box &box, bool &empty);

/** copy_2d(), copy_3d() - as copy(). */
CUresult copy_2d(CudaCall call, CUstream stream, const CUDA_MEMCPY2D *copy, bool blocking);
CUresult copy_3d(CudaCall call, CUstream stream, const CUDA_MEMCPY3D *copy, bool blocking);

/** fill() - fills @count elements of @width bytes.
 * @blocking: if it is host memory, return when the fill is complete */
CUresult fill(CudaCall call, CUstream stream, CUdeviceptr dst, uint32_t value, uint32_t width,
	      size_t count, bool blocking);

/** copy_peer() - as copy(), between contexts that may be on two devices. */
CUresult copy_peer(CudaCall call, CUstream stream, CUdeviceptr dst, CUcontext dst_context,
		   CUdeviceptr src, CUcontext src_context, size_t bytes, bool blocking);

inline void *pointer(CUdeviceptr address)
{
	return reinterpret_cast<void *>(address);
}

} // namespace umd::cuda
