// a view with bounds; zeros outside
template<class T> struct View {
	T *p; int h, w;
	__device__ bool has(int r, int c) const { return r < h && c < w; }
	__device__ T &operator()(int r, int c) const { return p[(long long)r * w + c]; }
};
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	View<const float> in{idata, rows, columns}; View<float> out{odata, columns, rows};
	int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
	for (int i = 0; i < 32; i += 8) tile[threadIdx.x][threadIdx.y + i] = in.has(r + i, c) ? in(r + i, c) : 0;
	__syncthreads();
	r = blockIdx.x * 32 + threadIdx.y; c = blockIdx.y * 32 + threadIdx.x;
	for (int i = 0; i < 32; i += 8) if (out.has(r + i, c)) out(r + i, c) = tile[threadIdx.y + i][threadIdx.x];
}
