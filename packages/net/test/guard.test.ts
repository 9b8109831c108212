import net, { type AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { type Address, EngineError, type Fetcher, type Guard } from '@harvestman/ports'
import { createGuard } from '../src/guard/guard.ts'
import { fetchFollowing } from '../src/redirects.ts'
import { parseWebUrl } from '../src/url.ts'
import { ask, codeOf, loopback, openFetcher, soon, textOf } from './fetching.ts'
import { forbiddenAddresses, openableAddresses } from './forbidden-addresses.ts'
import { serve, serveText } from './servers.ts'

const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })
const publicAddress = at('93.184.215.14')
const privateAddress = at('127.0.0.1')

/** Counts connections on every address of this machine. */
async function countConnections(): Promise<{ readonly port: number; readonly seen: () => number }> {
  let seen = 0
  const listen = (port: number, host: string): Promise<number> =>
    new Promise((resolve) => {
      const server = net.createServer((socket) => {
        seen += 1
        socket.on('error', () => undefined)
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret')
      })
      // A machine without IPv6 has nothing to listen to there.
      server.on('error', () => resolve(0))
      server.listen({ port, host, ipv6Only: true }, () => resolve((server.address() as AddressInfo).port))
      onTestFinished(() => void server.close())
    })
  const port = await listen(0, '0.0.0.0')
  await listen(port, '::')
  return { port, seen: () => seen }
}

/** Listens to the port of another server, on another address of this machine. */
async function listenBeside(port: number): Promise<{ readonly address: string; readonly seen: () => number }> {
  let seen = 0
  for (const address of ['127.0.0.2', '::1']) {
    const server = net.createServer((socket) => {
      seen += 1
      socket.destroy()
    })
    const isListening = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false))
      server.listen(port, address, () => resolve(true))
    })
    if (!isListening) continue
    onTestFinished(() => void server.close())
    return { address, seen: () => seen }
  }
  throw new Error('This machine has no second loopback address; the test needs one.')
}

/** Goes the way of a request: the text is read as an address, then fetched. */
async function visit(text: string, fetcher: Fetcher, guard: Guard): Promise<string> {
  const parsed = parseWebUrl(text)
  if (!parsed.url) return 'invalid_request'
  return codeOf(fetchFollowing(fetcher, guard, ask(parsed.url.href), soon()))
}

describe('forbidden addresses', () => {
  const refused = new Set(['invalid_request', 'url_blocked'])

  test('are refused as pages, in every spelling, and see no connection', async () => {
    const { port, seen } = await countConnections()
    const guard = createGuard()
    const fetcher = openFetcher(guard)
    const all = forbiddenAddresses(port)
    expect(all.length).toBeGreaterThanOrEqual(150)
    const codes = await Promise.all(all.map((text) => visit(text, fetcher, guard)))
    expect(all.filter((_, index) => !refused.has(codes[index]!))).toEqual([])
    expect(seen()).toBe(0)
  })

  test('are refused as targets of a redirect, in every spelling, and see no connection', async () => {
    const { port, seen } = await countConnections()
    let location = ''
    const site = await serve((_request, response) => response.writeHead(302, { location }).end())
    const guard = createGuard({ allowPrivate: [`127.0.0.1:${site.port}`] })
    const fetcher = openFetcher(guard)
    // An address without its own scheme is a path on the same host, and control characters cannot stand in a header.
    const isWhole = (text: string): boolean => /^(?:http:[/\\]{2}|(?!http:)[a-z+-]+:|\/\/)/i.test(text)
    const all = forbiddenAddresses(port).filter((text) => isWhole(text) && !/[\t\n]/.test(text))
    expect(all.length).toBeGreaterThanOrEqual(150)
    for (const text of all) {
      location = Buffer.from(text).toString('latin1')
      expect([text, await visit(site.origin, fetcher, guard)]).toEqual([
        text,
        expect.stringMatching(/url_blocked|bad_response/),
      ])
    }
    expect(seen()).toBe(0)
  })

  test('are refused by the fetcher alone, without anybody having looked at the address before', async () => {
    const { port, seen } = await countConnections()
    const careless: Guard = { ...createGuard(), checkUrl: () => undefined }
    const fetcher = openFetcher(careless)
    const urls = forbiddenAddresses(port)
      .map((text) => URL.parse(text))
      .filter((url) => url?.protocol === 'http:')
    const codes = await Promise.all(urls.map((url) => codeOf(fetcher.exchange(ask(url!.href), soon()))))
    expect(new Set(codes)).toEqual(new Set(['url_blocked']))
    expect(seen()).toBe(0)
  })

  test('on this machine would have been seen: once opened, they are reached', async () => {
    const { port, seen } = await countConnections()
    const guard = createGuard({ allowPrivate: loopback })
    const fetcher = openFetcher(guard)
    const all = openableAddresses(port)
    expect(all.length).toBeGreaterThanOrEqual(30)
    const codes = await Promise.all(all.map((text) => visit(text, fetcher, guard)))
    expect(all.filter((_, index) => codes[index] !== 'no error')).toEqual([])
    expect(seen()).toBeGreaterThanOrEqual(30)
  })
})

