// What `calibrate` measures besides kernels/peaks.cu: reading from the L2 cache. The grid reads a buffer that fits into
// L2 several times, bypassing L1.
__global__ void read_l2(float *out, const float4 *in, unsigned n, int iterations)
{
	float sum = 0;
	for (int k = 0; k < iterations; k++)
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
			float4 v = __ldcg(in + i);
			sum += v.x + v.y + v.z + v.w;
		}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
