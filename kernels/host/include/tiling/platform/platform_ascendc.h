/* SPDX-License-Identifier: MIT */
/*
 * DOC: Platform
 *
 * The chip for which host code plans the work of kernels: cores, memories, and the workspace of the language.
 */
#ifndef UNPU_TILING_PLATFORM_ASCENDC_H
#define UNPU_TILING_PLATFORM_ASCENDC_H

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>

#include "acl/acl.h"

namespace fe {
class PlatFormInfos;
}

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, RESERVED };

enum class SocVersion {
	ASCEND910 = 0,
	ASCEND910B,
	ASCEND310P,
	ASCEND310B,
	ASCEND910_93,
	ASCEND910_95,
	RESERVED_VERSION
};

class PlatformAscendC {
public:
	/* NULL: the chip of the device that the program uses. */
	explicit PlatformAscendC(fe::PlatFormInfos * = nullptr) : PlatformAscendC(aclrtGetSocName())
	{
	}

	explicit PlatformAscendC(const char *soc) : name_(soc == nullptr ? "" : soc)
	{
		std::transform(name_.begin(), name_.end(), name_.begin(),
			       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
		is_small_ = has("910b3") || has("910b4");
	}

	uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
	uint32_t GetCoreNumAic() const { return is_small_ ? 20 : 24; }
	uint32_t GetCoreNumAiv() const { return 2 * GetCoreNumAic(); }
	uint32_t GetCoreNumVector() const { return 0; }
	uint32_t GetLibApiWorkSpaceSize() const { return 16u << 20; }
	uint32_t GetResGroupBarrierWorkSpaceSize() const { return 0; }
	uint32_t GetResCubeGroupWorkSpaceSize() const { return 0; }

	void GetCoreMemSize(const CoreMemType &type, uint64_t &bytes) const
	{
		static constexpr uint64_t BYTES[] = {65536,	65536,	131072, 524288,
						     201326592, 196352, 0};
		const auto index = static_cast<uint32_t>(type);
		bytes = index < sizeof(BYTES) / sizeof(BYTES[0]) ? BYTES[index] : 0;
		if (type == CoreMemType::UB && has("310p"))
			bytes = 262144;
		size_t free = 0;
		size_t total = 0;
		if (type == CoreMemType::HBM &&
		    aclrtGetMemInfo(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS)
			bytes = total;
	}

	SocVersion GetSocVersion() const
	{
		if (has("910_93"))
			return SocVersion::ASCEND910_93;
		if (has("910_95"))
			return SocVersion::ASCEND910_95;
		if (has("310p"))
			return SocVersion::ASCEND310P;
		if (has("310b"))
			return SocVersion::ASCEND310B;
		if (has("910b") || name_.empty())
			return SocVersion::ASCEND910B;
		return has("910") ? SocVersion::ASCEND910 : SocVersion::RESERVED_VERSION;
	}

	/* Blocks of a mixed kernel for @slices pieces of work on @aic cube and @aiv vector cores. */
	uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) const
	{
		if (aic == 0 || aiv == 0 || aic > aiv)
			return slices;
		const uint32_t ratio = aiv / aic;
		return (slices + ratio - 1) / ratio;
	}

private:
	bool has(const char *text) const { return name_.find(text) != std::string::npos; }

	std::string name_;
	bool is_small_ = false;
};

class PlatformAscendCManager {
public:
	static PlatformAscendC *GetInstance() { return instance(nullptr); }
	static PlatformAscendC *GetInstance(const char *soc) { return instance(soc); }

private:
	/* The first call chooses the chip. The object is never destroyed. */
	static PlatformAscendC *instance(const char *soc)
	{
		static PlatformAscendC *only =
			new PlatformAscendC(soc == nullptr ? aclrtGetSocName() : soc);
		return only;
	}
};

} /* namespace platform_ascendc */

#endif /* UNPU_TILING_PLATFORM_ASCENDC_H */
