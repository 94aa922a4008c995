-- Lab 6, matrix multiplication: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F22", also = { "F24" }, gpu = "GTX 280", unit = "GFLOPS", assumed = "n = 2048" }, {
    { id = "F22.matmul.naive_1x128", value = 3.9, slide = "Recapitulation", block = { 1, 128 } },
    { id = "F22.matmul.naive_128x1", value = 36.6, slide = "Recapitulation", block = { 128, 1 } },
    { id = "F22.matmul.tiled", value = 198, slide = "Recapitulation", block = { 16, 16 } },
    { id = "F22.matmul.two_per_thread", value = 235.4, slide = "Searching for Better Implementation",
      block = { 32, 16 } },
    { id = "F22.matmul.transposed_b", value = 276.2, slide = "Removing the ADD instruction", block = { 32, 16 } },
    { id = "F22.matmul.one_operand", value = 375, slide = "Can we Reach Better Performance?", block = { 64, 1 } },
  })
  add({ source = "F22", also = { "F24" }, gpu = "GTX 280", unit = "GFLOPS", computed = true,
    note = "a computed bound, not a measurement" }, {
    { id = "F22.matmul.bound.naive", value = 66.8, slide = "Recapitulation" },
    { id = "F22.matmul.bound.tiled", value = 568, slide = "Recapitulation",
      note = "F10 prints it as 16 · 25.5; it is 16 · 35.5" },
    { id = "F22.matmul.bound.peak", value = 622, slide = "Theoretical Peak" },
    { id = "F22.matmul.bound.shared_operand", value = 415, slide = "Theoretical Peak" },
    { id = "F22.matmul.bound.load_per_mad", value = 244, slide = "Performance Pitfalls",
      note = "4 cycles for the load and 6 for the MAD make 249" },
    { id = "F22.matmul.bound.load_per_two_mads", value = 311, slide = "Searching for Better Implementation" },
  })
  add({ source = "F10", slide = "Performance", gpu = "GTX 280" }, {
    { id = "F10.matmul.bandwidth", value = 142, unit = "GB/s", computed = true,
      note = "the datasheet's, rounded up from 141.7" },
    { id = "F10.matmul.flop_to_word",
      statement = "The product by definition does one operation per float it loads; the memory of a GTX 280 delivers "
        .. "35.5 G floats/s." },
    { id = "F10.matmul.blockwise", slide = "Blockwise Approach",
      statement = "Tiles of a × a in shared memory do a times as many operations per float of global memory." },
  })
  add({ source = "F22", also = { "F24" }, gpu = "GTX 280" }, {
    { id = "F22.matmul.offsets", slide = "Code disassembly",
      statement = "If a thread reads along a row of its tile, the offsets are constants of the instruction; going "
        .. "down a column takes repeated additions." },
    { id = "F22.matmul.disassemblers", slide = "C for CUDA Compilation",
      statement = "cuobjdump disassembles code for GT200 and newer GPUs, decuda for older ones." },
    { id = "F22.matmul.pitfalls", slide = "Performance Pitfalls",
      statement = "Launches and the creation of threads cost time: threads can do more work in serial. "
        .. "Synchronization may or may not be an issue." },
    { id = "F22.matmul.gains", slide = "Summary",
      statement = "Against the slowest version the others are 9.4, 51, 60, 71, and 96 times as fast." },
  })
end
