// Tracks block elements as boxes: the blocks inside, the amount of text, and a hash of their tag and class.
import type { Element } from '../tree/tree.ts'
import { box, boxWidth, isParagraph } from './block-table.ts'
import type { TagInfo } from './marks.ts'
import { addRow } from './tables.ts'
import type { Walk } from './walk-state.ts'

/**
 * Adds an element as the innermost open container, for the blocks that follow. `low` and `high` are scores of its class
 * names.
 */
export function openBox(element: Element, info: TagInfo, low: number, high: number, walk: Walk): void {
  const { boxes } = walk
  const parent = walk.box
  const at = addRow(boxes)
  const { data } = boxes
  data[at + box.parent] = parent
  data[at + box.first] = walk.table.rows
  data[at + box.tag] = info.own
  data[at + box.depth] = walk.depth
  data[at + box.images] = -walk.images
  data[at + box.low] = low
  data[at + box.high] = high
  const look = lookOf(element)
  let shape = look
  data[at + box.look] = look
  data[at + box.path] = look
  if (parent >= 0) {
    const up = parent * boxWidth
    data[at + box.order] = data[up + box.kids]!++
    data[at + box.path] = Math.imul(look, 31) ^ data[up + box.look]!
    shape = Math.imul(look ^ parent, 0x9e3779b1)
  }
  data[at + box.shape] = shape
  walk.box = boxes.rows - 1
  walk.elements.push(element)
}

function lookOf(element: Element): number {
  const { name } = element
  let hash = 17
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  const className = element.attributes['class']
  if (className)
    for (let i = 0; i < className.length && i < 60; i++) hash = Math.imul(hash ^ className.charCodeAt(i), 0x01000193)
  return hash
}

/** Ends the open box, after its last block has ended. */
export function closeBox(walk: Walk): void {
  const { data } = walk.boxes
  const at = walk.box * boxWidth
  data[at + box.end] = walk.table.rows
  data[at + box.images] = data[at + box.images]! + walk.images
  const parent = data[at + box.parent]!
  if (parent >= 0) {
    const up = parent * boxWidth
    data[up + box.words] = data[up + box.words]! + data[at + box.words]!
    data[up + box.linkWords] = data[up + box.linkWords]! + data[at + box.linkWords]!
    data[up + box.paragraphs] = data[up + box.paragraphs]! + data[at + box.paragraphs]!
    data[up + box.commas] = data[up + box.commas]! + data[at + box.commas]!
  }
  walk.box = parent
}

/** Adds the counts of the block that has just ended to its box. */
export function addToBox(walk: Walk): void {
  const { scan } = walk
  if (walk.box < 0) return
  const { data } = walk.boxes
  const at = walk.box * boxWidth
  data[at + box.words] = data[at + box.words]! + scan.words
  data[at + box.linkWords] = data[at + box.linkWords]! + scan.linkWords
  data[at + box.commas] = data[at + box.commas]! + scan.commas
  if (isParagraph(scan.words, scan.linkWords)) data[at + box.paragraphs] = data[at + box.paragraphs]! + 1
}
