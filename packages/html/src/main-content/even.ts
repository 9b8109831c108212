// Makes list items consistent: blocks at the same position of each item share part of their log odds.
import { block, blockWidth, box, boxWidth } from './block-table.ts'
import type { Described } from './described.ts'
import { groupRows, type Groups } from './groups.ts'

const share = 0.6
const fewest = 3

/**
 * Returns a copy of the probabilities, each moved towards the mean of its group of similar blocks. Groups of fewer than 3
 * blocks are unchanged.
 */
export function evenItems(described: Described, chances: Float32Array): Float32Array {
  const evened = chances.slice()
  const { rows, places } = placesOf(described)
  const sizes = new Int32Array(places.count)
  const sums = new Float64Array(places.count)
  for (let row = 0; row < rows.length; row++) {
    const place = places.of[row]!
    sizes[place]!++
    sums[place] = sums[place]! + oddsOf(chances[rows[row]!]!)
  }
  for (let row = 0; row < rows.length; row++) {
    const place = places.of[row]!
    if (sizes[place]! < fewest) continue
    const mean = sums[place]! / sizes[place]!
    const odds = oddsOf(chances[rows[row]!]!)
    evened[rows[row]!] = 1 / (1 + Math.exp(-(odds * (1 - share) + mean * share)))
  }
  return evened
}

const tiny = 1e-6
const oddsOf = (chance: number): number => Math.log((chance + tiny) / (1 - chance + tiny))

/** Groups the blocks in list items, `rows`, by list, tag and class of the item, path within the item, and index on that path. */
function placesOf({ blocks, outline }: Described): { rows: Int32Array; places: Groups } {
  const { table, boxes, count } = blocks
  const rows = new Int32Array(count)
  const items = new Int32Array(count)
  const ways = new Int32Array(count)
  let size = 0
  for (let i = 0; i < count; i++) {
    const own = table.data[i * blockWidth + block.box]!
    const item = own < 0 ? -1 : outline.repeated[own]!
    if (item < 0) continue
    let way = 17
    for (let at = own; at !== item; at = boxes.data[at * boxWidth + box.parent]!) {
      way = Math.imul(way, 31) ^ boxes.data[at * boxWidth + box.look]!
    }
    rows[size] = i
    items[size] = item
    ways[size++] = way
  }
  const inItem = groupRows(items.subarray(0, size), ways.subarray(0, size))
  const turns = new Int32Array(inItem.count)
  const lists = new Int32Array(size)
  const hashes = new Int32Array(size)
  for (let row = 0; row < size; row++) {
    const item = items[row]! * boxWidth
    const turn = turns[inItem.of[row]!]!++
    lists[row] = boxes.data[item + box.parent]!
    hashes[row] = mix(mix(ways[row]!, boxes.data[item + box.look]!), turn)
  }
  return { rows: rows.subarray(0, size), places: groupRows(lists, hashes) }
}

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x9e37_79b1) ^ (hash >>> 15)
