/* SPDX-License-Identifier: MIT */
/*
 * DOC: REGIST_MATMUL_OBJ
 *
 * Each include makes the macro anew, since ASCENDC_CUBE_ONLY may be defined between kernel_operator.h and
 * lib/matmul_intf.h. With it a kernel runs on cube cores alone; otherwise the cube instance serves the vector
 * instances, which compute.
 */
#undef REGIST_MATMUL_OBJ

#ifdef ASCENDC_CUBE_ONLY
#define REGIST_MATMUL_OBJ(pipe, workspace, ...) \
	UNPU_MARK_CUBE_ONLY(); \
	(void)(pipe); \
	(void)(workspace); \
	::unpu::lang::init_matmuls(__VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(pipe, workspace, ...) \
	UNPU_MARK_CUBE(); \
	(void)(pipe); \
	(void)(workspace); \
	if (::unpu::lang::is_cube_server()) \
		return; \
	::unpu::lang::init_matmuls(__VA_ARGS__)
#endif
