import { isEncodedJson, printedBy } from '@harvestman/ports/adapters'
import type { AnyDocument, Draft } from './document.ts'
import type { Derived, Made, Remembered } from './made.ts'
import type { Plan } from './plan.ts'
import type { Visit } from './visit.ts'

// Characters that are printed in about a millisecond.
const mostText = 65_536

/** The document of a scrape, of what an earlier one has made. One that is only printed is not copied. */
export function documentAgain(made: Made, id: string, isOnlyPrinted: boolean): AnyDocument {
  const { bytes } = made
  const draft = isOnlyPrinted ? made.draft : ownCopy(made.draft)
  // Cast: what has files in it is not made again.
  const document = { ...draft, metadata: { ...draft.metadata, scrapeId: id } } as AnyDocument
  return bytes > mostText ? document : printedBy(document, () => textOf(made, id))
}

const nothingRead: Derived = { fields: {}, usage: new Map(), needs: new Map(), kept: new Map() }

/** Makes a memory of a result, with its size. It is a copy, as a caller may change what it was given. */
export function toRemember(made: Made, { keepers, formats }: Pick<Plan, 'keepers' | 'formats'>): [Made, number] {
  const { content, derived, bytes } = made
  const draft = ownCopy(made.draft)
  const leavesMore = keepers.length > 0 || formats.some(({ format }) => format.keep !== undefined)
  // The draft, and its text.
  if (!leavesMore) {
    return [{ ...made, draft, isAll: true, content: { ...content, values: {} }, derived: nothingRead }, 2 * bytes]
  }
  return [{ ...made, draft, content, derived }, 3 * bytes]
}

/** Encoded text is never read, so it may be shared. */
function ownCopy<T>(value: T): T
function ownCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isEncodedJson(value)) return value
  if (Array.isArray(value)) return value.map((one) => ownCopy<unknown>(one))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ownCopy<unknown>(one)]))
}

function textOf(made: Made, id: string): string {
  made.text ??= aroundId(made.draft)
  const [before, after] = made.text
  return before + id + after
}

/** No text of a page can be taken for it: quotes within a text are escaped, and the id was made up after the page. */
function aroundId(draft: Draft): readonly [string, string] {
  const { scrapeId } = draft.metadata
  const text = JSON.stringify(draft)
  const name = '"scrapeId":"'
  const start = text.indexOf(`${name}${scrapeId}"`) + name.length
  return [text.slice(0, start), text.slice(start + scrapeId.length)]
}

/** Returns the result that was made of this very page before. */
export function madeOf(
  { version, cacheState }: Pick<Visit, 'version' | 'cacheState'>,
  { made }: Remembered,
): Made | undefined {
  return cacheState === 'hit' && version !== undefined && made?.version === version ? made : undefined
}
