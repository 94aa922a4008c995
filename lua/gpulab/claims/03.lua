-- Lab 3, shared memory banks: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "O24", slide = "HW Organization of Shared Memory", unit = "banks" }, {
    { id = "O24.banks.cc1", value = 16, note = "compute capability 1.x" },
    { id = "O24.banks.cc2", value = 32, note = "compute capability 2.0 and later" },
  })
  add({ source = "O24", slide = "Access Patterns", also = {} }, {
    { id = "O24.banks.broadcast_cc1", value = 16, unit = "threads",
      note = "cc 1.x: one variable is read without conflict only by a multiple of so many threads" },
  })
  add({ source = "F22", slide = "Shared Memory", also = { "F24", "O24" }, gpu = "GTX 280", block = { 32, 8 } }, {
    { id = "F22.transpose.conflict", value = 16, unit = "way", n = 4000,
      note = "for the 16 banks of the GTX 280; 32-way since Fermi" },
  })
  add({ source = "F22", also = { "F24", "O24" }, unit = "GB/s", gpu = "GTX 280", n = 4000, block = { 32, 8 },
    slide = "Performance" }, {
    { id = "F22.transpose.tile32", value = 75.1, note = "the best tile and block found" },
    { id = "F22.transpose.copy_tile", value = 94.9 },
    { id = "F22.transpose.tile33", value = 93.4 },
  })
end
