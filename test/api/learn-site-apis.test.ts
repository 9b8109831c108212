// @module-tag browser
// Recipes that are learned from a live browser and from its record.
import { createEngine } from '@harvestman/core'
import { definePlugin, definePolicy } from '@harvestman/core/plugin'
import { siteApis } from '@harvestman/data/site-apis'
import { live, type LiveSession } from '@harvestman/live'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { records } from '@harvestman/record'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { itemNames, serveSites, sites, type Served } from '../../packages/site-apis/test/sites.ts'

let served: Served
let isDenied = false
const policy = definePolicy({
  name: 'no-api',
  may: (question) => !isDenied || question.is !== 'url' || !question.url.pathname.endsWith('/api') || 'No APIs.',
})

function open() {
  return createEngine({
    allowPrivate: ['127.0.0.0/8'],
    plugins: [
      siteApis(),
      records(),
      live({ sessions: puppeteerSessions() }),
      definePlugin({ name: 'strict', policies: [policy] }),
    ] as const,
  })
}

let engine: ReturnType<typeof open>
let session: LiveSession

beforeAll(async () => {
  served = await serveSites()
  engine = open()
  session = await engine.live.open({ record: true })
})
afterAll(async () => {
  await engine.close()
  await served.close()
})

/** Opens a site in the live browser, and returns its text when it shows the list. */
async function visit(name: string): Promise<string> {
  await session.act({ type: 'goto', url: `${served.origin}/${name}` })
  const text = async () => (await session.snapshot()).text
  await expect.poll(text, { timeout: 60_000 }).toContain(itemNames[0])
  return text()
}

const names = (items: readonly object[]) => items.map((item) => 'name' in item && item.name)
const learned = ['rest', 'graphql', 'cursor', 'pageToken', 'callToken', 'csrf', 'fragment', 'script']
const repeatPostsOf = (name: string) => sites[name]?.isPost ?? false
const team = 'of-records'

test(
  'a live browser that visits several sites teaches the recipe of the page in front',
  { timeout: 300_000 },
  async () => {
    for (const name of learned) {
      await visit(name)
      const { api, items, refused } = await engine.siteApis.learnFromBrowser(session.id, {
        repeatPosts: repeatPostsOf(name),
      })
      expect({ name, refused, page: api?.recipe.page }).toEqual({ name, refused: [], page: `${served.origin}/${name}` })
      expect(names(items)).toEqual(itemNames.slice(0, items.length))
      expect(api?.recipe.paging?.by).toBe(sites[name]?.expected.paging)
    }
    const { siteApi } = await engine.scrape({
      url: `${served.origin}/cursor`,
      formats: [{ type: 'siteApi', maxPages: 3 }],
    })
    expect(siteApi).toMatchObject({ from: 'http', pages: 3 })
    expect(names(siteApi.items)).toEqual(itemNames)
  },
)

test('a list whose request has a signature is refused with the reason', { timeout: 120_000 }, async () => {
  await visit('signed')
  expect(await engine.siteApis.learnFromBrowser(session.id)).toMatchObject({
    items: [],
    refused: [{ reason: expect.stringContaining('without signature') }],
    creditsUsed: 1,
  })
})

test('policies apply to the requests of learning', { timeout: 120_000 }, async () => {
  await visit('number')
  served.take()
  isDenied = true
  const refused = [{ reason: expect.stringContaining('No APIs.') }]
  expect(await engine.siteApis.learnFromBrowser(session.id)).toMatchObject({ items: [], refused })
  isDenied = false
  expect(served.take().filter((sent) => sent.endsWith('/api'))).toEqual([])
})

test('another team cannot learn from the browser', async () => {
  await expect(engine.siteApis.learnFromBrowser(session.id, {}, { team: 'other' })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(engine.siteApis.learnFromBrowser('none')).rejects.toMatchObject({ code: 'not_found' })
})

test('a browser that is not recorded teaches nothing', { timeout: 120_000 }, async () => {
  await using plain = await engine.live.open()
  await expect(engine.siteApis.learnFromBrowser(plain.id)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('record: true'),
  })
})

test('the record of the browser teaches the same recipes, for any of its pages', { timeout: 300_000 }, async () => {
  await session.stop()
  await expect(engine.siteApis.learnFromBrowser(session.id)).rejects.toMatchObject({ code: 'session_over' })
  const shown = itemNames.map((name) => `<li>${name} for 10</li>`).join('\n')
  for (const name of learned.filter((one) => one !== 'csrf')) {
    const request = { shown, url: `${served.origin}/${name}`, repeatPosts: repeatPostsOf(name) }
    const { api, items, refused } = await engine.siteApis.learnFromRecord(session.id, request)
    expect({ name, refused, page: api?.recipe.page }).toEqual({ name, refused: [], page: request.url })
    expect(names(items)).toEqual(itemNames.slice(0, items.length))
    expect(api?.recipe.paging?.by).toBe(sites[name]?.expected.paging)
    expect(JSON.stringify(api)).not.toMatch(/left-out|t0[0-9a-f]{24}/)
  }
})

test('a token that only a cookie contains is not in a record, so the list is refused', async () => {
  const request = { shown: itemNames.join('\n'), url: `${served.origin}/csrf`, repeatPosts: true }
  expect(await engine.siteApis.learnFromRecord(session.id, request)).toMatchObject({
    refused: [{ reason: expect.stringContaining('without x-csrf-token') }],
  })
})

test('a record that is not there, of another team, or without the page is refused', async () => {
  const shown = itemNames.join('\n')
  await expect(engine.siteApis.learnFromRecord('none', { shown })).rejects.toMatchObject({ code: 'not_found' })
  await expect(engine.siteApis.learnFromRecord(session.id, { shown }, { team })).rejects.toMatchObject({
    code: 'not_found',
  })
  const url = `${served.origin}/nowhere`
  await expect(engine.siteApis.learnFromRecord(session.id, { shown, url })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(`${served.origin}/rest`),
  })
})
