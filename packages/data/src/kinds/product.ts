import { isRecord } from '@harvestman/ports'
import { z } from 'zod'

import { has, kindFormat, named, type Found } from './kind.ts'

const text = { type: 'string' } as const
const offer = {
  name: text,
  sku: text,
  price: { type: 'number', minimum: 0 },
  currency: text,
  availability: text,
  image: text,
} as const

const price = z.object({ amount: z.number(), currency: z.string().optional() })

const variant = z.object({
  sku: z.string().optional(),
  title: z.string().optional(),
  price: price.optional(),
  availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
  images: z.array(z.object({ url: z.string() })).optional(),
})

/** A product with its variants. */
export const product = kindFormat({
  type: 'product',
  called: 'product',
  fields: {
    ...offer,
    brand: text,
    category: text,
    description: text,
    variants: { type: 'array', items: { type: 'object', properties: offer } },
  },
  shape: {
    title: z.string(),
    brand: z.string().optional(),
    category: z.string().optional(),
    url: z.string(),
    description: z.string().optional(),
    variants: z.array(variant),
  },
  make: (found, url) => {
    const variants = Array.isArray(found['variants']) ? found['variants'].filter(isRecord) : []
    const isSold = has(found, 'price') || has(found, 'sku') || variants.some((one) => has(one, 'price'))
    if (!has(found, 'name') || !isSold) return undefined
    const several = variants.length > 1 ? variants : [found]
    return {
      ...named(found, { title: 'name', brand: 'brand', category: 'category', description: 'description' }),
      url,
      variants: several.map((one) => variantOf(one, several.length > 1)),
    }
  },
})

const unavailable = new Set(['OutOfStock', 'SoldOut', 'Discontinued'])

/** Builds a variant. It counts as in stock unless the page states otherwise. */
function variantOf(found: Found, isNamed: boolean): object {
  const state = typeof found['availability'] === 'string' ? found['availability'] : undefined
  return {
    ...named(found, { sku: 'sku', ...(isNamed && { title: 'name' }) }),
    ...(has(found, 'price') && { price: named(found, { amount: 'price', currency: 'currency' }) }),
    availability: { inStock: !unavailable.has(state ?? ''), ...(state !== undefined && { text: state }) },
    ...(has(found, 'image') && { images: [{ url: found['image'] }] }),
  }
}
