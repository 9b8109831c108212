import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { createGunzip, gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { encodedPages, goodPages, siteHandler, siteRoutes, startSite, type Site } from '../src/index.ts'

interface Seen {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What broke, when something did. */
  readonly error?: string
}

interface Look {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
  /** Goes away after so many bytes or milliseconds. */
  readonly bytes?: number
  readonly ms?: number
  /** Leaves after so many milliseconds without a byte, once the response has begun: on a busy machine that takes a while. */
  readonly quietMs?: number
}

let site: Site

beforeAll(async () => {
  site = await startSite({ pages: 40 })
})
afterAll(() => site.close())

/** One exchange, with the plainest client there is. */
function look(
  path: string,
  { headers = {}, method = 'GET', body, bytes = 30_000_000, ms = 60_000, quietMs }: Look = {},
): Promise<Seen> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let seen = { status: 0, headers: {} as IncomingHttpHeaders }
    let length = 0
    let quiet: NodeJS.Timeout | undefined
    const waitForMore = () => {
      clearTimeout(quiet)
      if (quietMs !== undefined) quiet = setTimeout(() => end('silence'), quietMs)
    }
    const end = (error?: string) => {
      clearTimeout(timer)
      clearTimeout(quiet)
      sent.destroy()
      resolve({ ...seen, body: Buffer.concat(chunks), ...(error === undefined ? {} : { error }) })
    }
    const sent = request(new URL(path, site.url), { method, headers, agent: false }, (response) => {
      seen = { status: response.statusCode ?? 0, headers: response.headers }
      waitForMore()
      response.on('data', (chunk: Buffer) => {
        waitForMore()
        chunks.push(chunk)
        length += chunk.length
        if (length >= bytes) end('enough')
      })
      response.on('end', () => end(response.complete ? undefined : 'cut off'))
      response.on('error', ({ message }) => end(message))
    })
    const timer = setTimeout(() => end('silence'), ms)
    sent.on('error', ({ message }) => end(message))
    sent.end(body)
  })
}

const textOf = ({ body }: Seen) => body.toString('utf8')
const titleOf = (seen: Seen) => /<title>([^<]*)/.exec(textOf(seen))?.[1]

describe('a good page', () => {
  for (const { path, type, title, has, frame, links } of goodPages)
    test(`${path} holds what is said of it`, async () => {
      const seen = await look(path)
      expect([seen.status, seen.headers['content-type'], seen.error]).toEqual([200, type, undefined])
      expect(Number(seen.headers['content-length'])).toBe(seen.body.length)
      if (!type.startsWith('text/html')) return
      expect(titleOf(seen)).toBe(title)
      const page = textOf(seen).replaceAll(/<\/?(?:code|em|strong|a)\b[^>]*>/g, '')
      let from = 0
      for (const piece of has) {
        const at = page.indexOf(piece, from)
        expect(at, `"${piece}" comes after what is before it`).toBeGreaterThan(-1)
        from = at
      }
      for (const piece of frame) expect(page).toContain(piece)
      for (const link of links) expect((await look(link)).status, link).toBe(200)
    })
})

describe('an encoded page', () => {
  for (const { path, label, told, text } of encodedPages)
    test(`${path} is in its encoding, and tells it so`, async () => {
      const { body, headers } = await look(path)
      const page = new TextDecoder(label, { ignoreBOM: true }).decode(body)
      expect(page).toContain(`<title>${text}</title>`)
      expect(page).toContain(`<p>${text}</p>`)
      const inHeader = /charset=(.*)/.exec(headers['content-type'] ?? '')?.[1]
      const inPage = /<meta[^>]*charset="?([\w-]+)/.exec(page)?.[1] ?? /charset=([\w-]+)"/.exec(page)?.[1]
      if (told === 'header' || told === 'header-over-meta') expect(inHeader).toBe(label)
      if (told === 'meta' || told === 'late-meta') expect([inHeader, inPage]).toEqual([undefined, label])
      if (told === 'header-over-meta') expect(inPage).toBe('utf-8')
      if (told === 'nowhere') expect([inHeader, inPage]).toEqual([undefined, undefined])
      if (told === 'bom') expect(page.charCodeAt(0)).toBe(0xfeff)
    })

  test('there are thirty encodings and more', () => {
    expect(new Set(encodedPages.map(({ label }) => label)).size).toBeGreaterThanOrEqual(30)
  })
})

