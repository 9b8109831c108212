import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

/** Returns the price of a product, and whether it is in stock. */
export async function offerOf(url: string, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [data()] })
  const { product, warning } = await engine.scrape({ url, formats: ['product'] })
  const [variant] = product?.variants ?? []
  return { title: product?.title, price: variant?.price?.amount, inStock: variant?.availability.inStock, warning }
}
