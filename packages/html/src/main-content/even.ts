// Makes list items consistent: blocks at the same position of each item share part of their log odds.
import { block, blockWidth, box, boxWidth } from './block-table.ts'
import type { Described } from './described.ts'

const share = 0.6
const fewest = 3

/**
 * Returns a copy of the probabilities, each moved towards the mean of its group of similar blocks. Groups of fewer than 3
 * blocks are unchanged.
 */
export function evenItems(described: Described, chances: Float32Array): Float32Array {
  const evened = Float32Array.from(chances)
  for (const places of placesOf(described).values()) {
    if (places.length < fewest) continue
    let sum = 0
    for (const i of places) sum += oddsOf(chances[i]!)
    const mean = sum / places.length
    for (const i of places) evened[i] = 1 / (1 + Math.exp(-(oddsOf(chances[i]!) * (1 - share) + mean * share)))
  }
  return evened
}

const tiny = 1e-6
const oddsOf = (chance: number): number => Math.log((chance + tiny) / (1 - chance + tiny))

/** Groups blocks by list, tag and class of the item, path within the item, and index on that path. */
function placesOf({ blocks, outline }: Described): Map<number, number[]> {
  const { table, boxes, count } = blocks
  const places = new Map<number, number[]>()
  const before = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const own = table.data[i * blockWidth + block.box]!
    const item = own < 0 ? -1 : outline.repeated[own]!
    if (item < 0) continue
    let way = 17
    for (let at = own; at !== item; at = boxes.data[at * boxWidth + box.parent]!) {
      way = Math.imul(way, 31) ^ boxes.data[at * boxWidth + box.look]!
    }
    const inItem = pair(item, way)
    const turn = before.get(inItem) ?? 0
    before.set(inItem, turn + 1)
    const look = boxes.data[item * boxWidth + box.look]!
    const place = pair(boxes.data[item * boxWidth + box.parent]!, mix(mix(way, look), turn))
    const known = places.get(place)
    if (known) known.push(i)
    else places.set(place, [i])
  }
  return places
}

/** Combines a box and a 32-bit hash into one key. Exact below two million boxes; beyond that, keys may collide. */
const pair = (place: number, hash: number): number => place * 0x1_0000_0000 + (hash >>> 0)

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x9e37_79b1) ^ (hash >>> 15)
