// Finds the product code that a page shows without markup: a code in the URL that the page repeats, or one after a
// label.
import {
  type DataItem,
  type Element,
  nextNode,
  type Node,
  type SeenPage,
  type Sight,
  type Text,
} from '@harvestman/html/internal'

import { namesOf } from './around.ts'

/** A code that the page shows. */
interface SeenCode {
  readonly element: Element
  readonly code: string
  /** How often the page repeats it, weighted by where. */
  readonly weight: number
}

const maxCodes = 40
const ids = /(?:^|[_-])(?:id|pid|sku|item|product|asin|itm|ref|code)$/i

/**
 * Returns the codes in the path and in id parameters of a URL, at most 40: parts with several digits, and runs of at least 5
 * digits in them. Parts of more than 30 characters are skipped. Empty for an invalid URL.
 */
export function codesInUrl(pageUrl: string): readonly string[] {
  const url = URL.parse(pageUrl)
  if (!url) return []
  const path = decoded(url.pathname)
  const fromQuery = [...url.searchParams].filter(([name]) => ids.test(name)).map(([, value]) => value)
  const parts = [path, ...fromQuery].flatMap((part) => part.match(/[A-Za-z\d]+/g) ?? [])
  const found = parts.flatMap((part) => {
    if (part.length > 30) return []
    const runs = part.match(/\d{5,}/g) ?? []
    return isCode(part) ? [part, ...runs.filter((run) => run !== part)] : runs
  })
  return [...new Set(found)].slice(-maxCodes)
}

