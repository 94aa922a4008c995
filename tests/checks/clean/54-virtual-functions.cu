// @kernel areas
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out i % 2 == 0 ? i * i : i
struct Shape {
	int side;
	__device__ Shape(int s) : side(s) {}
	__device__ virtual int area() const = 0;
};
struct Square : Shape {
	__device__ Square(int s) : Shape(s) {}
	__device__ int area() const override { return side * side; }
};
struct Strip : Shape {
	__device__ Strip(int s) : Shape(s) {}
	__device__ int area() const override { return side; }
};
__global__ void areas(int *out)
{
	Square square(threadIdx.x);
	Strip strip(threadIdx.x);
	const Shape *shape = threadIdx.x % 2 ? (const Shape *)&strip : &square;
	out[threadIdx.x] = shape->area();
}
