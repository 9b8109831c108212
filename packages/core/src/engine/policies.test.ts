// What policies of plugins forbid is not done, in no way, for nobody.
import { fakeBrowser } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { defineFormat, defineLoader, definePlugin, definePolicy, pass } from '../plugin/define.ts'
import type { Policy, PolicyPage, PolicyQuestion } from '../plugin/policy.ts'
import { createEngine } from './engine.ts'
import type { EngineOptions } from './types.ts'

const page = '<title>Page</title><main><p>Some text that is long enough to stay.</p><a href="/b">b</a></main>'

type May = (question: PolicyQuestion, team: string) => true | string

const policyOf = (may: May, name = 'house rules'): Policy =>
  definePolicy({ name, may: (question, { team }) => may(question, team) })

/** Sites on a.test, whose address `/away` leads to b.test. */
function bench(may: May, options: EngineOptions = {}) {
  const asked: string[] = []
  const questions: PolicyQuestion[] = []
  const policy = policyOf((question, team) => {
    questions.push(question)
    return may(question, team)
  })
  const engine = createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    ...options,
    plugins: [definePlugin({ name: 'rules', policies: [policy] }), ...(options.plugins ?? [])],
    fetcher: () => ({
      exchange: async ({ url }) => {
        asked.push(url.href)
        const bytes = new TextEncoder().encode(page)
        const type = ['content-type', 'text/html; charset=utf-8'] as const
        if (url.pathname === '/away') return { status: 302, headers: [['location', 'https://b.test/x']], body: bytes }
        return { status: url.pathname.endsWith('.txt') ? 404 : 200, headers: [type], body: bytes }
      },
      close: async () => undefined,
    }),
  })
  return { engine, asked, questions }
}

const notToB: May = (question) => question.is !== 'url' || question.url.hostname !== 'b.test' || 'Not to b.test.'
const denied = (message: RegExp) => ({ code: 'policy_denied', message: expect.stringMatching(message) })

describe('A policy', () => {
  test('is asked about the request, the address, and nothing is sent to what it forbids', async () => {
    const { engine, asked, questions } = bench(notToB)
    await engine.scrape({ url: 'https://a.test/' })
    expect(questions.map(({ is }) => is)).toEqual(['request', 'url'])
    await expect(engine.scrape({ url: 'https://b.test/' })).rejects.toMatchObject({
      ...denied(/^The policy house rules does not allow https:\/\/b\.test\/\. Not to b\.test\.$/),
      details: { policy: 'house rules', reason: 'Not to b.test.' },
    })
    expect(asked).toEqual(['https://a.test/'])
  })

  test('is asked about each redirect before it is followed', async () => {
    const { engine, asked } = bench(notToB)
    await expect(engine.scrape({ url: 'https://a.test/away' })).rejects.toMatchObject(denied(/b\.test\/x/))
    expect(asked).toEqual(['https://a.test/away'])
  })

  test('is asked about a request with all of its options, on behalf of the team', async () => {
    const { engine, asked } = bench((question, team) =>
      question.is === 'request' && team === 'guests' && question.request.formats.some(({ type }) => type === 'rawHtml')
        ? 'Guests get no raw HTML.'
        : true,
    )
    const request = { url: 'https://a.test/', formats: ['rawHtml'] } as const
    await expect(engine.scrape(request, { team: 'guests' })).rejects.toMatchObject(denied(/Guests get no raw HTML/))
    expect(asked).toEqual([])
    expect((await engine.scrape(request, { team: 'staff' })).rawHtml).toBe(page)
  })

  test('holds for a page that another team has brought into the cache', async () => {
    const { engine } = bench(
      (question, team) => question.is !== 'url' || team === 'staff' || question.url.hostname === 'a.test' || 'No.',
    )
    const request = { url: 'https://a.test/away', maxAge: 60_000 }
    await engine.scrape(request, { team: 'staff' })
    await expect(engine.scrape(request, { team: 'guests' })).rejects.toMatchObject(denied(/No\./))
  })

  test('is asked before robots.txt, a sitemap or any other file of a site is read', async () => {
    const { engine, asked } = bench(notToB, { robots: 'always' })
    await expect(engine.scrape({ url: 'https://b.test/' })).rejects.toMatchObject(denied(/b\.test/))
    await expect(engine.map({ url: 'https://b.test/' })).rejects.toMatchObject(denied(/b\.test/))
    await expect(engine.crawl({ url: 'https://b.test/' })).rejects.toMatchObject(denied(/b\.test/))
    expect(asked).toEqual([])
  })

  test('holds for each page of a batch, and the others are loaded', async () => {
    const { engine } = bench(notToB)
    const batch = await engine.batch({ urls: ['https://a.test/', 'https://b.test/'] })
    expect(await batch.end()).toMatchObject({ completed: 1, failed: 1 })
    expect((await batch.errors()).errors).toMatchObject([{ url: 'https://b.test/', code: 'policy_denied' }])
  })

  test('that fails or gives no answer forbids', async () => {
    const broken = bench(() => {
      throw new Error('of the list')
    })
    const refused = broken.engine.scrape({ url: 'https://a.test/' })
    await expect(refused).rejects.toMatchObject(denied(/failed, so nothing is allowed/))
    await expect(refused).rejects.not.toThrow('of the list')
    // Cast: what a program without types may give.
    const silent = bench(() => undefined as unknown as true)
    await expect(silent.engine.scrape({ url: 'https://a.test/' })).rejects.toMatchObject(denied(/gives no reason/))
    expect([broken.asked, silent.asked]).toEqual([[], []])
  })

  test('is asked about no address of a file that is given, since nothing is loaded', async () => {
    const { engine, questions } = bench(() => true)
    await engine.parse(new TextEncoder().encode(page), { name: 'a.html' })
    expect(questions.map(({ is }) => is)).toEqual(['request'])
  })
})

