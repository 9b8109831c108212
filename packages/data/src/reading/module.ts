// Functions that run in the parser thread, which imports this file. `../readings.ts` declares them.
import type { Filled, HtmlPage } from '@harvestman/html/internal'

import { learn } from './learned/learn.ts'
import { readFacts } from './learned/facts.ts'
import { readLearned, type ReadBy } from './learned/choose.ts'
import type { LearnedRecord } from './learned/pointers.ts'
import type { Program } from './learned/types.ts'
import { readAnswer, type AnswerPage } from './lists/answer.ts'
import { listingIn } from './lists/items.ts'
import type { KnownList, Listing } from './lists/types.ts'
import { menuIn } from './menu/menu.ts'
import type { Menu } from './menu/types.ts'
import { screenPage, type Screened } from './screening/screen.ts'
import { fillFromPage } from './products/products.ts'

/** Fills a JSON Schema from the page, without a model. Returns `undefined` without a schema. */
export function filled(page: HtmlPage, { schema }: { readonly schema?: unknown }): Filled | undefined {
  return schema == null ? undefined : fillFromPage(page, schema)
}

/** Reads the menu of a restaurant. Returns `undefined` if the page has none. */
export function menu({ root, base }: HtmlPage): Menu | undefined {
  return menuIn(root, base)
}

/** Reads the list of a parsed page. Known columns keep their names. Without a list, there are no rows. */
export function listing({ root, base }: HtmlPage, known: KnownList): Listing {
  return listingIn(root, base, known)
}

/** Reads the list at `pointer` in a JSON response. Returns `undefined` if there is none. */
export function answer({ html, url }: HtmlPage, { pointer }: { readonly pointer: string }): AnswerPage | undefined {
  return readAnswer({ url, text: html }, pointer)
}

/** Extracts values with the best matching extractor. Returns `undefined` if none is similar enough. */
export function learned(
  { root, base, url }: HtmlPage,
  { programs }: { readonly programs: readonly Program[] },
): ReadBy | undefined {
  return readLearned(root, base, url, programs)
}

/** Searches the page for instructions to a language model, at most 20. `withText` returns its texts in lower case as well. */
export function screened(page: HtmlPage, { withText }: { readonly withText: boolean }): Screened {
  return screenPage(page, withText)
}

/**
 * Learns an extractor from a page with known values, or improves a given one. The extractor may still find none of them.
 */
export function taught(
  { root, base, url }: HtmlPage,
  { answer, program }: { readonly answer: LearnedRecord; readonly program?: Program },
): Program | undefined {
  return learn({ facts: readFacts(root, base), url, answer }, program)
}
