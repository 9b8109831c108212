// Reads one page of a list: its items, and the request for the next page.
import { findMisfits, misfitsMessage } from '@harvestman/json-schema'

import { readItems } from './items.ts'
import { nextRequest, type PagedResponse } from './paging.ts'
import type { Item, Recipe, RecipeRequest } from './recipe.ts'

/** A response to a request of a recipe. */
export interface PageInput {
  readonly recipe: Pick<Recipe, 'items' | 'schema' | 'paging'>
  readonly response: PagedResponse
  readonly request: RecipeRequest
  /** The request for the first page. */
  readonly first: RecipeRequest
  /** Number of pages before this one. Only the first page must have items. */
  readonly before: number
}

/** The items of a page, or why they cannot be read. */
export type ReadPage =
  | { readonly items: readonly Item[]; readonly next: RecipeRequest | undefined }
  | { readonly failure: string }

/** Reads the items of a page, and creates the request for the next one. `next` is `undefined` after the last page. */
export function readPage({ recipe, response, request, first, before }: PageInput): ReadPage {
  const items = readItems(response.text, recipe.items)
  if (!items) return { failure: 'The response does not contain the list.' }
  if (items.length === 0 && before === 0) return { failure: 'The list in the response is empty.' }
  const misfits = findMisfits(items, { type: 'array', items: recipe.schema })
  if (misfits.length > 0) return { failure: `An item has changed. ${misfitsMessage(misfits.slice(0, 3))}` }
  const next = recipe.paging && nextRequest(request, recipe.paging, response, { first, page: before + 1 })
  return { items, next }
}
