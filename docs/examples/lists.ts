import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

/** The items of a page, and whether they are all. */
export async function listOf(url: string, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [data()] })
  const { items } = await engine.scrape({ url, formats: ['items'] })
  return { rows: items.rows, complete: items.complete }
}
