import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { verifyWebhook } from '@harvestman/core'
import { movedClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { house, pageOf, runNow, type HouseOptions } from '../fixtures/house.ts'

const url = 'https://shop.test/lamp'
const daily = {
  name: 'Lamps',
  schedule: { text: 'daily', jitter: 0 },
  targets: [{ type: 'scrape' as const, urls: [url] }],
}

/** Runs a monitor twice, with a change in between, and gives the second check when all is sent. */
async function changed(more: object, options: HouseOptions = {}) {
  const bench = house({ pages: { '/lamp': pageOf('It costs 20.') }, ...options })
  const { engine, pages } = bench
  const { id, feeds } = await engine.monitors.create({ ...daily, ...more })
  const sent = async (check: string) => {
    for (;;) {
      const found = await engine.monitors.check(id, check)
      if (found.notificationStatus) return found
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await sent((await runNow(bench, id)).id)
  const before = bench.posts.length
  pages['/lamp'] = pageOf('It costs 25.')
  const check = await sent((await runNow(bench, id)).id)
  return { ...bench, id, feeds, check, posts: bench.posts.slice(before), first: bench.posts.slice(0, before) }
}

/** A mail server that takes everything. */
async function mailServer() {
  const recipients: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    let isData = false
    socket.on('data', (piece: Buffer) => {
      for (const line of piece.toString().split('\r\n').filter(Boolean)) {
        if (isData && line !== '.') continue
        if (line.startsWith('RCPT')) recipients.push(line)
        socket.write(isData || !line.startsWith('DATA') ? '250 ok\r\n' : '354 go on\r\n')
        isData = line.startsWith('DATA')
        if (line.startsWith('QUIT')) socket.end()
      }
    })
    socket.write('220 hello\r\n')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { recipients, port, [Symbol.asyncDispose]: async () => void server.close() }
}

describe('what a check has found', () => {
  test('is told to the webhook, page by page and at the end, signed', async () => {
    const webhook = { url: 'https://hook.test/', headers: { 'x-mine': '1' }, metadata: { of: 'me' } }
    const { engine, posts, check, clock } = await changed({ webhook }, { webhookSecret: 'secret' })
    await engine.close()
    const bodies = posts.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(bodies).toMatchObject([
      {
        ...{ success: true, type: 'monitor.page', id: check.id, metadata: { of: 'me' } },
        data: [
          {
            url,
            status: 'changed',
            isMeaningful: null,
            judgment: null,
            diff: { text: expect.stringContaining('+It costs 25.') as string },
          },
        ],
      },
      { success: true, type: 'monitor.check.completed', data: [{ status: 'completed', summary: { changed: 1 } }] },
    ])
    expect(bodies[0]?.['data']).not.toMatchObject([{ diff: { json: expect.anything() as unknown } }])
    for (const { headers, body } of posts) {
      expect(headers['x-mine']).toBe('1')
      expect(verifyWebhook({ headers, body }, 'secret', clock.now())).toBe(true)
    }
    expect(check.notificationStatus).toEqual({ webhook: { attempted: true, success: true, delivered: 2, queued: 0 } })
  })

  test('is told to a chat and written to a file; the first check is no news', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'monitors-'))
    const notification = { slack: { enabled: true, url: 'https://chat.test/' }, file: true }
    const { engine, posts, first, id } = await changed({ notification }, { given: { folder } })
    await engine.close()
    expect(first).toEqual([])
    expect(posts.map((post) => [post.url, (JSON.parse(post.body) as { text: string }).text])).toEqual([
      ['https://chat.test/', `*Lamps: 1 changed*\n• changed: ${url}`],
    ])
    const lines = (await readFile(join(folder, `${id}.jsonl`), 'utf8')).trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      ...['monitor.page', 'monitor.check.completed', 'monitor.page', 'monitor.check.completed'],
    ])
    await rm(folder, { recursive: true })
  })

  test('reaches a chat as text: a page calls nobody there and makes no links', async () => {
    const notification = { slack: { enabled: true, url: 'https://chat.test/' } }
    const name = 'Lamps <!channel> & <https://evil.test|here>\n*x'
    const { engine, posts } = await changed({ notification, name })
    await engine.close()
    const { text, blocks } = JSON.parse(posts[0]?.body ?? '') as { text: string; blocks: { text: { text: string } }[] }
    expect(text).toContain('Lamps &lt;!channel&gt; &amp; &lt;https://evil.test|here&gt; *x: 1 changed')
    expect(blocks[0]?.text.text).toBe(text)
  })

  test('is mailed by a server on a private network, and only to recipients that the operator allows', async () => {
    await using server = await mailServer()
    const mail = { host: '127.0.0.1', port: server.port, from: 'us@site.example' }
    const recipients = ['ops@site.example', 'stranger@else.example']
    const given = { mail, mailTo: ['@site.example'] }
    const { engine, id, check } = await changed({ notification: { email: { enabled: true, recipients } } }, { given })
    const { emailRecipientSubscriptions: subscriptions } = await engine.monitors.get(id)
    await engine.close()
    expect(server.recipients).toEqual(['RCPT TO:<ops@site.example>'])
    expect(check.notificationStatus).toMatchObject({ email: { attempted: true, success: true, delivered: 1 } })
    expect(subscriptions).toEqual([
      { email: 'ops@site.example', status: 'confirmed', source: 'team', confirmationEmailSent: false },
      { email: 'stranger@else.example', status: 'pending', source: 'opt_in', confirmationEmailSent: false },
    ])
  })

  test('is mailed to nobody while the operator allows nobody, and the check names the setting', async () => {
    const given = { mail: { host: '127.0.0.1', port: 1, from: 'us@site.example' } }
    const notification = { email: { enabled: true, recipients: ['stranger@else.example'] } }
    const { engine, check } = await changed({ notification }, { given })
    await engine.close()
    const error = expect.stringMatching(/stranger@else\.example.*HARVESTMAN_MAIL_TO/) as string
    const pendingRecipients = ['stranger@else.example']
    expect(check.notificationStatus).toEqual({
      email: { attempted: false, success: false, recipients: [], pendingRecipients, error },
    })
  })

  test('of which nothing can be sent here is told so', async () => {
    const notification = { email: { enabled: true, recipients: ['a@example.com'] } }
    const { engine, check } = await changed({ notification })
    await engine.close()
    expect(check.notificationStatus).toMatchObject({ email: { attempted: false, success: false } })
  })

  test('is sent again to a receiver that was away, also by another engine, each message under the same id', async () => {
    const clock = movedClock()
    const seen: string[] = []
    let isAway = true
    const fetcher = {
      exchange: async ({ method, headers }: { method: string; headers: Readonly<Record<string, string>> }) => {
        if (method === 'POST') seen.push(`${headers['webhook-id']} ${isAway}`)
        const status = method === 'POST' && isAway ? 500 : 200
        return { status, headers: [['content-type', 'text/html'] as const], body: Buffer.from(pageOf('One.')) }
      },
      close: async () => undefined,
    }
    const webhook = { url: 'https://hook.test/', events: ['monitor.check.completed' as const] }
    const first = house({ clock, fetcher })
    const { id } = await first.engine.monitors.create({ ...daily, webhook })
    await runNow(first, id)
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await first.engine.close()
    isAway = false
    const { engine } = house({ clock, fetcher, store: first.store })
    engine.monitors.start()
    while (seen.length < 2) {
      clock.moveOn(10_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await engine.close()
    expect(new Set(seen.map((one) => one.split(' ')[0])).size).toBe(1)
  })

  test('is a feed in three forms, for who knows its secret', async () => {
    const { engine, feeds } = await changed({ name: 'Lamps & <more>' })
    const secret = feeds.rss.split('/').at(-2) ?? ''
    expect(feeds.atom).toBe(`/v2/monitor/feed/${secret}/atom`)
    const read = async (form: string) => {
      const { mediaType, bytes } = await engine.monitors.feed(secret, form)
      return { mediaType, body: new TextDecoder().decode(bytes) }
    }
    const rss = await read('rss')
    expect(rss.mediaType).toContain('rss')
    expect(rss.body).toContain('<title>Lamps &amp; &lt;more&gt;</title>')
    expect(rss.body.match(/<item>/g)).toHaveLength(1)
    expect((await read('atom')).body).toContain(`<link href="${url}"/>`)
    expect(JSON.parse((await read('json')).body)).toMatchObject({ items: [{ url }] })
    await expect(engine.monitors.feed('a'.repeat(32), 'rss')).rejects.toMatchObject({ code: 'not_found' })
    await expect(engine.monitors.feed('guess', 'rss')).rejects.toMatchObject({ code: 'invalid_request' })
    await engine.close()
  })
})
