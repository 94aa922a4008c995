/* A library with NVRTC's face and a version of its own (FAKE_MAJOR, FAKE_MINOR), for the tests of what is too old. None
 * of its other functions may be called. */
#include <stdlib.h>

int nvrtcVersion(int *major, int *minor);

int nvrtcVersion(int *major, int *minor) {
	*major = FAKE_MAJOR;
	*minor = FAKE_MINOR;
	return 0;
}

#define UNUSED(name)                                                                                                   \
	void name(void);                                                                                                   \
	void name(void) {                                                                                                  \
		abort();                                                                                                       \
	}
UNUSED(nvrtcGetErrorString)
UNUSED(nvrtcGetNumSupportedArchs)
UNUSED(nvrtcGetSupportedArchs)
UNUSED(nvrtcCreateProgram)
UNUSED(nvrtcDestroyProgram)
UNUSED(nvrtcAddNameExpression)
UNUSED(nvrtcCompileProgram)
UNUSED(nvrtcGetLoweredName)
UNUSED(nvrtcGetCUBINSize)
UNUSED(nvrtcGetCUBIN)
UNUSED(nvrtcGetPTXSize)
UNUSED(nvrtcGetPTX)
UNUSED(nvrtcGetProgramLogSize)
#ifndef FAKE_LACKS_LOG
UNUSED(nvrtcGetProgramLog)
#endif
