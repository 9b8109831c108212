// Variants of untrusted files for tests: at any offset of their buffer, in chunks, damaged by a seed.
import { randomFrom } from './random.ts'

/** Copies bytes to an offset of a new ArrayBuffer. Native searches may behave differently at odd offsets. */
export function atOffset(bytes: Uint8Array, offset: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(new ArrayBuffer(bytes.length + offset), offset)
  copy.set(bytes)
  return copy
}

/** Splits bytes into chunks of pseudo-random sizes, deterministic for each seed. `longest` is in bytes, by default 4,096. */
export function inChunks(bytes: Uint8Array, seed: number, longest = 4_096): Uint8Array[] {
  const random = randomFrom(seed)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + Math.floor(random() * longest)
    chunks.push(bytes.subarray(at, end))
    at = end
  }
  return chunks
}

/** Kinds of damage: three bytes changed, the end missing, a part duplicated. */
export const damages = ['flipped', 'truncated', 'duplicated'] as const

/** A kind of damage to a file. */
export type Damage = (typeof damages)[number]

/**
 * Returns a copy of a file with three changed bytes, without its end, or with a part twice, deterministic for each seed. The
 * original is unchanged.
 */
export function damagedFile(bytes: Uint8Array, damage: Damage, seed: number): Uint8Array {
  const random = randomFrom(seed)
  const place = (): number => Math.floor(random() * bytes.length)
  if (damage === 'truncated') return new Uint8Array(bytes.subarray(0, place()))
  if (damage === 'duplicated') {
    const [start = 0, end = 0] = [place(), place()].toSorted((a, b) => a - b)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  }
  // `slice` of a Buffer would not copy.
  const copy = new Uint8Array(bytes)
  for (let left = 3; left > 0; left -= 1) {
    const at = place()
    copy[at] = (copy[at] ?? 0) ^ (1 + Math.floor(random() * 255))
  }
  return copy
}

/**
 * Returns a compound file ([MS-CFB]) with empty streams of these names, of at most 31 characters: the container of Office files
 * before 2007.
 */
export function compoundFile(names: readonly string[]): Uint8Array {
  const sector = 512
  const end = 0xfffffffe
  const directorySectors = Math.ceil((names.length + 1) / 4)
  const file = Buffer.alloc(sector * (2 + directorySectors))
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 44)
  file.writeUInt32LE(1, 48)
  file.writeUInt32LE(end, 68)
  file.fill(0xff, 76, sector)
  file.writeUInt32LE(0, 76)
  file.fill(0xff, sector, 2 * sector)
  file.writeUInt32LE(0xfffffffd, sector)
  for (let at = 1; at <= directorySectors; at += 1)
    file.writeUInt32LE(at < directorySectors ? at + 1 : end, sector + at * 4)
  const entries = ['Root Entry', ...names]
  entries.forEach((name, index) => {
    const at = 2 * sector + index * 128
    file.write(`${name}\0`, at, 'utf16le')
    file.writeUInt16LE(name.length * 2 + 2, at + 64)
    file[at + 66] = index === 0 ? 5 : 2
    file.writeUInt32LE(0xffffffff, at + 68)
    file.writeUInt32LE(index > 0 && index + 1 < entries.length ? index + 1 : 0xffffffff, at + 72)
    file.writeUInt32LE(index === 0 && names.length > 0 ? 1 : 0xffffffff, at + 76)
  })
  return file
}
