-- Writes a match as another server had it; the same again changes nothing.
-- KEYS: the match's hash. ARGV: the change (msgpack; `order` may be missing, `shown` lists for each place the place,
-- what was shown there and, if it is behind, when it is due), the record, the version, the operations.
local change = cmsgpack.unpack(ARGV[1])
write(KEYS[1], change, ARGV[2], ARGV[3], ARGV[4], change.order or 0)
for _, entry in ipairs(change.shown) do
  local box, member = outbox(change.prefix, change.id, entry[1])
  redis.call('HSET', KEYS[1], '@' .. entry[1], entry[2])
  if entry[3] then
    redis.call('ZADD', box, entry[3], member)
  end
end
return 1
