import { createEngine, memoryStore } from '@harvestman/core'
import { definePlugin } from '@harvestman/core/plugin'
import { parquetReadObjects } from 'hyparquet'
import { isRecord, systemClock, type Json, type Store } from '@harvestman/ports'
import { afterAll, describe, expect, test } from 'vitest'

import { datasets } from './datasets.ts'
import { bounds } from './requests.ts'

const engine = createEngine({ plugins: [definePlugin({ name: 'data', features: [datasets] })] })
const { datasets: all } = engine
afterAll(() => engine.close())

let made = 0
async function newDataset(key: string[] = ['url'], schema?: object): Promise<string> {
  made += 1
  const name = `shop-${made}`
  await all.create({ name, key, ...(schema && { schema: { ...schema } }) })
  return name
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const found: Uint8Array[] = []
  for await (const piece of pieces) found.push(piece)
  return Buffer.concat(found)
}

describe('rows', () => {
  test('a full dataset takes changes of its rows, and no new ones', async () => {
    const store = memoryStore()
    await using small = createEngine({ store, plugins: [definePlugin({ name: 'data', features: [datasets] })] })
    await small.datasets.create({ name: 'full', key: ['url'] })
    const row = (url: string, price: number) => ({ values: { url, price } })
    await small.datasets.put('full', { rows: [row('https://a.test/1', 10)] })
    for (const { key } of await store.list('list/datasets/of/', { limit: 100 })) {
      await store.update(key, (kept) => (isRecord(kept) && 'columns' in kept ? { ...kept, rows: bounds.rows } : kept))
    }
    const changed = await small.datasets.put('full', { rows: [row('https://a.test/1', 11)] })
    expect(changed).toEqual({ added: 0, changed: 1, same: 0 })
    await expect(small.datasets.put('full', { rows: [row('https://a.test/2', 1)] })).rejects.toThrow(
      `at most ${bounds.rows} rows`,
    )
  })

  test('a row with the same key is one row, with the values it had before', async () => {
    const name = await newDataset()
    const first = { values: { url: 'https://a.test/1', price: 10, stock: true }, source: 'https://a.test/list' }
    expect(await all.put(name, { rows: [first] })).toEqual({ added: 1, changed: 0, same: 0 })
    expect(await all.put(name, { rows: [first] })).toEqual({ added: 0, changed: 0, same: 1 })
    const again = { values: { url: 'https://a.test/1', price: 12 }, evidence: { price: { quote: '12 €' } } }
    expect(await all.put(name, { rows: [again] })).toEqual({ added: 0, changed: 1, same: 0 })
    const { data: rows } = await all.rows(name)
    expect(rows).toHaveLength(1)
    const row = await all.row(name, rows[0]?.id ?? '')
    expect(row.values).toEqual({ url: 'https://a.test/1', price: 12, stock: true })
    expect(row.history).toMatchObject([{ values: { price: 10 }, source: 'https://a.test/list' }])
    expect(row.evidence).toEqual({ price: { quote: '12 €' } })
    expect((await all.get(name)).rows).toBe(1)
  })

  test('two rows of one call with the same key are one row, and the later wins', async () => {
    const name = await newDataset()
    await all.put(name, { rows: [{ values: { url: 'u', n: 1 } }, { values: { url: 'u', n: 2 } }] })
    expect((await all.rows(name)).data.map(({ values }) => values)).toEqual([{ url: 'u', n: 2 }])
  })

  test('without a key, rows are the same when all their values are, whatever the order of the columns', async () => {
    const name = await newDataset([])
    await all.put(name, { rows: [{ values: { a: 1, b: 2 } }, { values: { b: 2, a: 1 } }, { values: { a: 1, b: 3 } }] })
    expect((await all.get(name)).rows).toBe(2)
  })

  test('rows are listed in pages that end', async () => {
    const name = await newDataset()
    await all.put(name, {
      rows: Array.from({ length: 25 }, (_, n) => ({ values: { url: `u${n}` } })),
    })
    const seen: unknown[] = []
    for (let after: string | undefined, more = true; more;) {
      const page = await all.rows(name, { limit: 10, after })
      seen.push(...page.data.map(({ values }) => values['url']))
      after = page.next
      more = after !== undefined
    }
    expect(new Set(seen).size).toBe(25)
  })

  test.each([
    ['a key without a value', { values: { price: 1 } }, 'rows[1].values.url is missing, and it is part of the key'],
    ['a value that does not fit the schema', { values: { url: 'x', price: 'free' } }, 'rows[1].values.price must be'],
    ['too much', { values: { url: 'x', text: 'x'.repeat(70_000) } }, 'The maximum for a row is 65536'],
    ['too deep', { values: { url: 'x', deep: nested(50) } }, 'Flatten it'],
  ])('%s is refused with the row and the field, and nothing is written', async (_, bad, message) => {
    const name = await newDataset(['url'], { type: 'object', properties: { price: { type: 'number' } } })
    await expect(all.put(name, { rows: [{ values: { url: 'good', price: 1 } }, bad] })).rejects.toThrow(message)
    expect((await all.get(name)).rows).toBe(0)
  })

  test('a dataset has a bound of columns', async () => {
    const name = await newDataset()
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`c${n}`, n]))
    await expect(all.put(name, { rows: [{ values: { url: 'x', ...wide } }] })).rejects.toThrow('The maximum is 200')
  })

  test('deleting removes a row, or all of them, and the name is free again', async () => {
    const name = await newDataset()
    await all.put(name, { rows: [{ values: { url: 'a' } }, { values: { url: 'b' } }] })
    const { data: rows } = await all.rows(name)
    await all.deleteRow(name, rows[0]?.id ?? '')
    expect((await all.get(name)).rows).toBe(1)
    await all.delete(name)
    await expect(all.get(name)).rejects.toMatchObject({ code: 'not_found' })
    await all.create({ name })
    expect((await all.rows(name)).data).toEqual([])
  })

  test('rows are recounted after an engine stopped between deleting a row and counting it', async () => {
    const store = memoryStore()
    let updatesLeft = Infinity
    const stopping: Store = {
      ...store,
      update: async (key, change, options) => {
        if (key.startsWith('list/datasets/of/') && --updatesLeft < 0) throw new Error('stopped')
        return store.update(key, change, options)
      },
    }
    const plugins = [definePlugin({ name: 'data', features: [datasets] })]
    const first = createEngine({ store: stopping, plugins })
    await first.datasets.create({ name: 'a', key: ['url'] })
    await first.datasets.put('a', { rows: [{ values: { url: 'a' } }, { values: { url: 'b' } }] })
    const { data: rows } = await first.datasets.rows('a')
    updatesLeft = 1
    await expect(first.datasets.deleteRow('a', rows[0]?.id ?? '')).rejects.toThrow()
    await first.close()
    // A write that has not ended after 10 minutes counts as lost.
    const clock = { ...systemClock, now: () => systemClock.now() + 601_000 }
    await using second = createEngine({ store, plugins, clock })
    expect((await second.datasets.get('a')).rows).toBe(1)
  })

  test('a team does not see the datasets of another', async () => {
    await all.create({ name: 'private' }, { team: 'one' })
    await expect(all.get('private', { team: 'other' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await all.list({ team: 'other' })).toEqual([])
    await all.create({ name: 'private' }, { team: 'other' })
    await expect(all.create({ name: 'private' }, { team: 'other' })).rejects.toMatchObject({ code: 'conflict' })
  })
})

