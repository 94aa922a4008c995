-- A lab whose only step has a race that the default order of blocks hides: for --check.
return lab.define {
  id = "message", number = 98, title = "Message", intro = "A block reads what another one writes.",
  params = { n = { default = 32, min = 32, max = 32, help = "elements" } },
  buffers = { out = { type = "int", count = "n" }, data = { type = "int", count = "n", fill = 0 },
    flag = { type = "int", count = 1, fill = 0 } },
  steps = { { id = "message", title = "message", text = "A flag says that the data is there.",
    kernel = { file = "message.cu", name = "message" }, grid = 2, block = 32, args = { "out", "data", "flag" }, output = "out",
    reference = function(params) return gpu.array("int", params.n, 1) end,
    useful_bytes = function(params) return 4 * params.n end } },
}