describe('a redirect', () => {
  const way = async (path: string, most = 30) => {
    const hops: string[] = []
    let next = path
    while (hops.length < most) {
      const { status, headers } = await look(next)
      if (status < 300 || status > 399 || headers.location === undefined) break
      hops.push(String(status))
      next = new URL(headers.location, new URL(next, site.url)).href
    }
    return { hops, end: new URL(next, site.url).pathname }
  }

  test('chain is as long as was asked, with the status that was asked for', async () => {
    expect(await way('/redirect/chain/5?status=307')).toEqual({ hops: Array(5).fill('307'), end: '/redirect/end' })
  })
  test('loop does not end', async () => {
    expect((await way('/redirect/loop')).hops).toHaveLength(30)
    expect((await way('/redirect/ping')).hops).toHaveLength(30)
  })
  test('leads by a relative and by a protocol-relative location', async () => {
    expect((await way('/redirect/relative')).end).toBe('/redirect/end')
    expect((await look('/redirect/protocol-relative')).headers.location).toMatch(
      /^\/\/127\.0\.0\.1:\d+\/redirect\/end$/,
    )
  })
  test('leads to another origin, which tells the headers that came', async () => {
    const { headers } = await look('/redirect/other')
    expect(headers.location).toBe(`${site.other}/echo`)
    expect(new URL(site.other).port).not.toBe(new URL(site.url).port)
    const echo = JSON.parse(textOf(await look(headers.location ?? '', { headers: { 'x-secret': 'mine' } }))) as {
      headers: string[][]
    }
    expect(echo.headers).toContainEqual(['x-secret', 'mine'])
  })
  test('can go by a meta element, by a header, and nowhere', async () => {
    expect(textOf(await look('/redirect/meta/2'))).toContain('url=/redirect/meta/1')
    expect(textOf(await look('/redirect/meta/1'))).toContain('url=/redirect/end')
    expect((await look('/redirect/refresh')).headers['refresh']).toBe('0; url=/redirect/end')
    const { status, headers } = await look('/redirect/none')
    expect([status, headers.location]).toEqual([302, undefined])
  })
  test('can be odd in many ways', async () => {
    const location = async (kind: string) => (await raw(`/redirect/odd/${kind}`)).match(/^location: (.*)\r$/m)?.[1]
    expect(await location('credentials')).toMatch(/^http:\/\/user:secret@127/)
    expect(await location('file')).toBe('file:///etc/passwd')
    expect(await location('backslash')).toMatch(/^\\\\127/)
    expect((await location('long'))?.length).toBeGreaterThan(65_536)
  })
})

describe('a slow page', () => {
  test('is silent, before or in the headers', async () => {
    for (const path of ['/slow/silent', '/slow/headers'])
      expect(await look(path, { ms: 100 })).toMatchObject({ status: 0, error: 'silence' })
  })
  test('stops in the middle of the body', async () => {
    const { status, headers, body, error } = await look('/slow/body?percent=25', { quietMs: 500 })
    expect([status, error]).toEqual([200, 'silence'])
    expect(body.length).toBe(Math.floor(Number(headers['content-length']) / 4))
  })
  test('comes letter by letter, and does not end', async () => {
    const { body, error } = await look('/slow/loris?ms=1', { bytes: 20 })
    expect([body.toString().slice(0, 20), error]).toEqual(['x'.repeat(20), 'enough'])
  })
  test('comes late and whole', async () => {
    expect(titleOf(await look('/slow/delay?ms=20'))).toBe('Late but whole')
  })
  test('is behind an address that takes connections and says nothing', async () => {
    expect(await look(site.silent, { ms: 100 })).toMatchObject({ status: 0, error: 'silence' })
  })
})

