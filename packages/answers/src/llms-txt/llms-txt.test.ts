// An llms.txt in process: what is listed, asked, paid for and said before.
import { scriptedLLM, scriptedSearch, type Reply } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine, type EngineOptions } from '@harvestman/core'
import { EngineError, type Fetcher } from '@harvestman/ports'

import { answers, llmsTxt } from '../index.ts'

const pages: Readonly<Record<string, string>> = {
  '/': '<title>Lamps</title><meta name="description" content="All lamps."><main><h1>Lamps</h1><p>We sell lamps.</p><a href="/aurora">Aurora</a> <a href="/luna?x=1">Luna</a></main>',
  '/aurora': '<title>Aurora</title><main><h1>Aurora</h1><p>The Aurora is made of oak and costs EUR 12.</p></main>',
  '/luna': '<title>Luna</title><main><h1>Luna</h1><p>The Luna is made of steel and costs EUR 30.</p></main>',
}

interface Visits {
  readonly urls: string[]
}

function site(visits: Visits): () => Fetcher {
  return () => ({
    exchange: async ({ url }) => {
      visits.urls.push(String(url))
      const body = pages[new URL(url).pathname]
      return {
        status: body === undefined ? 404 : 200,
        headers: [['content-type', 'text/html; charset=utf-8']],
        body: new TextEncoder().encode(body ?? 'Not found'),
      }
    },
    close: async () => undefined,
  })
}

const hits = [
  { url: 'https://shop.test/aurora', title: 'Aurora', description: 'A lamp of oak' },
  { url: 'https://shop.test/luna', title: 'Luna', description: 'A lamp of steel' },
]

function bench(replies: readonly Reply[], options: EngineOptions = {}) {
  const visits: Visits = { urls: [] }
  const llm = scriptedLLM(replies)
  const search = scriptedSearch({ web: hits })
  const engine = createEngine({ fetcher: site(visits), llm, search, plugins: [answers], ...options })
  const visited = () => visits.urls.map((url) => new URL(url).pathname).filter((path) => path in pages)
  return { engine, llm, visited, visits }
}

describe('an llms.txt', () => {
  test('lists the pages of a site in its order, without a model too', async () => {
    const { engine } = bench([], { llm: undefined })
    const { status, data, creditsUsed } = await (
      await engine.start(llmsTxt, { url: 'https://shop.test/', showFullText: true })
    ).end()
    expect(status).toBe('completed')
    expect(data?.llmstxt).toBe(
      '# https://shop.test/ llms.txt\n\n- [Lamps](https://shop.test/): All lamps.\n- [Aurora](https://shop.test/aurora)\n- [Luna](https://shop.test/luna)\n',
    )
    expect(data?.llmsfulltxt).toContain(
      '## Aurora\n\nSource: https://shop.test/aurora\n\n# Aurora\n\nThe Aurora is made of oak',
    )
    // The map is part of it; the pages are paid for.
    expect(creditsUsed).toBe(3)
    await engine.close()
  })

  test('has the model say what a page does not, and holds to its limit', async () => {
    const { engine, llm } = bench([{ value: 'A lamp of oak.' }])
    const { data, creditsUsed } = await (await engine.start(llmsTxt, { url: 'https://shop.test/', maxUrls: 2 })).end()
    // Two pages, and what a format of a model costs for the one that it described.
    expect(creditsUsed).toBe(6)
    expect(data).toEqual({
      llmstxt:
        '# https://shop.test/ llms.txt\n\n- [Lamps](https://shop.test/): All lamps.\n- [Aurora](https://shop.test/aurora): A lamp of oak.\n',
    })
    expect(llm.questions).toHaveLength(1)
    await engine.close()
  })

  test('is made all the same when the model fails, which then costs nothing', async () => {
    const { engine } = bench([{ error: new EngineError('model_unavailable', 'busy') }])
    const { status, creditsUsed } = await (await engine.start(llmsTxt, { url: 'https://shop.test/', maxUrls: 2 })).end()
    expect({ status, creditsUsed }).toEqual({ status: 'completed', creditsUsed: 2 })
    await engine.close()
  })

  test.each([
    ['the team has', { credits: 4 }, {}],
    ['maxCredits allows', { credits: 100 }, { maxCredits: 5 }],
  ])('asks the model for no more than %s', async (_, { credits }, cap) => {
    const { engine, llm } = bench([{ value: 'A lamp of oak.' }])
    await engine.ledger.grant({ team: 'acme', credits, id: 'first' })
    const job = await engine.start(llmsTxt, { url: 'https://shop.test/', maxUrls: 2, ...cap }, { team: 'acme' })
    const { status, data, creditsUsed } = await job.end()
    expect({ status, creditsUsed }).toEqual({ status: 'completed', creditsUsed: 2 })
    expect(data?.llmstxt).toContain('- [Aurora](https://shop.test/aurora)\n')
    expect(llm.questions).toEqual([])
    expect((await engine.usage({ team: 'acme' })).credits).toBe(credits - 2)
    await engine.close()
  })
})

test('what it will cost is said before, and is less without a model', async () => {
  const { engine, visits } = bench([])
  const request = { url: 'https://shop.test/', maxUrls: 2 }
  expect(engine.preview('llmstxt', request)).toMatchObject({ min: 1, max: 10 })
  const { engine: without } = bench([], { llm: undefined })
  expect(without.preview('llmstxt', request)).toMatchObject({ min: 1, max: 2 })
  expect(visits.urls).toEqual([])
  await Promise.all([engine.close(), without.close()])
})

test('its request can be sent again as the job tells it', async () => {
  const { engine } = bench([])
  const { id } = await engine.start(llmsTxt, { url: 'https://shop.test/', maxUrls: 1 })
  const asked = await (await engine.jobs.find(id)).request()
  const again = await engine.unchecked.start('llmstxt', asked)
  expect(await again.end()).toMatchObject({ status: 'completed', request: { maxUrls: 1 } })
  await engine.close()
})
