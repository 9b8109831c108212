import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { EngineError } from '@harvestman/ports'
import type { Guard } from '@harvestman/ports'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { openEgress, type Egress } from '../src/egress/egress.ts'
import type { Route } from '../src/egress/route.ts'
import { serve, type Served } from './servers.ts'
import { localGuard } from './guard.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(guard: Guard = localGuard()): Promise<Egress> {
  const egress = await openEgress(guard)
  closers.push(egress.close)
  return egress
}

async function site(): Promise<Served> {
  const served = await serve({
    '/': 'hello',
    '/echo': (request, response) => void text(request).then((body) => response.end(`${request.method} ${body}`)),
    '/odd': (_, response) =>
      response.socket?.end('HTTP/1.1 200 OK\r\nX-Odd: \x01bad\r\nX-Good: yes\r\nContent-Length: 2\r\n\r\nok'),
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half')
      setImmediate(() => response.destroy())
    },
  })
  closers.push(served.close)
  return served
}

interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

function proof({ username, password }: Pick<Route, 'username' | 'password'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Asks through the proxy as a browser does for http://. */
function ask(egress: Egress, url: string, route?: Pick<Route, 'username' | 'password'>, body?: string): Promise<Reply> {
  const { hostname, port } = new URL(egress.address)
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: hostname,
      port,
      path: url,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: new URL(url).host, ...(route && { 'proxy-authorization': proof(route) }) },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    request.end(body)
  })
}

