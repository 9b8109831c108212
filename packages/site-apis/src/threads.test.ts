import { expect, test } from 'vitest'

import { makeWorkThreads } from './threads.ts'

const { signal } = new AbortController()
// 50 lists of 50 items with 20 strings, each of which is compared with the whole page.
const item = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`name${at}`, `lamp ${at}`]))
const slow = JSON.stringify(Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => item)))
const shown = 'lamp light '.repeat(45_000)

test('a response that is slow to search costs its own search only', async () => {
  const threads = makeWorkThreads({ budget: 2_000 })
  const search = threads('a', signal)('findLists', { shown, responses: [{ kind: 'json', text: slow }] })
  await expect(search).rejects.toMatchObject({
    code: 'page_too_complex',
    message: expect.stringContaining('within 2000 ms'),
  })
  const text = JSON.stringify([{ name: 'Amber lamp' }, { name: 'Basalt lamp' }])
  const found = await threads('a', signal)('findLists', {
    shown: 'Amber lamp, Basalt lamp',
    responses: [
      { kind: 'html', text: '<p>No list' },
      { kind: 'json', text },
    ],
  })
  expect(found).toEqual([
    {
      ...{ index: 1, shown: 2, items: [{ name: 'Amber lamp' }, { name: 'Basalt lamp' }] },
      source: { in: 'json', path: [], fields: ['name'] },
    },
  ])
})

test('work ends when the scrape is aborted', async () => {
  const abort = new AbortController()
  const work = makeWorkThreads()('a', abort.signal)
  const search = work('findLists', { shown, responses: [{ kind: 'json', text: slow }] })
  abort.abort(new Error('over'))
  await expect(search).rejects.toThrow('over')
})
