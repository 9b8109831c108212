import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

/** Returns the items of a page, and whether the list is complete. */
export async function listOf(url: string, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [data()] })
  const { items } = await engine.scrape({ url, formats: ['items'] })
  return { rows: items.rows, complete: items.complete }
}