/** Asks for a tunnel, as a browser does for https:// and WebSockets, and says hello through it. */
function tunnel(egress: Egress, authority: string, route?: Route): Promise<string> {
  const { hostname, port } = new URL(egress.address)
  return new Promise((resolve) => {
    let answer = ''
    const socket = net.connect(Number(port), hostname, () => {
      const line = route ? `Proxy-Authorization: ${proof(route)}\r\n` : ''
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${line}\r\n`)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.on('data', (chunk) => {
      if (answer === '' && String(chunk).includes(' 200 ')) {
        socket.write(`GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`)
      }
      answer += String(chunk)
      if (/^HTTP\/1\.1 (?:4|5)/.test(answer)) socket.end()
    })
  })
}

describe('the proxy', () => {
  test('forwards requests and tunnels for who has the key, and counts connections', async () => {
    const [egress, { port }] = [await start(), await site()]
    const route = egress.open({})
    expect(await ask(egress, `http://any.test:${port}/`, route)).toMatchObject({ status: 200, body: 'hello' })
    expect(await ask(egress, `http://any.test:${port}/echo`, route, 'words')).toMatchObject({ body: 'POST words' })
    expect(await tunnel(egress, `any.test:${port}`, route)).toContain('hello')
    // The second request went over the connection of the first.
    expect(egress.connections).toBe(2)
    route.close()
    expect(egress.connections).toBe(2)
  })

  test('asks for the key, and takes neither a wrong one nor one that was given back', async () => {
    const [egress, served] = [await start(), await site()]
    const url = `http://any.test:${served.port}/`
    const route = egress.open({})
    const wrong = { username: route.username, password: 'x'.repeat(route.password.length) }
    expect((await ask(egress, url)).status).toBe(407)
    expect((await ask(egress, url, wrong)).status).toBe(407)
    expect((await ask(egress, url, { username: 'nobody', password: '' })).status).toBe(407)
    expect(await tunnel(egress, `any.test:${served.port}`)).toContain('407')
    route.close()
    expect((await ask(egress, url, route)).status).toBe(407)
    expect(served.seen).toEqual([])
  })

  test('connects to the address that the guard gives, whatever the name', async () => {
    const served = await site()
    const asked: string[] = []
    const egress = await start({
      checkUrl: () => undefined,
      resolve: async (host, port) => {
        asked.push(`${host}:${port}`)
        return { address: '127.0.0.1', family: 4 }
      },
    })
    const route = egress.open({})
    const literal = `http://203.0.113.7:${served.port}/`
    expect((await ask(egress, literal, route)).body).toBe('hello')
    expect(await tunnel(egress, `[2001:db8::1]:${served.port}`, route)).toContain('hello')
    expect(asked).toEqual([`203.0.113.7:${served.port}`, `2001:db8::1:${served.port}`])
  })

  test('tries the further addresses of a host when the first cannot be reached', async () => {
    const served = await site()
    const egress = await start({
      checkUrl: () => undefined,
      resolve: async () => ({ address: '127.0.0.2', family: 4, others: [{ address: '127.0.0.1', family: 4 }] }),
    })
    expect((await ask(egress, `http://any.test:${served.port}/`, egress.open({}))).body).toBe('hello')
  })

  test('refuses what the guard refuses, with an answer that only its browser can know', async () => {
    const [egress, { port, seen }] = [await start(), await site()]
    const [route, other] = [egress.open({}), egress.open({})]
    const refused = await ask(egress, `http://private.test:${port}/`, route)
    expect(refused).toMatchObject({ status: 403, body: '' })
    expect(refused.headers['x-harvestman-refusal']).toBe(route.mark)
    expect(await tunnel(egress, `private.test:${port}`, route)).toContain('403')
    expect(route.failureAt(new URL(`http://private.test:${port}/`))).toMatchObject({ code: 'url_blocked' })
    expect(other.failureAt(new URL(`http://private.test:${port}/`))).toBeUndefined()
    expect(seen).toEqual([])
  })

  test('says why a host could not be reached', async () => {
    const unused = await serve({})
    await unused.close()
    const guard = localGuard()
    const egress = await start({
      ...guard,
      resolve: async (host, port, signal) => {
        if (host === 'nowhere.test') throw new EngineError('dns_failed', 'There is no such name.')
        return guard.resolve(host, port, signal)
      },
    })
    const route = egress.open({})
    expect((await ask(egress, 'http://nowhere.test/', route)).status).toBe(502)
    expect((await ask(egress, `http://closed.test:${unused.port}/`, route)).status).toBe(502)
    expect(route.failureAt(new URL('http://nowhere.test/'))).toMatchObject({ code: 'dns_failed' })
    const closed = new URL(`http://closed.test:${unused.port}/`)
    expect(route.failureAt(closed)).toMatchObject({ code: 'connection_failed' })
  })

  test('leaves out hosts that the route leaves out', async () => {
    const [egress, { port, seen }] = [await start(), await site()]
    const route = egress.open({ leavesOut: (host) => host === 'ads.test' })
    expect((await ask(egress, `http://ads.test:${port}/`, route)).status).toBe(403)
    expect(await tunnel(egress, `ads.test:${port}`, route)).toContain('403')
    expect(seen).toEqual([])
  })

  test('hands on neither its key nor what is between neighbours only', async () => {
    const [egress, served] = [await start(), await site()]
    await ask(egress, `http://any.test:${served.port}/`, egress.open({}))
    const headers = served.headersOf('/')
    expect(headers).not.toHaveProperty('proxy-authorization')
    expect(headers).not.toHaveProperty('proxy-connection')
    expect(headers).toMatchObject({ host: `any.test:${served.port}` })
  })

  test('forgives what browsers forgive, and lets nothing look whole that was cut short', async () => {
    const [egress, { port }] = [await start(), await site()]
    const route = egress.open({})
    expect(await ask(egress, `http://any.test:${port}/odd`, route)).toMatchObject({
      status: 200,
      body: 'ok',
      headers: { 'x-good': 'yes' },
    })
    await expect(ask(egress, `http://any.test:${port}/cut`, route)).rejects.toThrow()
  })

  test('asks again where a host had closed the connection that was kept open, but not for what may have an effect', async () => {
    const known = new WeakSet<object>()
    const forgetful = await serve({
      '/': ({ socket }, response) => {
        if (known.has(socket)) return void socket.destroy()
        known.add(socket)
        response.end('hello')
      },
    })
    closers.push(forgetful.close)
    const egress = await start()
    const route = egress.open({})
    const url = `http://any.test:${forgetful.port}/`
    for (let time = 0; time < 3; time += 1) expect(await ask(egress, url, route)).toMatchObject({ body: 'hello' })
    expect(await ask(egress, url, route, 'an order')).toMatchObject({ status: 502 })
  })

  test('closing a route ends its connections', async () => {
    const egress = await start()
    const silent = net.createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => silent.close(() => resolve())))
    const route = egress.open({})
    const { port } = silent.address() as AddressInfo
    const connected = once(silent, 'connection') as Promise<[net.Socket]>
    const waiting = tunnel(egress, `any.test:${port}`, route)
    const [far] = await connected
    const ended = once(far.resume(), 'close')
    route.close()
    await ended
    expect(await waiting).not.toContain('hello')
  })
})

