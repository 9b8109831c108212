import { scriptedLLM, scriptedSearch, type Reply } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine, type EngineOptions } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'
import { z } from 'zod'

import { answers, extract } from '../index.ts'

const pages: Readonly<Record<string, string>> = {
  '/': '<title>Shop</title><main><p>A shop.</p><a href="/aurora">Aurora</a> <a href="/luna">Luna</a></main>',
  '/aurora': '<title>Aurora</title><main><p>The Aurora is made of oak.</p></main>',
  '/luna': '<title>Luna</title><main><p>The Luna weighs 3 kg.</p></main>',
}

function bench(options: Omit<EngineOptions, 'plugins'> = {}, slow?: string) {
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }, signal) => {
      const { pathname } = new URL(url)
      if (pathname === slow)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      const body = pages[pathname]
      const head = {
        status: body === undefined ? 404 : 200,
        headers: [['content-type', 'text/html']] as [string, string][],
      }
      return { ...head, body: new TextEncoder().encode(body ?? 'Not found') }
    },
    close: async () => undefined,
  })
  const reader: Reply = ({ prompt, tools, turns = [] }) => {
    if (tools)
      return {
        calls: [
          turns.length > 0
            ? { name: 'finish', input: {} }
            : { name: 'read', input: { url: 'https://shop.test/aurora' } },
        ],
      }
    return {
      value: { material: /made of (oak)/.exec(prompt)?.[1] ?? null, weight: /weighs (3 kg)/.exec(prompt)?.[1] ?? null },
    }
  }
  return createEngine({ fetcher, llm: scriptedLLM([reader]), plugins: [answers], ...options })
}

const properties = { material: { type: ['string', 'null'] }, weight: { type: ['string', 'null'] } }
const schema = { type: 'object', properties }
const urls = ['https://shop.test/aurora', 'https://shop.test/luna']
const web = urls.map((url) => ({ url, title: 'Lamp' }))

