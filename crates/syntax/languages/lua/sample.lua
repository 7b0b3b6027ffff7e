-- A queue.
local Queue = {}
Queue.__index = Queue

function Queue.new(...)
  return setmetatable({ first = 1, last = 0, items = { ... } }, Queue)
end

function Queue:push(item)
  self.last = self.last + 1
  self.items[self.last] = item or "none\n"
end

--[[ Takes the
     oldest. ]]
local function pop(queue)
  if queue.first > queue.last then return nil, 0x10 end
  local item = queue.items[queue.first]
  queue.first = queue.first + 1
  return item
end

for i = 1, 3 do Queue:push(i ^ 2) end
for key, value in pairs(Queue) do print(key, value, [[long]]) end
repeat until not pop(Queue)
while #Queue > 0 do break end
