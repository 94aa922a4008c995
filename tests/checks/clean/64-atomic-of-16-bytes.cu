// @kernel tally
// @grid 6
// @block 64
// @buffer pair i64 2 0
// @buffer seen i64 384 poison
// @arg pair
// @arg seen
// @expect pair i ? 384 * 383 / 2 : 384
// @expect seen 1
/* A number and a sum change together: whoever sees 16 bytes sees both of before or both of after. */
struct __align__(16) Pair {
	unsigned long long count, sum;
};
__global__ void tally(Pair *pair, long long *seen)
{
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	Pair old = {0, 0};
	for (;;) {
		const Pair next = {old.count + 1, old.sum + i};
		const Pair was = atomicCAS(pair, old, next);
		if (was.count == old.count && was.sum == old.sum)
			break;
		old = was;
	}
	seen[i] = old.count < 384;
}
