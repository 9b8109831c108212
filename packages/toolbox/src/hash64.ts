/** A 64-bit hash as two 32-bit integers, because a JavaScript number cannot hold it and a bigint is slow. */
export interface Hash64 {
  high: number
  low: number
}

/**
 * Hashes a string into `out`, without allocating. Two different strings collide with a probability of 1 in 2^64. Not
 * cryptographic: an attacker can construct collisions.
 */
export function hash64(text: string, out: Hash64): void {
  let high = 0x3c6ef372
  let low = 0x9e3779b9
  const { length } = text
  let at = 0
  for (; at + 1 < length; at += 2) {
    const pair = Math.imul(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16), 0xcc9e2d51)
    const mixed = Math.imul((pair << 15) | (pair >>> 17), 0x1b873593)
    low = Math.imul(low ^ mixed, 0x85ebca6b)
    low = ((low << 13) | (low >>> 19)) + high
    high = Math.imul(high ^ ((mixed << 16) | (mixed >>> 16)), 0xc2b2ae35)
    high = ((high << 17) | (high >>> 15)) + low
  }
  if (at < length) {
    const last = Math.imul(text.charCodeAt(at), 0x1b873593)
    low = Math.imul(low ^ last, 0x85ebca6b)
    high = Math.imul(high ^ ((last << 15) | (last >>> 17)), 0xc2b2ae35)
  }
  low ^= length
  high = spread(high + low)
  low = spread(low + high)
  out.high = (high + low) >>> 0
  out.low = low >>> 0
}

/** Every input bit changes half of the output bits (the finalizer of MurmurHash3). */
function spread(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
