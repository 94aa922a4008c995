// Survivors take places with one atomic a warp.
// @kernel compact
// @grid 2
// @block 64
// @buffer sum i32 1 0
// @buffer end i32 1 0
// @buffer out i32 128 -1
// @buffer in i32 128 i
// @arg sum
// @arg end
// @arg out
// @arg in
// @reference compaction
__global__ void compact(int *sum, int *end, int *out, const int *in)
{
	int v = in[blockIdx.x * 64 + threadIdx.x], lane = threadIdx.x % 32;
	bool keep = v % 3 == 0;
	unsigned votes = __ballot_sync(0xffffffff, keep);
	int base = 0;
	if (lane == 0)
		base = atomicAdd(end, __popc(votes));
	base = __shfl_sync(0xffffffff, base, 0);
	if (keep) {
		out[base + __popc(votes & ((1u << lane) - 1))] = v;
		atomicAdd(sum, v);
	}
}