test('documents give their rows, with their address and their evidence', async () => {
  const name = await newDataset(['name'])
  const documents = [
    {
      metadata: { sourceURL: 'https://a.test/' },
      json: {
        products: [
          { name: 'Hat', price: 5 },
          { name: 'Bag', price: 9, _evidence: { price: '9 €' } },
        ],
      },
    },
    { metadata: { sourceURL: 'https://b.test/' }, json: { name: 'Cup', price: 3 } },
    { metadata: { sourceURL: 'https://c.test/' } },
  ]
  expect(await all.collectDocuments(name, documents, { from: 'json' })).toEqual({ added: 3, changed: 0, same: 0 })
  const { data: rows } = await all.rows(name)
  expect(rows.find(({ values }) => values['name'] === 'Bag')).toMatchObject({
    values: { price: 9 },
    source: 'https://a.test/',
    evidence: { price: '9 €' },
  })
})

describe('export', () => {
  async function filled(): Promise<string> {
    const name = await newDataset()
    await all.put(name, {
      rows: [
        { values: { url: 'a', price: 1.5, n: 3, ok: true, tags: ['x', 'y'], text: '=1+1' } },
        { values: { url: 'b', price: 2, text: 'a "quoted", text\nof two lines' } },
      ],
    })
    return name
  }

  test('Parquet has the types of the columns, and another reader reads it', async () => {
    const { bytes, mediaType } = await all.export(await filled(), { format: 'parquet' })
    expect(mediaType).toBe('application/vnd.apache.parquet')
    const file = await bytesOf(bytes)
    const rows = await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) })
    expect(rows.find(({ url }) => url === 'a')).toMatchObject({ price: 1.5, n: 3n, ok: true, tags: ['x', 'y'] })
    expect(rows.find(({ url }) => url === 'b')).toMatchObject({ price: 2, n: null, _first_seen: expect.any(Date) })
  })

  test('Parquet of many rows is written a group at a time', { tags: ['long'] }, async () => {
    const name = await newDataset()
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ values: { url: `u${n}`, n } }))
    await all.put(name, { rows: rows })
    await all.put(name, {
      rows: rows.slice(0, 2_000).map(({ values }) => ({ values: { url: `${values.url}x`, n: -1 } })),
    })
    const file = await bytesOf((await all.export(name, { format: 'parquet' })).bytes)
    const read = await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) })
    expect(new Set(read.map(({ url }) => url)).size).toBe(12_000)
  })

  test('CSV quotes what needs it, and holds no formula', async () => {
    const text = (await bytesOf((await all.export(await filled(), { format: 'csv' })).bytes)).toString()
    expect(text).toMatch(/^url,price,n,ok,tags,text,_id,_source,_first_seen,_changed,_last_seen,_evidence\r\n/)
    expect(text).toContain(`"[""x"",""y""]",'=1+1,`)
    expect(text).toContain('"a ""quoted"", text\nof two lines"')
  })

  test('CSV escapes the names of columns as well as cells', async () => {
    const name = await newDataset()
    await all.put(name, { rows: [{ values: { url: 'u', '=HYPERLINK("x")': 'a', '@sum': 'b' } }] })
    const [head] = (await bytesOf((await all.export(name, { format: 'csv' })).bytes)).toString().split('\r\n')
    expect(head).toContain(`,"'=HYPERLINK(""x"")",'@sum,`)
  })

  test('JSON lines have a row each, with its history', async () => {
    const lines = (await bytesOf((await all.export(await filled(), { format: 'jsonl' })).bytes))
      .toString()
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ history: [] }, { history: [] }])
  })
})

