import { randomBytes } from 'node:crypto'
import zlib from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { authority, goodCertificate } from './certificates.ts'
import { ask, codeOf, openFetcher, soon, textOf } from './fetching.ts'
import { serve, serveRaw, serveText, serveTls } from './servers.ts'

describe('an exchange', () => {
  test('gives status, headers in order with repeats, and the body', async () => {
    const site = await serve((_request, response) => {
      response.writeHead(201, ['X-One', 'a', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
      response.end('hello')
    })
    const answer = await openFetcher().exchange(ask(site.origin), soon())
    expect(answer.status).toBe(201)
    expect(answer.headers.slice(0, 3)).toEqual([
      ['x-one', 'a'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    expect(textOf(answer)).toBe('hello')
  })

  test('sends headers in the given order, written as a browser writes them', async () => {
    let sent: readonly string[] = []
    const site = await serve((request, response) => {
      sent = request.rawHeaders
      response.end()
    })
    const headers = { 'sec-ch-ua': '"x"', 'user-agent': 'u', 'accept-language': 'de', 'x-own': '1' }
    await openFetcher().exchange(ask(site.origin, { headers }), soon())
    const names = sent.filter((_, index) => index % 2 === 0)
    expect(names.slice(2)).toEqual(['sec-ch-ua', 'User-Agent', 'Accept-Language', 'X-Own'])
  })

  test('posts a body with its length', async () => {
    const site = await serve((request, response) => {
      request.pipe(response.setHeader('x-length', request.headers['content-length'] ?? 'none'))
    })
    const body = new TextEncoder().encode('a=1&b=2')
    const answer = await openFetcher().exchange(ask(site.origin, { method: 'POST', body }), soon())
    expect(textOf(answer)).toBe('a=1&b=2')
    expect(new Map(answer.headers).get('x-length')).toBe('7')
  })

  test.each([200, 204, 206, 226, 299, 300, 304, 400, 401, 403, 404, 410, 418, 429, 451, 500, 502, 503, 599, 999])(
    'takes status %i as it is',
    async (status) => {
      const site = await serveText(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)
      expect((await openFetcher().exchange(ask(site.origin), soon())).status).toBe(status)
    },
  )

  test('passes over early hints', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
    const site = await serveText(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)
    const answer = await openFetcher().exchange(ask(site.origin), soon())
    expect([answer.status, textOf(answer)]).toEqual([200, 'ok'])
  })

  test('takes no body of a 204, whatever is behind it', async () => {
    const site = await serveText('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello')
    const fetcher = openFetcher()
    expect((await fetcher.exchange(ask(site.origin), soon())).body).toHaveLength(0)
    expect((await fetcher.exchange(ask(site.origin), soon())).status).toBe(204)
  })

  test('asks for headers only with HEAD, and takes no announced length for a body', async () => {
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '99999999999', 'content-encoding': 'gzip' })
      response.end()
    })
    const answer = await openFetcher().exchange(ask(site.origin, { method: 'HEAD', maxBytes: 10 }), soon())
    expect(answer.body).toHaveLength(0)
  })

  test('does not follow a redirect', async () => {
    const site = await serveText('HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n')
    expect((await openFetcher().exchange(ask(site.origin), soon())).status).toBe(302)
  })

  test('does not wait for the endless body of a redirect', async () => {
    const site = await serveRaw((socket) => {
      socket.on('data', () => {
        socket.write('HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n')
        const more = (): void => void socket.write(Buffer.alloc(16_384), () => setImmediate(more))
        more()
      })
    })
    const answer = await openFetcher().exchange(ask(site.origin, { maxBytes: 1_000_000_000 }), soon())
    expect(answer.status).toBe(302)
    await site.idle()
  })

  test('speaks HTTP/1.1 to a host that knows HTTP/2', async () => {
    const versions: (string | false | null)[] = []
    const site = await serveTls(goodCertificate, (request, response) => {
      versions.push(request.httpVersion)
      response.end()
    })
    await openFetcher(undefined, { ca: [authority] }).exchange(ask(site.origin), soon())
    expect(versions).toEqual(['1.1'])
  })
})

function repeated(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes))
}