function isCode(part: string): boolean {
  const digits = part.replaceAll(/\D/g, '').length
  return digits >= 4 || (digits >= 2 && part.length >= 8 && part === part.toUpperCase())
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const labels = new RegExp(
  String.raw`(?:^|[\s(])(?:sku|asin|upc code|ref(?:\.|erence|erencia|erência|erenz)?|réf(?:\.|érence)?|art(?:ikel|icle|\.)?[\s.-]*(?:nr|no|nummer|number|numéro)\.?|(?:best(?:ell|\.)?|produkt|waren?|vare|web|model)[\s.-]*(?:nr|nummer|id)\.?|(?:item|product|style|catalog|stock|web|part|post|ad|anzeigen?)[\s-]*(?:#|no\.?|nr\.?|num(?:ber)?|code|id)|c[óo]d(?:igo|\.|ice)?(?:\s+(?:produs|produto|producto|prodotto|articolo|art[íi]culo))?|k[óo]d(?:\s+\p{L}+)?|šifra(?:\s+\p{L}+)?|[商產][品]編號|貨號|商品コード)\s*[:：#.]?\s*([A-Z\d][A-Z\d./-]{2,24}[A-Z\d])(?=$|[\s),;])`,
  'iu',
)
const maxTextLength = 120

/**
 * Returns the code, such as a product number, of the page's main subject, or `undefined` if there is none. A labelled
 * code is more reliable than one that the URL and the page share.
 */
export function seenCode({ elements, url, items }: SeenPage): Sight | undefined {
  const counts = countsOf(codesInUrl(url))
  const behindLabels: SeenCode[] = []
  const wanted = markedCodes(items)
    .filter((code) => code.length >= 3)
    .slice(0, maxCodes)
  let shown: Sight | undefined
  for (let node: Node | null = elements[0] ?? null; node;) {
    const isSilent = node.type === 'element' && silent.has(node.name)
    if (node.type === 'text') {
      const { text, parent } = node
      readText(node, counts, behindLabels)
      const code = shown || !parent ? undefined : wanted.find((one) => text.includes(one))
      if (code !== undefined && parent) shown = { value: code, element: parent, confidence: sure.marked }
    } else readNames(node, counts, behindLabels)
    node = nextNode(node, topOf(elements), isSilent)
  }
  const repeated = counts.found()
  const distinct = new Set(behindLabels.map(({ code }) => code))
  // Several different labelled codes belong to a list.
  const own =
    distinct.size === 1 ? behindLabels : behindLabels.filter(({ code }) => repeated.some((one) => one.code === code))
  if (own[0]) return { value: own[0].code, element: own[0].element, confidence: sure.labelled }
  return shown ?? (repeated[0] && { value: repeated[0].code, element: repeated[0].element, confidence: sure.repeated })
}

const sure = { labelled: 0.95, marked: 0.9, repeated: 0.8 } as const

function topOf(elements: readonly Element[]): Element {
  let top = elements[0]!
  while (top.parent) top = top.parent
  return top
}

const silent = new Set(['script', 'style', 'head', 'noscript'])

interface Counts {
  add(element: Element, text: string, weight: number): void
  found(): readonly SeenCode[]
}

/**
 * Counts how often a page repeats codes. Pages may group their digits: `002.937.72` is `00293772`. The grouped form is
 * returned.
 */
function countsOf(codes: readonly string[]): Counts {
  const counts = new Map<string, { element: Element; shown: string; weight: number }>()
  const longest = codes.filter(
    (code) => !codes.some((other) => other !== code && other.endsWith(code) && /^\d+$/.test(other)),
  )
  const anywhere = longest
    .map((code) => (/^\d{6,}$/.test(code) ? code.replaceAll(/(?<=\d)(?=\d)/g, '[./-]?') : code))
    .join('|')
  const exact = new RegExp(`(?<![A-Za-z\\d])(?:${anywhere})(?![A-Za-z\\d])`, 'g')
  return {
    add: (element, text, weight) => {
      if (codes.length === 0) return
      for (const [shown] of text.matchAll(exact)) {
        const code = shown.replaceAll(/[./-]/g, '')
        const known = counts.get(code)
        if (!known) counts.set(code, { element, shown, weight })
        else {
          known.weight += weight
          if (shown.length > known.shown.length) known.shown = shown
        }
      }
    },
    found: () =>
      [...counts.values()]
        .filter(({ shown }) => shown.replaceAll(/\D/g, '').length >= 5 || /[A-Z]/.test(shown))
        .map(({ element, shown, weight }) => ({ element, code: shown, weight }))
        .toSorted((one, other) => other.weight - one.weight || other.code.length - one.code.length),
  }
}

const codeNames = / (?:sku|(?:product|item|article|style) (?:code|reference|ref|number|sku)|reference|artikelnummer) /
const codeLike = /^[A-Z\d][A-Z\d./-]{2,24}[A-Z\d]$/i

/** Counts codes in an element's attributes, and reads a code from an element whose names mark it as one. */
function readNames(element: Element, counts: Counts, behindLabels: SeenCode[]): void {
  for (const [value, weight] of attributesOf(element)) counts.add(element, value, weight)
  const { first } = element
  if (first?.type !== 'text' || first !== element.last || first.text.length > 40) return
  const code = first.text.trim()
  if (!codeLike.test(code) || !/\d/.test(code) || !codeNames.test(namesOf(element))) return
  behindLabels.push({ element, code, weight: 1 })
}

function readText({ text, parent }: Text, counts: Counts, behindLabels: SeenCode[]): void {
  if (!parent || text.length > 20_000) return
  counts.add(parent, text, 1)
  const words = text.trim()
  if (words.length > maxTextLength || behindLabels.length > 10) return
  const code = labels.exec(words)?.[1]
  if (code !== undefined && /\d/.test(code)) behindLabels.push({ element: parent, code, weight: 1 })
}

const urlAttributes = new Set([
  'href',
  'src',
  'srcset',
  'action',
  'content',
  'style',
  'data-src',
  'data-href',
  'data-url',
  'poster',
  'xmlns',
  'd',
  'alt',
  'title',
])

/** Yields the attributes of an element that contain no URLs or prose, each with its weight. */
function* attributesOf({ attributes }: Element): Generator<readonly [value: string, weight: number]> {
  for (const [name, value] of Object.entries(attributes)) {
    if (urlAttributes.has(name) || value.length >= 200 || /[/?]/.test(value)) continue
    yield [value, name.startsWith('data-') || name === 'value' ? 1 : 0.25]
  }
}

const codeProperties = ['sku', 'productID']

/** Returns the product codes in the page's structured data. */
function markedCodes(items: readonly DataItem[]): readonly string[] {
  const entries = items.flatMap(({ properties }) => codeProperties.flatMap((name) => properties[name] ?? []))
  return entries.flatMap((entry) => ('value' in entry ? [String(entry.value)] : []))
}