describe('SQL', () => {
  test('a SELECT over the rows is answered', async () => {
    const name = await newDataset()
    await all.put(name, {
      rows: Array.from({ length: 2_500 }, (_, n) => ({
        values: { url: `u${n}`, price: n, Price: n, even: n % 2 === 0 },
      })),
    })
    const sql =
      'SELECT even, count(*) AS many, max(price) AS top FROM rows WHERE price >= ? GROUP BY even ORDER BY even'
    expect(await all.query(name, { sql, params: [1_000], timeout: 60_000 })).toEqual({
      columns: ['even', 'many', 'top'],
      rows: [
        [0, 750, 2_499],
        [1, 750, 2_498],
      ],
      isCut: false,
    })
    expect(await all.query(name, { sql: 'SELECT url FROM rows', limit: 3, timeout: 60_000 })).toMatchObject({
      isCut: true,
    })
  })

  test.each([
    ["ATTACH '/tmp/stolen.db' AS other", 'sql must be one SELECT'],
    ['DELETE FROM rows', 'sql must be one SELECT'],
    ['WITH x AS (SELECT 1) DELETE FROM rows', 'returns no rows'],
    ['SELECT ulr FROM rows', 'There is no column named "ulr"; did you mean url?'],
    ['SELECT url FROM pages', 'There is no table named "pages". The rows are in the table rows.'],
    ["SELECT load_extension('/tmp/x.so')", 'The query failed'],
  ])('%s is refused', async (sql, message) => {
    const name = await newDataset()
    await all.put(name, { rows: [{ values: { url: 'a' } }] })
    await expect(all.query(name, { sql, timeout: 60_000 })).rejects.toThrow(message)
  })

  test('a query without an end is ended at its timeout, and others go on', { tags: ['long'] }, async () => {
    const name = await newDataset()
    await all.put(name, { rows: [{ values: { url: 'a' } }] })
    const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'
    await expect(all.query(name, { sql, timeout: 3_000 })).rejects.toMatchObject({ code: 'timeout' })
    expect(await all.query(name, { sql: 'SELECT count(*) FROM rows', timeout: 60_000 })).toMatchObject({ rows: [[1]] })
  })
})

function nested(depth: number): Json {
  return depth === 0 ? {} : { part: nested(depth - 1) }
}
