__global__ void count(int *counts, const int *data)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	unsigned mask;
	asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(mask) : "r"(__ldg(data + i)));
	if ((threadIdx.x & 31) == 5)
		counts[i >> 5] = __popc(mask);
}
