-- Lab 2, coalescing: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "O24", slide = "Coalesced Memory Access" }, {
    { id = "O24.coalesce.aligned", statement = "Aligned, contiguous, and in order: coalesced on every GPU." },
    { id = "O24.coalesce.permuted",
      statement = "From compute capability 1.2 on the order of the threads within a transaction does not matter." },
    { id = "O24.coalesce.words",
      statement = "Below cc 2.0 large words are necessary; below cc 1.2 some threads may not participate." },
  })
  add({ source = "O24", slide = "Unaligned Memory Access Performance" }, {
    { id = "O24.coalesce.unaligned_old", value = 8, unit = "×", gpu = "8800 GTX", computed = true,
      note = "slower, below cc 1.2: 32 bytes per element of 4; the curve is a Quadro FX 5600, the same chip" },
    { id = "O24.coalesce.unaligned", value = 2, unit = "transfers", gpu = "GTX 280",
      note = "for a half-warp that crosses a 128-byte boundary, from cc 1.2 on" },
  })
  add({ source = "O24", slide = "Interleaved Memory Access Performance" }, {
    { id = "O24.coalesce.strided",
      statement = "From cc 1.2 on, larger spaces between elements cause a larger, rather dramatic drop." },
  })
  add({ source = "O24", slide = "Scattered memory access" }, {
    { id = "O24.coalesce.structures",
      statement = "For scattered access, as in sparse matrices, another data structure may help." },
  })
  add({ source = "O24", slide = "Global Memory Access with Fermi" }, {
    { id = "O24.cache.fermi", statement = "With Fermi's caches unaligned access is not slower in principle." },
    { id = "O24.cache.fermi_use",
      statement = "Fermi's caches help programs with unpredictable locality, or without shared memory." },
    { id = "O24.cache.fermi_sizes", statement = "Fermi's L1 has 16 or 48 kB per multiprocessor, its L2 768 kB." },
    { id = "O24.cache.fermi_l1", value = 256, unit = "bytes", note = "per L1 line; F10 has 128, which is right" },
    { id = "O24.cache.fermi_l2", value = 32, unit = "bytes", also = { "F10" }, note = "per L2 line" },
  })
  add({ source = "F10", slide = "GPU Local Memory" }, {
    { id = "F10.cache.fermi_l1", value = 128, unit = "bytes", note = "per L1 line" },
  })
  add({ source = "O24" }, {
    { id = "O24.cache.kepler", slide = "Global Memory Access with “gaming” Kepler",
      statement = "On compute capability 3.0 only L2 caches global memory." },
    { id = "O24.cache.kepler_l2", slide = "Global Memory Access with “gaming” Kepler",
      statement = "L2 has up to 1.5 MB on compute capability 3.0.",
      note = "that is the GK110's (cc 3.5); the GK104 has 512 KB" },
    { id = "O24.cache.read_only", slide = "Global Memory Access with fully-featured Kepler, Maxwell and Pascal",
      statement = "A read-only data cache; __restrict__ and __ldg help the compiler to use it." },
    { id = "O24.cache.volta", slide = "Global Memory Access with Volta and newer",
      statement = "Fast L1 is back, in the hardware of shared memory." },
  })
  add({ source = "F10" }, {
    { id = "F10.gpus", slide = "GPUs Available Today",
      statement = "GPUs have 1 to 30 multiprocessors, 19.2 to 1345 GFLOPS, and 6.4 to 177 GB/s on 64 to 512 bits." },
  })
  add({ source = "O24", slide = "Global Memory Access Optimization", unit = "flops/float", computed = true }, {
    { id = "O24.flops.GT200", value = 24 },
    { id = "O24.flops.GF100", value = 30 },
    { id = "O24.flops.GK110", value = 62 },
    { id = "O24.flops.GM200", value = 73 },
    { id = "O24.flops.GP100", value = 53 },
    { id = "O24.flops.GV100", value = 67 },
    { id = "O24.flops.TU102", value = 76 },
    { id = "O24.flops.GA100", value = 50 },
    { id = "O24.flops.AD102", value = 72, note = "operations per byte, not per float" },
    { id = "O24.flops.GH100", value = 20, note = "operations per byte, not per float" },
    { id = "O24.flops.GH100_tensor", value = 295, note = "operations per byte, with sparse matrices" },
  })
end
