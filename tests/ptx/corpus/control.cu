// Control flow and storage: tables of branches, nested loops, early returns, endless loops, local arrays, textures, managed and
// module-wide shared variables, structures by value.
__managed__ int shared_with_host[8] = {1, 2, 3};
__device__ unsigned char bytes[300] = {0xFF, 'a', 3};
__device__ short shorts[5] = {-1, 2, -3};
__device__ double reals[3] = {1e300, -0.5};
__device__ const float small[2][3] = {{1, 2}, {3}};
__constant__ int lookup[64];

__device__ __noinline__ int step(int x, int k) {
	switch (k) {
	case 0: return x * 3 + 1;
	case 1: return x ^ 0x55;
	case 2: return x / 7;
	case 3: x += k; break;
	case 4: x = __brev(x);
	case 5: return x - lookup[x & 63];
	case 6: asm volatile("mov.u32 %0, %%laneid;" : "=r"(x)); break;
	case 7: asm volatile("mov.u32 %0, %%smid;" : "=r"(x)); return x + 5;
	case 8: return __popc(x) * 11;
	case 9: return shared_with_host[x & 7];
	case 10: x = bytes[x % 300]; break;
	case 11: return shorts[x % 5];
	case 12: x = (int)reals[x % 3]; break;
	default: return -1;
	}
	return x * x;
}

__global__ void loops(int *out, int n, const int *stop) {
	int local[32];
	for (int i = 0; i < 32; i++) local[i] = out[i] + i;
	for (int i = 0; i < n; i++) {
		for (int j = i; j < n; j++) {
			if (out[j] < 0) continue;
			if (out[j] == 99) goto done;
			local[(i * j) & 31] += step(out[j], j % 14);
			if (local[j & 31] == 7) return;
		}
	}
done:
	while (*(volatile const int *)stop == 0) {
		if (threadIdx.x & 1) out[0]++;
		else out[1]--;
	}
	for (int i = 0; i < 32; i++) out[i] = local[(i + n) & 31] + (int)small[i & 1][i % 3];
}

__global__ void forever(int *out) {
	for (;;) {
		if (out[threadIdx.x] & 1) atomicAdd(out, 3);
		else atomicExch(out + 1, step(7, 3));
	}
}

__global__ void sample(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out, float x, float y) {
	out[0] = tex2D<float4>(t, x, y);
	out[1] = tex1Dfetch<float4>(t, 3);
	surf2Dwrite(out[0], s, 16, 2);
}

struct Params {
	float *p;
	int dims[3];
	char flag;
};
template <class T> __global__ void apply(const __grid_constant__ Params a, T *out) {
	if (a.flag) out[threadIdx.x] = a.p[a.dims[threadIdx.x % 3]];
	char name[64];
	for (int i = 0; i < 64; i++) name[i] = (char)(i * a.dims[0]);
	out[1] += name[a.dims[1] & 63];
	auto lambda = [=](T v) { return v * a.dims[2]; };
	out[2] = lambda(out[2]);
}
