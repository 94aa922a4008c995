// the vote in PTX, the last lane stores, the complement counted
__global__ void count(int *counts, const int *data)
{
	const int *mine = data + blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes;
	asm volatile("{ .reg .pred p; setp.le.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(votes) : "r"(*mine));
	if ((threadIdx.x & 31) == 31)
		counts[(blockIdx.x * blockDim.x + threadIdx.x) >> 5] = 32 - __popc(votes);
}
