-- Matrices for the labs about products, made so that the whole of C = A · B is known without n³ work: the rows of A
-- repeat after ROWS_OF_A, those of B after ROWS_OF_B, two primes that no tile is a multiple of. All entries are small
-- integers: a float holds every sum of products exactly, in whatever order it is added up.
local operands = {}

local ROWS_OF_A <const>, ROWS_OF_B <const> = 61, 67

-- Whole numbers from -8 to 8.
local function numbers(count, seed)
  local list, state = {}, seed
  for i = 1, count do
    state = (state * 1103515245 + 12345) & 0x7fffffff
    list[i] = (state >> 13) % 17 - 8
  end
  return list
end

local recent = {} -- what was made for the last two sizes

local function of_size(n)
  for _, of in ipairs(recent) do
    if of.n == n then return of end
  end
  table.insert(recent, 1, { n = n, a = numbers(ROWS_OF_A * n, 6), b = numbers(ROWS_OF_B * n, 7) })
  recent[3] = nil
  return recent[1]
end

-- n × n floats whose first rows are in list, and which repeat from there.
local function matrix(list, n)
  return gpu.array("float", #list, list):cycle(n * n)
end

---A and B, n × n.
---@param n integer @return Array
function operands.a(n)
  local of = of_size(n)
  of.A = of.A or matrix(of.a, n)
  return of.A
end

---@param n integer @return Array
function operands.b(n)
  local of = of_size(n)
  of.B = of.B or matrix(of.b, n)
  return of.B
end

-- Row of A times B: the entries of A that meet the same row of B are added up first.
local function row_of_product(a, first, b, n)
  local factors, row = {}, {}
  for r = 0, ROWS_OF_B - 1 do factors[r] = 0 end
  for k = 0, n - 1 do factors[k % ROWS_OF_B] = factors[k % ROWS_OF_B] + a[first + k] end
  for j = 1, n do row[j] = 0 end
  for r = 0, ROWS_OF_B - 1 do
    local factor, from = factors[r], r * n
    for j = 1, n do row[j] = row[j] + factor * b[from + j] end
  end
  return row
end

---C = A · B, n × n.
---@param n integer @return Array
function operands.product(n)
  local of = of_size(n)
  if not of.C then
    local list = {}
    for i = 0, ROWS_OF_A - 1 do
      table.move(row_of_product(of.a, i * n + 1, of.b, n), 1, n, #list + 1, list)
    end
    of.C = matrix(list, n)
  end
  return of.C
end

local request_lanes -- by GPU: 16 where half a warp is a request, else 32

---Loads of shared memory by each thread for each of its multiply-adds, in a product of n × n, as counted.
---@param report CountReport @param n integer @return number
function operands.loads(report, n)
  if not request_lanes then
    request_lanes = {}
    for _, model in ipairs(gpu.models()) do request_lanes[model.name] = model.request_lanes end
  end
  return report.counters.shared_load_requests * (request_lanes[report.rules] or 32) / n ^ 3
end

return operands
