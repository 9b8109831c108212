import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

/** What a product costs, and whether it can be bought. */
export async function offerOf(url: string, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [data()] })
  const { product, warning } = await engine.scrape({ url, formats: ['product'] })
  const [variant] = product?.variants ?? []
  return { title: product?.title, price: variant?.price?.amount, inStock: variant?.availability.inStock, warning }
}
