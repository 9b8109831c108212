// Same-origin frames. Their content is treated as part of the page, like open shadow roots.
import { topmost, type AnyElement } from '../../ports/page/elements.ts'
import { clean } from './elements.ts'

const maxFrames = 50

type FrameElement = Element & Partial<Pick<HTMLIFrameElement, 'contentDocument' | 'name' | 'title'>>

/** Returns whether an element is a frame. */
export const isFrame = (element: Element): boolean => /^i?frame$/.test(element.localName)

/** Returns the document of a same-origin frame, or `undefined` for other origins. */
export function documentIn(frame: FrameElement): Document | undefined {
  const inner = frame.contentDocument
  if (!inner) return undefined
  return inner.location?.origin === location.origin || inner.URL.startsWith('about:') ? inner : undefined
}

/** Returns the frame that contains an element, or `undefined` in the main document. */
export function frameOf(element: Element): FrameElement | undefined {
  if (element.ownerDocument === document) return undefined
  return element.ownerDocument.defaultView?.frameElement ?? undefined
}

/** Returns whether two elements are in the same document. */
export const isBeside = (one: Element, other: Element): boolean => one.ownerDocument === other.ownerDocument

/** Returns the path of an element: the tag names of up to 8 levels with their positions, after the path of its frame. */
export function pathOf(element: Element): string {
  const parts: string[] = []
  for (let node: Element | null = element; node && node.localName !== 'body' && parts.length < 8;) {
    const { localName, parentElement }: Element = node
    const twins = parentElement ? [...parentElement.children].filter((one) => one.localName === localName) : [node]
    parts.unshift(twins.length > 1 ? `${localName}:${twins.indexOf(node) + 1}` : localName)
    node = parentElement
  }
  const frame = frameOf(element)
  return ((frame ? `${pathOf(frame)}/` : '') + parts.join('/')).slice(-1000)
}

/** Returns properties that identify the frame of an element. Empty in the main document. */
export function frameWaysOf(element: Element): Record<string, string> {
  const frame = frameOf(element)
  if (!frame?.contentDocument) return {}
  const { pathname, protocol } = new URL(frame.contentDocument.URL)
  const address = protocol === 'about:' ? '' : pathname
  const ways = { id: frame.id, name: frame.name, title: frame.title, address, path: pathOf(frame) }
  const cleaned = Object.entries(ways).map(([way, value]) => [way, clean(value)])
  return Object.fromEntries(cleaned.filter(([, value]) => value !== ''))
}

/** Returns the main document and the documents of its same-origin frames, at most 50. */
export function documents(): Document[] {
  const all = [document]
  for (const one of all) {
    if (all.length >= maxFrames) break
    for (const frame of one.querySelectorAll<FrameElement>('iframe, frame')) {
      const inner = documentIn(frame)
      if (inner && all.length < maxFrames) all.push(inner)
    }
  }
  return all
}

/** Converts a point in the document of an element to the main document. Returns `undefined` if the frame is covered there. */
export function inPage(element: Element, x: number, y: number): { x: number; y: number } | undefined {
  const frame = frameOf(element)
  if (!frame) return { x, y }
  const { left, top } = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  const across = left + frame.clientLeft + parseFloat(paddingLeft) + x
  const down = top + frame.clientTop + parseFloat(paddingTop) + y
  return topmost(frame.ownerDocument, across, down) === frame ? inPage(frame, across, down) : undefined
}

/** Returns whether an element and the frames that contain it are visible. */
export function isVisible(element: Element): boolean {
  if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return false
  const { width, height } = element.getBoundingClientRect()
  const frame = frameOf(element)
  return width > 0 && height > 0 && (!frame || isVisible(frame))
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Returns a unique number for an object, the same for each call. */
export function numberOf(one: object): number {
  const known = numbers.get(one)
  if (known !== undefined) return known
  numbers.set(one, (lastNumber += 1))
  return lastNumber
}

/** Returns the innermost target of an event, also inside open shadow roots. `undefined` if it is not an element. */
export function firstOf(event: Event): AnyElement | undefined {
  const [first] = event.composedPath()
  return first && 'nodeType' in first && first.nodeType === 1 ? (first as Element) : undefined
}
