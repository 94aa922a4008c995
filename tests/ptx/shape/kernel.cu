extern "C" __global__ void where(int *out)
{
	int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	int i = b * blockDim.x * blockDim.y * blockDim.z + t;
	out[i] = blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * threadIdx.x + 10000 * threadIdx.y + 100000 * threadIdx.z;
}

extern "C" __global__ void lanes(unsigned *out)
{
	unsigned lane, lt, warps;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
	asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
	out[threadIdx.x] = lane + (__popc(lt) << 8) + (warpSize << 16);
}
