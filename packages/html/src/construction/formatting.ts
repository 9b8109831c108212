import { append, detach, makeElement, type Element } from '../tree/tree.ts'
import {
  current,
  currentIs,
  foster,
  insertOpenAt,
  open,
  pop,
  remember,
  removeFromOpen,
  removeOpenAt,
  type Attributes,
  type Builder,
  type Formatting,
} from './builder.ts'
import { FOSTERS, SCOPE, SPECIAL, type Tag } from './tag-table.ts'

/**
 * Opens a formatting element, such as `b`, and remembers it so that it can be reopened. Of equal ones, only three are
 * remembered.
 */
export function openFormatting(b: Builder, tag: Tag, attributes: Attributes | undefined): void {
  const element = open(b, tag, attributes)
  forgetThirdTwin(b, tag, element.attributes)
  remember(b, { element, tag })
}

// At most three equal formatting elements are stored (the "Noah's Ark clause" of the standard).
function forgetThirdTwin(b: Builder, tag: Tag, attributes: Attributes): void {
  let twins = 0
  for (let index = b.formatting.length - 1; index >= 0; index--) {
    const entry = b.formatting[index]
    if (!entry) return
    if (entry.tag !== tag || !sameAttributes(entry.element.attributes, attributes)) continue
    if (++twins === 3) {
      b.formatting.splice(index, 1)
      return
    }
  }
}

function sameAttributes(a: Attributes, b: Attributes): boolean {
  let count = 0
  for (const name in a) {
    if (a[name] !== b[name]) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}

/** Reopens the formatting elements that misnested blocks or cells closed. */
export function reconstruct(b: Builder): void {
  const { formatting } = b
  let index = formatting.length - 1
  if (index < 0) return
  const isClosed = (at: number): boolean => {
    const entry = formatting[at]
    return !!entry && !b.open.includes(entry.element)
  }
  if (!isClosed(index)) return
  while (index > 0 && isClosed(index - 1)) index--
  for (; index < formatting.length; index++) {
    const entry = formatting[index]!
    entry.element = open(b, entry.tag, entry.element.attributes)
  }
}

/** Returns the last formatting element of this name after the last marker, or `undefined` if there is none. */
export function findFormatting(b: Builder, name: string): Formatting | undefined {
  for (let index = b.formatting.length - 1; index >= 0; index--) {
    const entry = b.formatting[index]
    if (!entry) return undefined
    if (entry.tag.name === name) return entry
  }
  return undefined
}

/** Removes an entry from the formatting elements, so that it is not reopened. Does nothing if it is not listed. */
export function forgetFormatting(b: Builder, entry: Formatting): void {
  const index = b.formatting.lastIndexOf(entry)
  if (index === b.formatting.length - 1) b.formatting.pop()
  else if (index >= 0) b.formatting.splice(index, 1)
}

/**
 * Runs the standard's adoption agency algorithm: `<b>1<p>2</b>3</p>` becomes `<b>1</b><p><b>2</b>3</p>`. Calls `otherwise` if no
 * formatting element of this name is open.
 */
export function closeFormatting(b: Builder, tag: Tag, otherwise: () => void): void {
  const top = current(b)
  if (currentIs(b, tag.name) && !b.formatting.some((entry) => entry?.element === top)) {
    pop(b)
    return
  }
  for (let round = 0; round < 8; round++) {
    const entry = findFormatting(b, tag.name)
    if (!entry) {
      if (round === 0) otherwise()
      return
    }
    if (!adopt(b, entry)) return
  }
}

function adopt(b: Builder, entry: Formatting): boolean {
  const at = b.open.lastIndexOf(entry.element)
  if (at < 0) {
    forgetFormatting(b, entry)
    return false
  }
  if (hasBarrierAbove(b, at)) return false
  const blockAt = firstBlockAbove(b, at)
  if (blockAt < 0) {
    while (b.open.length > at) pop(b)
    forgetFormatting(b, entry)
    return false
  }
  moveOut(b, entry, at, blockAt)
  return true
}

function hasBarrierAbove(b: Builder, at: number): boolean {
  for (let index = at + 1; index < b.openFlags.length; index++) if (b.openFlags[index]! & SCOPE) return true
  return false
}

function firstBlockAbove(b: Builder, at: number): number {
  for (let index = at + 1; index < b.openFlags.length; index++) if (b.openFlags[index]! & SPECIAL) return index
  return -1
}

function moveOut(b: Builder, entry: Formatting, at: number, blockAt: number): void {
  const block = b.open[blockAt]!
  const ancestor = b.open[at - 1]!
  let last = block
  let bookmark: Formatting | undefined
  let steps = 0
  for (let index = blockAt - 1; index > at; index--) {
    const node = b.open[index]!
    const inner = b.formatting.find((other) => other?.element === node)
    steps++
    if (steps > 3 && inner) forgetFormatting(b, inner)
    if (steps > 3 || !inner) {
      removeOpenAt(b, index)
      continue
    }
    const copy = makeElement(node.name, node.attributes)
    b.nodes++
    inner.element = copy
    b.open[index] = copy
    if (last === block) bookmark = inner
    detach(last)
    append(copy, last)
    last = copy
  }
  detach(last)
  if (b.fostering && b.openFlags[at - 1]! & FOSTERS) foster(b, last)
  else append(ancestor, last)
  wrapChildren(b, entry, block)
  const renewed: Formatting = { element: block.first as Element, tag: entry.tag }
  if (bookmark) {
    forgetFormatting(b, entry)
    b.formatting.splice(b.formatting.indexOf(bookmark) + 1, 0, renewed)
  } else b.formatting[b.formatting.lastIndexOf(entry)] = renewed
  removeFromOpen(b, entry.element)
  insertOpenAt(b, b.open.lastIndexOf(block) + 1, renewed.element, entry.tag.flags)
}

// Moves the block's children into a copy of the formatting element, which becomes the block's only child.
function wrapChildren(b: Builder, entry: Formatting, block: Element): void {
  const copy = makeElement(entry.element.name, entry.element.attributes)
  b.nodes++
  copy.first = block.first
  copy.last = block.last
  for (let child = copy.first; child; child = child.next) child.parent = copy
  block.first = null
  block.last = null
  append(block, copy)
}
