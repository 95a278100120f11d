-- Writes a value if the old one is still what the writer has read (the empty string: none).
-- KEYS: where it lies. ARGV: the old value, the new one. Returns 1 if it was written.
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
