__global__ void row_sums(float *sums, const float *in)
{
	int row = blockIdx.x * 32 + threadIdx.x;
	const float4 *r = (const float4 *)(in + row * 32);
	float sum = 0;
	for (int k = 0; k < 8; k++) {
		float4 v = r[k];
		sum += v.x + v.y + v.z + v.w;
	}
	sums[row] = sum;
}
