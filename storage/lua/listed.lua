-- Reads lists of matches. KEYS: the sorted sets. Returns for each the ids, last changed first.
local lists = {}
for _, key in ipairs(KEYS) do
  table.insert(lists, redis.call('ZREVRANGE', key, 0, -1))
end
return lists
