-- An int that did not fit, told from how far below its buffer an access was.
local t = require "luaunit"
local wrapped = require "gpulab.exec.wrapped"

local path = os.tmpname()
local file <close> = io.open(path, "w")
file:write [[
__global__ void k(float *x, int row, int width, int i) {
	int at = row * width + threadIdx.x;
	x[at] = 0;
	x[i] = x[row * width];
	x[i] = 1;
}
]]
file:flush()

local COUNT <const>, INDEX <const> = 3000000000, 2147488000
local function said(line, offset, bytes, width)
  return (wrapped.sentence({ file = path, line = line }, offset, bytes, width))
end
local function below(index, width) return (index - (1 << 32)) * width end

TestWrapped = {}

function TestWrapped.test_the_product_is_named_where_it_is()
  t.assertEquals(said(4, below(INDEX, 4), 4 * COUNT, 4), "row * width = 2 147 488 000 does not fit an int.")
  t.assertEquals(said(3, below(INDEX, 4), 4 * COUNT, 4), "row * width + threadIdx.x = 2 147 488 000 does not fit an int.")
  local _, hint = wrapped.sentence({ file = path, line = 4 }, below(INDEX, 4), 4 * COUNT, 4)
  t.assertEquals(hint, "compute it in 64 bits: (size_t)row * width")
end

function TestWrapped.test_no_product_no_name()
  t.assertEquals(said(5, below(INDEX, 4), 4 * COUNT, 4), "the index = 2 147 488 000 does not fit an int.")
  t.assertEquals((wrapped.sentence({}, below(INDEX, 1), COUNT, 1)), "the index = 2 147 488 000 does not fit an int.")
end

function TestWrapped.test_a_vector_of_elements()
  t.assertEquals(said(4, below(INDEX, 4), 4 * COUNT, 16), "row * width = 2 147 488 000 does not fit an int.")
end

function TestWrapped.test_a_product_behind_the_end()
  t.assertEquals(said(4, below(COUNT, 4), 4 * COUNT, 4), "row * width = 3 000 000 000 does not fit an int.")
end

function TestWrapped.test_other_accesses_are_not_explained_so()
  t.assertNil(said(4, -4, 4000, 4))                      -- one before a small buffer
  t.assertNil(said(4, -4, 4 * COUNT, 4))                 -- and before a large one
  t.assertNil(said(4, -4, 20 * COUNT, 4))
  t.assertNil(said(4, 4 * COUNT, 4 * COUNT, 4))          -- behind it
  t.assertNil(said(4, nil, nil, nil))
end

local status = t.LuaUnit.new():runSuite("-o", "tap")
os.remove(path)
os.exit(status, true)