describe('a huge page', () => {
  test('has the length that was asked for', async () => {
    const { body, headers } = await look('/huge/body?mb=3')
    expect([body.length, headers['content-length']]).toEqual([3_000_000, '3000000'])
    expect((await look('/huge/html?mb=2')).body.length).toBeGreaterThan(2_000_000)
    expect((await look('/huge/attribute?mb=1')).body.length).toBeGreaterThan(1_000_000)
  })
  test('does not end', async () => {
    const { body, headers, error } = await look('/huge/endless', { bytes: 5_000_000 })
    expect([headers['content-length'], error]).toEqual([undefined, 'enough'])
    expect(body.length).toBeGreaterThanOrEqual(5_000_000)
  })
  test('is deep, wide, or full of one sign', async () => {
    const count = async (path: string, what: RegExp) => textOf(await look(path)).match(what)?.length
    expect(await count('/huge/deep', /<div>/g)).toBe(200_000)
    expect(await count('/huge/deep?name=table&count=10', /<table>/g)).toBe(10)
    expect(await count('/huge/wide', /<p>Paragraph /g)).toBe(100_000)
    expect(await count('/huge/less-than', /<(?=[<])/g)).toBeGreaterThan(999_000)
    expect(await count('/huge/attributes?count=1000', / a\d+=1/g)).toBe(1000)
    expect(await count('/huge/table?count=50', /<tr>/g)).toBe(51)
  })
})

describe('a bomb', () => {
  test('is a thousand times larger than what is sent, and whole', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
      const { body, headers } = await look(`/bomb/${encoding}?mb=20`)
      expect(headers['content-encoding']).toBe(encoding)
      expect(body.length * 900, encoding).toBeLessThan(20_000_000)
    }
    expect(gunzipSync((await look('/bomb/gzip?mb=2')).body).length).toBe(2_000_000)
    expect(gunzipSync(gunzipSync((await look('/bomb/twice?mb=2')).body)).length).toBe(2_000_000)
  })
  test('can have many members', async () => {
    const { body } = await look('/bomb/members?mb=3')
    let length = 0
    const unpack = createGunzip().on('data', (chunk: Buffer) => (length += chunk.length))
    await new Promise((resolve) => unpack.on('end', resolve).end(body))
    expect(length).toBe(3_000_000)
  })
})

describe('a lie', () => {
  test('is told of the length', async () => {
    expect((await look('/lie/length/long')).error).toBeDefined()
    const [head = '', body = ''] = (await raw('/lie/length/short')).split('\r\n\r\n')
    expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(body.length - 100)
    expect(textOf(await look('/lie/length/missing'))).toContain('</html>')
    for (const kind of ['negative', 'two', 'words', 'and-chunks'])
      expect((await look(`/lie/length/${kind}`)).error, kind).toBeDefined()
  })
  test('is told of the type', async () => {
    const pdf = await look('/lie/type/pdf-as-html')
    expect([pdf.headers['content-type'], textOf(pdf).slice(0, 5)]).toEqual(['text/html; charset=utf-8', '%PDF-'])
    expect((await look('/lie/type/html-as-pdf')).headers['content-type']).toBe('application/pdf')
    expect((await look('/lie/no-type')).headers['content-type']).toBeUndefined()
  })
  test('is told of the packing', async () => {
    expect(() => gunzipSync('')).toThrow()
    const said = async (kind: string) => (await look(`/lie/encoding/${kind}`)).headers['content-encoding']
    expect([await said('plain-as-gzip'), await said('gzip-as-plain'), await said('unknown')]).toEqual([
      'gzip',
      'identity',
      'harvest',
    ])
    const cut = await look('/lie/encoding/gzip-cut')
    expect(() => gunzipSync(cut.body)).toThrow('unexpected end')
    expect(gunzipSync((await look('/lie/encoding/gzip-as-plain')).body).toString()).toContain('</html>')
  })
})