describe('a name', () => {
  test.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.16.0.9',
    '192.168.1.1',
    '169.254.169.254',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
  ])('that leads to %s is refused', async (address) => {
    const guard = createGuard({ resolver: async () => [at(address)] })
    expect(await codeOf(openFetcher(guard).exchange(ask('http://intranet.example.com/'), soon()))).toBe('url_blocked')
  })

  test('with one public and one private address is refused, in whichever order they come', async () => {
    const { port, seen } = await countConnections()
    let turn = 0
    const resolver = async (): Promise<readonly Address[]> => {
      turn += 1
      return turn % 2 === 0 ? [publicAddress, privateAddress] : [privateAddress, publicAddress]
    }
    const fetcher = openFetcher(createGuard({ resolver }))
    for (let count = 0; count < 100; count += 1) {
      expect(await codeOf(fetcher.exchange(ask(`http://two.example.com:${port}/`), soon()))).toBe('url_blocked')
    }
    expect(seen()).toBe(0)
  })

  test(
    'that changes its address after the look-up does not lead elsewhere, 1,000 times',
    { tags: ['long'] },
    async () => {
      const open = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end('public'))
      const { address: hidden, seen } = await listenBeside(open.port)
      let asked = 0
      // Whoever looks a name up twice, to check it and to connect, gets the hidden address the second time.
      const resolver = async (): Promise<readonly Address[]> => [at((asked += 1) % 2 === 1 ? '127.0.0.1' : hidden)]
      const fetcher = openFetcher(createGuard({ allowPrivate: [`127.0.0.1:${open.port}`], resolver }))
      const codes: string[] = []
      for (let count = 0; count < 1_000; count += 1) {
        codes.push(await codeOf(fetcher.exchange(ask(`http://rebind.example.com:${open.port}/`), soon())))
      }
      expect(seen()).toBe(0)
      expect(codes.filter((code) => code === 'no error')).toHaveLength(500)
      expect(codes.filter((code) => code === 'url_blocked')).toHaveLength(500)
      expect(open.connections()).toBe(500)
    },
  )

  test('is connected to at the next of its addresses when the first does not answer', async () => {
    const site = await serve((_request, response) => response.end('here'))
    const resolver = async (): Promise<readonly Address[]> => [at('127.0.0.9'), at('127.0.0.8'), privateAddress]
    const fetcher = openFetcher(createGuard({ allowPrivate: loopback, resolver }))
    expect(textOf(await fetcher.exchange(ask(`http://many.example.com:${site.port}/`), soon()))).toBe('here')
  })

  test('keeps its own name in the request, whatever address it leads to', async () => {
    const site = await serve((request, response) => response.end(request.headers.host))
    const fetcher = openFetcher(createGuard({ allowPrivate: loopback, resolver: async () => [privateAddress] }))
    const answer = await fetcher.exchange(ask(`http://named.example.com:${site.port}/`), soon())
    expect(textOf(answer)).toBe(`named.example.com:${site.port}`)
  })
})

