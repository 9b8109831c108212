import { afterEach, describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { defaultBound } from '@harvestman/threads'
import { free, ownBytes, isEncodedJson, type EncodedJson } from '@harvestman/ports/values'
import type { Reader, ReadTask } from '../scrape/reader.ts'
import { pageReader } from './reader.ts'

const open: Reader[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((reader) => reader.close()))
})

function readerOf(options: Partial<Parameters<typeof pageReader>[0]> = {}): Reader {
  const reader = pageReader({
    size: 1,
    budget: 20_000,
    megabytes: 256,
    inlineBytes: 0,
    inlineTime: 1e6,
    memory: 1e6,
    ...options,
  })
  open.push(reader)
  return reader
}

function task(html: string, changes: Partial<ReadTask> = {}): ReadTask {
  return {
    source: { html: { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' } },
    url: 'https://example.com/',
    team: 'a',
    scope: { onlyMainContent: false, includeTags: [], excludeTags: [] },
    wanted: [{ field: 'page.markdown', name: 'markdown', options: {} }],
    version: undefined,
    most: defaultBound,
    ...changes,
  }
}

const forever = new AbortController().signal

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error)
  }
  return 'read'
}

describe('a page read in a worker', () => {
  test('is sent without the rest of its request', async () => {
    // A function cannot be sent to a thread.
    const request = {
      onlyMainContent: false,
      includeTags: [],
      excludeTags: [],
      headers: { authorization: () => 'secret' },
    }
    const { values } = await readerOf().read(task('<p>One</p>', { scope: request }), forever)
    expect(values['page.markdown']).toBe('One')
  })

  test('gives the same values as one read in place', async () => {
    const page = task('<h1>One</h1><p>Two &amp; three</p>')
    const inWorker = await readerOf().read(page, forever)
    const inPlace = await readerOf({ inlineBytes: 1e6 }).read(page, forever)
    expect(inWorker).toEqual(inPlace)
    expect(inWorker.values['page.markdown']).toBe('# One\n\nTwo & three')
  })

  test('does not hold the calling thread', { tags: ['long'] }, async () => {
    const reader = readerOf()
    let turns = 0
    const turn = setInterval(() => (turns += 1), 0)
    await reader.read(task(`<p>${'<b>word</b> '.repeat(50_000)}</p>`), forever)
    clearInterval(turn)
    expect(turns).toBeGreaterThan(5)
  })

  test(
    'is given up when it is not wanted any more, and the next page is read by a new worker',
    { tags: ['long'] },
    async () => {
      const reader = readerOf()
      const cancel = new AbortController()
      const reason = new EngineError('timeout', 'late')
      const work = codeOf(reader.read(task('<p>x</p>'.repeat(200_000)), cancel.signal))
      setImmediate(() => cancel.abort(reason))
      expect(await work).toBe('timeout')
      expect((await reader.read(task('<p>next</p>'), forever)).values['page.markdown']).toBe('next')
    },
  )

  test('that takes longer than its budget is stopped with a typed error', async () => {
    const reader = readerOf({ budget: 1 })
    expect(await codeOf(reader.read(task('<p>x</p>'.repeat(300_000)), forever))).toBe('page_too_complex')
  })

  test('waits its turn, and can be given up while it waits', async () => {
    const reader = readerOf()
    const cancel = new AbortController()
    const first = reader.read(task('<p>first</p>'), forever)
    const second = codeOf(reader.read(task('<p>second</p>'), cancel.signal))
    const third = reader.read(task('<p>third</p>'), forever)
    cancel.abort(new EngineError('aborted', 'no'))
    expect(await second).toBe('aborted')
    expect((await first).values['page.markdown']).toBe('first')
    expect((await third).values['page.markdown']).toBe('third')
  })

  test('ends typed when the reader is closed', async () => {
    const reader = readerOf()
    const work = codeOf(reader.read(task('<p>x</p>'.repeat(200_000)), forever))
    await reader.close()
    expect(await work).toBe('closed')
    expect(await codeOf(reader.read(task('<p>x</p>'), forever))).toBe('closed')
  })
})

test.each([
  { tags: 6_000, onlyMainContent: false, outcome: 'read' },
  { tags: 6_002, onlyMainContent: false, outcome: 'closed' },
  { tags: 3_000, onlyMainContent: true, outcome: 'read' },
  { tags: 3_002, onlyMainContent: true, outcome: 'closed' },
])('where a page is read is told by its tags: $tags, main content $onlyMainContent', async ({ tags, ...asked }) => {
  const reader = readerOf({ inlineBytes: 1e6 })
  await reader.close()
  const html = '<p>x</p>'.repeat((tags - 2) / 2) + `<p>${' y'.repeat(100_000)}</p>`
  const scope = { onlyMainContent: asked.onlyMainContent, includeTags: [], excludeTags: [] }
  // Threads are closed: only what is read in place can be read.
  for (const source of [task(html).source, { html }])
    expect(await codeOf(reader.read(task('', { source, scope }), forever))).toBe(asked.outcome)
})

