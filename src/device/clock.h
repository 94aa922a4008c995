/* A kernel of one thread that holds the stream for a while and reads the clocks. In PTX, so that the driver alone can load it:
 * the SM's cycle counter and the nanosecond clock before and after say how fast the SM ran in between. */
#ifndef GPULAB_DEVICE_CLOCK_H
#define GPULAB_DEVICE_CLOCK_H

#include <stdint.h>

typedef struct {
	uint64_t cycles, nanoseconds; /* %clock64, %globaltimer */
	uint64_t sm;                  /* whose counter it was: counters of different SMs do not compare */
} ClockReading;

/* stamp(ClockReading *out, unsigned long long hold_ns): waits hold_ns, then reads. */
static const char clock_ptx[] = ".version 6.4\n"
								".target sm_70\n"
								".address_size 64\n"
								".visible .entry stamp(.param .u64 out, .param .u64 hold)\n"
								"{\n"
								"	.reg .b64 %rd<8>;\n"
								"	.reg .b32 %r<2>;\n"
								"	.reg .pred %p<2>;\n"
								"	ld.param.u64 %rd1, [out];\n"
								"	ld.param.u64 %rd2, [hold];\n"
								"	cvta.to.global.u64 %rd1, %rd1;\n"
								"	mov.u64 %rd3, %globaltimer;\n"
								"	add.u64 %rd3, %rd3, %rd2;\n"
								"WAIT:\n"
								"	mov.u64 %rd4, %globaltimer;\n"
								"	setp.lt.u64 %p1, %rd4, %rd3;\n"
								"	@%p1 bra WAIT;\n"
								"	mov.u64 %rd5, %clock64;\n"
								"	mov.u64 %rd4, %globaltimer;\n"
								"	mov.u32 %r1, %smid;\n"
								"	cvt.u64.u32 %rd6, %r1;\n"
								"	st.global.u64 [%rd1], %rd5;\n"
								"	st.global.u64 [%rd1+8], %rd4;\n"
								"	st.global.u64 [%rd1+16], %rd6;\n"
								"	ret;\n"
								"}\n";

#endif
