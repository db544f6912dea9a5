/* SPDX-License-Identifier: MIT */
/*
 * DOC: A kernel that uses UB to its end
 */
#ifndef UNPU_TESTS_KERNELS_LIMITS_UB_LIMITS_H
#define UNPU_TESTS_KERNELS_LIMITS_UB_LIMITS_H

/* Takes @bytes of UB, writes the last 32 of them, and copies these to @word. @behind: writes that byte of UB too. */
__aicore__ inline void use_all_of_ub(GM_ADDR word, uint32_t bytes, uint32_t behind)
{
	AscendC::TPipe pipe;
	AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
	AscendC::GlobalTensor<int32_t> x;

	x.SetGlobalBuffer((__gm__ int32_t *)word);
	pipe.InitBuffer(buffer, bytes);
	const AscendC::LocalTensor<int32_t> last = buffer.GetWithOffset<int32_t>(8, bytes - 32);
	AscendC::Duplicate(last, int32_t(bytes), 8);
	AscendC::PipeBarrier<PIPE_ALL>();
	AscendC::DataCopy(x, last, 8);
	if (behind != 0)
		reinterpret_cast<uint8_t *>(buffer.Get<uint8_t>().GetPhyAddr())[behind] = 1;
}

#endif /* UNPU_TESTS_KERNELS_LIMITS_UB_LIMITS_H */
