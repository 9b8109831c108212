import { parseHtml } from './parse.ts'
import { frameMark } from '../tree/frame-mark.ts'
import { append, detach, insertBefore, makeAttributes, makeElement, type Element } from '../tree/tree.ts'
import { elementsOf } from '../tree/walk.ts'

const deepestFrames = 3
const mostDepth = 400

/** Puts the documents that frames carry in `srcdoc` in the place of the frames. Other frames stay as they are. */
export function inlineFrames(root: Element, level = 1): void {
  for (const element of elementsOf(root)) {
    const { srcdoc } = element.attributes
    if (element.name !== 'iframe' || srcdoc === undefined || !element.parent) continue
    const frame = makeElement('div', markedAttributes(element))
    const { body } = parseHtml(srcdoc, { depth: Math.max(mostDepth - depthOf(element), 16) })
    if (level < deepestFrames) inlineFrames(body, level + 1)
    moveChildren(body, frame)
    insertBefore(element, frame)
    detach(element)
  }
}

function markedAttributes({ attributes }: Element): Record<string, string> {
  const marked = makeAttributes()
  marked[frameMark] = attributes['src'] ?? 'about:srcdoc'
  for (const name of ['id', 'class', 'title', 'hidden']) if (name in attributes) marked[name] = attributes[name]!
  return marked
}

/** A shadow tree written into the page is what a browser shows: it becomes a plain element. */
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
