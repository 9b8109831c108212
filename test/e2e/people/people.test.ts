// @module-tag browser
// A crawl whose login ends in the middle waits for a person, who logs in by a link. Real Chromium and a real server.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type AnyDocument } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { live } from '@harvestman/live'
import { people, type PersonNeeded } from '@harvestman/live/people'
import { monitors } from '@harvestman/monitors'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { movedClock } from '@harvestman/testing'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { askServer } from '../../api/bench.ts'
import { logIn, logInByLink, startMembersSite, startPerson, type MembersSite } from './members-site.ts'

const pages = 12
let site: MembersSite
let server: Server
let person: Browser
let needed = Promise.withResolvers<PersonNeeded>()
let asked = 0
const clock = movedClock(Date.now())
const engine = createEngine({
  clock,
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  robots: 'never',
  webhookSecret: 'a secret of this test',
  plugins: [
    live({ sessions: puppeteerSessions() }),
    people({
      onNeeded: (request) => {
        asked += 1
        needed.resolve(request)
      },
    }),
    monitors(),
  ],
})
const profile = { name: 'members', saveChanges: false }
const options = { profile, person: { timeout: 3_600 } }
const allPaths = ['/', ...Array.from({ length: pages }, (_, number) => `/page/${number}`)].toSorted()

/** Returns the paths of the documents of a job, which have the content for members. */
async function pathsOf(job: { documents(): AsyncIterable<AnyDocument> }): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const { markdown, metadata } of job.documents())
    paths.push(String(markdown).includes('This is') ? new URL(metadata.sourceURL).pathname : String(markdown))
  return paths.toSorted()
}

beforeAll(async () => {
  site = await startMembersSite(pages)
  person = await startPerson()
  server = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
})
afterAll(async () => {
  await person?.close()
  await server?.close()
  await engine.close()
  await site?.close()
})
beforeEach(async () => {
  await engine.scrape(logIn(site.origin, profile.name), { team: 'one' })
  needed = Promise.withResolvers()
  asked = 0
})

const ask = (method: string, path: string, more: { body?: unknown; key?: string } = {}) =>
  askServer({ server }, method, path, more)
/** Returns the link of the request, as its team sees it. */
async function linkOf({ id }: PersonNeeded): Promise<string> {
  const { body } = await ask('GET', `/v2/people/${id}`)
  return (body as unknown as { readonly link: string }).link
}
const startCrawl = async () => {
  const request = { url: `${site.origin}/`, limit: pages + 1, maxConcurrency: 3, scrapeOptions: options }
  const { status, body } = await ask('POST', '/v2/crawl', { body: request })
  expect(status).toBe(200)
  return engine.jobs.find((body as unknown as { readonly id: string }).id, { team: 'one' })
}

test('a crawl whose login ends waits for a person, who logs in by the link; then each page is loaded once', async () => {
  site.endSessionsAfter(5)
  const job = await startCrawl()
  const request = await needed.promise
  expect(request).toMatchObject({
    team: 'one',
    status: 'waiting',
    reason: 'login_expired',
    profile: 'members',
    jobId: job.id,
  })
  await expect.poll(async () => (await job.status()).completed).toBe(5)
  const link = await linkOf(request)
  expect((await ask('GET', `/v2/people/${request.id}`, { key: 'key-two' })).status).toBe(404)
  const page = await logInByLink(person, link)
  // The browser is back at the page, so the request ends by itself.
  await expect.poll(async () => (await job.status()).completed).toBe(pages + 1)
  expect(await pathsOf(job)).toEqual(allPaths)
  expect(await job.status()).toMatchObject({ status: 'completed', failed: 0 })
  expect(asked).toBe(1)
  await page.goto(link)
  expect(await page.$eval('h1', ({ textContent }) => textContent)).toBe('Thank you')
  await page.close()
})

test('the button Done continues the job, and the button that declines fails the waiting pages with a clear error', async () => {
  site.endSessionsAfter(5)
  const job = await startCrawl()
  const page = await person.newPage()
  await page.goto(await linkOf(await needed.promise))
  await page.click('#open')
  await page.waitForSelector('#done')
  // Nobody has logged in, so the pages are tried again, and a person is asked again.
  needed = Promise.withResolvers()
  await page.click('#done')
  const second = await needed.promise
  expect(second).toMatchObject({ status: 'waiting', jobId: job.id })
  await page.goto(await linkOf(second))
  await page.click('#failed')
  await expect.poll(async () => (await job.status()).status).toBe('completed')
  expect(await job.status()).toMatchObject({ completed: 5, failed: pages - 4 })
  const { errors } = await job.errors()
  expect(new Set(errors.map(({ error }) => error))).toEqual(
    new Set([expect.stringContaining('A person was asked, but could not help.')]),
  )
  await page.close()
})

test('the waiting pages fail when the time is over, and the link is no longer valid', async () => {
  site.endSessionsAfter(5)
  const job = await startCrawl()
  const request = await needed.promise
  const link = await linkOf(request)
  clock.moveOn(3_600_000)
  await expect.poll(async () => (await job.status()).status).toBe('completed')
  expect(await job.status()).toMatchObject({ completed: 5, failed: pages - 4 })
  const { errors } = await job.errors()
  expect(errors[0]?.error).toContain('A person was asked, but was not done in time.')
  expect(await (await fetch(link)).text()).toContain('This link has expired')
  expect(asked).toBe(1)
})

test('a cancelled job ends its request, and its link is no longer valid', async () => {
  site.endSessionsAfter(5)
  const job = await startCrawl()
  const request = await needed.promise
  const link = await linkOf(request)
  await job.cancel()
  const status = async () => (await ask('GET', `/v2/people/${request.id}`)).body
  await expect.poll(status).toMatchObject({ status: 'cancelled', link: null })
  expect(await (await fetch(link)).text()).toContain('You are not needed any more')
})

