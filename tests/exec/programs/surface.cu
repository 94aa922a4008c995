// Kernels that read and write surfaces in place: a result shows how often they ran. One array has two surface objects.
// Surfaces and textures outlive what they are of, and some are destroyed before.
#include <cstdio>

__global__ void increment(cudaSurfaceObject_t image) {
	int v;
	surf2Dread(&v, image, threadIdx.x * 4, 0);
	surf2Dwrite(v + 1, image, threadIdx.x * 4, 0);
}

__global__ void add_two(cudaSurfaceObject_t image) {
	asm volatile("sured.b.add.2d.u32.trap [%0, {%1, 0}], 2;" ::"l"(image), "r"((threadIdx.x & 7) * 4));
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
	cudaResourceDesc from = {};
	cudaSurfaceObject_t surface;
	from.resType = cudaResourceTypeArray;
	from.res.array.array = array;
	cudaCreateSurfaceObject(&surface, &from);
	return surface;
}

static void line_of(int *device) {
	cudaResourceDesc from = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t texture;
	from.resType = cudaResourceTypeLinear;
	from.res.linear.devPtr = device;
	from.res.linear.desc = cudaCreateChannelDesc<int>();
	from.res.linear.sizeInBytes = 128;
	cudaCreateTextureObject(&texture, &from, &how, NULL);
}

int main() {
	cudaArray_t arrays[3];
	cudaSurfaceObject_t surfaces[3];
	const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
	int texels[32];
	for (int i = 0; i < 3; i++) {
		for (int &texel : texels) texel = 10 * i;
		cudaMallocArray(&arrays[i], &format, 32, 1, cudaArraySurfaceLoadStore);
		cudaMemcpy2DToArray(arrays[i], 0, 0, texels, 128, 128, 1, cudaMemcpyHostToDevice);
		surfaces[i] = surface_of(arrays[i]);
	}
	increment<<<1, 32>>>(surfaces[0]);
	cudaDestroySurfaceObject(surfaces[0]);
	add_two<<<1, 32>>>(surfaces[1]);
	increment<<<1, 32>>>(surfaces[1]);
	const cudaSurfaceObject_t second = surface_of(arrays[2]);
	increment<<<1, 32>>>(second);
	increment<<<1, 32>>>(surfaces[2]);
	cudaDestroySurfaceObject(surfaces[2]);
	increment<<<1, 32>>>(second);
	for (cudaArray_t array : arrays) {
		cudaMemcpy2DFromArray(texels, 128, array, 0, 0, 128, 1, cudaMemcpyDeviceToHost);
		printf("%d %d, ", texels[5], texels[31]);
	}
	int *device;
	cudaMalloc(&device, 128);
	line_of(device);
	cudaFree(device);
	cudaFreeArray(arrays[2]);
	increment<<<1, 32>>>(surfaces[1]);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