describe('what is broken', () => {
  test('closes or resets without a byte', async () => {
    expect((await look('/broken/empty')).error).toBe('socket hang up')
    expect((await look('/broken/reset')).error).toMatch(/ECONNRESET|socket hang up/)
  })
  test('breaks the protocol', async () => {
    for (const kind of ['garbage', 'status-line', 'header-name', 'chunk-size'])
      expect((await look(`/broken/wire/${kind}`)).error, kind).toMatch(/Parse Error/)
  })
  test('breaks the connection', async () => {
    for (const kind of ['close-after-headers', 'close-in-body', 'reset-in-body', 'reset-after-headers', 'chunk-cut'])
      expect(await look(`/broken/wire/${kind}`), kind).toMatchObject({
        status: 200,
        error: expect.any(String) as string,
      })
    expect((await look('/broken/wire/close-in-body')).body.length).toBe(2000)
  })
  test('has more and larger headers than anybody takes', async () => {
    expect((await raw('/broken/large-header')).length).toBeGreaterThan(1_048_576)
    expect((await raw('/broken/many-headers')).split('\r\n').length).toBeGreaterThan(10_000)
  })
  test('works at the next try', async () => {
    expect((await look('/broken/once?name=a')).error).toBeDefined()
    expect((await look('/broken/once?name=a')).status).toBe(200)
  })
})