test('a cancelled scrape ends its request', async () => {
  site.endSessionsAfter(1)
  await engine.scrape({ url: `${site.origin}/`, profile }, { team: 'one' })
  const stop = new AbortController()
  const scraped = engine.scrape({ url: `${site.origin}/`, ...options }, { team: 'one', signal: stop.signal })
  const { id } = await needed.promise
  stop.abort()
  await expect(scraped).rejects.toMatchObject({ code: 'aborted' })
  await expect.poll(async () => (await ask('GET', `/v2/people/${id}`)).body).toMatchObject({ status: 'cancelled' })
})

test('a check of a monitor waits for a person too, and has each page', async () => {
  site.endSessionsAfter(5)
  const paths = allPaths.slice(1)
  const urls = paths.map((path) => site.origin + path)
  const { id } = await engine.monitors.create(
    {
      name: 'Members',
      schedule: { text: 'daily' },
      targets: [{ type: 'scrape', urls, scrapeOptions: options }],
    },
    { team: 'one' },
  )
  const ended = engine.monitors.watch(id, { team: 'one' })[Symbol.asyncIterator]().next()
  await engine.monitors.run(id, { team: 'one' })
  const page = await logInByLink(person, await linkOf(await needed.promise))
  const { value } = await ended
  expect(value).toMatchObject({
    status: 'completed',
    summary: { totalPages: paths.length, new: paths.length, error: 0 },
  })
  await page.close()
})

test('the callback of the engine can log in itself, and a scrape then returns the page', async () => {
  site.endSessionsAfter(1)
  await engine.scrape({ url: `${site.origin}/`, profile }, { team: 'one' })
  const scraped = engine.scrape({ url: `${site.origin}/page/1`, ...options }, { team: 'one' })
  const request = await needed.promise
  const session = await request.open()
  const { text } = await session.snapshot()
  const ref = /Password.*\[ref=(e\d+)\]/.exec(text)?.[1] ?? ''
  await session.act({ type: 'fill', ref, text: 'secret' })
  await session.act({ type: 'press', key: 'Enter' })
  await request.done()
  expect((await scraped).markdown).toContain('This is /page/1')
  expect(await engine.people.get(request.id, { team: 'one' })).toMatchObject({ status: 'done' })
})

test('a team can ask a person by itself, list its requests and end them, and no other team can', async () => {
  const body = { url: `${site.origin}/page/2`, profile: 'members', reason: 'confirmation' }
  const asking = await ask('POST', '/v2/people', { body })
  expect(asking).toMatchObject({ status: 200, body: { status: 'waiting', reason: 'confirmation', jobId: null } })
  const { id } = asking.body as unknown as { readonly id: string }
  const listed = await ask('GET', '/v2/people')
  expect(listed.body).toMatchObject({ requests: expect.arrayContaining([expect.objectContaining({ id })]) })
  expect((await ask('GET', '/v2/people', { key: 'key-two' })).body).toMatchObject({ requests: [] })
  expect((await ask('POST', `/v2/people/${id}/finish`, { body: {}, key: 'key-two' })).status).toBe(404)
  const ended = engine.people.wait(id, { team: 'one' })
  expect((await ask('POST', `/v2/people/${id}/finish`, { body: {} })).body).toMatchObject({ status: 'done' })
  await ended
})

test('without the option, a captcha is returned with a warning, a confirmation as it is, and a second factor fails', async () => {
  const scrape = (path: string) => engine.scrape({ url: `${site.origin}${path}`, profile }, { team: 'one' })
  expect((await scrape('/gate')).warning).toContain('captcha')
  expect((await scrape('/wine')).markdown).toContain('Are you over 18?')
  await expect(scrape('/vault')).rejects.toMatchObject({ code: 'logged_out', details: { signal: 'second_factor' } })
})

test.each([
  ['captcha', '/gate'],
  ['confirmation', '/wine'],
  ['second_factor', '/vault'],
])('a page with a %s waits for a person too', async (reason, path) => {
  const url = `${site.origin}${path}`
  const scraped = engine.scrape({ url, ...options }, { team: 'one' })
  const request = await needed.promise
  expect(request).toMatchObject({ reason, url })
  const page = await person.newPage()
  await page.setViewport({ width: 1_300, height: 1_000 })
  await page.goto(await linkOf(request))
  await page.click('#open')
  const frame = await (await page.waitForSelector('iframe'))!.contentFrame()
  await frame.waitForSelector('canvas:not(.empty)')
  await frame.click('canvas')
  const session = await request.open()
  const text = async () => (await session.snapshot()).text
  await expect.poll(text).toContain('This is open.')
  await page.click('#done')
  expect((await scraped).markdown).toContain('This is open.')
  await page.close()
})

test('the webhook of a request receives the link, signed, and again if it did not accept it', async () => {
  const received: { readonly signature: unknown; readonly body: unknown }[] = []
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        signature: request.headers['webhook-signature'],
        body: JSON.parse(Buffer.concat(chunks).toString()),
      })
      response.writeHead(received.length === 1 ? 503 : 200).end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const url = `${site.origin}/page/3`
  const { id } = await engine.people.ask({ url, profile: 'others', webhook }, { team: 'one' })
  const taken = async (): Promise<number> => {
    clock.moveOn(1_000)
    return received.length
  }
  await expect.poll(taken).toBe(2)
  for (const { signature, body } of received) {
    expect(signature).toEqual(expect.stringMatching(/^v1,/))
    expect(body).toMatchObject({ type: 'person.needed', id, data: [{ id, url, profile: 'others', status: 'waiting' }] })
  }
  await engine.people.finish(id, { result: 'failed' }, { team: 'one' })
  receiver.close()
})
