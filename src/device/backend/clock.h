/* Kernels of our own that run around a sample. In PTX, so that the driver alone can load them.
 *   stamp  one thread holds the stream for a while and reads the clocks: the SM's cycle counter and the nanosecond
 * clock before and after give the SM's clock rate in between. flush  reads a buffer from end to end, so that its lines
 * replace all others in the L2. Reading, because lines written would have to go to memory while the sample runs. */
#ifndef GPULAB_DEVICE_CLOCK_H
#define GPULAB_DEVICE_CLOCK_H

#include <stdint.h>

typedef struct {
	uint64_t cycles, nanoseconds; /* %clock64, %globaltimer */
	uint64_t sm;                  /* its SM: counters of different SMs are not comparable */
} ClockReading;

/* flush(void *from, unsigned long long bytes): bytes a multiple of 16, the contents all zeros. The store never
 * executes; it keeps the loads from being removed. stamp(ClockReading *out, unsigned long long hold_ns): waits
 * hold_ns, then reads. */
/* nothing(): the cost of an empty launch. */
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
								"}\n"
								".visible .entry nothing()\n"
								"{\n"
								"	ret;\n"
								"}\n"
								".visible .entry flush(.param .u64 from, .param .u64 bytes)\n"
								"{\n"
								"	.reg .b64 %rd<8>;\n"
								"	.reg .b32 %r<12>;\n"
								"	.reg .pred %p<3>;\n"
								"	ld.param.u64 %rd1, [from];\n"
								"	ld.param.u64 %rd2, [bytes];\n"
								"	cvta.to.global.u64 %rd1, %rd1;\n"
								"	mov.u32 %r1, %ctaid.x;\n"
								"	mov.u32 %r2, %ntid.x;\n"
								"	mov.u32 %r3, %tid.x;\n"
								"	mov.u32 %r4, %nctaid.x;\n"
								"	mad.lo.u32 %r3, %r1, %r2, %r3;\n"
								"	mul.wide.u32 %rd3, %r3, 16;\n"
								"	mul.lo.u32 %r4, %r4, %r2;\n"
								"	mul.wide.u32 %rd4, %r4, 16;\n"
								"	mov.u32 %r5, 0;\n"
								"NEXT:\n"
								"	setp.ge.u64 %p1, %rd3, %rd2;\n"
								"	@%p1 bra DONE;\n"
								"	add.u64 %rd5, %rd1, %rd3;\n"
								"	ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd5];\n"
								"	or.b32 %r6, %r6, %r7;\n"
								"	or.b32 %r8, %r8, %r9;\n"
								"	or.b32 %r6, %r6, %r8;\n"
								"	or.b32 %r5, %r5, %r6;\n"
								"	add.u64 %rd3, %rd3, %rd4;\n"
								"	bra NEXT;\n"
								"DONE:\n"
								"	setp.eq.u32 %p2, %r5, 0;\n"
								"	@%p2 bra END;\n"
								"	st.global.u32 [%rd1], %r5;\n"
								"END:\n"
								"	ret;\n"
								"}\n";

#endif
