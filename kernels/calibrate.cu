// What `calibrate` measures besides kernels/peaks.cu: reading from the L2 cache. The grid goes over a buffer that fits
// into L2 several times, past L1.
__global__ void read_l2(float *out, const float4 *in, unsigned n, int passes)
{
	float sum = 0;
	for (int pass = 0; pass < passes; pass++)
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
			float4 v = __ldcg(in + i);
			sum += v.x + v.y + v.z + v.w;
		}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
