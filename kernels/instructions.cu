// How fast single operations are. Each thread applies one over and over to four
// numbers, so that there is always something to do while a result is not there
// yet. Between the steps only the line of the operation differs.

constexpr int CHAINS = 4; // numbers a thread
constexpr int LANES = 32; // threads that begin with numbers of their own

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
OPERATION(Apart, float, __fadd_rn(__fmul_rn(x, a), b))

// Functions, and what the special function units have for them.
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

// With a sign rounding goes towards 0, and a shift does not.
OPERATION(SignedBy8, int, x / 8 - b)

template <class Operation>
__global__ void signed_integers(int *out, const int *in, int a, int b,
	int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<Operation>(in, a, b, repeats);
}

// Twice as many bits.
OPERATION(DoubleMultiplyAdd, double, x * a + b)

__global__ void doubles(double *out, const double *in, double a, double b,
	int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = repeated<DoubleMultiplyAdd>(in, a, b, repeats);
}

// What rounding took off a product: x·x comes rounded, and is subtracted from
// x·x. In one instruction the product is not rounded before the subtraction.
// (Written as x * x, the compiler would see the same product twice.)
__global__ void residual(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], rounded = __fmul_rn(x, x);
		out[i] = fmaf(x, x, -rounded);
	}
}

__global__ void residual_apart(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float x = in[i], rounded = __fmul_rn(x, x);
		out[i] = __fadd_rn(__fmul_rn(x, x), -rounded);
	}
}

// One value of a function for each argument, to see how near it is.
template <class Operation>
__global__ void values(float *out, const float *in, float a, float b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = Operation::of(in[i], a, b);
}
