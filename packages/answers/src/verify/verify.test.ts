import { describe, expect, test } from 'vitest'

import { createEngine } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'

import { answers, verify } from '../index.ts'

const page = (text: string): string => `<title>Lamps</title><main><h1>Lamps</h1><p>${text}</p></main>`

function engineOf(pages: Readonly<Record<string, string | number>>, visited: string[] = []) {
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }) => {
      const { pathname } = new URL(url)
      visited.push(pathname)
      const body = pages[pathname] ?? 404
      return {
        status: typeof body === 'number' ? body : 200,
        headers: [['content-type', 'text/html; charset=utf-8']],
        body: new TextEncoder().encode(typeof body === 'number' ? page('Nothing.') : body),
      }
    },
    close: async () => undefined,
  })
  return createEngine({ fetcher, plugins: [answers] })
}

const quote = 'The Aurora costs EUR 12.'
const cite = (path: string, start = 9) => ({ url: `https://shop.test${path}`, quote, start, end: start + quote.length })

describe('verify', () => {
  test('has a verdict on each citation, in the order of the request, and loads each page once', async () => {
    const visited: string[] = []
    await using engine = engineOf(
      { '/a': page(quote), '/b': page('The Aurora costs EUR 15.'), '/c': page('We have closed.'), '/e': 500 },
      visited,
    )
    const citations = [cite('/b'), cite('/a', 50), cite('/a'), cite('/c'), cite('/d'), cite('/e'), cite('/a#top')]
    const { data, creditsUsed } = await (await engine.start(verify, { citations })).end()
    expect(data?.citations.map(({ status, url, now }) => [status, new URL(url).pathname, now?.quote])).toEqual([
      ['changed', '/b', 'The Aurora costs EUR 15.'],
      ['moved', '/a', quote],
      ['unchanged', '/a', quote],
      ['gone', '/c', undefined],
      ['gone', '/d', undefined],
      ['unreachable', '/e', undefined],
      ['unchanged', '/a', quote],
    ])
    expect(data?.citations[4]?.reason).toBe('The page has the status 404.')
    expect(visited.filter((path) => path === '/a')).toHaveLength(1)
    expect(creditsUsed).toBe(5)
    expect((await engine.usage()).used).toBe(5)
  })

  test('continues with a verdict of unreachable if a page cannot be loaded, which is free', async () => {
    await using engine = engineOf({})
    const { data, creditsUsed } = await (
      await engine.start(verify, { citations: [{ ...cite('/'), url: 'https://127.0.0.1/' }] })
    ).end()
    expect(data?.citations).toEqual([expect.objectContaining({ status: 'unreachable', reason: expect.any(String) })])
    expect(creditsUsed).toBe(0)
  })

  test('reads the pages with the options of the request', async () => {
    await using engine = engineOf({
      '/': `<nav><p>${quote}</p></nav><main><p>${'Words on a page. '.repeat(40)}</p></main>`,
    })
    const statusOf = async (scrapeOptions: { readonly onlyMainContent?: boolean }) => {
      const { data } = await (await engine.start(verify, { citations: [cite('/', 0)], scrapeOptions })).end()
      return data?.citations[0]?.status
    }
    expect([await statusOf({}), await statusOf({ onlyMainContent: false })]).toEqual(['gone', 'unchanged'])
  })

  test('reads the present page, not a cached copy, and applies the threat protection of the request', async () => {
    const visited: string[] = []
    await using engine = engineOf({ '/': page(quote) }, visited)
    const statusOf = async (scrapeOptions: {
      readonly maxAge?: number
      readonly threatProtection?: { readonly blacklist: readonly string[] }
    }) => {
      const { data } = await (await engine.start(verify, { citations: [cite('/')], scrapeOptions })).end()
      return data?.citations[0]?.status
    }
    const cached = { maxAge: 3_600_000 }
    expect([await statusOf(cached), await statusOf(cached)]).toEqual(['unchanged', 'unchanged'])
    expect(visited.filter((path) => path === '/')).toHaveLength(2)
    expect(await statusOf({ threatProtection: { blacklist: ['shop.test'] } })).toBe('unreachable')
    expect(visited.filter((path) => path === '/')).toHaveLength(2)
  })

  test('refuses more citations and pages than it checks at once', async () => {
    await using engine = engineOf({})
    const many = (count: number) => Array.from({ length: count }, (_, index) => cite(`/${index}`))
    await expect(engine.start(verify, { citations: many(501) })).rejects.toThrow(/citations/)
    await expect(engine.start(verify, { citations: many(101) })).rejects.toThrow('are of 101 pages. Check at most 100')
    expect(engine.preview('verify', { citations: many(3) })).toMatchObject({ min: 1, max: 3 })
  })
})
