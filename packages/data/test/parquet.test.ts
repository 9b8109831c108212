// The Parquet files of datasets, read by Apache's own library (Rust and Arrow): another program than the one that writes them.
import { createEngine } from '@harvestman/core'
import { data, type ExportFormatName } from '@harvestman/data'
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm'
import { afterAll, expect, test } from 'vitest'

const engine = createEngine({ plugins: [data()] })
afterAll(() => engine.close())

async function exported(name: string, format: ExportFormatName): Promise<Uint8Array> {
  const { bytes } = await engine.datasets.export(name, { format })
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

const asArrow = async (name: string) => tableFromIPC(readParquet(await exported(name, 'parquet')).intoIPCStream())

test('Apache Arrow reads the types and values of a dataset', async () => {
  await engine.datasets.create({ name: 'mixed', key: ['url'] })
  const long = 'é'.repeat(10_000)
  await engine.datasets.put('mixed', {
    rows: [
      {
        values: { url: 'a', price: 1.5, n: 3, ok: true, tags: ['x', 'y'], text: 'a "quoted"\nline' },
        source: 'https://a.test/',
      },
      { values: { url: 'b', price: 2, n: -7, ok: false, text: long } },
      { values: { url: 'c' } },
    ],
  })
  const table = await asArrow('mixed')
  const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]))
  expect(types).toMatchObject({ url: 'Utf8', price: 'Float64', n: 'Int64', ok: 'Bool', text: 'Utf8' })
  const rows = new Map(table.toArray().map((row) => [row?.['url'], row?.toJSON()]))
  expect(rows.get('a')).toMatchObject({
    price: 1.5,
    n: 3n,
    ok: true,
    text: 'a "quoted"\nline',
    _source: 'https://a.test/',
  })
  expect(JSON.parse(String(rows.get('a')?.['tags']))).toEqual(['x', 'y'])
  expect(rows.get('b')).toMatchObject({ price: 2, n: -7n, ok: false, text: long, tags: null })
  expect(rows.get('c')).toMatchObject({ price: null, n: null, ok: null, text: null })
})

test('Apache Arrow reads as many rows, with the same values, as the JSON lines have', async () => {
  await engine.datasets.create({ name: 'many', key: ['url'] })
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ values: { url: `https://a.test/${n}`, n, rate: n / 7 } }))
  await engine.datasets.put('many', { rows: rows })
  await engine.datasets.put('many', {
    rows: rows.slice(0, 500).map(({ values }) => ({ values: { ...values, url: `${values.url}#`, n: -1 } })),
  })
  const table = await asArrow('many')
  const lines = Buffer.from(await exported('many', 'jsonl'))
    .toString()
    .trim()
    .split('\n')
  const wanted = lines.map((line) => (JSON.parse(line) as { values: Record<string, unknown> }).values)
  expect(table.numRows).toBe(10_500)
  const read = table
    .toArray()
    .map((row) => ({ url: row?.['url'] as unknown, n: Number(row?.['n']), rate: row?.['rate'] as unknown }))
  const byUrl = (one: { readonly url?: unknown }, other: { readonly url?: unknown }): number =>
    String(one.url) < String(other.url) ? -1 : 1
  expect(read.toSorted(byUrl)).toEqual(wanted.toSorted(byUrl))
})
