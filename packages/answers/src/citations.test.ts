// Every claim of a result names the passage of the page that it is based on, if the page has one.
import { scriptedLLM, scriptedSearch, type Reply } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine } from '@harvestman/core'
import type { Claim } from '@harvestman/core/plugin'
import type { Fetcher } from '@harvestman/ports'

import { agent, answers, deepResearch, extract } from './index.ts'

const pages: Readonly<Record<string, string>> = {
  '/aurora': '<title>Aurora</title><main><h1>Aurora</h1><p>The Aurora is made of oak. It costs EUR 12.</p></main>',
  '/luna': '<title>Luna</title><main><h1>Luna</h1><p>The Luna is made of steel. It costs EUR 30.</p></main>',
}
const urls = ['https://shop.test/aurora', 'https://shop.test/luna']

const engineOf = (...replies: readonly Reply[]) => engineFor(pages, ...replies)

function engineFor(site: Readonly<Record<string, string>>, ...replies: readonly Reply[]) {
  const fetcher = (): Fetcher => ({
    exchange: async ({ url }) => ({
      status: 200,
      headers: [['content-type', 'text/html; charset=utf-8']],
      body: new TextEncoder().encode(site[new URL(url).pathname] ?? ''),
    }),
    close: async () => undefined,
  })
  const search = scriptedSearch({ web: urls.map((url) => ({ url, title: 'Lamp' })) })
  return createEngine({ fetcher, search, llm: scriptedLLM(replies), plugins: [answers] })
}

/** Each claim with its quotes and their pages. */
function shortOf(claims: readonly Claim[] = []) {
  return claims.map(({ claim, citations }) => [claim, ...citations.map(({ url, quote }) => `${url} ${quote}`)])
}

/** Returns the part of the page's Markdown that each citation names. */
async function rangesOf(engine: ReturnType<typeof engineOf>, claims: readonly Claim[] = []) {
  const cited = claims.flatMap(({ citations }) => citations)
  const ranges = cited.map(async ({ url, start, end }) => (await engine.scrape({ url })).markdown?.slice(start, end))
  return { ranges: await Promise.all(ranges), quotes: cited.map(({ quote }) => quote) }
}

const read = (url: string): Reply => ({ calls: [{ name: 'read', input: { url } }] })
const finish: Reply = { calls: [{ name: 'finish', input: {} }] }

describe('an agent', () => {
  test('cites the values of its data', async () => {
    const value = { material: 'steel', price: 30, weight: '3 kg' }
    await using engine = engineOf(read(urls[0] ?? ''), read(urls[1] ?? ''), finish, { value })
    const { claims } = await (await engine.start(agent, { prompt: 'What is the Luna?', urls })).end()
    expect(shortOf(claims)).toEqual([
      ['steel', `${urls[1]} The Luna is made of steel.`],
      [30, `${urls[1]} It costs EUR 30.`],
      ['3 kg'],
    ])
    const { ranges, quotes } = await rangesOf(engine, claims)
    expect(ranges).toEqual(quotes)
  })

  test('is shown nothing of a page that its answer cannot use', async () => {
    const long = `<main><h1>Lamps</h1><p>${'Ours is old. '.repeat(5_000)}</p><h2>Price</h2><p>The price is EUR 12.</p></main>`
    const prompts: string[] = []
    const finishing: Reply = (question) => {
      prompts.push(JSON.stringify(question))
      return finish
    }
    await using engine = engineFor({ '/aurora': long }, read(urls[0] ?? ''), finishing, { value: { price: 1 } })
    await (await engine.start(agent, { prompt: 'What is the price?', urls: urls.slice(0, 1) })).end()
    expect(prompts[0]).toContain('characters of the page are never shown')
    expect(prompts[0]).not.toContain('EUR 12')
  })

  test('cites the sentences of a message, which does not have the passages that the model named', async () => {
    const value = 'It costs 12 euros <cite>It costs EUR 12.</cite>. It is new <cite>The Aurora is new.</cite>.'
    await using engine = engineOf(read(urls[0] ?? ''), finish, { value })
    const { data, claims } = await (
      await engine.start(agent, { prompt: 'What does it cost?', urls: urls.slice(0, 1), mode: 'chat' })
    ).end()
    expect(data).toBe('It costs 12 euros. It is new.')
    expect(shortOf(claims)).toEqual([['It costs 12 euros.', `${urls[0]} It costs EUR 12.`], ['It is new.']])
  })
})

