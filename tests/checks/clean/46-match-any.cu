// Lanes with the same key add up among themselves.
// @kernel groups
// @block 32
// @buffer out i32 4 0
// @arg out
// @expect out 8
__global__ void groups(int *out)
{
	int key = threadIdx.x % 4;
	unsigned peers = __match_any_sync(0xffffffff, key);
	if ((peers & ((1u << threadIdx.x) - 1)) == 0)
		atomicAdd(&out[key], __popc(peers));
}
