// Only half of the named lanes vote; the others wait somewhere else.
// @kernel votes
// @block 32
// @buffer out u32 32 poison
// @arg out
__global__ void votes(unsigned *out)
{
	int l = threadIdx.x;
	if (l % 2)
		out[l] = __ballot_sync(0xffffffff, l > 4); // @sync
	else {
		__syncwarp(0xffffffff);
		out[l] = 0;
	}
}