describe('the rest', () => {
  test('every status can be had', async () => {
    for (const status of [200, 204, 206, 304, 400, 401, 404, 418, 429, 500, 503, 599, 999])
      expect((await look(`/status/${status}`)).status).toBe(status)
    expect((await look('/status/429?retry-after=7')).headers['retry-after']).toBe('7')
  })
  test('what fails at first works later', async () => {
    const statuses = []
    for (let visit = 0; visit < 4; visit += 1) statuses.push((await look('/flaky?name=a&times=2')).status)
    expect(statuses).toEqual([503, 503, 200, 200])
    expect((await look('/flaky?name=b')).status).toBe(503)
  })
  test('cookies are set, and needed', async () => {
    const set = await look('/cookie/set?visitor=me')
    expect(set.headers['set-cookie']).toEqual(['visitor=me; Path=/; HttpOnly'])
    expect((await look('/cookie/need')).headers.location).toBe('/cookie/set')
    expect(textOf(await look('/cookie/need', { headers: { cookie: 'visitor=me' } }))).toContain('You are me.')
    expect(JSON.parse(textOf(await look('/cookie/show', { headers: { cookie: 'a=1; b=x=y' } })))).toEqual({
      a: '1',
      b: 'x=y',
    })
  })
  test('what was sent is echoed', async () => {
    const seen = await look('/echo?q=1', { method: 'POST', body: 'hello', headers: { 'x-one': 'value' } })
    expect(JSON.parse(textOf(seen))).toMatchObject({ method: 'POST', url: '/echo?q=1', body: 'hello' })
  })
  test('names and tokens are asked for', async () => {
    expect((await look('/auth/basic')).headers['www-authenticate']).toContain('Basic')
    const headers = { authorization: `Basic ${Buffer.from('user:pass').toString('base64')}` }
    expect((await look('/auth/basic', { headers })).status).toBe(200)
    expect((await look('/auth/bearer', { headers })).status).toBe(401)
  })
  test('a page changes from visit to visit', async () => {
    const [one, two] = [textOf(await look('/changing?name=a')), textOf(await look('/changing?name=a'))]
    expect(one).toContain('This is visit 1.')
    expect(two).toContain('This is visit 2.')
  })
  test('a page can be kept, and says how often it was asked for', async () => {
    const { headers } = await look('/cache/etag')
    expect((await look('/cache/etag', { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
    expect((await look('/cache/age/60')).headers['cache-control']).toBe('max-age=60')
    await look('/cache/age/60')
    expect(site.hits('/cache/age/60')).toBe(2)
  })
  test('HEAD has the headers and no body', async () => {
    const seen = await look('/good/article', { method: 'HEAD' })
    expect(seen.body.length).toBe(0)
    expect(Number(seen.headers['content-length'])).toBeGreaterThan(1000)
  })
})

describe('the part for crawlers', () => {
  test('has all of its pages within the reach of links, and in the sitemaps', async () => {
    const found = new Set(['/crawl/'])
    for (const path of found)
      for (const [, link = ''] of textOf(await look(path)).matchAll(/href="(\/crawl\/[^"#]*)"/g)) found.add(link)
    expect(found.size).toBe(40)
    const index = textOf(await look('/sitemap.xml'))
    const maps = [...index.matchAll(/<loc>([^<]*)/g)].map(([, address]) => new URL(address ?? '').pathname)
    expect(maps).toEqual(['/sitemap-1.xml', '/sitemap-2.xml.gz'])
    const [first, second] = [await look('/sitemap-1.xml'), await look('/sitemap-2.xml.gz')]
    const listed = [textOf(first), gunzipSync(second.body).toString()].flatMap((text) =>
      [...text.matchAll(/<loc>([^<]*)/g)].map(([, address]) => new URL(address ?? '').pathname),
    )
    expect(new Set(listed)).toEqual(found)
    expect((await look('/crawl/page/40')).status).toBe(404)
  })
  test('says what robots may not visit', async () => {
    expect(textOf(await look('/robots.txt'))).toContain('Disallow: /private/')
  })
})

describe('the site', () => {
  test(
    'outlives every one of its cases, lists them, and ends at once though all are under way',
    { tags: ['long'] },
    async () => {
      const before = site
      site = await startSite()
      const paths = siteRoutes.map(({ path }) => path.replaceAll(/:\w+/g, '1'))
      const looks = Promise.all(paths.map((path) => look(path, { bytes: 200_000, ms: 300 })))
      await looks
      for (const path of paths) void look(path, { ms: 2000 })
      await new Promise((resolve) => setTimeout(resolve, 50))
      const list = textOf(await look('/'))
      for (const { path } of siteRoutes) expect(list).toContain(`<code>${path}</code>`)
      const { url } = site
      await site.close()
      expect((await look(url)).error).toContain('ECONNREFUSED')
      site = before
    },
  )

  test('counts what is asked for, and remembers it', async () => {
    const before = site.hits()
    await look('/good/article?first', { headers: { 'x-mark': 'mine' } })
    expect(site.hits()).toBe(before + 1)
    expect(site.seen.at(-1)).toMatchObject({
      method: 'GET',
      path: '/good/article?first',
      headers: { 'x-mark': 'mine' },
    })
  })

  test('is also a handler for a server of your own, with cases of your own', async () => {
    const { createServer } = await import('node:http')
    const route = {
      path: '/mine',
      about: 'mine',
      handle: ({ response }: { response: { end(text: string): unknown } }) => response.end('mine'),
    }
    const server = createServer(siteHandler({ routes: [route] }))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    expect(textOf(await look(`${origin}/mine`))).toBe('mine')
    expect((await look(`${origin}/none`)).status).toBe(404)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('takes requests that are hardly ones', async () => {
    for (const line of [
      'GET //double/slash HTTP/1.1',
      'GET http://else.example/good/article HTTP/1.1',
      'GET /%ff HTTP/1.1',
    ])
      expect((await raw('', line)).slice(0, 12)).toMatch(/^HTTP\/1\.1 (200|404)/)
    expect((await look('/good/article')).status).toBe(200)
  })
})

/** All that comes over the wire. */
function raw(path: string, line = `GET ${path} HTTP/1.1`): Promise<string> {
  const { port, host } = new URL(site.url)
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${line}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`),
    )
    socket.setEncoding('latin1').on('data', (text: string) => (said += text))
    socket.on('close', () => resolve(said)).on('error', reject)
  })
}
