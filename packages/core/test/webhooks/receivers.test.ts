import { setTimeout as passing } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { createGuard, type Resolver } from '@harvestman/net'
import { checkReceiver, send, type Delivery, verifyWebhook } from '@harvestman/webhooks'
import { expiredCertificate } from '../../../net/test/certificates.ts'
import { loopback, openFetcher } from '../../../net/test/fetching.ts'
import { forbiddenAddresses } from '../../../net/test/forbidden-addresses.ts'
import { serve, serveRaw, serveText, serveTls } from '../../../net/test/servers.ts'

const here = createGuard({ allowPrivate: loopback, resolver: async () => [{ address: '127.0.0.1', family: 4 }] })
const body = Buffer.from('{"type":"crawl.page","text":"Spinne – Weberknecht"}')
const never = () => new AbortController().signal

interface Way {
  readonly guard?: typeof here
  readonly timeout?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
}

function deliver(
  url: string,
  { guard = here, timeout = 5_000, headers = {}, secrets = [] }: Way = {},
): Promise<Delivery> {
  const box = { fetcher: openFetcher(guard), guard, now: () => Date.now(), secrets, team: 'one', timeout }
  return send({ url, headers }, { id: 'message', body }, box, never())
}

describe('a message is taken', () => {
  test.each([200, 201, 202, 204, 299])('when the receiver answers %i', async (status) => {
    const receiver = await serve((_, response) => response.writeHead(status).end())
    expect(await deliver(receiver.origin)).toBe('taken')
  })

  test('when the connection is closed right after a good head', async () => {
    const receiver = await serveText('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', (socket) => socket.end())
    expect(await deliver(receiver.origin)).toBe('taken')
  })

  test('when the answer is a gigabyte, of which next to nothing is read', async () => {
    let written = 0
    const receiver = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000000000' })
      const piece = Buffer.alloc(65_536)
      const pour = (): void => {
        while (!response.destroyed) {
          written += piece.length
          if (!response.write(piece)) return void response.once('drain', pour)
        }
      }
      pour()
    })
    expect(await deliver(receiver.origin)).toBe('taken')
    await receiver.idle()
    // What was on its way in buffers when the connection was cut.
    expect(written).toBeLessThan(20_000_000)
  })

  test('when the answer has a good head and never ends, without waiting for the timeout', async () => {
    const receiver = await serveText('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const stop = new AbortController()
    const first = await Promise.race([deliver(receiver.origin, { timeout: 60_000 }), passing(20_000, 'late', stop)])
    stop.abort()
    expect(first).toBe('taken')
  })

  test('with the very bytes that were signed, and the headers that were asked for', async () => {
    let got: { body: Buffer; headers: Record<string, string> } | undefined
    const receiver = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        got = { body: Buffer.concat(chunks), headers: request.headers as Record<string, string> }
        response.end()
      })
    })
    await deliver(receiver.origin, { headers: { authorization: 'Bearer mine' }, secrets: ['new', 'old'] })
    expect(got?.body.equals(body)).toBe(true)
    expect(got?.headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer mine' })
    for (const secret of ['new', 'old']) expect(verifyWebhook(got!, secret)).toBe(true)
    expect(verifyWebhook(got!, 'other')).toBe(false)
    expect(verifyWebhook(got!, 'new', Date.now() + 301_000)).toBe(false)
  })

  test('over the same connection as the one before, when answers are short', async () => {
    const receiver = await serve((_, response) => response.end('ok'))
    const box = { fetcher: openFetcher(here), guard: here, now: () => Date.now(), secrets: [], team: 'one' }
    for (let number = 0; number < 5; number += 1)
      await send({ url: receiver.origin, headers: {} }, { id: String(number), body }, box, never())
    expect(receiver.connections()).toBe(1)
  })
})

