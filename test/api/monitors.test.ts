// Monitors over HTTP: the official client, a reader of feeds, and mails to a server on loopback.
import { createServer, type Server as Net } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createWeb, type Server as Web } from 'node:http'

import { createClient, itemsOf } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Authenticate, type Server } from '@harvestman/http'
import { monitors } from '@harvestman/monitors'
import { parseFeed } from '@rowanmanning/feed-parser'
import Client from 'firecrawl'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const key = 'fc-monitors'
/** A key that is held to monitors, and to pages as Markdown. */
const heldKey = 'fc-held'
/** Links in mails begin with it. */
const publicUrl = 'https://watch.example'
const known = apiKeys([key, heldKey])
const authenticate: Authenticate = async (request) => {
  const caller = await known?.(request)
  const isHeld = request.headers.get('authorization') === `Bearer ${heldKey}`
  return caller && isHeld ? { ...caller, scopes: { groups: ['monitor', 'batch'], formats: ['markdown'] } } : caller
}

let price = 20
let web: Web
let mailServer: Net
let server: Server
let engine: ReturnType<typeof make>
let url: string
const mails: string[] = []

function make(port: number) {
  const mail = { host: '127.0.0.1', port, from: 'Harvestman <watch@example.com>' }
  return createEngine({
    allowPrivate: ['127.0.0.0/8'],
    plugins: [monitors({ mail, mailTo: ['me@example.com', '*'], publicUrl })],
  })
}

/** Takes mails as an SMTP server does. */
function startMailServer(): Net {
  return createServer((socket) => {
    let isData = false
    let text = ''
    socket.write('220 mail.test ready\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      text += piece.toString()
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const said = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) mails.push(said)
        const isHello = said.startsWith('EHLO')
        const begins = !isData && said === 'DATA'
        socket.write(
          begins
            ? '354 go on\r\n'
            : isHello
              ? '250-mail.test\r\n250 SIZE 1000000\r\n'
              : said === 'QUIT'
                ? '221 bye\r\n'
                : '250 ok\r\n',
        )
        isData = begins
      }
    })
  })
}

