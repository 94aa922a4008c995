// One dynamic shared allocation partitioned into three arrays, as on the slide: 128 floats,
// 256 ints, and shorts in the rest, here 256. The launch sets the size.
constexpr int FLOATS = 128, INTS = 256, SHORTS = 256;

// Fills the three arrays; after a barrier each thread reads what others have written.
__device__ float use(float *array1, int *array2, short *array3, float v)
{
	int tid = threadIdx.x;
	array1[tid] = v;
	for (int i = tid; i < INTS; i += blockDim.x)
		array2[i] = 3 * i;
	for (int i = tid; i < SHORTS; i += blockDim.x)
		array3[i] = (short)(SHORTS - i);
	__syncthreads();
	return array1[FLOATS - 1 - tid] + array2[2 * tid] + array3[tid];
}

// The widest elements first: every array starts at a multiple of its element size.
__global__ void partitioned(float *out, const float *in)
{
	extern __shared__ char myArray[];
	float *array1 = (float *)myArray;
	int *array2 = (int *)&array1[FLOATS];
	short *array3 = (short *)&array2[INTS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = use(array1, array2, array3, in[i]);
}

// The shorts first, and an odd number of them: the floats are misaligned.
__global__ void misaligned(float *out, const float *in)
{
	extern __shared__ char myArray[];
	short *array3 = (short *)myArray;
	float *array1 = (float *)&array3[SHORTS + 1];
	int *array2 = (int *)&array1[FLOATS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = use(array1, array2, array3, in[i]);
}

// An offset counted in the wrong elements: the ints overlap the floats.
__global__ void overlapping(float *out, const float *in)
{
	extern __shared__ char myArray[];
	float *array1 = (float *)myArray;
	int *array2 = (int *)&myArray[FLOATS];
	short *array3 = (short *)&array2[INTS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = use(array1, array2, array3, in[i]);
}
