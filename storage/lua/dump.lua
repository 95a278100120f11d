-- Reads matches whole, each as it is at one moment.
-- KEYS: their hashes. ARGV: the prefix of all keys.
-- Returns for each {v, s, o, order, place, shown, due, place, shown, due, ...}: what restore.lua takes; false where
-- there is nothing of that kind.
local matches = {}
for _, key in ipairs(KEYS) do
  local id = string.sub(key, #ARGV[1] + #'match:' + 1)
  local held = redis.call('HMGET', key, 'v', 's', 'o')
  table.insert(held, order_of(ARGV[1], id, key) or false)
  local fields = redis.call('HGETALL', key)
  for index = 1, #fields, 2 do
    local place = place_of(fields[index])
    if place then
      local box, member = outbox(ARGV[1], id, place)
      table.insert(held, place)
      table.insert(held, fields[index + 1])
      table.insert(held, redis.call('ZSCORE', box, member))
    end
  end
  table.insert(matches, held)
end
return matches
