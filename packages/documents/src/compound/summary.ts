// Reads the metadata of compound files ([MS-OLEPS]).
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { factsOf, type Facts } from '../facts.ts'
import { decodeBytes } from '../rtf/code-pages.ts'

const maxProperties = 200
const names: Readonly<Record<number, keyof Facts>> = {
  2: 'title',
  4: 'author',
  5: 'keywords',
  6: 'description',
  12: 'createdTime',
  13: 'modifiedTime',
}
const codePageId = 1
const maxLength = 10_000

/** Returns the metadata in the summary of a compound file. Empty if there is none, or if it is damaged. */
export function summaryFacts(root: CompoundStorage): Facts {
  const stream = root.stream('\u0005SummaryInformation')
  try {
    return stream ? readSummary(stream) : {}
  } catch (error) {
    // A number in it points outside of the stream.
    if (error instanceof RangeError) return {}
    throw error
  }
}

function readSummary(stream: Buffer): Facts {
  const section = stream.subarray(stream.readUInt32LE(44))
  const count = Math.min(section.readUInt32LE(4), maxProperties)
  const places = Array.from(
    { length: count },
    (_, index) => [section.readUInt32LE(8 + index * 8), section.readUInt32LE(12 + index * 8)] as const,
  )
  const codePageAt = places.find(([id]) => id === codePageId)?.[1]
  const codePage = codePageAt === undefined ? 1252 : section.readUInt16LE(codePageAt + 4)
  const found: Partial<Record<keyof Facts, string>> = {}
  for (const [id, at] of places) {
    const name = names[id]
    const value = name && valueAt(section, at, codePage)
    if (name && value !== undefined) found[name] = value
  }
  return factsOf(found)
}

function valueAt(section: Buffer, at: number, codePage: number): string | undefined {
  const kind = section.readUInt16LE(at)
  if (kind === 0x40) return timeOf(section.readBigUInt64LE(at + 4))
  const length = Math.min(section.readUInt32LE(at + 4), maxLength)
  if (kind === 0x1f) return ended(section.toString('utf16le', at + 8, at + 8 + length * 2))
  if (kind !== 0x1e) return undefined
  if (codePage === 1200) return ended(section.toString('utf16le', at + 8, at + 8 + length))
  return ended(decodeBytes(section.toString('latin1', at + 8, at + 8 + length), codePage))
}

function ended(text: string): string {
  return text.split('\0', 1)[0] ?? ''
}

const ticksPerMillisecond = 10_000n
const since1601 = 11_644_473_600_000n

/** Converts a number of 100 nanoseconds since 1601. Returns `undefined` for an unknown time, which is 0. */
export function timeOf(ticks: bigint): string | undefined {
  const time = Number(ticks / ticksPerMillisecond - since1601)
  return time > 0 && time < 8.64e15 ? new Date(time).toISOString() : undefined
}
