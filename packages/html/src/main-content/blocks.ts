// Splits a page into blocks: runs of text between the edges of block elements. One iterative walk, without building
// strings.
import type { Element, Node } from '../tree/tree.ts'
import { block, blockWidth, isParagraph, type Blocks } from './block-table.ts'
import { closeBox, openBox } from './boxes.ts'
import type { NameReader } from './class-words.ts'
import { isHoverCard } from './hover-card.ts'
import { isDataScript, isSpoken, markElement, tagInfo, type TagInfo } from './marks.ts'
import { closeBlock, readText } from './runs.ts'
import { endWord, type Lookup } from './text-scan.ts'
import { makeWalk, type Walk } from './walk-state.ts'

/**
 * The content of `<noscript>` is used if it has `chars` characters, and `times` as many as the rest of the page.
 * Elements with fewer characters than `one` are still skipped then.
 */
const noscriptRule = { chars: 600, one: 300, times: 2 } as const

/**
 * Divides the text of a page into blocks with their counts. `noscript` is read only if it has at least 600 characters, and
 * twice as many as the rest.
 */
export function cutBlocks(root: Element, lookup: Lookup, read: NameReader): Blocks {
  const walk = makeWalk(lookup, read, false)
  walkPage(root, walk)
  const first = finish(walk)
  if (walk.noscriptChars < noscriptRule.chars) return first
  let chars = 0
  for (let row = 0; row < first.count; row++) chars += first.table.data[row * blockWidth + block.chars]!
  if (walk.noscriptChars < chars * noscriptRule.times) return first
  const again = makeWalk(lookup, read, true)
  walkPage(root, again)
  return finish(again)
}

function walkPage(root: Element, walk: Walk): void {
  let node: Node | null = root
  while (node) {
    if (node.type === 'text') readText(node, walk)
    else if (enter(node, walk)) {
      if (node.first) {
        node = node.first
        continue
      }
      leave(node, walk)
    }
    while (node !== root && !node.next) {
      const parent: Element | null = node.parent
      if (!parent) return
      leave(parent, walk)
      node = parent
    }
    if (node === root) return
    node = node.next
  }
}

const frame = { block: 1, anchor: 2, strong: 4, list: 8, pre: 16 } as const
const strongTags = new Set(['b', 'strong'])

function enter(element: Element, walk: Walk): boolean {
  const { name } = element
  const info = tagInfo(name)
  if (info.wordless) {
    if (info.media && name !== 'svg') walk.images++
    if (name === 'script' && isDataScript(element)) walk.dataScripts.push(element)
    return false
  }
  if (name === 'br' || name === 'hr') {
    if (name === 'hr') closeBlock(walk)
    else if (walk.open) breakLine(walk)
    return false
  }
  if (name === 'noscript' && !enterNoscript(element, walk)) return false
  openFrame(element, info, walk)
  return true
}

function enterNoscript(element: Element, walk: Walk): boolean {
  const chars = textLength(element, walk.useNoscript ? noscriptRule.one : Infinity)
  if (!walk.useNoscript) walk.noscriptChars += chars
  return walk.useNoscript && chars >= noscriptRule.one
}

/** Counts the characters inside an element. Stops counting at `enough`. */
function textLength(root: Element, enough: number): number {
  let sum = 0
  let node: Node | null = root.first
  while (node && node !== root && sum < enough) {
    if (node.type === 'text') sum += node.text.trim().length
    else if (node.first && !tagInfo(node.name).wordless) {
      node = node.first
      continue
    }
    while (node && node !== root && !node.next) node = node.parent
    if (!node || node === root) break
    node = node.next
  }
  return sum
}

function breakLine(walk: Walk): void {
  endWord(walk.scan, walk.lookup, walk.anchors > 0)
  walk.scan.spaceBefore = walk.scan.chars > 0
  walk.breaks++
}

function openFrame(element: Element, info: TagInfo, walk: Walk): void {
  if (info.block) closeBlock(walk)
  const mark = walk.undo.length
  walk.depth++
  markElement(element, info, walk.read, walk)
  if ((isSpoken(element, walk.names) && info.heading === 0) || isHoverCard(element)) walk.unprinted.push(element)
  let flags = info.block ? frame.block : 0
  if (element.name === 'a') {
    flags |= frame.anchor
    walk.anchors++
    walk.anchorSeen = false
  } else if (strongTags.has(element.name)) {
    flags |= frame.strong
    walk.strong++
  } else if (element.name === 'ul' || element.name === 'ol') {
    flags |= frame.list
    walk.lists++
  } else if (element.name === 'pre') {
    flags |= frame.pre
    walk.pre++
  }
  walk.frames.push(walk.nameNear, walk.nameLowest, walk.nameHighest, walk.nameSum, mark, flags, walk.tag, walk.heading)
  if (walk.names.known) weighNames(walk, walk.names.score)
  if (info.own >= 0) walk.tag = info.own
  if (info.heading > 0) walk.heading = info.heading
  if (info.block) openBox(element, info, walk.names.low, walk.names.high, walk)
}

const fading = 0.6

function weighNames(walk: Walk, score: number): void {
  walk.nameNear = score
  walk.nameLowest = Math.min(walk.nameLowest, score)
  walk.nameHighest = Math.max(walk.nameHighest, score)
  walk.nameSum = walk.nameSum * fading + score
}

function leave(element: Element, walk: Walk): void {
  const { undo, nearest, frames } = walk
  const heading = frames.pop()!
  const tag = frames.pop()!
  const flags = frames.pop()!
  const mark = frames.pop()!
  walk.nameSum = frames.pop()!
  walk.nameHighest = frames.pop()!
  walk.nameLowest = frames.pop()!
  walk.nameNear = frames.pop()!
  if (flags & frame.block) {
    closeBlock(walk)
    closeBox(walk)
  }
  if (flags & frame.anchor) {
    if (walk.open) endWord(walk.scan, walk.lookup, true)
    walk.anchors--
  }
  if (flags & frame.strong) walk.strong--
  if (flags & frame.list) walk.lists--
  if (flags & frame.pre) walk.pre--
  walk.tag = tag
  walk.heading = heading
  walk.depth--
  while (undo.length > mark) {
    const value = undo.pop()!
    nearest[undo.pop()!] = value
  }
}

function finish(walk: Walk): Blocks {
  closeBlock(walk)
  const { table, near, boxes, elements, texts, dataScripts, unprinted, useNoscript } = walk
  let words = 0
  let linkWords = 0
  let paragraphs = 0
  for (let at = 0; at < table.rows * blockWidth; at += blockWidth) {
    const own = table.data[at + block.words]!
    const inLinks = table.data[at + block.linkWords]!
    words += own
    linkWords += inLinks
    if (isParagraph(own, inLinks)) paragraphs++
  }
  const total = { words, linkWords, paragraphs, images: walk.images }
  return {
    count: table.rows,
    table,
    near,
    boxes,
    elements,
    texts,
    unprinted,
    dataScripts,
    total,
    noscript: useNoscript,
  }
}
