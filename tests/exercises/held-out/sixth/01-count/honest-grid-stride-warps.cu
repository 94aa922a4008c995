__global__ void count(int *counts, const int *data)
{
	const int lane = threadIdx.x % warpSize, warps = gridDim.x * blockDim.x / warpSize;
	for (int w = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize; w < warps; w += warps) {
		unsigned b = __ballot_sync(__activemask(), data[w * warpSize + lane] > 0);
		if (!lane)
			counts[w] = __popc(b);
	}
}
