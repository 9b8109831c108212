// Finds the passages of pages that claims are based on. Only passages that the pages contain are cited.
import { indexText, listLeafValues, type GroundedText, type TextSpan } from '@harvestman/asking'
import type { Json } from '@harvestman/ports'
import type { Citation, Claim } from '../schema/citation.ts'
import { passageAt } from './passage.ts'
import type { Statement } from './statements.ts'
import { citeSpan, type CitablePage } from './version.ts'

const maxClaims = 500
/** A shorter passage could be anywhere. */
const minQuote = 8

interface IndexedPage extends CitablePage {
  readonly index: GroundedText
}

/** Cites the values of data, each once. Of the occurrences of a value, the one whose surroundings name its field best. */
export function citeValues(value: Json, pages: readonly CitablePage[]): Claim[] {
  const indexed = pages.map(indexPage)
  return listLeafValues(value)
    .slice(0, maxClaims)
    .flatMap(([pointer, leaf]) => {
      if (typeof leaf === 'object' || leaf === '') return []
      const found = bestOccurrence(leaf, pointer, indexed)
      return [{ claim: leaf, pointer, citations: found ? [citeSpan(found.page, found.span)] : [] }]
    })
}

/** Cites statements with the passages that the model named for them. */
export function citeStatements(statements: readonly Statement[], pages: readonly CitablePage[]): Claim[] {
  const indexed = pages.map(indexPage)
  return statements.slice(0, maxClaims).map(({ text, quotes }) => {
    const citations = quotes.flatMap((quote) => citationOf(quote, indexed) ?? [])
    return { claim: text, citations: hasNumbers(text, citations) ? citations : [] }
  })
}

function indexPage(page: CitablePage): IndexedPage {
  return { ...page, index: indexText(page.text) }
}

function citationOf(quote: string, pages: readonly IndexedPage[]): Citation | undefined {
  if (quote.trim().length < minQuote) return undefined
  for (const page of pages) {
    const span = page.index.span(quote)
    if (span) return citeSpan(page, span)
  }
  return undefined
}

/** Returns whether the passages have all numbers of a statement, so that no number is cited that they do not have. */
function hasNumbers(text: string, citations: readonly Citation[]): boolean {
  const there = new Set(citations.flatMap(({ quote }) => numbersIn(quote)))
  return numbersIn(text).every((number) => there.has(number))
}

function numbersIn(text: string): readonly string[] {
  return (text.match(/\d+(?:[.,'’\u00a0\u202f]\d+)*/g) ?? []).map((number) => number.replaceAll(/\D/g, ''))
}

interface Occurrence {
  readonly page: IndexedPage
  readonly span: TextSpan
}

function bestOccurrence(value: Json, pointer: string, pages: readonly IndexedPage[]): Occurrence | undefined {
  const label = labelWords(pointer)
  let best: (Occurrence & { readonly score: number }) | undefined
  for (const page of pages)
    for (const span of page.index.findAll(value)) {
      const score = label.length === 0 ? 0 : scoreOf(page.text, span, label)
      if (!best || score > best.score) best = { page, span, score }
      if (score === maxScore(label)) return best
    }
  return best
}

const before = 100

/** Words in the same sentence count twice, words shortly before it once. */
function scoreOf(text: string, span: TextSpan, label: readonly string[]): number {
  const { from, to } = passageAt(text, span)
  const [around, sentence] = [
    text.slice(Math.max(0, from - before), from).toLowerCase(),
    text.slice(from, to).toLowerCase(),
  ]
  return label.reduce((sum, word) => sum + (sentence.includes(word) ? 2 : around.includes(word) ? 1 : 0), 0)
}

const maxScore = (label: readonly string[]): number => (label.length === 0 ? 0 : 2 * label.length)

/** Splits the last name of a JSON Pointer into words: `/lamps/0/netPrice` into `net` and `price`. */
function labelWords(pointer: string): readonly string[] {
  const name = pointer.split('/').findLast((step) => step !== '' && !/^\d+$/.test(step)) ?? ''
  const words =
    name
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? []
  return [...new Set(words)].slice(0, 8)
}
