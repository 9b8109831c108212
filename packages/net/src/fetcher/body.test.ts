import zlib from 'node:zlib'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { EngineError, type TakeBody } from '@harvestman/ports'
import { gatherBody } from './body.ts'

interface GatherOptions {
  readonly piece?: number
  readonly maxBytes?: number
  readonly take?: TakeBody
  readonly onTruncated?: () => void
}

/** Gives the bytes in pieces, waiting where asked to, as a connection does. */
async function gather(
  bytes: Uint8Array,
  encoding: string | undefined,
  { piece = 16_384, maxBytes = 10_000_000, take, onTruncated }: GatherOptions = {},
): Promise<Uint8Array | EngineError> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | EngineError>()
  let isPaused = false
  let goOn: () => void = () => undefined
  const body = gatherBody({
    encoding,
    maxBytes,
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      goOn()
    },
    done: resolve,
    ...(onTruncated && { onTruncated }),
    ...(take && { take }),
  })
  for (let at = 0; at < bytes.length; at += piece) {
    body.push(bytes.subarray(at, at + piece))
    if (isPaused) await Promise.race([promise, new Promise<void>((proceed) => (goOn = proceed))])
  }
  body.end()
  return promise
}

const pack: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zlib.zstdCompressSync,
}
const kinds = fc.constantFrom(...Object.keys(pack))

describe('a body', () => {
  test('comes out as it was packed, whatever its size, pieces and packing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400_000 }),
        fc.integer({ min: 500, max: 70_000 }),
        fc.array(kinds, { maxLength: 2 }),
        async (size, piece, layers) => {
          // Hardly packable, so that the packed size is on both sides of what is unpacked at once.
          const original = Buffer.alloc(size)
          for (let at = 0, seed = size; at < size; at += 1)
            original[at] = (seed = (seed * 1_103_515_245 + 12_345) >>> 0) >>> 24
          const packed = layers.reduce<Uint8Array>((bytes, kind) => pack[kind]!(bytes), original)
          const result = await gather(packed, layers.join(', '), { piece })
          expect(result instanceof Uint8Array && Buffer.compare(result, original) === 0).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each(Object.keys(pack))(
    'that ends early gives what is there, and is reported as truncated: %s',
    async (kind) => {
      let random = 1
      const next = () => (random = (random * 1_103_515_245 + 12_345) % 2_147_483_648) >> 26
      const lines = (number: (index: number) => number) =>
        Buffer.from(Array.from({ length: 40_000 }, (_, index) => `line ${number(index)}\n`).join(''))
      // The first is decompressed as a stream, the second at once.
      for (const whole of [lines((index) => index * 7919), lines(next)]) {
        const packed = pack[kind]!(whole)
        const seen: boolean[] = []
        for (const bytes of [packed, packed.subarray(0, packed.length * 0.8)]) {
          let isTruncated = false
          const read = await gather(bytes, kind, { onTruncated: () => (isTruncated = true) })
          if (read instanceof Error) throw read
          seen.push(isTruncated)
          expect(whole.subarray(0, read.length).equals(read)).toBe(true)
          expect(read.length).toBeGreaterThan(isTruncated ? whole.length / 10 : whole.length - 1)
        }
        expect(seen).toEqual([false, true])
      }
    },
  )

  test('of any bytes under any name ends in bytes or in an error of ours', async () => {
    const names = fc.constantFrom(
      'gzip',
      'deflate',
      'br',
      'zstd',
      'gzip, br',
      'deflate, deflate',
      'x',
      '',
      ',',
      'GZIP ,',
    )
    const heads = fc.constantFrom('', '1f8b08', '28b52ffd', '789c', '1f8b081f00000000')
    await fc.assert(
      fc.asyncProperty(names, heads, fc.uint8Array({ maxLength: 2_000 }), async (encoding, head, rest) => {
        const bytes = Buffer.concat([Buffer.from(head, 'hex'), rest])
        const result = await gather(bytes, encoding).catch((error: unknown) => error)
        expect(result instanceof Uint8Array || (EngineError.is(result) && result.code === 'bad_response')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    [
      'in gzip with a name and a comment in its head',
      '1f8b0818000000000003' + Buffer.from('a.html\0note\0').toString('hex'),
    ],
    ['in gzip with an extra field', '1f8b08040000000000030300616263'],
    ['in gzip with a checksum of its head', '1f8b0802000000000003ffff'],
  ])('is found behind the header: %s', async (_what, head) => {
    const packed = Buffer.concat([Buffer.from(head, 'hex'), zlib.deflateRawSync('a page'), Buffer.alloc(8)])
    expect(Buffer.from((await gather(packed, 'gzip')) as Uint8Array).toString()).toBe('a page')
  })

  test('is stopped at the limit, packed or not', async () => {
    const bytes = Buffer.alloc(1_000)
    for (const encoding of [undefined, 'gzip']) {
      const packed = encoding ? zlib.gzipSync(bytes) : bytes
      expect(await gather(packed, encoding, { maxBytes: 1_000 })).toHaveLength(1_000)
      expect(await gather(packed, encoding, { maxBytes: 999 })).toMatchObject({ code: 'response_too_large' })
    }
  })
})

describe('a body that is taken piece by piece', () => {
  const words = Array.from({ length: 50_000 }, (_, index) => (Math.imul(index, 2_654_435_761) >>> 0).toString(36))
  const original = Buffer.from(words.join(' '))

  test.each([
    ['plain', undefined],
    ['packed', 'gzip'],
    ['packed twice', 'gzip, br'],
  ])('is all there and in order, and is held by a slow consumer: %s', async (_what, encoding) => {
    const layers = encoding?.split(', ') ?? []
    const packed = layers.reduce<Uint8Array>((bytes, kind) => pack[kind]!(bytes), original)
    const taken: Uint8Array[] = []
    let [atOnce, mostAtOnce] = [0, 0]
    const take = async (chunk: Uint8Array) => {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      taken.push(chunk)
      atOnce -= 1
    }
    expect(await gather(packed, encoding, { take })).toHaveLength(0)
    expect(Buffer.compare(Buffer.concat(taken), original)).toBe(0)
    expect([mostAtOnce, taken.length > 3]).toEqual([1, true])
  })

  test('needs no promise from a quick consumer', async () => {
    let size = 0
    const take = (chunk: Uint8Array) => {
      size += chunk.length
      return undefined
    }
    for (const bytes of [original, original.subarray(0, 100), original.subarray(0, 0)]) {
      size = 0
      expect(await gather(zlib.gzipSync(bytes), 'gzip', { take })).toHaveLength(0)
      expect(size).toBe(bytes.length)
    }
  })

  test('is stopped at the limit and when it is damaged', async () => {
    const take = () => undefined
    expect(await gather(original, undefined, { take, maxBytes: 1_000 })).toMatchObject({ code: 'response_too_large' })
    const bomb = zlib.gzipSync(Buffer.alloc(9_000_000))
    expect(await gather(bomb, 'gzip', { take })).toMatchObject({ code: 'response_too_large' })
    const damaged = Buffer.from(zlib.gzipSync(original)).fill(0x55, 5_000, 6_000)
    expect(await gather(damaged, 'gzip', { take })).toMatchObject({ code: 'bad_response' })
  })
})
