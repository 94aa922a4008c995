-- Lab 12, constant and texture memory, caches: what the lectures say. lecture.lua explains the fields.
return function(add)
  add({ source = "F10", slide = "GPU Local Memory" }, {
    { id = "F10.constant.hit",
      statement = "A hit in the constant cache is as fast as a register, under certain constraints; a miss is as fast "
        .. "as global memory.",
      note = "the constraint is that the lanes of a warp (half-warp on 1.x) read the same word" },
    { id = "F10.constant.limits",
      statement = "Constant memory is read-only, cached, lives as long as the application, and has 64 KB." },
    { id = "F10.constant.symbol",
      statement = "cudaMemcpyToSymbol copies bytes from host or device to an offset of a __constant__ variable." },
    { id = "F10.texture.locality",
      statement = "Texture memory is cached with locality in two dimensions; its latency is high." },
    { id = "F10.texture.coherent", statement = "Texture memory is read-only for cache coherency reasons." },
    { id = "F10.texture.coordinates",
      statement = "Texture coordinates may be normalized to the range from 0 to 1." },
    { id = "F10.texture.addressing",
      statement = "Coordinates outside a texture are truncated to its edge or wrap around." },
    { id = "F10.texture.filter",
      statement = "A texture gives the nearest value or one interpolated linearly, for free: the hardware does it." },
  })
  add({ source = "F10", slide = "Shared Memory" }, {
    { id = "F10.shared.dynamic",
      statement = "Dynamic shared memory is declared extern without a size; the launch says how many bytes it has." },
    { id = "F10.shared.partitioned",
      statement = "One dynamic array can be partitioned into several: 128 floats, then 256 ints, then shorts.",
      note = "the slide leaves the third array's size open (\"floating size\")" },
  })
end
