-- Lab 15, stencils and convolution: what NVIDIA's white paper on its sample convolutionSeparable says. lecture.lua
-- explains the fields; pages are those printed in the paper.
return function(add)
  add({ source = "W07" }, {
    { id = "W07.filter.products", place = "page 4",
      statement = "A filter of n × m weights takes n · m multiplications per pixel." },
    { id = "W07.filter.separable", place = "page 4",
      statement = "A separable filter takes n + m multiplications per pixel instead of n · m." },
    { id = "W07.filter.apron", place = "page 6",
      statement = "A block also needs the pixels around its own, as far as the radius of the filter." },
    { id = "W07.filter.bytes", place = "page 7", value = 9216, unit = "bytes", computed = true,
      note = "48 × 48 pixels: a block of 16 × 16 with a radius of 16, or one of 32 × 32 with a radius of 8" },
    { id = "W07.filter.halo", place = "page 9",
      statement = "Tiles of 16 × 16 and a radius of 16: a pixel is loaded 9 times; in two passes 6 times at most." },
    { id = "W07.filter.constant", place = "page 11",
      statement = "All threads of a half-warp read the same weight from constant memory, so there is no penalty." },
    { id = "W07.filter.columns", place = "page 10",
      statement = "The halo of the column filter does not affect coalescing: a tile is as wide as a coalesced read." },
    { id = "W07.filter.unrolled", place = "page 13",
      statement = "Unrolling the innermost loop makes the filter more than twice as fast." },
  })
end
