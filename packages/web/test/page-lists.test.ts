// What the page makes of lists: rows in an order, two runs beside each other, lines of CSV, archives.
import { inflateRawSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { compareRows } from '../page/src/lib/compare.ts'
import { csvLine } from '../page/src/lib/csv.ts'
import { queryOfRows, rowsOf, rowViewOf } from '../page/src/lib/job-rows.ts'
import { parquetOf } from '../page/src/lib/parquet.ts'
import { zip, type ZippedFile } from '../page/src/lib/zip.ts'

const row = (url: string, more: object = {}) =>
  ({ outcome: 'visited', at: '2026-11-01T00:00:00.000Z', url, status: 200, ...more }) as const
const view = (query: string) => rowViewOf(new URLSearchParams(query))

describe('Rows of a job', () => {
  const rows = [row('/b', { bytes: 9 }), row('/a', { bytes: 10, title: 'Lamps' }), row('/c', { status: 404 })]
  const urls = (query: string) => rowsOf(rows, view(query)).map(({ url }) => url)

  test('are in the order of completion, or sorted by a fact, either way', () => {
    expect(urls('')).toEqual(['/b', '/a', '/c'])
    expect(urls('sort=url')).toEqual(['/a', '/b', '/c'])
    expect(urls('sort=-bytes')).toEqual(['/a', '/b', '/c'])
    expect(urls('sort=bytes')).toEqual(['/c', '/b', '/a'])
    expect(urls('sort=nothing')).toEqual(['/b', '/a', '/c'])
  })

  test('are filtered by the words of their address or title, and by the kind of their status', () => {
    expect(urls('q=LAMP')).toEqual(['/a'])
    expect(urls('kind=refused')).toEqual(['/c'])
    expect(urls('q=b&kind=refused')).toEqual([])
  })

  test('have a view that can be shared as an address', () => {
    const shared = { q: 'lamp', kind: 'ok', sort: '-bytes' }
    expect(queryOfRows(view(new URLSearchParams(shared).toString()))).toEqual(shared)
  })
})

test('Two runs differ in pages that are new, gone, or answer otherwise', () => {
  const before = [row('/same', { bytes: 100 }), row('/gone'), row('/moved'), row('/longer', { bytes: 100 })]
  const after = [
    row('/same', { bytes: 101 }),
    row('/moved', { status: 404 }),
    row('/longer', { bytes: 900 }),
    row('/new'),
    { ...row('/left'), outcome: 'left' as const },
  ]
  expect(compareRows(before, after)).toEqual([
    { url: '/same', difference: 'same', says: '' },
    { url: '/moved', difference: 'changed', says: 'status 200 → status 404' },
    { url: '/longer', difference: 'changed', says: '+800 bytes' },
    { url: '/new', difference: 'added', says: 'status 200' },
    { url: '/gone', difference: 'gone', says: 'status 200' },
  ])
})

test('A line of CSV quotes what it must, and no text of it is a formula', () => {
  expect(csvLine(['a "b", c', 12, undefined, '=1+1', -5])).toBe(`"a ""b"", c",12,,'=1+1,-5\r\n`)
})

test('An archive has each file deflated, with its length and its name', async () => {
  async function* files(): AsyncGenerator<ZippedFile> {
    yield { name: 'tür.md', text: 'Rain. '.repeat(500) }
    yield { name: 'b.md', text: '' }
  }
  const bytes = Buffer.from(await (await zip(files())).arrayBuffer())
  const found: Record<string, string> = {}
  let at = bytes.readUInt32LE(bytes.length - 6)
  for (let left = bytes.readUInt16LE(bytes.length - 12); left > 0; left -= 1) {
    expect(bytes.readUInt32LE(at)).toBe(0x02_01_4b_50)
    const [packed, plain, name, local] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt32LE(at + 42),
    ]
    const start = local + 30 + bytes.readUInt16LE(local + 26)
    const text = inflateRawSync(bytes.subarray(start, start + packed)).toString()
    expect(Buffer.byteLength(text)).toBe(plain)
    found[bytes.subarray(at + 46, at + 46 + name).toString()] = text
    at += 46 + name
  }
  expect(found).toEqual({ 'tür.md': 'Rain. '.repeat(500), 'b.md': '' })
})

test('a table becomes a Parquet file with its columns, whatever is missing in them', async () => {
  const rows = [
    { url: 'https://a.test/', size: 3, isNew: true },
    { url: 'https://b.test/', size: undefined },
  ]
  const file = parquetOf({ columns: ['url', 'size', 'isNew', 'nothing'], parts: [rows, [{ url: 'c', mixed: 1 }]] })
  const bytes = Buffer.from(await file.arrayBuffer())
  expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
  const footer = bytes.subarray(-8 - bytes.readUInt32LE(bytes.length - 8)).toString('latin1')
  for (const column of ['url', 'size', 'isNew', 'nothing']) expect(footer).toContain(column)
})
