// Product pages outside the set of products, with what their own markup says as the answer: for hosts that no rule was chosen on.
// A price or code counts where the page shows it too, so that it can be found without the markup, and the markup is not stale.
import { extractData, type DataEntry, type DataItem, type PageData } from '@harvestman/html'

import { withoutMarkup } from './drift.ts'
import { dataSets, readHtml, readPages, siteOf } from '../quality/corpus.ts'

/** A page with one product, and the values that its markup has for it. */
export interface MarkedProduct {
  readonly url: string
  readonly html: string
  readonly gold: Readonly<Record<'price' | 'sku' | 'availability', readonly string[]>>
}

const parts = ['offers', 'hasVariant', 'priceSpecification']

/** Those of other sites than the given ones. A page with several products has no answer. */
export function markedProducts(folder: string, others: ReadonlySet<string>): readonly MarkedProduct[] {
  return dataSets.flatMap((set) =>
    readPages(folder, set).flatMap((page) => {
      if (others.has(siteOf(page.url))) return []
      const html = readHtml(folder, page)
      if (!/schema\.org/i.test(html) || !/Product/.test(html)) return []
      const gold = goldOf(extractData(html, { url: page.url }), shownBy(html))
      return gold && Object.values(gold).some((values) => values.length > 0) ? [{ url: page.url, html, gold }] : []
    }),
  )
}

/** The words that a page shows, as one text. */
function shownBy(html: string): string {
  return withoutMarkup(html)
    .replaceAll(/<(script|style|template|noscript)\b.*?<\/\1>/gis, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

/** Whether a text has a number or a code, by itself. */
function shows(words: string, value: string): boolean {
  const number = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined
  const forms = number === undefined ? [value] : [value, String(number), number.toFixed(2), number.toLocaleString('en')]
  const all = [...forms, ...(number === undefined ? [] : forms.map((form) => form.replace('.', ',')))]
  return all.some((form) => words.split(form).some((_, index, pieces) => isApart(pieces, index)))
}

function isApart(pieces: readonly string[], index: number): boolean {
  const [before = '', after] = [pieces[index], pieces[index + 1]]
  return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)
}

/** One state for each of the two that the set of products knows; others stay as they are. */
const states: Readonly<Record<string, string>> = {
  LimitedAvailability: 'InStock',
  OnlineOnly: 'InStock',
  Discontinued: 'OutOfStock',
  SoldOut: 'OutOfStock',
}

function goldOf(data: PageData, words: string): MarkedProduct['gold'] | undefined {
  const products = data.items.filter(({ types, isTop, properties }) => {
    return isTop && types.some((type) => /^product(?:group)?$/i.test(type)) && parts.some((name) => properties[name])
  })
  if (new Set(products.map((one) => textOf(one, 'name'))).size !== 1) return undefined
  const said = products.flatMap((one) => withParts(one, data, 0))
  const all = (name: string): readonly string[] => said.flatMap((item) => leaves(item.properties[name] ?? []))
  const prices = all('price').length > 0 ? all('price') : sameOf(all('lowPrice'), all('highPrice'))
  return {
    price: prices.filter((price) => /^\d+(?:\.\d+)?$/.test(price) && shows(words, price)),
    sku: all('sku').filter((sku) => shows(words, sku)),
    availability: all('availability')
      .map((state) => state.split('/').at(-1)!)
      .map((state) => states[state] ?? state),
  }
}

function withParts(item: DataItem, data: PageData, depth: number): readonly DataItem[] {
  if (depth > 3) return []
  const links = parts.flatMap((name) => item.properties[name] ?? [])
  const below = links.flatMap((entry) => ('item' in entry ? (data.items[entry.item] ?? []) : []))
  return [item, ...below.flatMap((one) => withParts(one, data, depth + 1))]
}

function leaves(entries: readonly DataEntry[]): readonly string[] {
  return entries.flatMap((entry) => ('value' in entry ? [String(entry.value).trim()] : []))
}

function textOf({ properties }: DataItem, name: string): string {
  return leaves(properties[name] ?? [])[0] ?? ''
}

/** The price of a range whose ends are the same. */
function sameOf(low: readonly string[], high: readonly string[]): readonly string[] {
  return low.filter((price, index) => price === high[index])
}
