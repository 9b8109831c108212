import { readNumber } from '../values.ts'
import { afterHeading, type SeenPage, type Spot, type Sight } from './spots.ts'

// The price of what a page is about, among all amounts of money that it shows.

const sign = String.raw`(?:US|CA|AU|NZ|HK|NT|S|C|A|R)?[$€£¥₹₽₺₴₩฿]|R\$|EUR|USD|GBP|CHF|HRK|RON|AUD|CAD|PLN|CZK|SEK|NOK|DKK|HUF|RUB|kr\.?|zł|Kč|Ft|лв|руб\.?|TL|lei|kn|元|円|Rs\.?`
const amount = String.raw`\d[\d.,'\u00A0\u202F ]*(?:,-|,–)?`
const money = new RegExp(String.raw`(?:${sign})\s*${amount}|${amount}\s*(?:${sign})(?![\p{L}])`, 'gu')

const old =
  /\b(?:del|strike|old|was|regular|compare|list price|msrp|rrp|uvp|statt|crossed|strikethrough|struck|before|original|previous|former|retail|saving|savings|save|discount|rabatt|installments?|finance|klarna|afterpay|paypal|monthly|unit price|base price|per unit|reward|points|tax|vat)\b/
const elsewhere =
  /\b(?:related|recommend\w*|upsell\w*|cross ?sell\w*|similar|also|recently|carousel|slider|swiper|slick|mini ?cart|minibasket|nav|menu|footer|aside|sidebar|accessor\w*|bundle\w*|tile|search)\b/
const named = /\b(?:price|prices|preis|prix|precio|prezzo|preco|cena|pris|prijs|hinta|fiyat|amount)\b|price/
const now = /\b(?:current|final|sale|special|now|our|actual|today|main|selling|primary|offer)\b/
const notIt =
  /\b(?:from|ab|save|was|off|shipping|delivery|per|month|mo|each|over|spend|up to|statt|rrp|msrp|reg|regular|list|orders?|free|desde|instead|or \d|\d x)\b|\/|%|[-–]\s*\d/i

const buying = /\b(?:buy ?box|add to (?:cart|basket|bag)|buy now|purchase|addtocart)\b/

interface Candidate {
  readonly spot: Spot
  readonly price: number
  readonly text: string
  readonly score: number
}

/** The least score of a price that is believed, and how far it must be ahead of another. */
const limits = { score: 4.5, lead: 1 } as const

/** The price that the page shows for what it is about. */
export function seenPrice(page: SeenPage): Sight | undefined {
  const best = bestPrice(page)
  return best && { value: best.text, element: best.spot.element, confidence: confidenceOf(best.score) }
}

const codes: readonly (readonly [RegExp, string])[] = [
  [/€|EUR/, 'EUR'],
  [/£|GBP/, 'GBP'],
  [/₹/, 'INR'],
  [/zł|PLN/, 'PLN'],
  [/Kč|CZK/, 'CZK'],
  [/₺/, 'TRY'],
  [/₽|руб/, 'RUB'],
  [/R\$/, 'BRL'],
]

/** The currency of that price, when its sign stands for one only. */
export function seenCurrency(page: SeenPage): Sight | undefined {
  const best = bestPrice(page)
  const code =
    best &&
    (/\b(?:USD|CHF|AUD|CAD|SEK|NOK|DKK)\b/.exec(best.text)?.[0] ?? codes.find(([one]) => one.test(best.text))?.[1])
  return code && best ? { value: code, element: best.spot.element, confidence: confidenceOf(best.score) } : undefined
}

const confidenceOf = (score: number): number => Math.min(0.95, Math.round((0.5 + score / 20) * 100) / 100)

function bestPrice(page: SeenPage): Candidate | undefined {
  const found = page.spots.flatMap((spot) => candidateOf(page, spot) ?? [])
  const ranked = found.toSorted((one, other) => other.score - one.score || one.spot.place - other.spot.place)
  const [best] = ranked
  if (!best || best.score < limits.score) return undefined
  const rival = ranked.find(({ price }) => price !== best.price)
  return rival && best.score - rival.score < limits.lead ? undefined : best
}

function candidateOf(page: SeenPage, spot: Spot): Candidate | undefined {
  if (spot.words.length > 60) return undefined
  const found = spot.words.match(money) ?? []
  if (found.length === 0 || new Set(found.map((text) => readNumber(text, true))).size !== 1) return undefined
  const text = found[0]!.trim()
  const price = readNumber(text, true)
  const rest = found.reduce((words, one) => words.replace(one, ' '), spot.words)
  if (price === undefined || price <= 0 || /\d/.test(rest)) return undefined
  if (rest.trim().length > 25 || notIt.test(rest)) return undefined
  return { spot, price, text, score: scoreOf(page, spot) }
}

function scoreOf(page: SeenPage, spot: Spot): number {
  const { around, own } = spot
  const near = around.split(' / ').slice(0, 4).join(' / ')
  let score = 0
  if (named.test(near)) score += 2
  if (named.test(own)) score += 0.5
  if (now.test(near)) score += 0.75
  if (old.test(near)) score -= 4
  if (elsewhere.test(around)) score -= 3
  if (/(?:^|\/ )(?:a|li) /.test(around)) score -= 1
  if (buying.test(around)) score += 2
  if (/\bproduct\b|\bpdp\b|\bdetail/.test(around)) score += 0.5
  const distance = afterHeading(page, spot)
  if (distance !== undefined && distance > 0) score += distance < 60 ? 2.5 : distance < 200 ? 2 : distance < 500 ? 1 : 0
  else if (distance !== undefined && distance > -60) score += 0.5
  return score
}
