/* Functions marked with MANY_ISAS are compiled for several x86 instruction sets; the loader picks the best one. */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
	!defined(__SANITIZE_THREAD__)
#if __GNUC__ >= 11
#define MANY_ISAS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else /* which does not know the levels */
#define MANY_ISAS __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define MANY_ISAS
#endif
