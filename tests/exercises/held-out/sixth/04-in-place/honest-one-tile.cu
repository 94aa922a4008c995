__global__ void in_place(float *data, int n)
{
	__shared__ float tile[32][33];
	if (blockIdx.y < blockIdx.x)
		return;
	float *mine = data + blockIdx.y * 32 * n + blockIdx.x * 32, *other = data + blockIdx.x * 32 * n + blockIdx.y * 32;
	float keep[4];
	int tx = threadIdx.x, ty = threadIdx.y;
	for (int i = 0; i < 4; i++)
		tile[ty + 8 * i][tx] = mine[(ty + 8 * i) * n + tx];
	for (int i = 0; i < 4; i++)
		keep[i] = other[(ty + 8 * i) * n + tx];
	__syncthreads();
	for (int i = 0; i < 4; i++)
		other[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
	__syncthreads();
	for (int i = 0; i < 4; i++)
		tile[ty + 8 * i][tx] = keep[i];
	__syncthreads();
	for (int i = 0; i < 4; i++)
		mine[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
}
