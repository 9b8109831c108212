import { findHidden } from './hidden.ts'
import { childrenOf, firstElementOf, nameOf, nodeTypeOf, setAttributeOf, shadowOf } from './nodes.ts'
import type { Reading } from '../src/tab/page-results.ts'

declare global {
  /** Frames that could not be read from here, in the order of their marks. */
  var harvestmanForeign: Element[] | undefined
  /** HTML of a document that is too long for one response. */
  var harvestmanText: string | undefined
}

const typeOf = (doc: Document): string => (doc.doctype ? `<!DOCTYPE ${doc.doctype.name}>` : '')

function isPlain(doc: Document): boolean {
  if (doc.querySelector('iframe, frame')) return false
  for (const element of doc.querySelectorAll('*')) if (shadowOf(element)) return false
  return true
}

/**
 * Returns the document as HTML. The content of open shadow roots is inserted where it is shown, and frames of the same origin
 * into their `srcdoc`. Frames that cannot be read get a mark and are stored in the same order for `foreignFrame`. Works on a
 * copy in a document that neither loads nor runs anything. With `hiddenMark`, elements that a visitor does not see get an
 * attribute of this name, which has to be removed.
 */
export function serialise(mark: string, deepest: number, most: number, hiddenMark?: string): Reading {
  const foreign: Element[] = (globalThis.harvestmanForeign = [])
  const found = hiddenMark === undefined ? undefined : findHidden(document)
  const marks = typeof found === 'object' ? found : undefined
  const hidden = hiddenMark !== undefined && marks && marks.size > 0 ? { name: hiddenMark, marks } : undefined
  const context: Context = { mark, deepest, foreign, hidden, isComplete: true }
  const html = serialiseDocument(document, 0, context)
  globalThis.harvestmanText = html.length > most ? html : undefined
  const isExamined = marks !== undefined && context.isComplete
  const isIncomplete = found !== undefined && !isExamined && hasOtherSheets()
  return { start: html.slice(0, most), length: html.length, foreign: foreign.length, isExamined, isIncomplete }
}

const hasOtherSheets = (): boolean => [...document.styleSheets].some(({ href }) => href !== null)

interface Hidden {
  /** Name of the attribute for the marks. */
  readonly name: string
  readonly marks: ReadonlyMap<Element, string>
}

interface Context {
  readonly mark: string
  readonly deepest: number
  readonly foreign: Element[]
  /** Elements of the outermost document to mark. */
  readonly hidden?: Hidden | undefined
  /** False if an element to mark is not in the HTML. */
  isComplete: boolean
}

function serialiseDocument(doc: Document, depth: number, context: Context): string {
  const root: Element | null = doc.documentElement
  if (!root) return ''
  const hidden = depth === 0 ? context.hidden : undefined
  if (!hidden && isPlain(doc)) return typeOf(doc) + root.outerHTML
  const inert = document.implementation.createHTMLDocument('')
  const copies = new Map<Node, Node>()
  const raw: string[] = []
  const copyOf = (live: Node): Node => {
    const copy = inert.importNode(live, true)
    const pairs: [from: Node, to: Node][] = [[live, copy]]
    for (const [from, to] of pairs) {
      copies.set(from, to)
      const copied = childrenOf(to)
      childrenOf(from).forEach((one, index) => {
        const its = copied[index]
        if (its) pairs.push([one, its])
      })
    }
    for (const [from, to] of pairs) {
      if (nodeTypeOf(from) !== 1) continue
      const [element, its] = [from as Element, to as Element]
      const shadow = shadowOf(element)
      if (shadow) showShadow(shadow, its)
      else if (/^i?frame$/.test(nameOf(element))) showFrame(element, its, depth, context)
      else if (nameOf(element) === 'noscript' && !firstElementOf(element)) {
        // A document without scripts would escape this text.
        its.textContent = `${context.mark}:${raw.push(element.innerHTML) - 1};`
      }
    }
    return copy
  }
  const showShadow = (shadow: ShadowRoot, copy: Element): void => {
    copy.replaceChildren(...[...shadow.childNodes].map(copyOf))
    for (const slot of shadow.querySelectorAll('slot')) {
      const assigned = slot.assignedNodes().flatMap((node) => copies.get(node) ?? [])
      const place = copies.get(slot) as Element | undefined
      place?.replaceWith(...(assigned.length > 0 ? assigned : place.childNodes))
    }
  }
  const copy = copyOf(root) as Element
  if (hidden) context.isComplete = setAttributes(hidden, copies)
  const html = typeOf(doc) + copy.outerHTML
  return raw.length === 0 ? html : html.replaceAll(new RegExp(`${context.mark}:(\\d+);`, 'g'), (_, at) => raw[at] ?? '')
}

/** Returns whether all elements have a copy. */
function setAttributes({ name, marks }: Hidden, copies: ReadonlyMap<Node, Node>): boolean {
  let isComplete = true
  for (const [element, how] of marks) {
    const copy = copies.get(element)
    if (copy) setAttributeOf(copy as Element, name, how)
    else isComplete = false
  }
  return isComplete
}

function showFrame(frame: Element & Partial<HTMLIFrameElement>, copy: Element, depth: number, context: Context): void {
  if (depth >= context.deepest) return
  const inner = documentIn(frame)
  if (inner) {
    const body: HTMLElement | null = inner.body
    if (inner.URL === 'about:blank' && !body?.hasChildNodes()) return
    copy.setAttribute('srcdoc', serialiseDocument(inner, depth + 1, context))
  } else {
    copy.setAttribute(context.mark, String(context.foreign.length))
    context.foreign.push(frame)
  }
}

function documentIn(frame: Partial<HTMLIFrameElement>): Document | null | undefined {
  try {
    return frame.contentDocument
  } catch {
    return undefined
  }
}

/** Returns a part of a document that is too long for one response. The document is released when its end is read. */
export function nextOfText(from: number, to: number): string | undefined {
  const text = globalThis.harvestmanText
  if (text === undefined || to >= text.length) Reflect.deleteProperty(globalThis, 'harvestmanText')
  return text?.slice(from, to)
}

/** Returns the frame element of a mark. */
export function foreignFrame(index: number): Element | undefined {
  return globalThis.harvestmanForeign?.[index]
}
