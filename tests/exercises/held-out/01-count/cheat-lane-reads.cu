// One lane of each warp loads all 32 numbers.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 32 == 0) {
		const int4 *v = (const int4 *)(data + i);
		int sum = 0;
#pragma unroll
		for (int k = 0; k < 8; k++) {
			int4 w = v[k];
			sum += (w.x > 0) + (w.y > 0) + (w.z > 0) + (w.w > 0);
		}
		counts[i / 32] = sum;
	}
}
