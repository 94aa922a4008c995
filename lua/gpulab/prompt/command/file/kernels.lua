-- The command kernels, after gpulab FILE.cu.
return { name = "kernels", usage = "kernels", topic = "kernels",
  summary = "compile the file again and list its kernels",
  help = "Reads the file of `gpulab FILE.cu` again. k.NAME{ grid = ..., block = ... }(...) launches a kernel;"
    .. " k[\"NAME<...>\"] is an instance of a template. Buffers keep their contents.",
  run = function(file) file:print(file:load()) end }
