/* A libcuda.so.1 without a driver behind it, as is left behind when a driver was taken away. */
int nothing_of_a_driver(void);

int nothing_of_a_driver(void) {
	return 0;
}