describe('the answer for what is forbidden', () => {
  test('is the same for an open port, a closed port, a closed range and a name, and shows no address', async () => {
    const { port } = await countConnections()
    const guard = createGuard({ resolver: async () => [at('10.7.7.7')] })
    const fetcher = openFetcher(guard)
    const urls = [
      `http://127.0.0.1:${port}/`,
      'http://127.0.0.1:1024/',
      'http://10.0.0.1/',
      'http://db.example.com/',
      'http://localhost/',
    ]
    const errors = await Promise.all(
      urls.map((url) => fetcher.exchange(ask(url), soon()).catch((error: unknown) => error as EngineError)),
    )
    const said = errors.map((error) =>
      EngineError.is(error) ? JSON.stringify([error.code, error.message, error.details]) : '',
    )
    expect(new Set(said).size).toBe(1)
    expect(said[0]).not.toMatch(/\d+\.\d+\.\d+\.\d+|localhost|db\.example/)
  })
})

describe('a chain of redirects', () => {
  const statuses = [301, 302, 303, 307, 308]

  test.each(statuses)('by %i to a forbidden address is refused at whichever hop it comes, 1 to 20', async (status) => {
    const { port, seen } = await countConnections()
    const forms = [
      (hop: number, origin: string) => `${origin}/${hop}`,
      (hop: number) => `/${hop}`,
      (hop: number, origin: string) => `${origin.replace('http:', '')}/${hop}`,
      (hop: number) => String(hop),
    ]
    let last = 0
    let visited: string[] = []
    const site = await serve((request, response) => {
      visited.push(request.url ?? '')
      const hop = Number((request.url ?? '/0').slice(1)) + 1
      const target = hop === last ? `http://127.0.0.2:${port}/` : forms[hop % forms.length]!(hop, site.origin)
      response.writeHead(status, { location: target }).end()
    })
    const guard = createGuard({ allowPrivate: [`127.0.0.1:${site.port}`] })
    const fetcher = openFetcher(guard)
    for (last = 1; last <= 20; last += 1) {
      visited = []
      expect(await codeOf(fetchFollowing(fetcher, guard, ask(`${site.origin}/0`), soon()))).toBe('url_blocked')
      expect(visited).toHaveLength(last)
    }
    expect(seen()).toBe(0)
  })

  test('of 20 is followed, one of 21 and a loop are not', async () => {
    let length = 20
    const site = await serve((request, response) => {
      const hop = Number((request.url ?? '/0').slice(1))
      if (hop === length) response.end('arrived')
      else response.writeHead(302, { location: `/${hop + 1}` }).end()
    })
    const guard = createGuard({ allowPrivate: loopback })
    const fetcher = openFetcher(guard)
    const answer = await fetchFollowing(fetcher, guard, ask(`${site.origin}/0`), soon())
    expect([textOf(answer), answer.url.pathname]).toEqual(['arrived', '/20'])
    length = 21
    expect(await codeOf(fetchFollowing(fetcher, guard, ask(`${site.origin}/0`), soon()))).toBe('too_many_redirects')

    const loop = await serve((request, response) =>
      response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end(),
    )
    expect(await codeOf(fetchFollowing(fetcher, guard, ask(`${loop.origin}/a`), soon()))).toBe('too_many_redirects')
  })

  test('whose address holds line breaks sends nothing of its own', async () => {
    const requests: string[] = []
    const site = await serveText(
      'HTTP/1.1 302 Found\r\nLocation: /x%0d%0aX-Evil:%201\r\nContent-Length: 0\r\n\r\n',
      (socket) => {
        socket.once('data', (bytes) => requests.push(String(bytes)))
      },
    )
    const guard = createGuard({ allowPrivate: loopback })
    await codeOf(fetchFollowing(openFetcher(guard), guard, ask(site.origin), soon(), { limit: 2 }))
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) expect(request).not.toMatch(/\r\nX-Evil/i)
  })
})
