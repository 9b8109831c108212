// The texts of a page as a model may see them, in document order, with the element that each part comes from.
import { nextNode, type Element, type HtmlPage, type Node } from '@harvestman/html/internal'

import { fold } from './fold.ts'

/** Where a text is. */
export type Place = 'text' | 'hidden' | 'attribute' | 'metadata' | 'data' | 'comment' | 'style'

/** Texts of one place. They are joined, because an instruction can be split over elements. */
export interface Stream {
  readonly place: Place
  /** True if visitors do not see the text. */
  readonly isConcealed: boolean
  readonly text: string
  /** Returns the part that contains a position of `text`. */
  at(position: number): Part
}

/** A part of a stream. */
export interface Part {
  readonly element: Element | undefined
  /** The attribute that contains it, or the reason why it is hidden. */
  readonly detail?: string | undefined
  readonly isCode?: boolean | undefined
}

class Builder implements Stream {
  readonly place: Place
  readonly isConcealed: boolean
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #parts: Part[] = []
  #length = 0
  #joined: string | undefined

  constructor(place: Place, isConcealed = true) {
    this.place = place
    this.isConcealed = isConcealed
  }

  add(text: string, part: Part, separator = ''): void {
    this.addFolded(separator + fold(text), part)
  }

  addFolded(folded: string, part: Part): void {
    this.#starts.push(this.#length)
    this.#parts.push(part)
    this.#texts.push(folded)
    this.#length += folded.length
  }

  get text(): string {
    return (this.#joined ??= this.#texts.join(''))
  }

  at(position: number): Part {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= position) low = middle
      else high = middle
    }
    return this.#parts[low] ?? { element: undefined }
  }
}

const inline = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const code = new Set(['code', 'pre', 'samp', 'kbd'])
const readAttributes = new Set(
  'alt title aria-label aria-description aria-roledescription aria-placeholder aria-valuetext placeholder label summary value'.split(
    ' ',
  ),
)
/** Elements whose content is not text. Structured data is read separately. */
const unread = new Set(['script', 'style'])
const unseen = new Set(['noscript', 'template', 'desc', 'metadata'])

/**
 * Returns the texts of a page as `fold` writes them: visible and hidden text, each alone and together, attributes, metadata,
 * structured data, comments and styles. Empty ones are omitted.
 */
export function streamsOf(page: HtmlPage): readonly Stream[] {
  const streams = {
    text: new Builder('text', false),
    hidden: new Builder('hidden'),
    both: new Builder('hidden', false),
    attribute: new Builder('attribute'),
    metadata: new Builder('metadata'),
    // Repeats what the page shows, so it is no more suspicious.
    data: new Builder('data', false),
    comment: new Builder('comment'),
    style: new Builder('style'),
  }
  const reasons = page.hiddenReasons
  const hidden = new Map<Element, string>()
  const inCode = new Set<Element>()
  let separator = ''
  for (let node: Node | null = page.root.first; node; node = nextNode(node, page.root)) {
    const parent = node.parent ?? page.root
    const why = reasons.get(node) ?? hidden.get(parent)
    if (node.type === 'text') {
      if (unread.has(parent.name)) readUnread(parent, node.text, streams)
      else if (node.text.trim() === '') separator ||= ' '
      else {
        const part = { element: parent, detail: why, isCode: inCode.has(parent) }
        const folded = separator + fold(node.text)
        ;(why === undefined ? streams.text : streams.hidden).addFolded(folded, part)
        streams.both.addFolded(folded, part)
        separator = ''
      }
      continue
    }
    if (why !== undefined) hidden.set(node, why)
    else if (unseen.has(node.name)) hidden.set(node, node.name)
    if (code.has(node.name) || inCode.has(parent)) inCode.add(node)
    if (!inline.has(node.name)) separator = '\n'
    readElement(node, streams)
  }
  readComments(page.html, streams.comment)
  const { both, ...others } = streams
  const all = others.hidden.text.trim() === '' ? Object.values(others) : [...Object.values(others), both]
  return all.filter(({ text }) => text.trim() !== '')
}

interface Streams {
  readonly attribute: Builder
  readonly metadata: Builder
  readonly data: Builder
  readonly style: Builder
}

function readElement(element: Element, { attribute, metadata }: Streams): void {
  const { name, attributes } = element
  if (name === 'meta') {
    const { content, name: called, property } = attributes
    if (content !== undefined) metadata.add(content, { element, detail: called ?? property ?? 'content' }, '\n')
    return
  }
  for (const key in attributes) {
    const value = attributes[key]!
    const isRead = readAttributes.has(key) || (key.startsWith('data-') && value.length >= 30 && value.length < 20_000)
    if (isRead && /\p{L}{2}/u.test(value)) attribute.add(value, { element, detail: key }, '\n')
  }
}

function readUnread(element: Element, text: string, { data, style }: Streams): void {
  if (element.name === 'style') {
    for (const { 2: shown = '' } of text.matchAll(/content\s*:\s*(["'])([^"'\n]{12,1000})\1/g))
      style.add(shown, { element }, '\n')
    return
  }
  if (!/json/i.test(element.attributes['type'] ?? '')) return
  for (const one of stringsIn(text)) data.add(one, { element, detail: 'json' }, '\n')
}

const maxStrings = 2_000

/** Returns the strings of a JSON text with spaces in them, or the text itself if it is not valid JSON. */
function stringsIn(text: string): readonly string[] {
  const found: string[] = []
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && value.includes(' ') && found.length < maxStrings) found.push(value)
      return undefined
    })
    return found
  } catch {
    return [text.slice(0, 100_000)]
  }
}

function readComments(html: string, comments: Builder): void {
  for (let at = html.indexOf('<!--'); at >= 0;) {
    const end = html.indexOf('-->', at + 4)
    const text = html.slice(at + 4, end < 0 ? undefined : end)
    if (/\p{L}{3}/u.test(text)) comments.add(text.replaceAll(/<[a-z/][^>]*>/gi, ' '), { element: undefined }, '\n')
    if (end < 0) return
    at = html.indexOf('<!--', end)
  }
}
