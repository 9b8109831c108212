// @module-tag browser
import { createServer, request as ask } from 'node:http'
import net, { type AddressInfo } from 'node:net'

import type { Browser, BrowserProfile } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serve, type Served } from './servers.ts'
import { inTab, soon, startBrowser } from './setup.ts'

interface Relay {
  readonly url: string
  /** What it was asked for, as `GET http://host/path key`. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** A proxy of somebody else that takes every host to be this machine, and tells hosts its name. */
async function relay(name: string): Promise<Relay> {
  const asked: string[] = []
  const key = Buffer.from(`${name}:word`).toString('base64')
  const server = createServer((incoming, answer) => {
    const { 'proxy-authorization': proof, ...headers } = incoming.headers
    asked.push(`${incoming.method} ${incoming.url}`)
    if (proof !== `Basic ${key}`) return void answer.writeHead(407, { 'content-length': 0 }).end()
    const { port, pathname, search } = new URL(incoming.url ?? '')
    const outgoing = ask(
      { host: '127.0.0.1', port, method: incoming.method, path: pathname + search, headers: { ...headers, via: name } },
      (came) => came.pipe(answer.writeHead(came.statusCode ?? 502, came.headers)),
    )
    outgoing.on('error', () => answer.destroy())
    incoming.pipe(outgoing)
  })
  const tunnels = new Set<net.Socket>()
  server.on('connect', ({ url = '', headers }, near: net.Socket) => {
    asked.push(`CONNECT ${url}`)
    if (headers['proxy-authorization'] !== `Basic ${key}`) return void near.end('HTTP/1.1 407 No\r\n\r\n')
    const far = net.connect(Number(url.split(':').at(-1)), '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n'))
    for (const socket of [near, far]) {
      tunnels.add(socket)
      socket.on('error', () => [near, far].forEach((one) => one.destroy()))
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://${name}:word@relay.test:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of tunnels) socket.destroy()
      }),
  }
}

let site: Served
let secure: Served
let browser: Browser
let relays: readonly [Relay, Relay]

const page = '<h1>Seen</h1><script src="/more.js"></script>'

beforeAll(async () => {
  const pages = {
    '/': page,
    '/more.js': 'document.title = "more"',
    '/cookie': '<script>document.cookie = "left=1"</script>',
  }
  site = await serve(pages)
  secure = await serve(pages, { secure: true })
  relays = [await relay('one'), await relay('two')]
  browser = startBrowser()
})

afterAll(async () => {
  await browser.close()
  await Promise.all([site, secure, ...relays].map((one) => one.close()))
})

const at = (path: string, host = 'site.test'): URL => new URL(`http://${host}:${site.port}${path}`)

function visit(more: Partial<BrowserProfile>, url: URL, script: string): Promise<unknown> {
  return inTab(browser, more, async (tab) => {
    await tab.goto(url, soon())
    return tab.evaluate(script, soon())
  })
}

describe('a tab with a proxy', () => {
  test('sends all that its page asks for through it, with the key of the proxy, which hosts do not see', async () => {
    const [{ url, asked }] = relays
    expect(await visit({ proxy: { url } }, at('/'), 'document.title')).toBe('more')
    expect(asked).toEqual(expect.arrayContaining([`GET ${at('/').href}`, `GET ${at('/more.js').href}`]))
    for (const path of ['/', '/more.js']) {
      expect(site.headersOf(path)).toMatchObject({ via: 'one' })
      expect(site.headersOf(path)).not.toHaveProperty('proxy-authorization')
    }
  })

  test('has it open a tunnel to hosts with TLS', async () => {
    const [{ url, asked }] = relays
    const address = new URL(`https://secure.test:${secure.port}/`)
    expect(await visit({ proxy: { url }, skipTlsVerification: true }, address, 'document.title')).toBe('more')
    expect(asked).toContain(`CONNECT secure.test:${secure.port}`)
  })

  test('shares no cookie with tabs of another proxy or of none, also in one group', { tags: ['long'] }, async () => {
    const group = 'a'
    const cookieOf = (proxy: Relay | undefined, path: string): Promise<unknown> =>
      visit({ group, ...(proxy && { proxy: { url: proxy.url } }) }, at(path, 'localhost'), 'document.cookie')
    const [one, two] = relays
    expect(await cookieOf(one, '/cookie')).toBe('left=1')
    expect(site.headersOf('/cookie')).toMatchObject({ via: 'one' })
    expect(await cookieOf(two, '/')).toBe('')
    expect(site.headersOf('/')).toMatchObject({ via: 'two' })
    expect(await cookieOf(undefined, '/')).toBe('')
    expect(site.headersOf('/')).not.toHaveProperty('via')
    expect(await cookieOf(one, '/')).toBe('left=1')
    expect(site.headersOf('/')).toMatchObject({ via: 'one', cookie: 'left=1' })
  })

  test('does not go around a proxy that is gone', async () => {
    const gone = await relay('gone')
    await gone.close()
    const count = site.seen.length
    await expect(visit({ proxy: { url: gone.url } }, at('/'), '1')).rejects.toMatchObject({ name: 'EngineError' })
    expect(site.seen.length).toBe(count)
  })
})
