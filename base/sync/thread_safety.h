// SPDX-License-Identifier: MIT
/**
 * DOC: Annotations for clang's thread-safety analysis
 *
 * clang checks them in all layers, by -Wthread-safety. Other compilers ignore them.
 * A member with GUARDED_BY is accessed only by a thread that holds the lock. A function with REQUIRES is
 * called only by such a thread. The analysis looks at one function at a time: it does not follow a lock
 * into a lambda.
 */
#pragma once

#ifdef __clang__
#define UNPU_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define UNPU_THREAD_ATTRIBUTE(x)
#endif

/* Types: a lock, and an object that holds one for a scope. */
#define CAPABILITY(kind) UNPU_THREAD_ATTRIBUTE(capability(kind))
#define SCOPED_CAPABILITY UNPU_THREAD_ATTRIBUTE(scoped_lockable)

/* Members: the lock that protects the variable. */
#define GUARDED_BY(lock) UNPU_THREAD_ATTRIBUTE(guarded_by(lock))
/** PT_GUARDED_BY() - what the pointer points to is accessed under @lock only. */
#define PT_GUARDED_BY(lock) UNPU_THREAD_ATTRIBUTE(pt_guarded_by(lock))

/* Functions: locks that the caller holds, that the function takes, and that it releases. */
#define REQUIRES(...) UNPU_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) UNPU_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) UNPU_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) UNPU_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

/* A function that returns the lock, for callers that can't name the member. */
#define RETURN_CAPABILITY(lock) UNPU_THREAD_ATTRIBUTE(lock_returned(lock))

/* A function whose use of locks the analysis can't follow. A comment there says why it is right. */
#define NO_THREAD_SAFETY_ANALYSIS UNPU_THREAD_ATTRIBUTE(no_thread_safety_analysis)
