-- Marks that a version of a match was shown in a place; the place leaves the outbox unless the match has gone on.
-- KEYS: the match's hash, the outbox. ARGV: the place's field, its member in the outbox, the version, the message.
-- What is older than what was marked before changes nothing: it comes from a sender that has lost its lease.
local held = redis.call('HMGET', KEYS[1], 'v', ARGV[1])
local shown, pinged = string.match(held[2] or '', '^(%d+) (%d+) ')
local version = tonumber(ARGV[3])
if not shown or tonumber(shown) > version then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] .. ' ' .. pinged .. ' ' .. ARGV[4])
if version >= tonumber(held[1]) then
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return 1
