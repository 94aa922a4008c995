/* The kernel behind device_digest (digest.ptx), in PTX, so that any device that runs kernels runs it.
 *
 * The contents are words of 8 bytes, the last one padded with zeros. Word w at place i becomes 64 bits that depend on
 * both and on a secret key; the digest has the sum of them over all places, and the sum of what a further step makes
 * of each:
 *
 *     x = (w ^ key0) * M1;   x ^= x >> 32;   x += i * key1
 *     x *= M2;  x ^= x >> 29;   x *= M3;  x ^= x >> 32;   first += x
 *     x *= M4;  x ^= x >> 31;                            second += x
 *
 * A sum has no order, so all threads work in parallel. For one place all steps are one to one: contents that differ
 * in one word never have one digest, others with a chance of about 2^-128, were the steps random.
 *
 * How a kernel under test is kept from forging a correct result:
 *   - There is no reference on the GPU that it could read, or write over. What is compared with is the digest of a
 * content that was compared on the host, element by element, and it stays on the host.
 *   - The digest is made after all that was launched has ended, of what the memory then holds; the sums are set to zero
 * after that, too. Nothing of the kernel still runs.
 *   - Another content with the same digest cannot be made without the key, drawn for each device that is opened. It is
 * kept on the host, and is in a launch's parameters only while our own kernel runs. */
#ifndef GPULAB_DEVICE_DIGEST_H
#define GPULAB_DEVICE_DIGEST_H

enum { DIGEST_PARAMS = 5, DIGEST_BLOCK = 256 };
extern const char digest_ptx[];

#endif
