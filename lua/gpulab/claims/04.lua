-- Lab 4, matrix transposition and partition camping: what the lectures say. lecture.lua explains the fields; the three
-- numbers of the tile are lab 3's.
return function(add)
  add({ source = "F22", also = { "F24", "O24" }, unit = "GB/s", gpu = "GTX 280", n = 4000, slide = "Performance",
    assumed = "blocks of 256 × 1 threads" }, {
    { id = "F22.transpose.naive", value = 5.3 },
    { id = "F22.transpose.copy", value = 112.4 },
    { id = "F22.transpose.both_strided", value = 2.7 },
  })
  -- The slide does not say which multiple was measured; n is one that its wording allows.
  add({ source = "F22", also = { "F24" }, slide = "Performance Drops", unit = "GB/s", gpu = "GTX 280",
    block = { 32, 8 } }, {
    { id = "F22.transpose.camping512", value = 19, n = 4096, note = "n a multiple of 512: here 4096" },
    { id = "F22.transpose.camping256", value = 35, n = 3840, note = "n a multiple of 256, not of 512: here 3840" },
    { id = "F22.transpose.camping128", value = 62, n = 3968, note = "n a multiple of 128, not of 256: here 3968" },
  })
  add({ source = "F22", also = { "F24" }, gpu = "GTX 280" }, {
    { id = "F22.transpose.diagonal", value = 80, unit = "GB/s", slide = "Performance", n = 4096, every = 128,
      block = { 32, 8 }, note = "no drop at the multiples of 128; 4096 represents them" },
    { id = "F22.transpose.speedup", value = 17.6, unit = "×", slide = "Performance Summary", n = 4000,
      note = "naive to best: 93.4 over 5.3" },
  })
  local also = { "F24" }
  add({ source = "F22", also = { "F24", "O24" } }, {
    { id = "F22.transpose.sides", slide = "Performance",
      statement = "Of tiles of 16 × 16, 32 × 32 and 48 × 48, 32 × 32 with blocks of 32 × 8 threads is the fastest." },
  })
  add({ source = "F22", also = also, slide = "Performance Drops" }, {
    { id = "F22.transpose.partition", value = 256, unit = "bytes", gpu = "GTX 280",
      note = "of consecutive memory belong to one partition" },
    { id = "F22.transpose.regions",
      statement = "With n a multiple of 512, 256, or 128, the tiles of a column are in one, two, or four partitions." },
    { id = "F22.transpose.plot", slide = "Performance",
      statement = "Over n the throughput drops at regular sizes; with the diagonal order it does not." },
  })
  add({ source = "F22", also = also }, {
    { id = "F22.transpose.pad_matrix", slide = "How to Remove Partition Camping?",
      statement = "Padding the matrix avoids the bad sizes; it takes memory, and every kernel has to handle it." },
    { id = "F22.transpose.diagonal_slower", slide = "Performance",
      statement = "The diagonal order is slower where n is not a multiple of 128." },
    { id = "F22.transpose.order_of_effects", slide = "Optimizations Effects",
      statement = "At n = 4096, removing the bank conflicts gains little until partition camping is removed." },
  })
end