describe('a message is not taken', () => {
  test.each([
    [301, {}],
    [302, {}],
    [307, {}],
    [308, {}],
  ])('when the receiver answers %i: redirects are not followed, to wherever they lead', async (status) => {
    const other = await serve((_, response) => response.end())
    for (const location of [other.origin, 'http://169.254.169.254/', 'https://example.com/']) {
      const receiver = await serve((_, response) => response.writeHead(status, { location }).end())
      expect(await deliver(receiver.origin)).toMatchObject({
        why: `The receiver responded with status ${status}.`,
        isFinal: false,
      })
    }
    expect(other.connections()).toBe(0)
  })

  test.each([400, 401, 404, 429, 500, 503])('when the receiver answers %i', async (status) => {
    const receiver = await serve((_, response) => response.writeHead(status).end('no'))
    expect(await deliver(receiver.origin)).toEqual({
      why: `The receiver responded with status ${status}.`,
      isFinal: false,
      wait: undefined,
    })
  })

  test('and never again, when the receiver answers 410', async () => {
    const receiver = await serve((_, response) => response.writeHead(410).end())
    expect(await deliver(receiver.origin)).toMatchObject({ isFinal: true })
  })

  test('and waits as long as the receiver asks', async () => {
    const receiver = await serve((_, response) => response.writeHead(429, { 'retry-after': '120' }).end())
    expect(await deliver(receiver.origin)).toMatchObject({ wait: 120_000 })
  })

  test('when the receiver takes the connection and is silent, or is silent within the head', async () => {
    const silent = await serveRaw(() => undefined)
    const slow = await serveText('HTTP/1.1 200 OK\r\nx-a: ')
    for (const { origin } of [silent, slow])
      expect(await deliver(origin, { timeout: 100 })).toEqual({
        why: 'The receiver did not respond within 0.1 seconds.',
      })
    await silent.idle()
  })

  test('when its certificate is old, when nobody listens, when it closes, when it speaks something else', async () => {
    const old = await serveTls(expiredCertificate, (_, response) => response.end())
    const shut = await serveRaw((socket) => socket.destroy())
    const odd = await serveText('SSH-2.0-OpenSSH_9\r\n\r\n')
    for (const url of [old.origin, 'http://127.0.0.1:9', shut.origin, odd.origin]) {
      const outcome = await deliver(url)
      expect(outcome, url).not.toBe('taken')
      expect(JSON.stringify(outcome)).not.toContain('127.0.0.1')
    }
  })

  test('and the try is no outcome at all, when the engine ends meanwhile', async () => {
    const silent = await serveRaw(() => undefined)
    const end = new AbortController()
    const box = { fetcher: openFetcher(here), guard: here, now: () => Date.now(), secrets: [], team: 'one' }
    const trying = send({ url: silent.origin, headers: {} }, { id: 'message', body }, box, end.signal)
    await silent.asked()
    end.abort(new Error('The engine ends.'))
    await expect(trying).rejects.toThrow('The engine ends.')
  })
})

describe('the guard', () => {
  test('refuses every spelling of a forbidden address, when a webhook is given and when it is sent to', async () => {
    const strict = createGuard({ resolver: async () => [{ address: '127.0.0.1', family: 4 }] })
    const listener = await serve((_, response) => response.end())
    const urls = forbiddenAddresses(listener.port).filter((url) => URL.canParse(url))
    expect(urls.length).toBeGreaterThan(100)
    for (const url of urls) {
      await expect(checkReceiver(url, strict), url).rejects.toMatchObject({ code: 'url_blocked' })
      expect(await deliver(url, { guard: strict }), url).not.toBe('taken')
    }
    expect(listener.connections()).toBe(0)
  })

  test('is asked at each send: a name that leads elsewhere later is not written to', async () => {
    const receiver = await serve((_, response) => response.end())
    let asked = 0
    const rebinding: Resolver = async () => {
      asked += 1
      return [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    }
    const guard = createGuard({ resolver: rebinding })
    const url = receiver.origin.replace('127.0.0.1', 'rebinding.example')
    await checkReceiver(url, guard)
    for (let number = 0; number < 20; number += 1) expect(await deliver(url, { guard })).not.toBe('taken')
    expect([asked > 20, receiver.connections()]).toEqual([true, 0])
  })
})
