// Searches a page for instructions to a language model, by rules.
import { elementsOf, nextNode, parseHtml, type Element, type HtmlPage } from '@harvestman/html/internal'
import { asksForContent } from '@harvestman/toolbox/exfiltration'

import { encodedTexts, invisibleTexts, mayCarry } from './carriers.ts'
import { fold } from './fold.ts'
import { findInstructions, type InjectionKind } from './rules.ts'
import { streamsOf, type Place, type Stream } from './streams.ts'

/** An instruction to a model in a page. */
export interface Injection {
  readonly kind: InjectionKind
  readonly place: Place | 'link' | 'encoded' | 'characters'
  /** The element, as a CSS path. Empty for comments. */
  readonly path: string
  /** The attribute, or what hides the text. */
  readonly detail?: string
  /** Start of the instruction, in lower case. */
  readonly text: string
}

/** Result of the search. */
export interface Screened {
  readonly found: readonly Injection[]
  /** All texts of the page that a model may see. Absent if not requested. */
  readonly text?: string
  /** Number of characters of these texts. */
  readonly length: number
}

const maxFound = 20
const maxExcerpt = 200
const always = { isConcealed: true, isCode: () => false }

/** Searches a page for instructions to a model, at most 20. `withText` returns its texts in lower case as well. */
export function screenPage(page: HtmlPage, withText: boolean): Screened {
  const streams = streamsOf(page)
  const found = [
    ...streams.flatMap(findIn),
    ...findInLinks(page.root),
    ...(mayCarry(page.html) ? findInCharacters(page.html) : []),
  ]
  const own = streams.filter(({ place }, index) => streams.findIndex((one) => one.place === place) === index)
  const text = own.map((stream) => stream.text).join('\n\n')
  return { found: distinct(found).slice(0, maxFound), length: text.length, ...(withText && { text }) }
}

function findIn(stream: Stream): readonly Injection[] {
  const { place, text, isConcealed } = stream
  const isCode = (at: number): boolean => stream.at(at).isCode === true
  return findInstructions(text, { isConcealed, isCode }).map(({ kind, start, end }) => {
    const { element, detail } = stream.at(start + (text.slice(start, end).match(/^\s*/)?.[0].length ?? 0))
    return injection(kind, place, element, text.slice(start, end), detail)
  })
}

/**
 * Finds instructions in the Base64 and hexadecimal tokens of a string, at most one in each. `detail` is the name of the
 * attribute.
 */
export function findEncoded(text: string, element: Element | undefined, detail?: string): readonly Injection[] {
  return encodedTexts(text).flatMap(({ text: decoded }) =>
    findInstructions(fold(decoded), always)
      .slice(0, 1)
      .map(({ kind }) => injection(kind, 'encoded', element, fold(decoded), detail)),
  )
}

const linkAttributes = ['href', 'src', 'action', 'formaction', 'data', 'poster', 'cite', 'content']

/** Finds URLs that ask for content of the conversation, `data:` URLs with instructions, and encoded text. */
function findInLinks(root: Element): readonly Injection[] {
  const found: Injection[] = []
  for (const element of elementsOf(root)) {
    for (const name of linkAttributes) {
      const url = element.attributes[name]
      if (url === undefined) continue
      if (asksForContent(url)) found.push(injection('exfiltration', 'link', element, url, name))
      else if (/^\s*data:text\//i.test(url)) found.push(...findInDataUrl(url, element, name))
    }
    for (const [name, value] of Object.entries(element.attributes))
      if (
        value.length >= 28 &&
        name !== 'src' &&
        name !== 'srcset' &&
        name !== 'integrity' &&
        !/^\s*(?:https?:)?\//i.test(value)
      )
        found.push(...findEncoded(value, element, name))
    for (let child = element.first; child; child = child.next)
      if (child.type === 'text' && element.name !== 'style' && element.name !== 'script')
        found.push(...findEncoded(child.text, element))
  }
  return found
}

function findInDataUrl(url: string, element: Element, detail: string): readonly Injection[] {
  const [head = '', ...rest] = url.slice(0, 100_000).split(',')
  const body = rest.join(',')
  const content = /;base64/i.test(head) ? Buffer.from(body, 'base64').toString() : decoded(body)
  const text = fold(content.replaceAll(/<[a-z/!][^>]*>/gi, ' '))
  return findInstructions(text, always)
    .slice(0, 1)
    .map(({ kind, start, end }) => injection(kind, 'link', element, text.slice(start, end), detail))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The tree of a page has no invisible characters, so the page is parsed again. */
function findInCharacters(html: string): readonly Injection[] {
  const { root } = parseHtml(html)
  const found: Injection[] = []
  const read = (text: string, element: Element | undefined, detail?: string): void => {
    for (const hidden of invisibleTexts(text)) {
      const isSpelled = !text.includes(Array.from(hidden).toReversed().join(''))
      const [first] = findInstructions(fold(hidden), always)
      if (first || isSpelled) found.push(injection(first?.kind ?? 'characters', 'characters', element, hidden, detail))
    }
  }
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'text') read(node.text, node.parent ?? undefined)
    else for (const [name, value] of Object.entries(node.attributes)) read(value, node, name)
  }
  return found
}

function injection(
  kind: InjectionKind,
  place: Injection['place'],
  element: Element | undefined,
  text: string,
  detail?: string,
): Injection {
  const excerpt = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxExcerpt)
  return { kind, place, path: pathOf(element), ...(detail !== undefined && { detail }), text: excerpt }
}

const maxSteps = 6

/** Returns the CSS path of an element: from the nearest ancestor with an id, at most six steps. */
function pathOf(element: Element | undefined): string {
  const steps: string[] = []
  for (let at = element; at && at.name !== '#document' && steps.length < maxSteps; at = at.parent ?? undefined) {
    const { id } = at.attributes
    if (id !== undefined && /^[a-z][\w-]*$/i.test(id)) {
      steps.push(`#${id}`)
      break
    }
    let place = 1
    for (let before = at.previous; before; before = before.previous)
      if (before.type === 'element' && before.name === at.name) place += 1
    steps.push(place > 1 ? `${at.name}:nth-of-type(${place})` : at.name)
  }
  return steps.toReversed().join(' > ')
}

function distinct(found: readonly Injection[]): readonly Injection[] {
  const known = new Map<string, Injection>()
  for (const one of found) {
    const key = [one.kind, one.place, one.path, one.detail].join(' ')
    if (!known.has(key)) known.set(key, one)
  }
  return [...known.values()]
}