test('research cites its report and its data', async () => {
  const researcher: Reply = ({ prompt }) => {
    if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
    if (prompt.includes('Judge whether')) return { value: { summary: 'Two.', gaps: [], isEnough: true } }
    if (prompt.includes('Write a thorough answer'))
      return { value: '# Lamps\n\nThe Luna is of steel <cite>Luna is made of steel</cite>.' }
    return { value: { material: 'oak' } }
  }
  await using engine = engineOf(researcher)
  const schema = { type: 'object', properties: { material: { type: 'string' } } }
  const request = { query: 'Of what?', formats: ['markdown' as const, 'json' as const], jsonOptions: { schema } }
  const { data, claims } = await (await engine.start(deepResearch, request)).end()
  expect(data?.finalAnalysis).toBe('# Lamps\n\nThe Luna is of steel.')
  expect(shortOf(claims)).toEqual([
    ['The Luna is of steel.', `${urls[1]} The Luna is made of steel.`],
    ['oak', `${urls[0]} The Aurora is made of oak.`],
  ])
})

test('research loads and charges a page with the content of another one once, and does not use it', async () => {
  const researcher: Reply = ({ prompt }) => {
    if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps', 'oak', 'shops'] } }
    if (prompt.includes('Judge whether')) return { value: { summary: 'One.', gaps: ['All'], isEnough: false } }
    return { value: `${prompt.split('made of oak').length - 1} times` }
  }
  const same = { '/aurora': pages['/aurora'] ?? '', '/luna': pages['/aurora'] ?? '' }
  await using engine = engineFor(same, researcher)
  const request = { query: 'Of what?', maxDepth: 4 }
  const job = await engine.start(deepResearch, request)
  const { data, activities, ...ended } = await job.end()
  expect(data?.sources).toHaveLength(1)
  expect(data?.finalAnalysis).toBe('1 times')
  expect(activities.filter(({ message }) => message.includes('has the same content'))).toHaveLength(1)
  expect(ended.creditsUsed).toBe(2)
})

test('an extract cites a value that several pages have from the page of its item', async () => {
  const reader: Reply = ({ prompt }) => {
    const [, name = ''] = /The (\w+) is made/.exec(prompt) ?? []
    return { value: { lamps: [{ maker: 'Oslo', name }] } }
  }
  const made = Object.fromEntries(
    ['Aurora', 'Luna'].map((name) => [
      `/${name.toLowerCase()}`,
      `<title>${name}</title><main><p>The ${name} is made by hand. The maker of the ${name} is Oslo.</p></main>`,
    ]),
  )
  await using engine = engineFor(made, reader)
  const lamp = { type: 'object', properties: { maker: { type: 'string' }, name: { type: 'string' } } }
  const schema = { type: 'object', properties: { lamps: { type: 'array', items: lamp } } }
  const { data, claims } = await (await engine.start(extract, { urls, prompt: 'The makers', schema })).end()
  const lamps = (data as { lamps: { name: string }[] }).lamps.map(({ name }) => name)
  expect(lamps.toSorted()).toEqual(['Aurora', 'Luna'])
  const makers = claims?.filter(({ claim }) => claim === 'Oslo').map(({ citations }) => citations[0]?.quote)
  expect(makers).toEqual(lamps.map((name) => `The maker of the ${name} is Oslo.`))
})

test('an extract cites each value of the merged data from the page that has it', async () => {
  const reader: Reply = ({ prompt }) => {
    const [, price = ''] = /costs EUR (\d+)/.exec(prompt) ?? []
    return { value: { lamps: [{ price: Number(price) }], maker: null } }
  }
  await using engine = engineOf(reader)
  const lamp = { type: 'object', properties: { price: { type: 'number' } } }
  const properties = { lamps: { type: 'array', items: lamp }, maker: { type: ['string', 'null'] } }
  const { data, claims } = await (
    await engine.start(extract, { urls, prompt: 'The prices', schema: { type: 'object', properties } })
  ).end()
  expect(data).toEqual({ lamps: expect.arrayContaining([{ price: 12 }, { price: 30 }]) })
  expect(new Set(shortOf(claims))).toEqual(
    new Set([
      [12, `${urls[0]} It costs EUR 12.`],
      [30, `${urls[1]} It costs EUR 30.`],
    ]),
  )
})
