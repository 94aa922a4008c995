__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][33];
	const float4 *from = (const float4 *)(in + blockIdx.x * 1024);
	for (int k = threadIdx.x; k < 256; k += 32) {
		float4 v = from[k];
		float *row = &tile[k / 8][k % 8 * 4];
		row[0] = v.x;
		row[1] = v.y;
		row[2] = v.z;
		row[3] = v.w;
	}
	__syncthreads();
	float s = 0;
	for (int c = 0; c < 32; c++)
		s += tile[threadIdx.x][c];
	sums[blockIdx.x * 32 + threadIdx.x] = s;
}
