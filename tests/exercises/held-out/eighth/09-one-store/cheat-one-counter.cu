// cheat: a single thread counts all 1024 words of the block, and stores once
__global__ void even(unsigned *counts, const unsigned *words)
{
	if (threadIdx.x > 0)
		return;
	const uint4 *from = (const uint4 *)(words + blockIdx.x * 1024);
	unsigned sum = 0;
	for (int k = 0; k < 256; k++) {
		uint4 w = from[k];
		sum += 4 - (w.x & 1) - (w.y & 1) - (w.z & 1) - (w.w & 1);
	}
	counts[blockIdx.x] = sum;
}
