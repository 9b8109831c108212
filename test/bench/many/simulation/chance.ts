// Chance that is the same in each run with the same seed, for the simulation and for the code that it runs.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return mix(state)
  }
}

/** A number from 0 to 1 that belongs to these two, in whatever order they are asked for. */
export function chanceOf(one: number, other: number): number {
  return mix((Math.imul(one + 1, 0x9e3779b9) + Math.imul(other + 1, 0x85ebca6b)) | 0)
}

function mix(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

/** From now on all chance of this process, and so its ids and salts, is the same for the same seed. */
export function takeOverChance(seed: number): void {
  const random = randomFrom(seed)
  const fill = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(random() * 256)
    return bytes
  }
  Object.assign(Math, { random })
  Object.assign(crypto, {
    randomFillSync: fill,
    randomBytes: (length: number) => fill(Buffer.alloc(length)),
    randomUUID: () => {
      const hex = fill(Buffer.alloc(16)).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  })
  syncBuiltinESMExports()
}
