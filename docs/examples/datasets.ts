import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'

/** The cheapest products of a shop, from the JSON of its pages. */
export async function cheapest(urls: readonly string[], allowPrivate: readonly string[] = []): Promise<unknown> {
  await using engine = createEngine({ allowPrivate, plugins: [data()] })
  await engine.datasets.create({ name: 'prices', key: ['name'] })

  const schema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }
  const batch = await engine.batch({ urls: [...urls], formats: [{ type: 'json', schema }] })
  await engine.datasets.collectDocuments('prices', batch.documents(), { from: 'json' })

  const sql = 'SELECT name, price FROM rows ORDER BY price LIMIT 2'
  const { rows } = await engine.datasets.query('prices', { sql })
  return rows
}
