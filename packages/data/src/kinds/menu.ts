import { defineFormat, rawHtml } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'
import { menuReading } from '../readings.ts'

const price = z.object({
  amount: z.number(),
  currency: z.string().optional(),
  formatted: z.string().optional(),
})

const dish = z.object({
  name: z.string(),
  description: z.string().optional(),
  image: z.string().optional(),
  price: price.optional(),
  dietary: z.array(z.string()),
  calories: z.number().optional(),
  url: z.string().optional(),
})

const merchant = z.object({ name: z.string(), type: z.string().optional() })

/** The result from the parser thread. */
const readSchema = z.object({
  confidence: z.number(),
  merchant: merchant.optional(),
  sections: z.array(z.object({ name: z.string(), description: z.string().optional(), items: z.array(dish) })),
})

const item = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  images: z.array(z.object({ url: z.string() })),
  price: price.optional(),
  availability: z.object({ inStock: z.boolean() }),
  dietary: z.array(z.string()),
  calories: z.number().optional(),
  optionGroups: z.array(z.unknown()),
  identifiers: z.object({ merchantItemId: z.string().optional() }),
  url: z.string().optional(),
  sourceUrl: z.string(),
})

const section = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  items: z.array(item),
})

/** The menu of a restaurant: its sections, dishes and prices. */
export const menu = defineFormat({
  type: 'menu',
  options: z.object({}),
  value: z.object({
    isMenu: z.boolean(),
    confidence: z.number().describe('The probability that the page is a menu, from 0 to 1.'),
    merchant,
    currency: z.string().optional(),
    sections: z.array(section),
    sourceUrl: z.string(),
  }),
  needs: { rawHtml },
  onFailure: 'warn',
  derive: async ({ rawHtml }, { page: { url }, read }) => {
    const found = await read({ url, html: rawHtml }, menuReading, {})
    if (found == null) throw new EngineError('format_failed', 'No menu found on this page.')
    const { confidence, merchant = { name: new URL(url).hostname }, sections } = readSchema.parse(found)
    const currency = currencyOf(sections)
    return {
      isMenu: true,
      confidence,
      merchant,
      ...(currency !== undefined && { currency }),
      sections: withIds(sections).map(({ items, ...one }) => ({ ...one, items: withIds(items).map(itemOf(url)) })),
      sourceUrl: url,
    }
  },
})

type Dish = z.output<typeof dish>

const itemOf =
  (sourceUrl: string) =>
  ({ image, ...dish }: Dish & { readonly id: string }) => ({
    ...dish,
    images: image === undefined ? [] : [{ url: image }],
    availability: { inStock: true },
    optionGroups: [],
    identifiers: {},
    sourceUrl,
  })

/** Returns the currency if all prices have the same one. */
function currencyOf(sections: readonly { readonly items: readonly Dish[] }[]): string | undefined {
  const currencies = sections.flatMap(({ items }) => items.flatMap(({ price: cost }) => cost?.currency ?? []))
  const [only, ...others] = new Set(currencies)
  return others.length === 0 ? only : undefined
}

/** Adds ids derived from the names, so they stay the same on the next read. */
function withIds<T extends { readonly name: string }>(things: readonly T[]): readonly (T & { readonly id: string })[] {
  const taken = new Map<string, number>()
  return things.map((thing) => {
    const slug = thing.name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 80)
    const count = (taken.get(slug) ?? 0) + 1
    taken.set(slug, count)
    return { ...thing, id: count === 1 ? slug : `${slug}-${count}` }
  })
}
