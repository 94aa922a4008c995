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

/* Cases (golden.c)

case three dimensions
kernel where
grid 3 2 2
block 5 3 4
buffer out i32 720 0
arg out
expect out i / 60 % 3 + 10 * (i / 180 % 2) + 100 * (i / 360) + 1000 * (i % 5) + 10000 * (i / 5 % 3) + 100000 * (i / 15 % 4)

case special registers
kernel lanes
block 80
buffer out u32 80 0
arg out
expect out i % 32 + (i % 32 << 8) + (32 << 16)
*/
