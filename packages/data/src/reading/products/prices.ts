// Finds prices as users see them: small elements with an amount, near the heading, whose names mark them as prices.
import { type Element, isHidden, type Node, readNumber, wordsOf } from '@harvestman/html/internal'

import { elsewhere, namesAround } from './around.ts'

/** An amount that the page shows, and how likely it is the price. */
export interface SeenPrice {
  readonly element: Element
  readonly words: string
  readonly amount: number
  readonly score: number
  /** May belong to something else: needs a high score, a lead over other amounts is not enough. */
  readonly isDoubtful: boolean
}

const sign = String.raw`(?:[$€£¥₹₽₩₺₴₫฿₪円元]|(?:US|NT|HK|AU|CA|R|S|A|C)\$|\b(?:EUR|USD|GBP|CHF|AUD|CAD|NZD|JPY|INR|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|BRL|ARS|CLP|MXN|ZAR|AED|SAR|SGD|HKD|kn|kr|kč|zł|ft|lei|tl|rs|руб|грн|лв)\b\.?)`
const amount = String.raw`\d{1,3}(?:[.,'’ \u00A0\u202F]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`
const money = new RegExp(sign, 'iu')
const amounts = new RegExp(amount, 'g')
const everySign = new RegExp(sign, 'giu')
const maxLength = 40
const maxCandidates = 400

/**
 * Returns the prices that the page shows, most likely first. `heading` is the index of the main heading in `elements`, or -1.
 * Empty if it shows none.
 */
export function seenPrices(elements: readonly Element[], heading: number): readonly SeenPrice[] {
  const found = new Map<Element, SeenPrice>()
  const counts = new Map<number, number>()
  elements.forEach((element, index) => {
    if (found.size >= maxCandidates || !mayHold(element)) return
    const read = readPrice(element)
    if (!read || found.has(element)) return
    counts.set(read.amount, (counts.get(read.amount) ?? 0) + 1)
    found.set(element, { element, ...read, ...judge(element, read, index, heading) })
  })
  const listed = ofLists([...found.values()])
  return [...found.values()]
    .map((price) => {
      const repeated = Math.min(2, (counts.get(price.amount) ?? 1) - 1) * 0.5
      return { ...price, score: price.score + repeated - (listed.has(price) ? 1.5 : 0) }
    })
    .toSorted((one, other) => other.score - one.score)
}

/** Returns prices with the same surroundings but different amounts, as in a product list. */
function ofLists(prices: readonly SeenPrice[]): ReadonlySet<SeenPrice> {
  const groups = Map.groupBy(prices, ({ element }) => namesAround(element, 4).join('<'))
  const lists = [...groups.values()].filter((group) => new Set(group.map(({ amount }) => amount)).size >= minListLength)
  return new Set(lists.flat())
}

const minListLength = 3
const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'option',
  'select',
  'title',
  'head',
  'html',
  'body',
])

/**
 * Returns whether an element has a digit in its own text or in that of a direct child. Elements with many children do
 * not count.
 */
function mayHold(element: Element): boolean {
  if (silent.has(element.name)) return false
  let parts = 0
  for (let child: Node | null = element.first; child; child = child.next) {
    if (++parts > 8) return false
    if (child.type === 'text') {
      if (child.text.length < 200 && /\d/.test(child.text)) return true
    } else if (child.first?.type === 'text' && child.first.text.length < 60 && /\d/.test(child.first.text)) return true
  }
  return false
}

function readPrice(element: Element): { words: string; amount: number } | undefined {
  const words = wordsOf(element)
  if (words.length > maxLength || words.length === 0) return undefined
  const isSigned = money.test(words)
  if (!isSigned && !priceNames.test(namesAround(element, 2).join(''))) return undefined
  const fullText = withCents(element) ?? words
  const numbers = fullText.match(amounts) ?? []
  if (new Set(numbers).size !== 1 || /%/.test(words)) return undefined
  const value = readNumber(numbers[0] ?? '', true)
  return value === undefined || value <= 0 ? undefined : { words: fullText, amount: value }
}

