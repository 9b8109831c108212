// Datasets over HTTP, by the typed client.
import { createServer, type Server as Web } from 'node:http'
import type { AddressInfo } from 'node:net'

import { chunksOf, createClient, itemsOf } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { apiKeys, createApi, serve, type Authenticate, type Server } from '@harvestman/http'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'

const key = 'fc-datasets'
/** It may scrape, and call no endpoint of datasets. */
const heldKey = 'fc-held'
/** It may call endpoints of datasets and of crawls, and none of batches. */
const crawlKey = 'fc-crawl'
const groupsOf: Readonly<Record<string, readonly string[]>> = {
  [heldKey]: ['scrape'],
  [crawlKey]: ['datasets', 'crawl'],
}
const known = apiKeys([key, heldKey, crawlKey])
const authenticate: Authenticate = async (request) => {
  const caller = await known?.(request)
  const groups = groupsOf[request.headers.get('authorization')?.replace('Bearer ', '') ?? '']
  return caller && groups ? { ...caller, scopes: { groups } } : caller
}
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [data()] })
let web: Web
let server: Server
let site: string
const client = (as = key) => createClient({ url: server.url, key: as })

beforeAll(async () => {
  web = createServer((request, response) => {
    const product = { '@context': 'https://schema.org', '@type': 'Product', name: `Hat ${request.url}`, sku: 'H-1' }
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Hat</title><script type="application/ld+json">${JSON.stringify(product)}</script><h1>Hat ${request.url}</h1>`,
    )
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  server = await serve(createApi(engine, { authenticate }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  web.close()
})

test('rows are added, read, queried and exported over HTTP', async () => {
  const { datasets } = client()
  expect(await datasets.create({ name: 'shop', key: ['url'] })).toMatchObject({ name: 'shop', rows: 0 })
  const rows = Array.from({ length: 2_500 }, (_, n) => ({ values: { url: `u${n}`, price: n / 4 }, source: 'list' }))
  let added = 0
  for (const some of chunksOf(rows)) added += (await datasets.put('shop', { rows: some })).added
  expect(added).toBe(2_500)
  expect(await datasets.put('shop', { rows: [{ values: { url: 'u1', price: 9 } }] })).toMatchObject({ changed: 1 })
  expect(await datasets.list()).toMatchObject([
    { name: 'shop', rows: 2_500, columns: { price: ['integer', 'number'] } },
  ])
  const ids = new Map<unknown, string>()
  for await (const { id, values } of itemsOf((after) => datasets.rows('shop', { limit: 1_000, after })))
    ids.set(values['url'], id)
  expect(ids.size).toBe(2_500)
  expect(await datasets.row('shop', ids.get('u1') ?? '')).toMatchObject({ history: [{ values: { price: 0.25 } }] })
  const sql = 'SELECT count(*) FROM rows WHERE price < ?'
  expect(await datasets.query('shop', { sql, params: [2] })).toMatchObject({ rows: [[7]] })
  const file = await (await datasets.export('shop', { format: 'parquet' })).arrayBuffer()
  expect(await parquetReadObjects({ file })).toHaveLength(2_500)
  const csv = await (await datasets.export('shop', { format: 'csv' })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(2_501)
  await datasets.deleteRow('shop', ids.get('u2') ?? '')
  await datasets.delete('shop')
  await expect(datasets.get('shop')).rejects.toMatchObject({ status: 404 })
})

test('the rows in the documents of a job are collected', async () => {
  const { datasets, batch } = client()
  const schema = { type: 'object', properties: { name: { type: 'string' }, sku: { type: 'string' } } }
  const job = await batch({ urls: [`${site}/1`, `${site}/2`], formats: [{ type: 'json', schema }] })
  await job.end()
  await datasets.create({ name: 'hats', key: ['name'] })
  expect(await datasets.collect('hats', { job: job.id, from: 'json' })).toEqual({ added: 2, changed: 0, same: 0 })
  const { rows } = await datasets.query('hats', { sql: 'SELECT name, sku, _source FROM rows ORDER BY name' })
  expect(rows).toEqual([
    ['Hat /1', 'H-1', `${site}/1`],
    ['Hat /2', 'H-1', `${site}/2`],
  ])
})

test('the rows of a job are collected with a key that may read jobs of its kind, and with no other', async () => {
  const { datasets, batch, crawl } = client()
  const formats = [{ type: 'json', schema: { type: 'object', properties: { name: { type: 'string' } } } }] as const
  const batched = await batch({ urls: [`${site}/1`], formats })
  const crawled = await crawl({ url: `${site}/2`, limit: 1, scrapeOptions: { formats } })
  await batched.end()
  await crawled.end()
  await datasets.create({ name: 'held', key: ['name'] })
  const held = client(crawlKey).datasets
  await expect(held.collect('held', { job: batched.id, from: 'json' })).rejects.toMatchObject({
    status: 403,
    code: 'SCOPE_MISSING',
  })
  expect(await datasets.get('held')).toMatchObject({ rows: 0 })
  expect(await held.collect('held', { job: crawled.id, from: 'json' })).toMatchObject({ added: 1 })
})

test('the format dataset adds the rows of a scrape and of a crawl over HTTP, and not for a key held to other groups', async () => {
  const { datasets } = client()
  await datasets.create({ name: 'seen', key: ['name'] })
  const json = { type: 'json', schema: { type: 'object', properties: { name: { type: 'string' } } } }
  const formats = [json, { type: 'dataset', name: 'seen', from: 'json' }]
  const ask = async (path: string, body: object, as = key) => {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/v2/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, ...((await response.json()) as { id?: string }) }
  }
  const url = `${site}/1`
  const made = { name: 'seen', added: 1, changed: 0, same: 0 }
  expect(await ask('scrape', { url, formats })).toMatchObject({ status: 200, data: { dataset: made } })
  const { id = '' } = await ask('crawl', { url, limit: 1, scrapeOptions: { formats } })
  expect(await (await engine.jobs.find(id))?.end()).toMatchObject({ completed: 1 })
  expect(await datasets.get('seen')).toMatchObject({ rows: 1 })
  const other = `${site}/2`
  expect(await ask('scrape', { url: other, formats }, heldKey)).toMatchObject({ status: 403, code: 'SCOPE_MISSING' })
  expect(await ask('scrape', { url: other, formats: [json] }, heldKey)).toMatchObject({ status: 200 })
  expect(await datasets.get('seen')).toMatchObject({ rows: 1 })
})

test('what is asked wrongly is refused with the field', async () => {
  const { datasets } = client()
  await expect(datasets.create({ name: 'Not a name' })).rejects.toMatchObject({ status: 400 })
  await expect(datasets.query('none', { sql: 'SELECT 1' })).rejects.toMatchObject({ status: 404 })
  await datasets.create({ name: 'strict', key: ['id'] })
  await expect(datasets.put('strict', { rows: [{ values: { price: 1 } }] })).rejects.toThrow(
    'rows[0].values.id is missing',
  )
  await expect(datasets.query('strict', { sql: 'DROP TABLE rows' })).rejects.toThrow('one SELECT')
})