describe('an extract', () => {
  test('says for each field which pages it is from, and what came of each page', async () => {
    await using engine = bench()
    const request = { urls: [...urls, 'no address'], schema, prompt: 'What?', showSources: true, urlTrace: true }
    const job = await engine.start(extract, request)
    expect(await job.status()).toMatchObject({ invalidURLs: ['no address'] })
    const { status, data, sources, urlTrace } = await job.end()
    expect({ status, data }).toEqual({ status: 'completed', data: { material: 'oak', weight: '3 kg' } })
    expect(sources).toEqual({ material: [urls[0]], weight: [urls[1]] })
    expect(urlTrace?.map(({ url, status }) => [url, status]).toSorted()).toEqual(urls.map((url) => [url, 'scraped']))
    await expect(engine.start(extract, { ...request, ignoreInvalidURLs: false })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('of an address with a star reads the pages of the site', async () => {
    await using engine = bench()
    const { data } = await (
      await engine.start(extract, { urls: ['https://shop.test/*'], schema, prompt: 'What?' })
    ).end()
    expect(data).toEqual({ material: 'oak', weight: '3 kg' })
  })

  test('without addresses reads what a search for its prompt finds, and with them only when it is told to', async () => {
    await using engine = bench({ search: scriptedSearch({ web }) })
    const material = async (request: object) =>
      (await (await engine.unchecked.start('extract', { prompt: 'Lamps', schema, ...request })).end()).data
    expect(await material({})).toEqual({ material: 'oak', weight: '3 kg' })
    expect(await material({ urls: [urls[1]] })).toEqual({ material: null, weight: '3 kg' })
    expect(await material({ urls: [urls[1]], enableWebSearch: true })).toEqual({ material: 'oak', weight: '3 kg' })
  })

  test('that would search where there is nothing to search is refused, with the remedy', async () => {
    await using engine = bench()
    const refused = { code: 'not_configured', message: expect.stringContaining('needs a search provider') as string }
    await expect(engine.start(extract, { prompt: 'Lamps' })).rejects.toMatchObject(refused)
    await expect(engine.start(extract, { prompt: 'Lamps', urls, enableWebSearch: true })).rejects.toMatchObject(refused)
    await expect(engine.start(extract, { schema })).rejects.toThrow("Either 'urls' or 'prompt' must be provided.")
  })

  test('by an agent is refused with zeroDataRetention, because the steps of the agent are stored', async () => {
    await using engine = bench()
    for (const more of [{ zeroDataRetention: true }, { scrapeOptions: { zeroDataRetention: true } }])
      await expect(engine.start(extract, { urls, schema, agent: {}, ...more })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('agent cannot be combined with zeroDataRetention'),
      })
  })

  test('by an agent follows its system prompt, and leaves out invalid URLs unless they are to fail it', async () => {
    const prompts: string[] = []
    const llm = scriptedLLM([
      ({ prompt, tools, turns = [] }) => {
        if (!tools) return { value: { material: 'oak' } }
        prompts.push(prompt)
        const isFirst = turns.length === 0
        return { calls: [isFirst ? { name: 'read', input: { url: urls[0] } } : { name: 'finish', input: {} }] }
      },
    ])
    await using engine = bench({ llm })
    const request = { urls: [urls[0] ?? '', 'no address'], schema, systemPrompt: 'Use metric units.', agent: {} }
    const { status } = await (await engine.start(extract, request)).end()
    expect([status, prompts[0]]).toEqual(['completed', expect.stringContaining('Use metric units.')])
    await expect(engine.start(extract, { ...request, ignoreInvalidURLs: false })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('ends with what it has when its time is over', { tags: ['long'] }, async () => {
    await using engine = bench({}, '/luna')
    const { status, data, warning } = await (
      await engine.start(extract, { urls, schema, prompt: 'What?', timeout: 3_000, scrapeOptions: { timeout: 2_000 } })
    ).end()
    expect({ status, data }).toEqual({ status: 'completed', data: { material: 'oak', weight: null } })
    expect(warning).toContain('ended after 3000 ms')
  })

  test('of which no page could be read has failed, and says why', async () => {
    await using engine = bench()
    const { status, error } = await (
      await engine.start(extract, { urls: ['http://10.0.0.1/'], schema, prompt: 'What?' })
    ).end()
    expect({ status, error }).toEqual({ status: 'failed', error: expect.stringMatching(/./) as string })
  })

  test('is priced by the tokens of its model, and never below its pages', async () => {
    await using engine = bench()
    const request = { urls, schema, prompt: 'What?', maxCredits: 100 }
    expect(engine.preview('extract', request)).toMatchObject({ min: 1, max: 100 })
    expect(engine.preview('extract', { ...request, maxCredits: undefined })).not.toHaveProperty('max')
    const { creditsUsed } = await (await engine.start(extract, request)).end()
    expect(creditsUsed).toBeGreaterThan(urls.length)
  })
})

describe('A schema of zod', () => {
  const lamp = z.object({ material: z.string().trim(), tags: z.array(z.string()).default([]) })
  const told = { material: ' oak ' }
  const request = { urls: [urls[0] ?? ''], schema: lamp }
  const asked = (value: { readonly material: string }) => bench({ llm: scriptedLLM([{ value }]) })

  test('parses the value, also of an extract that is found again by it', async () => {
    await using engine = asked(told)
    const { id, end } = await engine.start(extract, request)
    const parsed = { material: 'oak', tags: [] }
    expect((await end()).data).toEqual(parsed)
    expect((await (await engine.find(extract, id, { schema: lamp })).status()).data).toEqual(parsed)
    expect((await (await engine.find(extract, id)).status()).data).toEqual(told)
  })

  test('that the value does not fit is an extract that failed, and says why', async () => {
    await using engine = asked(told)
    const strict = lamp.refine(({ material }) => material !== 'oak', { path: ['material'], message: 'must be steel' })
    const job = await engine.start(extract, { ...request, schema: strict })
    const { status, data, error } = await job.end()
    expect([status, data]).toEqual(['failed', undefined])
    expect(error).toBe('The answer does not fit your schema. material: must be steel')
    expect(await job.status()).toMatchObject({ status: 'failed' })
  })
})

test('An extract that an agent does needs the group of agents in the scopes of its call', async () => {
  await using engine = bench()
  const asked = { urls, prompt: 'The lamps', agent: {} }
  await expect(engine.start(extract, asked, { scopes: { groups: ['extract'] } })).rejects.toThrow(/group agent/)
  await engine.start(extract, asked, { scopes: { groups: ['extract', 'agent'] } })
})