describe('A policy and a browser', () => {
  const browser = () => fakeBrowser({ pages: { 'https://a.test/': { html: page }, 'https://b.test/': { html: page } } })

  test('is asked about each action before it is done, with its options and where the page is', async () => {
    const tabs = browser()
    const { engine, questions } = bench(
      (question) => question.is !== 'action' || question.action.type !== 'write' || 'Nothing is typed.',
      { browser: tabs },
    )
    const actions = [
      { type: 'scroll', direction: 'down' },
      { type: 'write', text: 'x' },
    ] as const
    await expect(engine.scrape({ url: 'https://a.test/', actions })).rejects.toMatchObject(denied(/Nothing is typed/))
    expect(tabs.actions.map(({ name }) => name)).not.toContain('type')
    expect(tabs.actions.map(({ name }) => name)).toContain('scroll')
    expect(questions).toContainEqual({ is: 'action', action: actions[1], url: 'https://a.test/' })
  })

  test('holds for where the page goes by itself', async () => {
    const tabs = fakeBrowser({ pages: { 'https://a.test/': { redirect: 'https://b.test/' } } })
    const { engine } = bench(notToB, { browser: tabs })
    const actions = [{ type: 'scroll', direction: 'down' }] as const
    await expect(engine.scrape({ url: 'https://a.test/', actions })).rejects.toMatchObject({ code: 'policy_denied' })
  })
})

