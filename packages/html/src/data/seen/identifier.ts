import type { Element } from '../../tree/tree.ts'
import type { SeenPage, Sight } from './spots.ts'

// By what a shop knows its product: a label says so, or the address and the page share a code.

const label =
  /^(?:(?:product|item|article|artikel|catalog|order)?\s*(?:sku|id|code|number|nummer|no\.?|nr\.?|#)|sku|ref(?:erence|erencia)?\.?|référence|art\.?\s*-?\s*(?:nr|no)\.?|artikelnummer|bestellnummer|codice|código|kod(?: produktu)?|артикул|tuotenumero|varenummer)\s*[:：#.]*\s*([\p{L}\d][\p{L}\d._/-]{2,30})$/iu

const fields =
  /^(?:data-)?(?:product[-_]?)?(?:sku|id|code)$|^(?:data-)?(?:product|item|pid|prod[-_]?id|itemid|product[-_]?id|add-to-cart)$/i

/** The identifier of the product that the page shows or shares with its address. */
export function seenIdentifier(page: SeenPage): Sight | undefined {
  const { path, query } = codesOf(page.url)
  return labelledCode(page) ?? shared(page, path) ?? shared(page, query)
}

function shared(page: SeenPage, codes: readonly string[]): Sight | undefined {
  for (const code of codes) {
    const written = asWritten(page, code)
    if (written) return written
    const element = repeats(page, code)
    if (element) return { value: code, element, confidence: 0.9 }
  }
  return undefined
}

function labelledCode(page: SeenPage): Sight | undefined {
  return onlyOne(
    page.spots.flatMap(({ words, element, around }) => {
      const code = words.length <= 60 ? label.exec(words)?.[1] : undefined
      const isSku =
        code !== undefined && /\d/.test(code) && !/\b(?:related|recommend|carousel|card|review)\b/.test(around)
      return isSku ? [{ value: code, element, confidence: 0.9 }] : []
    }),
  )
}

function onlyOne(sights: readonly Sight[]): Sight | undefined {
  return new Set(sights.map(({ value }) => value.toLowerCase())).size === 1 ? sights[0] : undefined
}

interface Codes {
  readonly path: readonly string[]
  readonly query: readonly string[]
}

/** The words of an address that may be codes, the last first. */
function codesOf(url: string): Codes {
  const address = URL.parse(url)
  if (!address) return { path: [], query: [] }
  const named = [...address.searchParams].filter(([name]) => /sku|pid|product|item|article|^id$/i.test(name))
  return { path: codesIn(address.pathname.split('/')), query: codesIn(named.map(([, value]) => value)) }
}

function codesIn(parts: readonly string[]): readonly string[] {
  const codes = parts.flatMap((part) => {
    const text = decoded(part).replace(/\.(?:html?|aspx?|php|jsp|prd|do)$/i, '')
    return text.split(/[-_.,;=~+ ]/).flatMap((word) => (isCode(word) ? [word] : numberOf(word)))
  })
  return codes.toReversed().slice(0, mostCodes)
}

const mostCodes = 10

const isCode = (word: string): boolean =>
  /^\d{5,16}$|^(?=(?:\D*\d){4})[A-Za-z\d]{6,18}$|^(?=.*\d.*\d)[A-Z\d]{8,14}$/.test(word) && !/^[a-z]\d+$/.test(word)

/** `p4781720` is the number behind the sign of a kind of page. */
function numberOf(word: string): readonly string[] {
  const number = /^[a-z]{1,2}(\d{5,12})$/i.exec(word)?.[1]
  return number === undefined ? [] : [number]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
const mostLonger = 6

/** A code that the address holds a part of, or without its signs, as the page writes it: `202.481.18` of `20248118`. */
function asWritten({ url, spots }: SeenPage, code: string): Sight | undefined {
  const part = plain(code)
  const address = plain(decoded(URL.parse(url)?.pathname ?? ''))
  for (const { words, element } of spots) {
    if (words.length > 60) continue
    for (const token of words.match(/[\p{L}\d][\p{L}\d._/-]*[\p{L}\d]/gu) ?? []) {
      const whole = plain(token)
      const isLikely = whole.includes(part) && whole.length <= part.length + mostLonger
      if (isLikely && token !== code && address.includes(whole)) return { value: token, element, confidence: 0.9 }
    }
  }
  return undefined
}

/** The first element that says the code: its words, a data attribute, or the value of a field. */
function repeats({ elements, spots }: SeenPage, code: string): Element | undefined {
  const whole = new RegExp(String.raw`(?<![\p{L}\d])${code}(?![\p{L}\d])`, 'iu')
  const shown = spots.find(({ words }) => words.length <= 80 && whole.test(words))?.element
  return shown ?? elements.find((element) => holds(element, code))
}

function holds({ name, attributes }: Element, code: string): boolean {
  if (name === 'input' || name === 'button') {
    if (attributes['value'] === code) return true
  }
  return Object.entries(attributes).some(
    ([attribute, value]) => value === code && (attribute.startsWith('data-') || fields.test(attribute)),
  )
}