/** A proxy of somebody else: speaks HTTP, and SOCKS 5 on the same port. Says what it was asked for. */
async function upstream(): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = []
  const far = (port: number, near: net.Socket): void => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => near.destroy())
    near.on('error', () => socket.destroy())
    near.pipe(socket).pipe(near)
  }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('data', (first) => {
      if (first[0] === 5) return socks(socket)
      const [line = ''] = String(first).split('\r\n')
      const key = /proxy-authorization: (.*)\r\n/i.exec(String(first))?.[1] ?? 'none'
      asked.push(`${line} ${key}`)
      const [method, target = ''] = line.split(' ')
      if (method === 'CONNECT') {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        far(Number(target.split(':')[1]), socket)
      } else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nupstream')
    })
  })
  const socks = (socket: net.Socket): void => {
    socket.write(Buffer.from([5, 2]))
    socket.once('data', (login) => {
      const user = login.subarray(2, 2 + login[1]!).toString()
      socket.write(Buffer.from([1, 0]))
      socket.once('data', (wish) => {
        const name = wish.subarray(5, 5 + wish[4]!).toString()
        const port = wish.readUInt16BE(5 + wish[4]!)
        asked.push(`SOCKS ${user} ${name}:${port}`)
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        far(port, socket)
      })
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

describe('a route with a proxy behind it', () => {
  test('hands everything on to that proxy, with its own key', async () => {
    const [egress, served, behind] = [await start(), await site(), await upstream()]
    const route = egress.open({ proxy: `http://user:pass%40word@proxy.test:${behind.port}` })
    expect((await ask(egress, `http://any.test:${served.port}/`, route)).body).toBe('upstream')
    expect(await tunnel(egress, `any.test:${served.port}`, route)).toContain('hello')
    const key = `Basic ${Buffer.from('user:pass@word').toString('base64')}`
    expect(behind.asked).toEqual([
      `GET http://any.test:${served.port}/ HTTP/1.1 ${key}`,
      `CONNECT any.test:${served.port} HTTP/1.1 ${key}`,
    ])
  })

  test('speaks SOCKS too', async () => {
    const [egress, served, behind] = [await start(), await site(), await upstream()]
    const route = egress.open({ proxy: `socks5://user:word@proxy.test:${behind.port}` })
    expect((await ask(egress, `http://any.test:${served.port}/`, route)).body).toBe('hello')
    expect(await tunnel(egress, `any.test:${served.port}`, route)).toContain('hello')
    expect(behind.asked).toEqual([`SOCKS user any.test:${served.port}`, `SOCKS user any.test:${served.port}`])
  })

  test('counts the bytes of its connections to that proxy', async () => {
    const [egress, served, behind] = [await start(), await site(), await upstream()]
    const counts: number[] = []
    const onBytes = (bytes: number) => void counts.push(bytes)
    for (const scheme of ['http', 'socks5']) {
      const route = egress.open({ proxy: `${scheme}://proxy.test:${behind.port}`, onBytes })
      await ask(egress, `http://any.test:${served.port}/`, route)
      await tunnel(egress, `any.test:${served.port}`, route)
      route.close()
    }
    await vi.waitFor(() => expect(counts.length).toBeGreaterThanOrEqual(4), { timeout: 60_000 })
  })

  test('reports a proxy that rejects its user, instead of showing its response as the page', async () => {
    const egress = await start()
    const behind = await serve({ '/': (_, response) => void response.writeHead(407).end('Who are you?') })
    closers.push(behind.close)
    const route = egress.open({ proxy: `http://user:word@proxy.test:${behind.port}` })
    const url = 'http://any.test:8080/'
    expect(await ask(egress, url, route)).toMatchObject({ status: 502, body: '' })
    expect(route.failureAt(new URL(url))).toMatchObject({
      code: 'connection_failed',
      details: { proxy: true, status: 407 },
    })
  })

  test('still refuses private hosts, and a proxy that is one', async () => {
    const [egress, served, behind] = [await start(), await site(), await upstream()]
    const route = egress.open({ proxy: `http://proxy.test:${behind.port}` })
    expect((await ask(egress, `http://private.test:${served.port}/`, route)).status).toBe(403)
    const inside = egress.open({ proxy: `http://private.proxy:${behind.port}` })
    const url = `http://any.test:${served.port}/`
    expect((await ask(egress, url, inside)).status).toBe(502)
    expect(inside.failureAt(new URL(url))?.code).toBe('not_configured')
    expect(await tunnel(egress, `any.test:${served.port}`, inside)).toContain('502')
    expect(behind.asked).toEqual([])
  })

  test('is refused when its address is not one of a proxy', async () => {
    const egress = await start()
    for (const proxy of ['ftp://proxy.test', 'nonsense', 'http://']) {
      expect(() => egress.open({ proxy })).toThrow(/not the URL of a proxy/)
    }
  })
})
