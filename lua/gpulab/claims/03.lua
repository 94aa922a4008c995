-- Lab 3, shared memory banks: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "O24", slide = "HW Organization of Shared Memory", unit = "banks" }, {
    { id = "O24.banks.cc1", value = 16, note = "compute capability 1.x" },
    { id = "O24.banks.cc2", value = 32, note = "compute capability 2.0 and later" },
  })
  add({ source = "O24", slide = "Access Patterns", also = {} }, {
    { id = "O24.banks.broadcast_cc1", value = 16, unit = "threads",
      note = "cc 1.x: one variable is read without conflicts only by a multiple of this many threads" },
    { id = "O24.banks.offset", statement = "Alignment is not needed." },
    { id = "O24.banks.odd", statement = "A stride of c words creates no conflicts if c is odd." },
    { id = "O24.banks.kepler", statement = "From compute capability 3.0 on, c = 2 is free of conflicts as well." },
    { id = "O24.banks.same_word", statement = "Access to the same word never conflicts from 2.x on." },
  })
  add({ source = "O24", slide = "Bank Conflict" }, {
    { id = "O24.banks.serialized",
      statement = "A conflict serializes the access, and performance drops in proportion." },
    { id = "O24.banks.half_words",
      statement = "On compute capability 3.x the halves of a 64-bit word do not conflict." },
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
