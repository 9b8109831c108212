// Turns kept blocks into the set of nodes to remove. An element is removed if all its text is. Images and rules are
// treated like the nearest text. Table cells stay, so that tables keep their shape.
import type { Element, Node } from '../tree/tree.ts'
import { block, blockWidth, type Blocks } from './block-table.ts'
import { tagInfo } from './marks.ts'
import { addRow, makeIntTable, type IntTable } from './tables.ts'

/** Form fields are never content, and are not part of any block. */
const choices = new Set(['select', 'textarea'])

const state = { kept: 1, dropped: 2, media: 4 } as const

interface Visit {
  readonly included: Uint8Array
  readonly blocks: Blocks
  /** A row for each element and text node, in document order. */
  readonly nodes: IntTable
}

/**
 * Columns of `Visit.nodes`: the node's state, the row after its last descendant, and the number of the last block that
 * started before it, or -1.
 */
const column = { state: 0, end: 1, before: 2 } as const
const columns = 3

/**
 * Returns the nodes that are not part of the main content, given an array with 1 for each included block. The tree is
 * not changed.
 */
export function removedNodes(root: Element, blocks: Blocks, included: Uint8Array): Set<Node> {
  const removed = new Set<Node>()
  const visit: Visit = { included, blocks, nodes: makeIntTable(columns, 1024) }
  readStates(root, visit)
  collect(root, visit, removed)
  for (const element of blocks.unprinted) removed.add(element)
  return removed
}

/** First pass: computes the state of each node. Parents combine the states of their children. */
function readStates(root: Element, visit: Visit): void {
  const { nodes, blocks, included } = visit
  const openOffsets: number[] = []
  let text = 0
  let row = -1
  let node: Node | null = root
  while (node) {
    const place = nodes.rows
    const offset = addRow(nodes)
    nodes.data[offset + column.before] = row
    nodes.data[offset + column.end] = place + 1
    if (node.type === 'text') {
      if (blocks.texts[text] === node) {
        text++
        while (row + 1 < blocks.count && blocks.table.data[(row + 1) * blockWidth + block.firstText]! < text) row++
        nodes.data[offset + column.state] = included[row] === 1 ? state.kept : state.dropped
      }
    } else {
      if (node.name === 'img') nodes.data[offset + column.state] = state.media
      else if (choices.has(node.name)) nodes.data[offset + column.state] = state.dropped
      if (node.first && !tagInfo(node.name).wordless) {
        openOffsets.push(offset)
        node = node.first
        continue
      }
    }
    endNode(node, offset, openOffsets.at(-1), nodes)
    while (node !== root && !node.next) {
      node = node.parent!
      const closed = openOffsets.pop()!
      nodes.data[closed + column.end] = nodes.rows
      endNode(node, closed, openOffsets.at(-1), nodes)
    }
    node = node === root ? null : node.next
  }
}

/**
 * Finishes a node after its descendants, given where its row and its parent's start in the table: marks it as dropped if it is a
 * link without content, then adds its state to the parent's.
 */
function endNode(node: Node, offset: number, parentOffset: number | undefined, { data }: IntTable): void {
  // Links without text or image, such as overlays and icons, are dropped; otherwise their label would be printed.
  if (data[offset + column.state] === 0 && node.type === 'element' && node.name === 'a')
    data[offset + column.state] = state.dropped
  if (parentOffset !== undefined) data[parentOffset + column.state]! |= data[offset + column.state]!
}

/**
 * Second pass: collects the nodes to remove. Descends into elements with kept and dropped content, and into dropped
 * table cells and figures.
 */
function collect(root: Element, visit: Visit, removed: Set<Node>): void {
  const { data } = visit.nodes
  let node: Node | null = root
  let place = 0
  let figureEnd = 0
  while (node) {
    const own = data[place * columns + column.state]!
    const end = data[place * columns + column.end]!
    const isRemoved = (own & (state.kept | state.dropped)) === state.dropped
    const figure = isRemoved && isFigure(node) && (own & state.media) !== 0 && mediaStays(node, place, visit)
    if (figure) figureEnd = end
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
    place = end
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
function mediaStays(node: Node, place: number, { included, nodes }: Visit): boolean {
  const { data, rows } = nodes
  const last = data[place * columns + column.before]!
  const end = data[place * columns + column.end]!
  const after = (end < rows ? data[end * columns + column.before]! : included.length) + 1
  const previous = last >= 0 && included[last] === 1
  const next = after < included.length && included[after] === 1
  if (!previous && !next) return false
  // At the start and end of the page, text on one side is enough.
  if (node.parent && skeleton.has(node.parent.name)) return (previous || last < 0) && (next || after >= included.length)
  return true
}
