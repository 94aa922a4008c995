// Cube maps, one and layered: the texel in the middle of each face's quarters, and surfaces of their faces.
#include <cstdio>
#include <vector>

__device__ float3 towards(int face, float u, float v) {
	switch (face) {
	case 0: return make_float3(1, -v, -u);
	case 1: return make_float3(-1, -v, u);
	case 2: return make_float3(u, 1, v);
	case 3: return make_float3(u, -1, -v);
	case 4: return make_float3(u, -v, 1);
	default: return make_float3(-u, -v, -1);
	}
}

__global__ void fetch(float *out, cudaTextureObject_t cube, int layers) {
	int face = blockIdx.x % 6, layer = blockIdx.x / 6, n = blockDim.x;
	float3 d = towards(face, (threadIdx.x + 0.5f) / n * 2 - 1, (threadIdx.y + 0.5f) / n * 2 - 1);
	out[(blockIdx.x * n + threadIdx.y) * n + threadIdx.x] =
		layers ? texCubemapLayered<float>(cube, d.x, d.y, d.z, layer) : texCubemap<float>(cube, d.x, d.y, d.z);
}

__global__ void add(cudaSurfaceObject_t faces) {
	float v = surfCubemapread<float>(faces, threadIdx.x * 4, threadIdx.y, blockIdx.x);
	surfCubemapwrite(v + 1, faces, threadIdx.x * 4, threadIdx.y, blockIdx.x);
}

static int wrong(int n, int layers, unsigned flags) {
	int faces = 6 * (layers ? layers : 1), count = faces * n * n, bad = 0;
	std::vector<float> texels(count), got(count);
	for (int i = 0; i < count; i++) texels[i] = i;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	cudaArray_t array;
	cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, faces), flags | cudaArrayCubemap | (layers ? cudaArrayLayered : 0));
	cudaMemcpy3DParms copy = {};
	copy.srcPtr = make_cudaPitchedPtr(texels.data(), n * 4, n, n);
	copy.dstArray = array;
	copy.extent = make_cudaExtent(n, n, faces);
	copy.kind = cudaMemcpyHostToDevice;
	cudaMemcpy3D(&copy);
	cudaResourceDesc from = {};
	from.resType = cudaResourceTypeArray;
	from.res.array.array = array;
	if (flags) {
		cudaSurfaceObject_t surface;
		cudaCreateSurfaceObject(&surface, &from);
		add<<<faces, dim3(n, n)>>>(surface);
		for (float &v : texels) v++;
	}
	cudaTextureDesc how = {}; // wrap, as zeros say
	how.filterMode = cudaFilterModeLinear;
	how.normalizedCoords = layers > 0; // makes no difference
	cudaTextureObject_t cube;
	cudaCreateTextureObject(&cube, &from, &how, NULL);
	float *out;
	cudaMalloc(&out, count * 4);
	fetch<<<faces, dim3(n, n)>>>(out, cube, layers);
	cudaMemcpy(got.data(), out, count * 4, cudaMemcpyDeviceToHost);
	for (int i = 0; i < count; i++) bad += got[i] != texels[i];
	return bad;
}

int main() {
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	const unsigned shapes[][4] = {{4, 3, 6, 0}, {4, 4, 5, 0}, {4, 4, 12, 0}, {4, 4, 8, cudaArrayLayered}, {4, 4, 0, 0}, {4, 0, 6, 0}};
	int refused = 0;
	for (auto &s : shapes) {
		cudaArray_t array;
		refused += cudaMalloc3DArray(&array, &format, make_cudaExtent(s[0], s[1], s[2]), cudaArrayCubemap | s[3]) == cudaErrorInvalidValue;
	}
	printf("%d %d %d wrong, %d refused\n", wrong(8, 0, 0), wrong(4, 3, 0), wrong(16, 0, cudaArraySurfaceLoadStore), refused);
}