test(
  'pages of a host that take long in place are read in a worker from then on, those of others are not',
  { tags: ['long'] },
  async () => {
    const reader = readerOf({ inlineBytes: 1e9, inlineTime: 0, budget: 1 })
    const long = 'x *y* '.repeat(100_000)
    const read = async (host: string): Promise<string> =>
      codeOf(reader.read(task(long, { url: `https://${host}/` }), forever))
    expect([await read('a.example'), await read('a.example'), await read('a.example')]).toEqual([
      'read',
      'read',
      'page_too_complex',
    ])
    expect(await read('b.example')).toBe('read')
  },
)

test('slow pages of a host that arrive together are not all read in place', async () => {
  const reader = readerOf({ inlineBytes: 1e6, inlineTime: 0 })
  await reader.close()
  // Threads are closed: only what is read in place can be read.
  const burst = Array.from({ length: 6 }, () => codeOf(reader.read(task('<p>x</p>'), forever)))
  const other = codeOf(reader.read(task('<p>x</p>', { url: 'https://b.example/' }), forever))
  expect(await Promise.all(burst)).toEqual(['read', 'read', 'closed', 'closed', 'closed', 'closed'])
  expect(await other).toBe('read')
})

test('the values of a kept page are read once for the same wants', async () => {
  const reader = readerOf({ inlineBytes: 1e6 })
  const read = async (html: string, changes: Partial<ReadTask> = {}) =>
    Object.values((await reader.read(task(html, { version: 'v1', ...changes }), forever)).values)
  expect(await read('<p>x</p>')).toEqual(['x'])
  expect(await read('<p>other</p>')).toEqual(['x'])
  const links = [{ field: 'page.links', name: 'links', options: null }]
  expect(await read('<p>other</p>', { wanted: links })).toEqual([[]])
  const scope = { onlyMainContent: false, includeTags: ['b'], excludeTags: [] }
  expect(await read('<p>x</p><b>other</b>', { scope })).toEqual(['**other**'])
})

test('what is encoded of a kept page is a copy for each asker', async () => {
  const reader = readerOf({ inlineBytes: 1e6 })
  const wanted = [{ field: 'page.markdown', name: 'markdown', options: {}, encode: true }]
  for (const time of ['first', 'second', 'third']) {
    const { values } = await reader.read(task('<p>x</p>', { version: 'v1', wanted }), forever)
    const { json } = values['page.markdown'] as EncodedJson
    expect(new TextDecoder().decode(json), time).toBe('"x"')
    free(json)
  }
})

test.each([
  ['in a worker', 0],
  ['in place', 1e6],
])(
  'the bytes of a page without another holder are given free when it is read %s, others stay',
  async (_, inlineBytes) => {
    const reader = readerOf({ inlineBytes })
    const left = async (make: (bytes: Uint8Array) => Uint8Array): Promise<number> => {
      const bytes = make(new TextEncoder().encode('<p>x</p>'))
      await reader.read(task('', { source: { html: { bytes, contentType: 'text/html' } } }), forever)
      return bytes.byteLength
    }
    expect(await left((bytes) => ownBytes(bytes))).toBe(0)
    expect(await left((bytes) => bytes)).toBe(8)
  },
)

test('a view of a larger buffer is never moved: the rest of it may have another holder', async () => {
  const bytes = new TextEncoder().encode('<p>x</p><p>y</p>')
  const html = { bytes: bytes.subarray(0, 8), contentType: 'text/html' }
  await readerOf().read(task('', { source: { html } }), forever)
  expect(new TextDecoder().decode(bytes)).toBe('<p>x</p><p>y</p>')
})

test.each([
  ['in a worker', 0],
  ['in place', 1e6],
])('a value that is to be encoded comes as its JSON text when it is read %s', async (_, inlineBytes) => {
  const wanted = [
    { field: 'page.markdown', name: 'markdown', options: {}, encode: true },
    { field: 'page.links', name: 'links', options: null },
  ]
  const { values } = await readerOf({ inlineBytes }).read(task('<a href="/é">"é"</a>', { wanted }), forever)
  const markdown = values['page.markdown'] as EncodedJson
  expect(isEncodedJson(markdown)).toBe(true)
  expect(new TextDecoder().decode(markdown.json)).toBe(JSON.stringify('["é"](https://example.com/%C3%A9)'))
  expect(values['page.links']).toEqual(['https://example.com/%C3%A9'])
})

test('pages that are read in place at the same time leave turns of the event loop to others', async () => {
  const reader = readerOf({ inlineBytes: 1e6 })
  await reader.read(task('<p>loads the code'), forever)
  let turns = 0
  let isReading = true
  const count = (): void => {
    turns += 1
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const ends = await Promise.all(
    Array.from({ length: 60 }, () => reader.read(task('<p>page'.repeat(5_000)), forever).then(() => turns)),
  )
  isReading = false
  expect(new Set(ends).size).toBeGreaterThan(2)
})

test('a page that is no longer needed is not read in place', async () => {
  const reader = readerOf({ inlineBytes: 1e6 })
  const cancel = new AbortController()
  const reading = codeOf(reader.read(task('<p>page'), cancel.signal))
  cancel.abort(new EngineError('timeout', 'late'))
  expect(await reading).toBe('timeout')
})
