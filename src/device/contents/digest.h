/* The kernel behind device_digest, in PTX, so that any device that runs kernels runs it.
 *
 * The contents are words of 8 bytes, the last one padded with zeros. Word w at place i becomes 64 bits that depend on
 * both and on a secret key; the digest has the sum of them over all places, and the sum of what a further step makes
 * of each:
 *
 *     x = (w ^ key0) * M1;   x ^= x >> 32;   x += i * key1
 *     x *= M2;  x ^= x >> 29;   x *= M3;  x ^= x >> 32;   first += x
 *     x *= M4;  x ^= x >> 31;                            second += x
 *
 * A sum has no order, so all threads work in parallel. For one place all steps are one to one: contents that differ
 * in one word never have one digest, others with a chance of about 2^-128, were the steps random.
 *
 * How a kernel under test is kept from forging a correct result:
 *   - There is no reference on the GPU that it could read, or write over. What is compared with is the digest of a
 * content that was compared on the host, element by element, and it stays on the host.
 *   - The digest is made after all that was launched has ended, of what the memory then holds; the sums are set to zero
 * after that, too. Nothing of the kernel still runs.
 *   - Another content with the same digest cannot be made without the key, drawn for each device that is opened. It is
 * kept on the host, and is in a launch's parameters only while our own kernel runs. */
#ifndef GPULAB_DEVICE_DIGEST_H
#define GPULAB_DEVICE_DIGEST_H

/* digest(from, bytes, sums, key0, key1), each of 64 bits: adds to the two words at sums; key1 odd. Blocks are whole
 * warps. */
enum { DIGEST_PARAMS = 5, DIGEST_BLOCK = 256 };
static const char digest_ptx[] = ".version 6.4\n"
								 ".target sm_70\n"
								 ".address_size 64\n"
								 ".visible .entry digest(.param .u64 from, .param .u64 bytes, .param .u64 sums,\n"
								 "	.param .u64 key0, .param .u64 key1)\n"
								 "{\n"
								 "	.reg .b64 %rd<16>;\n"
								 "	.reg .b64 %sum<2>;\n"
								 "	.reg .b64 %other<2>;\n"
								 "	.reg .b32 %r<8>;\n"
								 "	.reg .b32 %half<4>;\n"
								 "	.reg .pred %p<4>;\n"
								 "	ld.param.u64 %rd1, [from];\n"
								 "	ld.param.u64 %rd2, [bytes];\n"
								 "	ld.param.u64 %rd3, [key0];\n"
								 "	ld.param.u64 %rd4, [key1];\n"
								 "	cvta.to.global.u64 %rd1, %rd1;\n"
								 "	mov.u32 %r1, %ctaid.x;\n"
								 "	mov.u32 %r2, %ntid.x;\n"
								 "	mov.u32 %r3, %tid.x;\n"
								 "	mov.u32 %r4, %nctaid.x;\n"
								 "	mul.wide.u32 %rd5, %r1, %r2;\n"
								 "	cvt.u64.u32 %rd6, %r3;\n"
								 "	add.u64 %rd5, %rd5, %rd6;\n" /* place */
								 "	mul.wide.u32 %rd6, %r4, %r2;\n"
								 "	mov.u64 %sum0, 0;\n"
								 "	mov.u64 %sum1, 0;\n"
								 "NEXT:\n"
								 "	shl.b64 %rd7, %rd5, 3;\n"
								 "	setp.ge.u64 %p1, %rd7, %rd2;\n"
								 "	@%p1 bra DONE;\n"
								 "	add.u64 %rd8, %rd1, %rd7;\n"
								 "	sub.u64 %rd9, %rd2, %rd7;\n" /* bytes left */
								 "	setp.lt.u64 %p2, %rd9, 8;\n"
								 "	@%p2 bra PART;\n"
								 "	ld.global.u64 %rd10, [%rd8];\n"
								 "	bra MIX;\n"
								 "PART:\n" /* the last word: from its last byte to its first */
								 "	mov.u64 %rd10, 0;\n"
								 "BYTE:\n"
								 "	sub.u64 %rd9, %rd9, 1;\n"
								 "	add.u64 %rd11, %rd8, %rd9;\n"
								 "	ld.global.u8 %rd12, [%rd11];\n"
								 "	shl.b64 %rd10, %rd10, 8;\n"
								 "	or.b64 %rd10, %rd10, %rd12;\n"
								 "	setp.ne.u64 %p2, %rd9, 0;\n"
								 "	@%p2 bra BYTE;\n"
								 "MIX:\n"
								 "	xor.b64 %rd10, %rd10, %rd3;\n"
								 "	mul.lo.u64 %rd10, %rd10, 0x9e3779b97f4a7c15;\n"
								 "	shr.u64 %rd11, %rd10, 32;\n"
								 "	xor.b64 %rd10, %rd10, %rd11;\n"
								 "	mad.lo.u64 %rd10, %rd5, %rd4, %rd10;\n"
								 "	mul.lo.u64 %rd10, %rd10, 0xbf58476d1ce4e5b9;\n"
								 "	shr.u64 %rd11, %rd10, 29;\n"
								 "	xor.b64 %rd10, %rd10, %rd11;\n"
								 "	mul.lo.u64 %rd10, %rd10, 0x94d049bb133111eb;\n"
								 "	shr.u64 %rd11, %rd10, 32;\n"
								 "	xor.b64 %rd10, %rd10, %rd11;\n"
								 "	add.u64 %sum0, %sum0, %rd10;\n"
								 "	mul.lo.u64 %rd10, %rd10, 0xd6e8feb86659fd93;\n"
								 "	shr.u64 %rd11, %rd10, 31;\n"
								 "	xor.b64 %rd10, %rd10, %rd11;\n"
								 "	add.u64 %sum1, %sum1, %rd10;\n"
								 "	add.u64 %rd5, %rd5, %rd6;\n"
								 "	bra NEXT;\n"
								 "DONE:\n"
								 "	mov.u32 %r5, 16;\n"
								 "FOLD:\n" /* the warp's sums into its first lane's */
								 "	mov.b64 {%half0, %half1}, %sum0;\n"
								 "	mov.b64 {%half2, %half3}, %sum1;\n"
								 "	shfl.sync.down.b32 %half0, %half0, %r5, 31, -1;\n"
								 "	shfl.sync.down.b32 %half1, %half1, %r5, 31, -1;\n"
								 "	shfl.sync.down.b32 %half2, %half2, %r5, 31, -1;\n"
								 "	shfl.sync.down.b32 %half3, %half3, %r5, 31, -1;\n"
								 "	mov.b64 %other0, {%half0, %half1};\n"
								 "	mov.b64 %other1, {%half2, %half3};\n"
								 "	add.u64 %sum0, %sum0, %other0;\n"
								 "	add.u64 %sum1, %sum1, %other1;\n"
								 "	shr.u32 %r5, %r5, 1;\n"
								 "	setp.ne.u32 %p3, %r5, 0;\n"
								 "	@%p3 bra FOLD;\n"
								 "	and.b32 %r6, %r3, 31;\n"
								 "	setp.ne.u32 %p1, %r6, 0;\n"
								 "	@%p1 bra END;\n"
								 "	ld.param.u64 %rd13, [sums];\n"
								 "	cvta.to.global.u64 %rd13, %rd13;\n"
								 "	red.global.add.u64 [%rd13], %sum0;\n"
								 "	red.global.add.u64 [%rd13+8], %sum1;\n"
								 "END:\n"
								 "	ret;\n"
								 "}\n";

#endif
