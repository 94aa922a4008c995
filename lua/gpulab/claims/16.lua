-- Lab 16, tensor cores: what a paper says. lecture.lua explains the fields.
return function(add)
  add({ source = "DS24", gpu = "H800", place = "Section 3.3.2" }, {
    { id = "DS24.fp8.accumulation",
      statement = "FP8 matrix products on an H800 keep about 14 bits of their sums, fewer than FP32." },
    { id = "DS24.fp8.promotion",
      statement = "Adding partial sums of 128 products in FP32 registers improves the precision significantly." },
  })
end