describe('A policy about the use of pages', () => {
  const head = '<meta name="terms" content="ask first"><meta name="terms" content="pay">'
  const elements = [{ selector: 'meta[name=terms]', attribute: 'content' }]

  /** An engine with a policy that forbids pages whose elements or headers ask to be left alone. */
  function uses(may: (page: PolicyPage, team: string) => true | string, options: EngineOptions = {}) {
    const pages: PolicyPage[] = []
    const policy = definePolicy({
      name: 'terms',
      may: () => true,
      elements,
      mayUse: (one, { team }) => {
        pages.push(one)
        return may(one, team)
      },
    })
    const { engine, asked } = bench(() => true, {
      ...options,
      plugins: [definePlugin({ name: 'terms', policies: [policy] }), ...(options.plugins ?? [])],
      browser: fakeBrowser({ pages: { 'https://a.test/': { html: head + page } } }),
    })
    return { engine, asked, pages }
  }

  test('is given the headers and elements of a loaded page, and its reason is in the error', async () => {
    const { engine, pages } = uses(({ elements: [terms] }) => terms?.values.includes('pay') !== true || 'It costs.')
    const inBrowser = { url: 'https://a.test/', waitFor: 1 }
    await expect(engine.scrape(inBrowser)).rejects.toMatchObject({
      ...denied(/^The policy terms does not allow the use of https:\/\/a\.test\/\. It costs\.$/),
      details: { policy: 'terms', reason: 'It costs.' },
    })
    expect(pages).toEqual([
      {
        ...{ url: 'https://a.test/', status: 200 },
        headers: expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }) as object,
        elements: [{ ...elements[0], values: ['ask first', 'pay'] }],
      },
    ])
    expect((await engine.scrape({ url: 'https://a.test/other' })).markdown).toContain('Some text')
  })

  test('is asked each time a page comes from the cache', async () => {
    let isOpen = true
    const { engine, asked } = uses(() => isOpen || 'Not any more.')
    const request = { url: 'https://a.test/', maxAge: 60_000 }
    await engine.scrape(request)
    isOpen = false
    await expect(engine.scrape(request)).rejects.toMatchObject(denied(/Not any more/))
    expect(asked).toEqual(['https://a.test/'])
  })

  test('is asked about the further pages of a format', async () => {
    const next = defineFormat({
      type: 'next',
      needs: {},
      loads: () => 1,
      derive: async (_, { load }) =>
        (await load({ url: 'https://a.test/next', reading: 'rawHtml', options: null })).url,
    })
    const { engine } = uses(({ url }) => !url.endsWith('/next') || 'Not the next one.', {
      plugins: [definePlugin({ name: 'next', formats: [next] })],
    })
    // Cast: the engine of this bench does not name its formats.
    const request = { url: 'https://a.test/', formats: ['next'] } as never
    await expect(engine.scrape(request)).rejects.toMatchObject(denied(/Not the next one/))
  })

  test('that fails forbids', async () => {
    const { engine } = uses(() => {
      throw new Error('of the list')
    })
    await expect(engine.scrape({ url: 'https://a.test/' })).rejects.toMatchObject(
      denied(/failed, so nothing is allowed/),
    )
  })
})

test('A policy is asked about a crawl and a map after its plugin was opened', async () => {
  const order: string[] = []
  const policy = policyOf(({ is }) => {
    order.push(is)
    return 'No.'
  }, 'late')
  const plugin = definePlugin({ name: 'late', policies: [policy], open: async () => void order.push('open') })
  for (const start of ['crawl', 'map'] as const) {
    order.splice(0)
    const { engine } = bench(() => true, { plugins: [plugin] })
    await expect(engine[start]({ url: 'https://a.test/' })).rejects.toMatchObject(denied(/No\./))
    expect(order).toEqual(['open', 'url'])
  }
})

describe('A loader that forbids', () => {
  const forbidding = defineLoader({
    name: 'rules',
    cost: 0,
    load: async () => {
      throw new EngineError('policy_denied', 'This page is not for us.')
    },
  })

  test('is final: no other loader is tried', async () => {
    const { engine, asked } = bench(() => true, { plugins: [definePlugin({ name: 'own', loaders: [forbidding] })] })
    await expect(engine.scrape({ url: 'https://a.test/' })).rejects.toMatchObject({
      code: 'policy_denied',
      message: 'This page is not for us.',
    })
    expect(asked).toEqual([])
  })

  test('and one that passes is not', async () => {
    const passing = defineLoader({ name: 'rules', cost: 0, load: async () => pass('not mine') })
    const { engine, asked } = bench(() => true, { plugins: [definePlugin({ name: 'own', loaders: [passing] })] })
    await engine.scrape({ url: 'https://a.test/' })
    expect(asked).toEqual(['https://a.test/'])
  })
})

test('Two plugins cannot claim the name of one policy', () => {
  const plugins = ['one', 'two'].map((name) => definePlugin({ name, policies: [policyOf(() => true)] }))
  expect(() => createEngine({ plugins })).toThrow(/both define "house rules" in policies/)
})
