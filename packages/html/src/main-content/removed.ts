// Turns kept blocks into the set of nodes to remove. An element is removed if all its text is. Images and rules are
// treated like the nearest text. Table cells stay, so that tables keep their shape.
import type { Element, Node } from '../tree/tree.ts'
import { block, blockWidth, type Blocks } from './block-table.ts'
import { tagInfo } from './marks.ts'

/** Form fields are never content, and are not part of any block. */
const choices = new Set(['select', 'textarea'])

const state = { kept: 1, dropped: 2, media: 4 } as const

interface Visit {
  readonly included: Uint8Array
  readonly blocks: Blocks
  /** For each element and text node in document order: its state, and the index after its last descendant. */
  readonly states: number[]
  readonly ends: number[]
  /** Number of the last block that started before each node, or -1. */
  readonly before: number[]
}

/**
 * Returns the nodes that are not part of the main content, given an array with 1 for each included block. The tree is
 * not changed.
 */
export function removedNodes(root: Element, blocks: Blocks, included: Uint8Array): Set<Node> {
  const removed = new Set<Node>()
  const visit: Visit = { included, blocks, states: [], ends: [], before: [] }
  readStates(root, visit)
  collect(root, visit, removed)
  for (const element of blocks.unprinted) removed.add(element)
  return removed
}

/** First pass: computes the state of each node. Parents combine the states of their children. */
function readStates(root: Element, visit: Visit): void {
  const { states, ends, before, blocks, included } = visit
  const open: number[] = []
  let text = 0
  let row = -1
  let node: Node | null = root
  while (node) {
    const place = states.length
    before.push(row)
    states.push(0)
    ends.push(place + 1)
    if (node.type === 'text') {
      if (blocks.texts[text] === node) {
        text++
        while (row + 1 < blocks.count && blocks.table.data[(row + 1) * blockWidth + block.firstText]! < text) row++
        states[place] = included[row] === 1 ? state.kept : state.dropped
      }
    } else {
      if (node.name === 'img') states[place] = state.media
      else if (choices.has(node.name)) states[place] = state.dropped
      if (node.first && !tagInfo(node.name).wordless) {
        open.push(place)
        node = node.first
        continue
      }
    }
    dropEmptyLink(node, place, visit)
    if (open.length > 0) tell(visit, open.at(-1)!, place)
    while (node !== root && !node.next) {
      node = node.parent!
      const done = open.pop()!
      ends[done] = states.length
      dropEmptyLink(node, done, visit)
      if (open.length > 0) tell(visit, open.at(-1)!, done)
    }
    node = node === root ? null : node.next
  }
}

/** Drops links without text or image, such as overlays and icons; otherwise their label would be printed. */
function dropEmptyLink(node: Node, place: number, { states }: Visit): void {
  if (states[place] === 0 && node.type === 'element' && node.name === 'a') states[place] = state.dropped
}

function tell(visit: Visit, parent: number, child: number): void {
  visit.states[parent] = visit.states[parent]! | visit.states[child]!
}

/**
 * Second pass: collects the nodes to remove. Descends into elements with kept and dropped content, and into dropped
 * table cells and figures.
 */
function collect(root: Element, visit: Visit, removed: Set<Node>): void {
  const { states, ends } = visit
  let node: Node | null = root
  let place = 0
  let figureEnd = 0
  while (node) {
    const own = states[place]!
    const isRemoved = (own & (state.kept | state.dropped)) === state.dropped
    const figure = isRemoved && isFigure(node) && (own & state.media) !== 0 && mediaStays(node, place, visit)
    if (figure) figureEnd = ends[place]!
    if (
      node.type === 'element' &&
      node.first &&
      (isRemoved ? figure || isCell(node, root) : (own & state.dropped) !== 0)
    ) {
      place++
      node = node.first
      continue
    }
    const lost = own === state.media && place >= figureEnd && node !== root && !mediaStays(node, place, visit)
    if (isRemoved || lost) removed.add(node)
    place = ends[place]!
    node = nextOutside(node, root)
  }
}

function nextOutside(node: Node, root: Element): Node | null {
  let at = node
  while (at !== root && !at.next) at = at.parent!
  return at === root ? null : at.next
}

const isCell = (node: Element, root: Element): boolean => node !== root && (node.name === 'td' || node.name === 'th')
/** A figure between kept text keeps its image even if its caption is removed. */
const isFigure = (node: Node): boolean => node.type === 'element' && node.name === 'figure'

const skeleton = new Set(['body', 'html', '#document'])

/**
 * Returns whether an image stays: the nearest text on one side must stay, or on both sides for direct children of the
 * body.
 */
function mediaStays(node: Node, place: number, { included, before, ends }: Visit): boolean {
  const last = before[place]!
  const after = (before[ends[place]!] ?? included.length) + 1
  const previous = last >= 0 && included[last] === 1
  const next = after < included.length && included[after] === 1
  if (!previous && !next) return false
  // At the start and end of the page, text on one side is enough.
  if (node.parent && skeleton.has(node.parent.name)) return (previous || last < 0) && (next || after >= included.length)
  return true
}
