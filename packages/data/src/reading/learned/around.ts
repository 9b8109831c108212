// Extracts the small part of a page that may contain a doubtful value, so that a model need not read the full page.
import { lineOf } from '@harvestman/html/internal'
import type { Facts } from './facts.ts'
import { placesOf } from './hints.ts'
import { valuesOf } from './locate.ts'
import type { FieldProgram } from './types.ts'

const most = { places: 12, ofOne: 3, characters: 1_500, text: 200 } as const
/** Number of text nodes to include before and after a position. */
const window = { before: 4, after: 5 } as const

/**
 * Returns the page text around the first matches of a field's alternatives, 3 of each and 12 in total, or `undefined` if
 * nothing matches or the result has more than 1,500 characters. Without alternatives, hints are used.
 */
export function wordsAround(facts: Facts, { alternatives, hints = [] }: FieldProgram): string | undefined {
  const found = alternatives.flatMap((one) =>
    valuesOf(facts, one)
      .slice(0, most.ofOne)
      .map(({ place, quote }) => ({ place, quotes: one.attribute === undefined ? [] : [quote.slice(0, most.text)] })),
  )
  const hinted = alternatives.length === 0 ? placesOf(facts, hints) : []
  const places = [...new Set([...found.map(({ place }) => place), ...hinted])].slice(0, most.places)
  if (places.length === 0) return undefined
  const shown = new Set(places.flatMap((place) => range(place - window.before, place + window.after)))
  const texts = [...shown]
    .toSorted((one, other) => one - other)
    .flatMap((place) => {
      const text = facts.texts[place]
      return text ? [(shown.has(place - 1) ? '' : '… ') + lineOf(text.text).slice(0, most.text)] : []
    })
  const quotes = [...new Set(found.flatMap((one) => one.quotes))]
  const words = [...quotes, ...texts].join('\n')
  return words.length <= most.characters ? words : undefined
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
