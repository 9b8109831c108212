import type { SeenPage, Sight } from '@harvestman/html/internal'

import { seenPrices, type SeenPrice } from './prices.ts'

// Chooses the main subject's price among all amounts that the page shows.

/**
 * Minimum scores to accept a price: `twice` even if another amount scores the same, `alone` if no other amount does,
 * `ahead` with a lead of `some`, `far` with a lead of `much`.
 */
const believed = { twice: 5.5, alone: 4.5, ahead: 3, far: 2 } as const
const lead = { some: 1, much: 3 } as const
/** Score and lead from which a price is unambiguous. */
const clear = { score: 5.5, lead: 2 } as const

/**
 * Returns the price that the page shows for its main subject, as a string such as `1299.5`, or `undefined` if there is none or
 * it is uncertain.
 */
export function seenPrice(page: SeenPage): Sight | undefined {
  const best = bestPrice(page)
  return best && { value: String(best.amount), element: best.element, words: best.words, confidence: best.confidence }
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

/**
 * Returns the ISO code of the currency of the price that the page shows for its main subject, or `undefined` if there is no
 * price or its symbol is ambiguous (`$`).
 */
export function seenCurrency(page: SeenPage): Sight | undefined {
  const best = bestPrice(page)
  const code =
    best &&
    (/\b(?:USD|CHF|AUD|CAD|SEK|NOK|DKK)\b/.exec(best.words)?.[0] ?? codes.find(([one]) => one.test(best.words))?.[1])
  if (!best || !code) return undefined
  return { value: code, element: best.element, words: best.words, confidence: best.confidence }
}

type Believed = SeenPrice & { readonly confidence: number }

const known = new WeakMap<SeenPage, Believed | undefined>()

function bestPrice(page: SeenPage): Believed | undefined {
  if (!known.has(page)) known.set(page, findPrice(page))
  return known.get(page)
}

function findPrice({ elements, heading }: SeenPage): Believed | undefined {
  const prices = seenPrices(elements, heading ?? -1)
  const [best] = prices
  if (!best) return undefined
  const ahead = best.score - (prices.find(({ amount }) => amount !== best.amount)?.score ?? -Infinity)
  const isAlone = best.score >= believed.twice || (best.score >= believed.alone && ahead > 0)
  const isAhead =
    (best.score >= believed.ahead && ahead >= lead.some) || (best.score >= believed.far && ahead >= lead.much)
  const isBelieved = isAlone || (isAhead && !best.isDoubtful)
  if (!isBelieved) return undefined
  return { ...best, confidence: best.score >= clear.score && ahead >= clear.lead ? 0.95 : 0.8 }
}
