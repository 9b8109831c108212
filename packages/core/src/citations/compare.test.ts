import { describe, expect, test } from 'vitest'

import { citablePage, citeValues, compareCitations } from './citations.ts'

const { signal } = new AbortController()
const url = 'https://shop.test/'
const before = [
  '# Lamps',
  'The **Aurora** is made of oak. It costs EUR 12 with a shade.',
  '| Lamp | Stock |\n| --- | --- |\n| Luna | 40 |\n| Sol | 7 |',
  'Delivery to the islands takes 9 days.',
].join('\n\n')

/** Compares the citations of these values with a changed page. */
async function compared(values: Readonly<Record<string, string | number>>, after: string) {
  const claims = await citeValues(values, [await citablePage({ url, markdown: before }, signal)], signal)
  const citations = claims.flatMap((claim) => claim.citations)
  expect(citations).toHaveLength(Object.keys(values).length)
  const results = await compareCitations(citations, { url, markdown: after }, signal)
  for (const result of results)
    if ('now' in result) expect(after.slice(result.now.start, result.now.end)).toBe(result.now.quote)
  return results.map((result) => ('now' in result ? [result.status, result.now.quote] : [result.status]))
}

const values = { material: 'oak', costs: 12, stock: 40, delivery: 9 }

describe('a citation', () => {
  test('is unchanged at its place, although the rest of the page has changed', async () => {
    const results = await compared(values, `${before.replace('# Lamps', '# Lumps')}\n\nNew.`)
    expect(results.map(([status]) => status)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged'])
  })

  test('has moved if its passage is elsewhere', async () => {
    const results = await compared(values, `Hello.\n\n${before}`)
    expect(results.map(([status]) => status)).toEqual(['moved', 'moved', 'moved', 'moved'])
  })

  test('is unchanged if only the formatting of its passage has changed', async () => {
    const after = before.replaceAll('**', '_').replace('| Luna | 40 |', '| **Luna** | 40 |')
    expect(await compared({ material: 'oak', stock: 40 }, after)).toEqual([
      ['unchanged', 'The _Aurora_ is made of oak.'],
      ['moved', '| **Luna** | 40 |'],
    ])
  })

  test('has changed if a value in its passage has, and names the new passage', async () => {
    const after = before.replace('| 40 |', '| 45 |').replace('EUR 12', 'EUR 120').replace('oak', 'ash')
    expect(await compared({ material: 'oak', costs: 12, stock: 40 }, after)).toEqual([
      ['changed', 'The **Aurora** is made of ash.'],
      ['changed', 'It costs EUR 120 with a shade.'],
      ['changed', '| Luna | 45 |'],
    ])
  })

  test.each([
    ['| 40 |', '| 40.5 |', { stock: 40 }],
    ['9 days.', '9 days, or never.', { delivery: 9 }],
    ['Delivery to', 'No delivery to', { delivery: 9 }],
  ])('has changed if the passage is part of another one: %s, %s', async (from, to, value) => {
    expect((await compared(value, before.replace(from, to)))[0]?.[0]).toBe('changed')
  })

  test('is gone if no passage is similar, even if others have its value', async () => {
    const after = before
      .replace('| Luna | 40 |\n| Sol | 7 |', '| Sol | 40 |')
      .replace('Delivery to the islands takes', 'It is open for')
    expect(await compared({ stock: 40, delivery: 9 }, after)).toEqual([['gone'], ['gone']])
  })

  test('is not changed to the passage of another citation', async () => {
    const markdown = 'Luna costs EUR 12 in blue.\n\nLuna costs EUR 12 in red.'
    const citations = await citeValues(['in blue', 'in red'], [await citablePage({ url, markdown }, signal)], signal)
    const after = { url, markdown: 'Luna costs EUR 12 in red.' }
    const both = citations.flatMap((claim) => claim.citations)
    expect((await compareCitations(both, after, signal)).map(({ status }) => status)).toEqual(['gone', 'moved'])
  })
})

test('a very long value is cited with a quote of limited length, which is unchanged on the same page', async () => {
  const markdown = 'oak and ash '.repeat(1_000).trim()
  const claims = await citeValues([markdown], [await citablePage({ url, markdown }, signal)], signal)
  const citations = claims.flatMap((claim) => claim.citations)
  expect(citations[0]?.quote).toHaveLength(4_000)
  expect((await compareCitations(citations, { url, markdown }, signal))[0]?.status).toBe('unchanged')
})

test('a page of many similar passages is compared in time for its length', async () => {
  const line = (index: number): string => `The lamp of the shop with the number ${index} costs EUR ${index * 3}.`
  const markdown = Array.from({ length: 5_000 }, (_, index) => line(index)).join('\n')
  const quoted = Array.from({ length: 100 }, (_, index) => ({
    quote: line(index).replace('EUR', 'USD'),
    start: 0,
    end: 9,
  }))
  const results = await compareCitations(quoted, { url, markdown }, signal)
  expect(results.filter(({ status }) => status === 'changed')).toHaveLength(100)
})

describe('other work continues', () => {
  /** Returns how many turns others had until the work was done. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 0)
    await work.finally(() => clearInterval(timer))
    return turns
  }
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `lamp ${index % 7}`).join('\n')

  test('while a page of short lines is compared', async () => {
    const quoted = Array.from({ length: 20 }, (_, index) => ({ quote: `lamp ${index} oak`, start: 0, end: 9 }))
    const work = compareCitations(quoted, { url, markdown: lines(30_000) }, signal)
    expect(await turnsDuring(work)).toBeGreaterThan(20)
  })

  test('while values are cited, and it can be cancelled', async () => {
    const page = await citablePage({ url, markdown: lines(20_000) }, signal)
    const all = Array.from({ length: 100 }, () => ({ lampOfShop: 3 }))
    expect(await turnsDuring(citeValues(all, [page], signal))).toBeGreaterThan(3)
    await expect(citeValues(all, [page], AbortSignal.abort(new Error('Stop.')))).rejects.toThrow('Stop.')
  })
})
