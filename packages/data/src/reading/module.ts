// Functions of the readings of this package. The thread that reads pages imports this file; `../readings.ts` names it.
import type { HtmlPage } from '@harvestman/html/internal'

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

/** Reads the menu of a restaurant. */
export function menu({ root, base }: HtmlPage): Menu | undefined {
  return menuIn(root, base)
}

/** Reads the list of a page. Columns that are known keep their names. */
export function listing({ root, base }: HtmlPage, known: KnownList): Listing {
  return listingIn(root, base, known)
}

/** Reads a page of a list that is JSON, with the list at `pointer`. */
export function answer({ html, url }: HtmlPage, { pointer }: { readonly pointer: string }): AnswerPage | undefined {
  return readAnswer({ url, text: html }, pointer)
}

/** Reads a page with one of these programs. */
export function learned(
  { root, base, url }: HtmlPage,
  { programs }: { readonly programs: readonly Program[] },
): ReadBy | undefined {
  return readLearned(root, base, url, programs)
}

/** Learns a program from a page and its answer, or improves a program that is known. */
export function taught(
  { root, base, url }: HtmlPage,
  { answer, program }: { readonly answer: LearnedRecord; readonly program?: Program },
): Program | undefined {
  return learn({ facts: readFacts(root, base), url, answer }, program)
}
