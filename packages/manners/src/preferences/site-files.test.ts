import { EngineError } from '@harvestman/ports'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeSiteFiles } from './site-files.ts'

const origin = 'https://a.example'
const { signal } = new AbortController()
const minute = 60_000

function open(texts: Readonly<Record<string, string | Error>>) {
  const clock = handClock()
  const requested: { readonly path: string; readonly maxBytes: number }[] = []
  const fetchText = async ({ pathname: path }: URL, { maxBytes }: { readonly maxBytes: number }) => {
    requested.push({ path, maxBytes })
    const text = texts[path]
    if (text instanceof Error) throw text
    return text
  }
  return { clock, requested, files: makeSiteFiles({ fetchText, clock, signal }, 'Gatherer') }
}

test('each file is parsed once for all pages', async () => {
  const { files, requested } = open({
    '/robots.txt': 'User-agent: *\nContent-Signal: ai-train=no',
    '/.well-known/tdmrep.json': '[{"location": "/", "tdm-reservation": 1}]',
    '/rsl.xml': '<rsl><content url="/"><license/></content></rsl>',
  })
  const read = async () => [
    await files.robots(origin, signal),
    await files.tdmrep(origin, signal),
    await files.license(`${origin}/rsl.xml`, signal),
  ]
  const [first, second] = [await read(), await read()]
  for (const [index, value] of first.entries()) expect(second[index]).toBe(value)
  expect(requested).toHaveLength(3)
})

test('one URL may be read as several kinds of files', async () => {
  const { files } = open({ '/llms.txt': '# <rsl><content url="/"/></rsl>' })
  expect(await files.hasLlmsTxt(origin, signal)).toBe(true)
  expect(await files.license(`${origin}/llms.txt`, signal)).toEqual([{ url: '/', licenses: [] }])
})

test('at most 100,000 bytes of a file are read, except for robots.txt', async () => {
  const { files, requested } = open({})
  await files.tdmrep(origin, signal)
  await files.hasLlmsTxt(origin, signal)
  await files.license(`${origin}/rsl.xml`, signal)
  expect(requested.map(({ maxBytes }) => maxBytes)).toEqual([100_000, 100_000, 100_000])
})

test('robots.txt is read again from the engine after a minute, other files after a day', async () => {
  const { files, requested, clock } = open({})
  const read = async () => Promise.all([files.robots(origin, signal), files.tdmrep(origin, signal)])
  await read()
  await clock.pass(minute)
  await read()
  expect(requested.map(({ path }) => path)).toEqual(['/robots.txt', '/.well-known/tdmrep.json', '/robots.txt'])
  await clock.pass(24 * 60 * minute)
  await read()
  expect(requested).toHaveLength(5)
})

test('a file that could not be fetched states nothing, and is requested again after minutes', async () => {
  const failure = new EngineError('connection_failed', 'It failed.')
  const { files, requested, clock } = open({ '/.well-known/tdmrep.json': failure })
  expect(await files.tdmrep(origin, signal)).toEqual([])
  await files.tdmrep(origin, signal)
  expect(requested).toHaveLength(1)
  await clock.pass(5 * minute)
  await files.tdmrep(origin, signal)
  expect(requested).toHaveLength(2)
})
