-- Lab 12, constant and texture memory, caches: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "GPU Local Memory" }, {
    { id = "F10.constant.hit",
      statement = "A hit in the constant cache is as fast as a register, under certain constraints.",
      note = "the constraint is that the lanes of a warp want the same word" },
    { id = "F10.constant.limits",
      statement = "Constant memory is read-only, cached, lives as long as the application, and has 64 KB." },
    { id = "F10.constant.symbol",
      statement = "A __constant__ variable is written by cudaMemcpyToSymbol: count bytes from an offset on." },
    { id = "F10.texture.locality",
      statement = "Texture memory is read-only and cached with locality in two dimensions; its latency is high." },
    { id = "F10.texture.coordinates",
      statement = "Texture coordinates may be normalised to the range from 0 to 1." },
    { id = "F10.texture.addressing",
      statement = "Coordinates outside a texture are truncated to its edge or wrap round." },
    { id = "F10.texture.filter",
      statement = "A texture gives the nearest value or one interpolated linearly, for free: the hardware does it." },
  })
  add({ source = "F10", slide = "Shared Memory" }, {
    { id = "F10.shared.dynamic",
      statement = "Dynamic shared memory is declared extern without a size; the launch says how many bytes it has." },
    { id = "F10.shared.carved",
      statement = "One dynamic array can be carved into several: 128 floats, then 256 ints, then shorts.",
      note = "the slide's text calls the third array floating, its code says short" },
  })
end
