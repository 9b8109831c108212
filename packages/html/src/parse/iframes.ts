import { parseHtml } from './parse.ts'
import { frameMark } from '../tree/frame-mark.ts'
import { append, detach, insertBefore, makeAttributes, makeElement, type Element } from '../tree/tree.ts'
import { elementsOf } from '../tree/walk.ts'
import type { Marked } from '../tree/hidden-marks.ts'
import { resolveUrl, type Base } from '../addresses/urls.ts'

const frames = new Set(['iframe', 'frame'])
const maxFrameDepth = 3
const maxDepth = 400

/**
 * Replaces frames with the documents in their `srcdoc`, down to three levels. Other frames are unchanged. The new elements get
 * the marks of the frames in `marked`. Changes the tree.
 */
export function inlineFrames(root: Element, marked?: Marked, level = 1): void {
  for (const element of elementsOf(root)) {
    const { srcdoc } = element.attributes
    if (!frames.has(element.name) || srcdoc === undefined || !element.parent) continue
    const frame = makeElement('div', markedAttributes(element))
    const how = marked?.get(element.attributes)
    if (how !== undefined) marked?.set(frame.attributes, how)
    const { body } = parseHtml(srcdoc, { depth: Math.max(maxDepth - depthOf(element), 16) })
    if (level < maxFrameDepth) inlineFrames(body, undefined, level + 1)
    moveChildren(body, frame)
    insertBefore(element, frame)
    detach(element)
  }
}

/**
 * Returns the absolute URLs of frames on the page's own host whose documents are not part of the HTML. Empty if there
 * are none.
 */
export function unreadFrames(elements: readonly Element[], base: Base, url: string): string[] {
  const host = URL.parse(url)?.host
  const found = new Set<string>()
  for (const element of elements) {
    if (!isContentFrame(element)) continue
    const target = resolveUrl(element.attributes['src'] ?? '', base)
    if (target !== undefined && host !== undefined && URL.parse(target)?.host === host) found.add(target)
  }
  return [...found]
}

function markedAttributes({ attributes }: Element): Record<string, string> {
  const marked = makeAttributes()
  marked[frameMark] = attributes['src'] ?? 'about:srcdoc'
  for (const name of ['id', 'class', 'title', 'hidden']) if (name in attributes) marked[name] = attributes[name]!
  return marked
}

/** Turns declarative shadow roots into plain elements, as browsers show their content. Changes the tree. */
export function openShadowRoots(root: Element): void {
  for (const element of elementsOf(root)) {
    if (element.name !== 'template' || !element.parent || !('shadowrootmode' in element.attributes)) continue
    const shown = makeElement('div', element.attributes)
    moveChildren(element, shown)
    insertBefore(element, shown)
    detach(element)
  }
}

function moveChildren(from: Element, to: Element): void {
  while (from.first) {
    const child = from.first
    detach(child)
    append(to, child)
  }
}

function depthOf(element: Element): number {
  let depth = 0
  for (let at = element.parent; at; at = at.parent) depth++
  return depth
}

// Smaller frames are trackers and players, without readable content.
const minSide = 50

/**
 * Returns whether a frame loads its own document and is large enough to contain text: not narrower or lower than 50 pixels.
 * False if it is hidden or in `noscript`.
 */
export function isContentFrame({ name, attributes, parent }: Element): boolean {
  if (!frames.has(name) || !/^(?:https?:|\/|\.|[^:]*$)/i.test(attributes['src'] ?? 'about:')) return false
  if ('hidden' in attributes || /display:\s*none|visibility:\s*hidden/i.test(attributes['style'] ?? '')) return false
  const isSmall = (side: 'width' | 'height'): boolean =>
    Number.parseFloat(attributes[side] ?? '') < minSide && !attributes[side]?.includes('%')
  if (isSmall('width') || isSmall('height')) return false
  for (let at = parent; at; at = at.parent) if (at.name === 'noscript') return false
  return true
}
