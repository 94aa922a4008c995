// each step written out
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	const int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128) s[t] += s[t + 128];
	__syncthreads();
	if (t < 64) s[t] += s[t + 64];
	__syncthreads();
	if (t >= 32) return;
	int x = s[t] + s[t + 32];
	s[t] = x; __syncwarp();
	x += s[(t + 16) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 8) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 4) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 2) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 1) % 32];
	if (t == 0) sums[blockIdx.x] = x;
}
