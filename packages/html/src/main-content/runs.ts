// Builds a block: from its first text to the edge of the next block element.
import type { Text } from '../tree/tree.ts'
import { block, far } from './block-table.ts'
import { addToBox } from './boxes.ts'
import { addBytes, addRow } from './tables.ts'
import { endWord, resetScan, scanText } from './text-scan.ts'
import type { Walk } from './walk-state.ts'

/** The table contains integers, so lexicon scores are stored in thousandths. */
const fine = 1000

/** Adds a text node to the open block. Opens a block if there is none and the text is not blank. */
export function readText(node: Text, walk: Walk): void {
  if (!walk.open) {
    if (isBlank(node.text)) return
    openBlock(walk)
  }
  walk.texts.push(node)
  if (walk.anchors > 0 && !walk.anchorSeen) {
    walk.anchorSeen = true
    walk.table.data[walk.at + block.links]!++
  }
  scanText(walk.scan, node.text, walk.lookup, walk.anchors > 0, walk.strong > 0)
}

function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x20 && code !== 0xa0) return false
  }
  return true
}

function openBlock(walk: Walk): void {
  const at = addRow(walk.table)
  const { data } = walk.table
  walk.at = at
  walk.open = true
  walk.breaks = 0
  walk.anchorSeen = false
  resetScan(walk.scan)
  data[at + block.box] = walk.box
  data[at + block.firstText] = walk.texts.length
  data[at + block.tag] = walk.tag
  data[at + block.depth] = walk.depth
  data[at + block.lists] = walk.lists
  data[at + block.heading] = walk.heading
  data[at + block.pre] = walk.pre
  data[at + block.images] = walk.images
  data[at + block.nameNear] = walk.nameNear * fine
  data[at + block.nameLowest] = walk.nameLowest * fine
  data[at + block.nameHighest] = walk.nameHighest * fine
  data[at + block.nameSum] = walk.nameSum * fine
  const { nearest, distances, depth } = walk
  for (let k = 0; k < distances.length; k++) distances[k] = Math.min(far, depth - nearest[k]!)
  addBytes(walk.near, distances)
}

/** Ends the open block and stores its counts. Does nothing if none is open. */
export function closeBlock(walk: Walk): void {
  if (!walk.open) return
  walk.open = false
  const { scan, at } = walk
  const { data } = walk.table
  endWord(scan, walk.lookup, walk.anchors > 0)
  data[at + block.hash] = scan.words > 0 ? scan.hash : scan.first
  data[at + block.chars] = scan.chars
  data[at + block.words] = scan.words
  data[at + block.linkChars] = scan.linkChars
  data[at + block.linkWords] = scan.linkWords
  data[at + block.strongChars] = scan.strongChars
  data[at + block.punctuation] = scan.punctuation
  data[at + block.commas] = scan.commas
  data[at + block.stops] = scan.stops
  data[at + block.digits] = scan.digits
  data[at + block.capitals] = scan.capitals
  data[at + block.symbols] = scan.symbols
  data[at + block.quotes] = scan.quotes
  data[at + block.money] = scan.money
  data[at + block.ideographs] = scan.ideographs
  data[at + block.longest] = scan.longest
  data[at + block.titleHits] = scan.titleHits
  data[at + block.first] = scan.first
  data[at + block.last] = scan.last
  data[at + block.breaks] = walk.breaks
  data[at + block.wordScore] = (scan.score / Math.max(1, scan.known)) * fine
  data[at + block.wordLowest] = scan.lowest * fine
  data[at + block.wordHighest] = scan.highest * fine
  for (let k = 0; k < scan.families.length; k++) data[at + block.families + k] = scan.families[k]!
  addToBox(walk)
}