beforeAll(async () => {
  web = createWeb((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<main><h1>Lamp</h1><p>It costs ${price} euros today.</p></main>`),
  )
  mailServer = startMailServer()
  await Promise.all([web, mailServer].map((one) => new Promise<void>((ready) => one.listen(0, '127.0.0.1', ready))))
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`
  engine = make((mailServer.address() as AddressInfo).port)
  server = await serve(createApi(engine, { authenticate }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  web.close()
  mailServer.close()
})

const schedule = { text: 'every 30 minutes', timezone: 'UTC' }

async function ended(client: Client, monitor: string, check: string) {
  for (;;) {
    const found = await client.getMonitorCheck(monitor, check)
    if (found.status !== 'queued' && found.status !== 'running' && found.notificationStatus) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('firecrawl 4.42.0', () => {
  test('makes, lists, runs, changes and deletes a monitor, and reads its checks', async () => {
    const client = new Client({ apiKey: key, apiUrl: server.url })
    const monitor = await client.createMonitor({
      ...{ name: 'Lamps', schedule },
      targets: [{ type: 'scrape', urls: [url, `${url}other`], scrapeOptions: { formats: ['markdown'] } }],
      notification: { email: { enabled: true, recipients: ['Me@Example.com'], includeDiffs: true } },
    })
    expect(monitor).toMatchObject({ status: 'active', schedule: { cron: '*/30 * * * *' }, retentionDays: 30 })
    expect(monitor.emailRecipientSubscriptions).toMatchObject([{ email: 'me@example.com', status: 'confirmed' }])
    expect(await client.listMonitors({ limit: 5 })).toMatchObject([{ id: monitor.id }])
    const first = await client.runMonitor(monitor.id)
    expect(await ended(client, monitor.id, first.id)).toMatchObject({
      status: 'completed',
      summary: { totalPages: 2, new: 2 },
    })
    price = 25
    const second = await client.runMonitor(monitor.id)
    const detail = await ended(client, monitor.id, second.id)
    expect(detail.pages.map((page) => [page.status, page.diff?.text?.includes('+It costs 25 euros today.')])).toEqual([
      ...[
        ['changed', true],
        ['changed', true],
      ],
    ])
    const page = await client.getMonitorCheck(monitor.id, second.id, { limit: 1, autoPaginate: false })
    expect(page.pages).toHaveLength(1)
    expect(page.next).toMatch(/skip=1&limit=1/)
    expect((await client.getMonitorCheck(monitor.id, second.id, { limit: 1 })).pages).toHaveLength(2)
    expect(await client.listMonitorChecks(monitor.id)).toHaveLength(2)
    expect(await client.updateMonitor(monitor.id, { status: 'paused', goal: 'Prices' })).toMatchObject({
      status: 'paused',
      nextRunAt: null,
    })
    await expect(client.runMonitor(monitor.id)).rejects.toMatchObject({ status: 409 })
    expect(await client.getMonitor(monitor.id)).toMatchObject({ goal: 'Prices', lastCheckSummary: { changed: 2 } })

    expect(mails).toHaveLength(1)
    const [mail = ''] = mails
    expect(mail).toContain('To: me@example.com')
    const body = Buffer.from(mail.slice(mail.indexOf('\r\n\r\n')), 'base64').toString()
    expect(body).toContain(`changed: ${url}`)
    expect(body).toContain('+It costs 25 euros today.')

    const { feeds } = monitor as unknown as { readonly feeds: Readonly<Record<'rss' | 'atom', string>> }
    for (const address of [feeds.rss, feeds.atom]) {
      const answer = await fetch(address)
      expect(answer.status).toBe(200)
      const feed = parseFeed(await answer.text())
      expect(feed.title).toBe('Lamps')
      expect(new Set(feed.items.map((item) => item.url))).toEqual(new Set([url, `${url}other`]))
      expect(feed.items[0]?.published ?? feed.items[0]?.updated).toBeInstanceOf(Date)
    }
    expect((await fetch(feeds.rss.replace(/feed\/.{8}/, 'feed/aaaaaaaa'))).status).toBe(404)

    expect(await client.deleteMonitor(monitor.id)).toBe(true)
    await expect(client.getMonitor(monitor.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.createMonitor({ name: '', schedule, targets: [] })).rejects.toMatchObject({ status: 400 })
  })
})

test('the typed client makes, runs, pauses and deletes a monitor, and reads what its checks have found', async () => {
  const { monitors: remote } = createClient({ url: server.url, key })
  const targets = [{ type: 'scrape', urls: [url] }] as const
  const { id, feeds } = await remote.create({ name: 'Typed', schedule: { text: 'hourly' }, targets })
  expect(feeds.atom).toContain(server.url)
  const look = async () => {
    const { id: check } = await remote.run(id)
    for (;;) {
      const found = await remote.check(id, check)
      if (found.status !== 'queued' && found.status !== 'running') return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  expect(await look()).toMatchObject({ status: 'completed', summary: { new: 1 } })
  price += 1
  const { id: last, pages } = await look()
  expect(pages).toMatchObject([{ url, status: 'changed', diff: { text: expect.stringContaining('+') as string } }])
  const read = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
    const all: Item[] = []
    for await (const item of items) all.push(item)
    return all
  }
  const pagesOf = (query: { readonly status: 'changed' | 'removed' }) =>
    itemsOf(async (_, skip) => (await remote.check(id, last, { ...query, limit: 1, skip })).pages)
  expect(await read(pagesOf({ status: 'changed' }))).toEqual(pages)
  expect(await read(pagesOf({ status: 'removed' }))).toEqual([])
  expect(
    (await read(itemsOf((_, offset) => remote.checks(id, { limit: 1, offset })))).map((check) => check.summary.changed),
  ).toEqual([1, 0])
  expect((await remote.update(id, { name: 'Renamed' })).name).toBe('Renamed')
  expect((await remote.update(id, { status: 'paused' })).status).toBe('paused')
  expect((await remote.update(id, { status: 'active' })).status).toBe('active')
  expect((await read(itemsOf((_, offset) => remote.list({ offset })))).map((monitor) => monitor.name)).toContain(
    'Renamed',
  )
  await remote.delete(id)
  await expect(remote.get(id)).rejects.toMatchObject({ status: 404 })
})

test('a recipient confirms and unsubscribes without a key, by JSON, by the page of its link and with one click', async () => {
  const { monitors: remote } = createClient({ url: server.url, key })
  const { id } = await remote.create({
    ...{ name: 'Lamps', schedule: { text: 'hourly' }, targets: [{ type: 'scrape', urls: [url] }] },
    notification: { email: { enabled: true, recipients: ['stranger@else.example'] } },
  })
  const statusOf = async () => (await remote.get(id)).emailRecipientSubscriptions
  const subscription = { email: 'stranger@else.example', source: 'opt_in', confirmationEmailSent: true }
  expect(await statusOf()).toEqual([{ ...subscription, status: 'pending' }])
  const mail = mails.find((one) => one.includes('To: stranger@else.example')) ?? ''
  const [, link = ''] = /^List-Unsubscribe: <(.*)>\r$/m.exec(mail) ?? []
  const token = link.slice(`${publicUrl}/v2/monitor/email/unsubscribe/`.length)

  const post = async (path: string, body: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${server.url}/v2/monitor/email/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  for (const body of [null, {}, { token: 'short' }, { token: 1 }])
    expect(await post(`confirm?token=${token}`, body)).toEqual({
      status: 400,
      body: { success: false, error: 'invalid_token' },
    })
  expect(await post('unsubscribe', { token: 'a'.repeat(43) })).toEqual({
    status: 404,
    body: { success: false, error: 'not_found' },
  })

  const page = `${server.url}/v2/monitor/email/confirm/${token}`
  const asked = await fetch(page)
  expect(asked.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await asked.text()).toContain('<form method="post">')
  expect(await statusOf()).toEqual([{ ...subscription, status: 'pending' }])
  const answered = await fetch(page, { method: 'POST', body: new URLSearchParams() })
  expect(await answered.text()).toContain('<h1>Confirmed</h1>')
  expect(await statusOf()).toEqual([{ ...subscription, status: 'confirmed' }])

  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const clicked = await fetch(link.replace(publicUrl, server.url), { method: 'POST', body: oneClick })
  expect(clicked.status).toBe(200)
  expect(await statusOf()).toEqual([{ ...subscription, status: 'unsubscribed' }])
  expect(await post('confirm', { token })).toEqual({
    status: 200,
    body: { success: true, result: 'already_unsubscribed', email: 'stranger@else.example', monitorName: 'Lamps' },
  })
  await remote.delete(id)
})

test('A key that is held to groups and formats is refused monitors that would ask for more, and runs none of them', async () => {
  const held = createClient({ url: server.url, key: heldKey }).monitors
  const own = createClient({ url: server.url, key }).monitors
  const asking = (target: object) =>
    ({ name: 'Held', schedule: { text: 'hourly' }, targets: [target] }) as unknown as Parameters<typeof own.create>[0]
  const refused = { status: 403, code: 'SCOPE_MISSING' }
  await expect(held.create(asking({ type: 'crawl', url }))).rejects.toMatchObject(refused)
  const more = asking({ type: 'scrape', urls: [url], scrapeOptions: { formats: ['rawHtml'] } })
  await expect(held.create(more)).rejects.toMatchObject(refused)
  const { id } = await own.create(more)
  await expect(held.run(id)).rejects.toMatchObject(refused)
  await expect(held.update(id, { name: 'Mine' })).rejects.toMatchObject(refused)
  await own.delete(id)
  await held.delete((await held.create(asking({ type: 'scrape', urls: [url] }))).id)
})
