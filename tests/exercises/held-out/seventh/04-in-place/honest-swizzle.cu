// two swizzled tiles without padding, diagonal separately
__global__ void in_place(float *data, int n)
{
	__shared__ float s[2][32 * 32];
	if (blockIdx.y > blockIdx.x) return;
	auto at = [](int r, int c) { return r * 32 + (r ^ c); };
	int tx = threadIdx.x, ty = threadIdx.y;
	bool diagonal = blockIdx.x == blockIdx.y;
	long long up = (long long)blockIdx.y * 32 * n + blockIdx.x * 32, low = (long long)blockIdx.x * 32 * n + blockIdx.y * 32;
	for (int r = ty; r < 32; r += 8) {
		s[0][at(r, tx)] = data[up + r * n + tx];
		if (!diagonal) s[1][at(r, tx)] = data[low + r * n + tx];
	}
	__syncthreads();
	for (int r = ty; r < 32; r += 8) {
		data[low + r * n + tx] = s[0][at(tx, r)];
		if (!diagonal) data[up + r * n + tx] = s[1][at(tx, r)];
	}
}