/** Joins an amount and its cents in a small element: `12` and `99` are `12.99`. */
function withCents(element: Element): string | undefined {
  const pieces = piecesOf(element)
  const last = pieces.findIndex(
    ({ text, parent }, index) =>
      index > 0 &&
      /^\d{2}$/.test(text) &&
      /\d[.,]?$/.test(pieces[index - 1]?.text ?? '') &&
      (parent?.name === 'sup' || /cent|decimal|fraction|small|sup/i.test(parent?.attributes['class'] ?? '')),
  )
  if (last < 1) return undefined
  const before = pieces.slice(0, last).map(({ text }) => text)
  return `${before
    .join(' ')
    .replace(/[.,]$/, '')
    .replaceAll(/(?<=\d)\s+(?=\d)/g, '')}.${pieces[last]?.text ?? ''}`
}

function piecesOf(element: Element): { text: string; parent: Element | null }[] {
  const found: { text: string; parent: Element | null }[] = []
  const waiting: Node[] = [element]
  for (let node = waiting.pop(); node && found.length < 12; node = waiting.pop()) {
    if (node.type === 'text') {
      if (/\S/.test(node.text)) found.push({ text: node.text.trim(), parent: node.parent })
      continue
    }
    const children: Node[] = []
    for (let child = node.first; child; child = child.next) children.push(child)
    waiting.push(...children.toReversed())
  }
  return found
}

const priceNames = /price|preis|\bprix\b|precio|preço|preco|prijs|prezzo|cena|\bpris\b|amount|\bpvp\b/
const nowNames =
  /\b(?:(?:price)?(?:new|now)|current|sale|special|final|our|actual|offer|promo|buying|today|main|selling|best)\b/
const oldNames =
  /\b(?:(?:price)?(?:old|was)|regular|list|rrp|uvp|msrp|strike\w*|original|before|previous|crossed|normal|saving\w*|save|saved|discount|strikethrough|retail)\b/
const otherNames =
  /\b(?:shipping|delivery|postage|versand|livraison|envio|spedizione|instal\w+|finance|month\w*|deposit|tax|points?|credit|coupon|voucher|gift|warranty|insurance|estimate|threshold|used|subtotal|total)\b/
/** Names of containers for one of several: other products, options, add-ons. */
const listed = / (?:a|cards?|tiles?|option|select|add ?ons?) /
const aside = /\b(?:free|save|over|spend|shipping|delivery|versand|livraison|envío|month|per|je|pro|cada)\b|每/i
const unitNames = /\b(?:unit|per|rate|range|min|max|swatch\w*|variant|options?|variation)\b/
const buyNames =
  /\b(?:add to (?:cart|basket|bag)|addto\w+|buy ?box|buy|pdp|product (?:info\w*|detail|details|main|page|summary|essential|view|form|pricing))\b/

/** Number of levels, from the element outwards, whose names are checked. */
const reach = { near: 4, list: 6, page: 9 }

function judge(
  element: Element,
  { words }: { readonly words: string },
  index: number,
  heading: number,
): Pick<SeenPrice, 'score' | 'isDoubtful'> {
  const around = namesAround(element, reach.page)
  const near = around.slice(0, reach.near).join('')
  const isAny = (names: RegExp): boolean => around.some((one) => names.test(one))
  const bare = words.replaceAll(amounts, '').replaceAll(everySign, '').trim()
  const sum = [
    priceNames.test(near) ? 2 : 0,
    nowNames.test(near) ? 1 : 0,
    oldNames.test(near) ? -2 : 0,
    / (?:del|s|strike) /.test(near) ? -4 : 0,
    unitNames.test(near) ? -1.5 : 0,
    isAny(otherNames) ? -2 : 0,
    isAny(buyNames) ? 1 : 0,
    / li /.test(near) ? -1 : 0,
    money.test(words) ? 1 : 0,
    bare.length <= 2 ? 0.5 : 0,
    heading < 0 ? 0 : placeScore(index - heading),
  ]
  const doubts = [
    isAny(elsewhere) ? -3 : 0,
    aside.test(words) ? -2 : 0,
    isWithinHidden(element) ? -2 : 0,
    listed.test(around.slice(0, reach.list).join('')) ? -1.5 : 0,
  ]
  const score = [...sum, ...doubts].reduce((whole, part) => whole + part, 0)
  return { score, isDoubtful: doubts.some((doubt) => doubt < 0) }
}

function placeScore(behind: number): number {
  if (behind < 0) return -1.5
  if (behind < 60) return 1.5
  if (behind < 200) return 1
  return behind < 500 ? 0 : -1
}

function isWithinHidden(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent) if (isHidden(at)) return true
  return false
}
