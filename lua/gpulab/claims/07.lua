-- Lab 7, registers against shared memory: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "CSU", gpu = "Tesla C1060", unit = "GFLOPS", n = 2048, slide = "Performance" }, {
    { id = "CSU.matmul.reg_shared", value = 265, block = { 64, 1 } },
    { id = "CSU.matmul.unrolled", value = 321, block = { 64, 1 } },
    { id = "CSU.matmul.wide", value = 372, block = { 16, 4 },
      note = "the slide's 4x16 is rows by columns, like its C and A" },
    { id = "CSU.matmul.cublas", value = 354, assumed = "the library's own blocks" },
  })
  add({ source = "CSU", gpu = "Tesla C1060" }, {
    { id = "CSU.operands.shared_shared", value = 2, unit = "×", slide = "Shared Shared vs Reg Shared ASM",
      note = "about 2: time with both operands in shared memory over time with one in a register; said next to the "
        .. "disassembly, without a measured value" },
    { id = "CSU.matmul.reg_reg", slide = "Can we do better?",
      statement = "Every operand in a register: never made to work, left to the reader." },
  })
end
