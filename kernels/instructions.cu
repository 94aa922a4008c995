// How fast single operations are. Each thread repeats one on four independent
// numbers, so that another is ready while one result is outstanding. The steps
// differ only in the line of the operation.

constexpr int CHAINS = 4; // independent numbers per thread
constexpr int LANES = 32; // threads that start with different numbers

template <class Operation, class T>
__device__ T repeated(const T *in, T a, T b, int repeats)
{
	T x[CHAINS];
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		x[k] = in[LANES * k + threadIdx.x % LANES];
#pragma unroll 8
	for (int i = 0; i < repeats; i++)
#pragma unroll
		for (int k = 0; k < CHAINS; k++)
			x[k] = Operation::of(x[k], a, b);
	return x[0] + x[1] + x[2] + x[3];
}

#define OPERATION(name, T, expression) \
	struct name { \
		static __device__ T of(T x, T a, T b) { return expression; } \
	};

// Multiplication and addition, in one instruction and in two.
OPERATION(MultiplyAdd, float, x * a + b)
OPERATION(Separate, float, __fadd_rn(__fmul_rn(x, a), b))

// Functions, and the intrinsics that use the special function units.
OPERATION(Sine, float, sinf(x + b))
OPERATION(FastSine, float, __sinf(x + b))
OPERATION(Cosine, float, cosf(x + b))
OPERATION(FastCosine, float, __cosf(x + b))
OPERATION(Exponential, float, expf(x * a))
OPERATION(FastExponential, float, __expf(x * a))

// Divisions and roots.
OPERATION(Quotient, float, a / x + b)
OPERATION(FastQuotient, float, __fdividef(a, x) + b)
OPERATION(Reciprocal, float, 1.0f / x + b)
OPERATION(Root, float, sqrtf(x) + b)
OPERATION(ReciprocalRoot, float, rsqrtf(x) + b)

template <class Operation>
__global__ void floats(float *out, const float *in, float a, float b,
	int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<Operation>(in, a, b, repeats);
}

// Integers.
OPERATION(Product, unsigned, x * a + b)
OPERATION(Product24, unsigned, __umul24(x, a) + b)
OPERATION(Division, unsigned, a / x + b)
OPERATION(Shift, unsigned, (x >> a) + b)
OPERATION(DivisionBy8, unsigned, x / 8 + b)
OPERATION(DivisionBy10, unsigned, x / 10 + b)
OPERATION(Modulo, unsigned, a % x + b)
OPERATION(Mask, unsigned, (x & a) + b)

template <class Operation>
__global__ void integers(unsigned *out, const unsigned *in, unsigned a,
	unsigned b, int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<Operation>(in, a, b, repeats);
}

// Signed division rounds toward 0, and a shift does not.
OPERATION(SignedBy8, int, x / 8 - b)

template <class Operation>
__global__ void signed_integers(int *out, const int *in, int a, int b,
	int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<Operation>(in, a, b, repeats);
}

// FP64.
OPERATION(DoubleMultiplyAdd, double, x * a + b)

__global__ void doubles(double *out, const double *in, double a, double b,
	int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<DoubleMultiplyAdd>(in, a, b, repeats);
}

// The rounding error of a product: x·x rounded is subtracted from x·x. In one
// instruction the product is not rounded before the subtraction.
// (Written as x * x, the compiler would see the same product twice.)
__global__ void residual(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], rounded = __fmul_rn(x, x);
		out[i] = fmaf(x, x, -rounded);
	}
}

__global__ void residual_separate(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], rounded = __fmul_rn(x, x);
		out[i] = __fadd_rn(__fmul_rn(x, x), -rounded);
	}
}

// One value of a function per argument, to measure its error.
template <class Operation>
__global__ void values(float *out, const float *in, float a, float b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = Operation::of(in[i], a, b);
}
