"""A lab of one's own with one exercise and no step, and perhaps a module next to it."""
import os

from grading import write

SCALE = '''// Task: coalesce the accesses.
__global__ void scale(float *y, const float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = 2 * x[i];
}
'''
SLOW = SCALE.replace('blockIdx.x * blockDim.x + threadIdx.x', 'threadIdx.x * gridDim.x + blockIdx.x')
LAB = '''local half = %s
local function size(p) return p.size or p.n end
return lab.define {
  number = %d, id = "%s", title = "Our own lab", intro = "One exercise.",
  params = { n = { default = 1 << 14, min = 1, help = "elements" } },
  buffers = { x = { type = "float", count = size, fill = "random" }, y = { type = "float", count = size } },
  steps = {},
  exercises = { { id = "%s", title = "Scale a vector", task = "Let neighboring threads access neighboring elements.",
    starter = "exercises/%s/scale.cu", solution = "solutions/%s/scale.cu", kernel = "scale",
    grid = function(p) return (p.size + 255) // 256 end, block = 256, args = { "y", "x", size }, output = "y",
    reference = function(p, host)
      local want = gpu.array("float", p.size)
      for i = 0, p.size - 1 do want[i] = host.x[i] * (type(half) == "table" and half.n or 1 / half) end
      return want
    end,
    sizes = { 1 << 14, 12801 }, hints = { "vague", "closer", "nearly there" }, debrief = "Coalesced." } },
}
'''


def write_lab(folder, number, exercise, module=None):
    """Writes folder/NN-name.lua, where name is "course" unless the folder is called other, half.lua (module), and the kernels."""
    name = 'other' if os.path.basename(folder) == 'other' else 'course'
    own = '%02d-%s' % (number, exercise)
    for kind, text in ('exercises', SLOW), ('solutions', SCALE):
        os.makedirs(os.path.join(folder, kind, own))
        write(os.path.join(folder, kind, own, 'scale.cu'), text)
    if module:
        write(os.path.join(folder, 'half.lua'), module)
    half = 'require "half"' if module else '0.5'
    write(os.path.join(folder, '%02d-%s.lua' % (number, name)), LAB % (half, number, name, exercise, own, own))
