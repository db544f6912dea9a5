/* SPDX-License-Identifier: MIT */
/*
 * DOC: Functions that are refused
 *
 * Built as C and as C++, and linked as programs are that name them: what an early release called the functions of
 * captures, with any arguments, and what decodes files of images and video.
 * Each answers that it is not supported, and says what to call.
 */
#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(const char *name, aclError error, const char *instead)
{
	const char *text = aclGetRecentErrMsg();

	if (error == ACL_ERROR_RT_FEATURE_NOT_SUPPORT && strstr(text, name) != NULL &&
	    strstr(text, instead) != NULL)
		return;
	printf("%s is %d: %s\n", name, error, text);
	failures++;
}

int main(void)
{
	aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
	aclrtStream stream = NULL;
	uint32_t model = 0;

	check("aclmdlBeginCapture", aclmdlBeginCapture(stream, mode), "aclmdlRICaptureBegin");
	check("aclmdlGetCaptureInfo", aclmdlGetCaptureInfo(stream, &mode, &model),
	      "aclmdlRICaptureGetInfo");
	check("aclmdlThreadExchangeCaptureMode", aclmdlThreadExchangeCaptureMode(&mode),
	      "aclmdlRICaptureThreadExchangeMode");
	check("aclmdlEndCapture", aclmdlEndCapture(stream, &model), "aclmdlRICaptureEnd");
	check("aclmdlDebugPrint", aclmdlDebugPrint(model), "aclmdlRIDebugPrint");
	check("acldvppJpegDecodeAsync", acldvppJpegDecodeAsync(NULL, NULL, 0, NULL, stream),
	      "decode them on the host");
	check("acldvppVpcMakeBorderAsync",
	      acldvppVpcMakeBorderAsync(NULL, NULL, NULL, NULL, stream), "scales, cuts");
	check("aclvdecSendFrame", aclvdecSendFrame(NULL, NULL, NULL, NULL, NULL), "no video");
	if (aclvencCreateChannelDesc() != NULL)
		failures++;
	return failures != 0;
}