describe('packed answers', () => {
  const page = `<p>${'All work and no play makes a dull page. '.repeat(5_000)}</p>`
  const packed: Record<string, Buffer> = {
    gzip: zlib.gzipSync(page),
    'x-gzip': zlib.gzipSync(page),
    br: zlib.brotliCompressSync(page),
    zstd: zlib.zstdCompressSync(page),
    deflate: zlib.deflateSync(page),
    'deflate ': zlib.deflateRawSync(page),
    'gzip, br': zlib.brotliCompressSync(zlib.gzipSync(page)),
    GZIP: zlib.gzipSync(page),
  }

  test.each(Object.entries(packed))('are unpacked: %s', async (encoding, body) => {
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(body)
    })
    expect(textOf(await openFetcher().exchange(ask(site.origin), soon())) === page).toBe(true)
  })

  test('of many bytes are unpacked as they come, and no faster than they are taken in', async () => {
    const big = randomBytes(1_500_000).toString('hex')
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const stream = zlib.createGzip()
      stream.pipe(response)
      stream.end(big)
    })
    expect(textOf(await openFetcher().exchange(ask(site.origin), soon())) === big).toBe(true)
  })

  const half = (body: Buffer): Buffer => body.subarray(0, Math.floor(body.length / 2))
  const random = randomBytes(300_000).toString('hex')
  const damaged = (body: Buffer): Buffer => {
    const copy = Buffer.from(body)
    copy.fill(0xff, 40, 60)
    return copy
  }
  const kept: Record<string, [encoding: string, body: Buffer, text: string | undefined]> = {
    'that end early give what came': ['gzip', half(zlib.gzipSync(random)), undefined],
    'that end early in br give what came': ['br', half(zlib.brotliCompressSync(random)), undefined],
    'with something behind the end give what came': [
      'gzip',
      Buffer.concat([zlib.gzipSync(page), Buffer.from('garbage')]),
      page,
    ],
    'of several members give all of them': [
      'gzip',
      Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]),
      'one two',
    ],
    'that are not packed after all are taken as they are': ['gzip', Buffer.from('plain'), 'plain'],
    'under the name of a charset are taken as they are': ['utf-8', Buffer.from('plain'), 'plain'],
    'of nothing give nothing': ['gzip', Buffer.alloc(0), ''],
  }
  test.each(Object.entries(kept))('%s', async (_name, [encoding, body, text]) => {
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(body)
    })
    const answer = textOf(await openFetcher().exchange(ask(site.origin), soon()))
    if (text !== undefined) expect(answer === text).toBe(true)
    else expect(answer.length > 100_000 && random.startsWith(answer)).toBe(true)
  })

  const refused: Record<string, [encoding: string, body: Buffer]> = {
    'in an unknown way': ['sdch', Buffer.from('x')],
    'three times over': ['gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync('x')))],
    'and damaged': ['gzip', damaged(zlib.gzipSync(random))],
    'and cut before anything can be unpacked': [
      'zstd',
      half(zlib.zstdCompressSync(randomBytes(2_000).toString('hex'))),
    ],
  }
  test.each(Object.entries(refused))('%s are a typed error', async (_name, [encoding, body]) => {
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(body)
    })
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('bad_response')
  })
})

describe('a bomb', () => {
  const zeros = Buffer.alloc(200_000_000)
  let packed: Buffer | undefined
  const packedZeros = (): Buffer => (packed ??= zlib.gzipSync(zeros))
  const tenGigabytes = (): Buffer => repeated(packedZeros(), 50)
  const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }
  const bombs: Record<string, () => Buffer> = {
    gzip: tenGigabytes,
    br: () => zlib.brotliCompressSync(zeros, quick),
    zstd: () => zlib.zstdCompressSync(zeros),
    // Without the head and the foot of gzip.
    deflate: () => packedZeros().subarray(10, -8),
    'gzip, gzip': () => zlib.gzipSync(tenGigabytes()),
    'br, gzip': () => zlib.gzipSync(zlib.brotliCompressSync(zeros, quick)),
  }

  test.each(Object.entries(bombs))(
    'in %s is stopped and costs little memory',
    { tags: ['long'] },
    async (encoding, make) => {
      const bomb = make()
      const site = await serve((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding })
        response.end(bomb)
      })
      const before = process.memoryUsage.rss()
      expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('response_too_large')
      expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000)
    },
  )

  test('whose small layer hides a large one is stopped', async () => {
    // Unpacked once this is 4 MB of empty members, which unpack to nothing.
    const empties = repeated(zlib.gzipSync(''), 200_000)
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' })
      response.end(zlib.gzipSync(empties))
    })
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('response_too_large')
  })

  test('below the ratio is stopped at the largest body', async () => {
    const site = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(zlib.gzipSync(randomBytes(500_000).toString('hex')))
    })
    const request = ask(site.origin, { maxBytes: 900_000 })
    expect(await codeOf(openFetcher().exchange(request, soon()))).toBe('response_too_large')
  })
})
