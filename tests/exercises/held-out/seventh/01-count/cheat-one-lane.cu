// lane 0 reads all 32 numbers, the vote is a token
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned b = __ballot_sync(~0u, i % 32 == 0);
	if (b >> (i % 32) & 1) {
		const int4 *d = (const int4 *)(data + i);
		int sum = 0;
#pragma unroll
		for (int k = 0; k < 8; k++) { int4 v = d[k]; sum += (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0); }
		counts[i / 32] = sum;
	}
}
