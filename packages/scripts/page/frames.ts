// Frames of the same origin, which are read as open shadow roots are.
import { topmost, type AnyElement } from '../../ports/page/elements.ts'
import { clean } from './elements.ts'

const maxFrames = 50

type FrameElement = Element & Partial<Pick<HTMLIFrameElement, 'contentDocument' | 'name' | 'title'>>

/** Whether an element is a frame. */
export const isFrame = (element: Element): boolean => /^i?frame$/.test(element.localName)

/** Returns the document of a frame of the same origin. */
export function documentIn(frame: FrameElement): Document | undefined {
  const inner = frame.contentDocument
  if (!inner) return undefined
  return inner.location?.origin === location.origin || inner.URL.startsWith('about:') ? inner : undefined
}

/** Returns the frame that an element is in, or `undefined` in the document of the page. */
export function frameOf(element: Element): FrameElement | undefined {
  if (element.ownerDocument === document) return undefined
  return element.ownerDocument.defaultView?.frameElement ?? undefined
}

/** Whether two elements are in the same document. */
export const isBeside = (one: Element, other: Element): boolean => one.ownerDocument === other.ownerDocument

/** Returns the path of an element: the names of the elements that it is in, with their positions. */
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

/** Returns the ways to find the frame of an element again. */
export function frameWaysOf(element: Element): Record<string, string> {
  const frame = frameOf(element)
  if (!frame?.contentDocument) return {}
  const { pathname, protocol } = new URL(frame.contentDocument.URL)
  const address = protocol === 'about:' ? '' : pathname
  const ways = { id: frame.id, name: frame.name, title: frame.title, address, path: pathOf(frame) }
  const cleaned = Object.entries(ways).map(([way, value]) => [way, clean(value)])
  return Object.fromEntries(cleaned.filter(([, value]) => value !== ''))
}

/** Returns the document of the page, and those of its frames of the same origin. */
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

/** Returns the same point in the page, or `undefined` where something covers the frame there. */
export function inPage(element: Element, x: number, y: number): { x: number; y: number } | undefined {
  const frame = frameOf(element)
  if (!frame) return { x, y }
  const { left, top } = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  const across = left + frame.clientLeft + parseFloat(paddingLeft) + x
  const down = top + frame.clientTop + parseFloat(paddingTop) + y
  return topmost(frame.ownerDocument, across, down) === frame ? inPage(frame, across, down) : undefined
}

/** Whether an element is shown, as are the frames that it is in. */
export function isVisible(element: Element): boolean {
  if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true })) return false
  const { width, height } = element.getBoundingClientRect()
  const frame = frameOf(element)
  return width > 0 && height > 0 && (!frame || isVisible(frame))
}

const numbers = new WeakMap<object, number>()
let lastNumber = 0

/** Returns a number that identifies an object. */
export function numberOf(one: object): number {
  const known = numbers.get(one)
  if (known !== undefined) return known
  numbers.set(one, (lastNumber += 1))
  return lastNumber
}

/** Returns the element of an event, also in shadow roots. */
export function firstOf(event: Event): AnyElement | undefined {
  const [first] = event.composedPath()
  return first && 'nodeType' in first && first.nodeType === 1 ? (first as Element) : undefined
}
