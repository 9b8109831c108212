// Reads the product values that a page shows without markup: price, currency, code and stock.
import {
  collectData,
  conceptsIn,
  fillSchema,
  openPage,
  type Filled,
  type HtmlPage,
  type PageData,
  type SightReader,
} from '@harvestman/html/internal'

import { seenCode } from './codes.ts'
import { seenCurrency, seenPrice } from './price.ts'
import { seenStock } from './stock.ts'

const readers: readonly SightReader[] = [
  { concept: 'price', read: seenPrice },
  { concept: 'currency', read: seenCurrency },
  { concept: 'sku', read: seenCode },
  { concept: 'availability', read: seenStock },
]

/** Fills a JSON Schema from the structured data of a page and from its visible values. */
export function fillFromPage({ visible, base }: HtmlPage, schema: unknown): Filled {
  return fillSchema(schema, collectData(visible, base, { wanted: conceptsIn(schema), readers }))
}

/**
 * Returns the structured data of a page, like `extractData` of `@harvestman/html`, and what the page shows of a product
 * without markup. Pass it to `fillSchema` of `@harvestman/html`.
 */
export function extractData(html: string, { url = 'about:blank' }: { readonly url?: string } = {}): PageData {
  const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  return collectData(root, base, { readers })
}
