// One step of a bitonic sort in global memory: pairs `distance` apart are put in order.
__global__ void bitonic(int *v, int distance, int size) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
	if (partner <= i) return;
	int a = v[i], b = v[partner];
	if ((i & size) == 0 ? a > b : a < b) {
		v[i] = b;
		v[partner] = a;
	}
}
