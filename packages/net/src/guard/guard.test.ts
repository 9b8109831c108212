import { describe, expect, test } from 'vitest'

import { publicAddresses } from '../../test/public-addresses.ts'
import { type Address, EngineError } from '@harvestman/ports'
import { createGuard, type GuardOptions } from './guard.ts'
import { parseWebUrl } from '../url.ts'

const never = new AbortController().signal
const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })
const leadingTo =
  (...addresses: readonly string[]) =>
  async (): Promise<readonly Address[]> =>
    addresses.map(at)

/** What the guard says of an address, first by looks and then by where it leads. */
async function verdict(text: string, options: GuardOptions = {}): Promise<string> {
  const guard = createGuard({ resolver: leadingTo('93.184.215.14'), ...options })
  try {
    const url = new URL(text)
    guard.checkUrl(url)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    return (await guard.resolve(url.hostname, port, never)).address
  } catch (error) {
    return EngineError.is(error) ? error.code : String(error)
  }
}

describe('the public web', () => {
  test.each(publicAddresses)('is open: %s', async (text) => {
    const parsed = parseWebUrl(text)
    expect(parsed.problem).toBeUndefined()
    expect(await verdict(parsed.url!.href)).toMatch(/^[\da-f:.]+$/)
  })

  test('has at least 40 tries here', () => {
    expect(publicAddresses.length).toBeGreaterThanOrEqual(40)
  })
})

describe('ports', () => {
  test.each([0, 1, 22, 23, 25, 53, 110, 143, 445, 3306, 5432, 6000, 6379, 6667, 10080, 11211, 27017])(
    '%i is refused on a public host',
    async (port) => {
      expect(await verdict(`http://example.com:${port}/`)).toBe('url_blocked')
      expect(await verdict(`https://93.184.215.14:${port}/`)).toBe('url_blocked')
    },
  )

  test.each([80, 443, 81, 3000, 8000, 8080, 8443, 9000, 50000])('%i is open on a public host', async (port) => {
    expect(await verdict(`http://example.com:${port}/`)).toBe('93.184.215.14')
  })

  test('are opened by a range that names them, and by no other', async () => {
    const internal = { resolver: leadingTo('10.0.0.5') }
    expect(await verdict('http://irc.example.com:6667/', { ...internal, allowPrivate: ['10.0.0.0/8'] })).toBe(
      'url_blocked',
    )
    expect(await verdict('http://irc.example.com:6667/', { ...internal, allowPrivate: ['10.0.0.5:6667'] })).toBe(
      '10.0.0.5',
    )
    expect(await verdict('http://10.0.0.5:6667/', { allowPrivate: ['10.0.0.0/8:6667'] })).toBe('10.0.0.5')
    expect(await verdict('http://10.0.0.6:6667/', { allowPrivate: ['10.0.0.5:6667'] })).toBe('url_blocked')
    expect(await verdict('http://irc.example.com:6667/', { allowPrivate: ['10.0.0.5:6667'] })).toBe('url_blocked')
  })

  test('can be listed by the operator', async () => {
    expect(await verdict('http://example.com:8080/', { blockedPorts: [8080] })).toBe('url_blocked')
    expect(await verdict('http://example.com:6379/', { blockedPorts: [8080] })).toBe('93.184.215.14')
  })
})

describe('opened ranges', () => {
  test('open themselves and nothing else', async () => {
    const allowPrivate = ['10.1.0.0/16', '::1/128:4400']
    expect(await verdict('http://10.1.2.3/', { allowPrivate })).toBe('10.1.2.3')
    expect(await verdict('http://10.2.0.1/', { allowPrivate })).toBe('url_blocked')
    expect(await verdict('http://[::1]:4400/', { allowPrivate })).toBe('::1')
    expect(await verdict('http://[::1]:4401/', { allowPrivate })).toBe('url_blocked')
    expect(await verdict('http://wiki.example.com/', { allowPrivate, resolver: leadingTo('10.1.2.3') })).toBe(
      '10.1.2.3',
    )
    expect(
      await verdict('http://wiki.example.com/', { allowPrivate, resolver: leadingTo('10.1.2.3', '10.2.2.3') }),
    ).toBe('url_blocked')
  })

  test.each(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '::ffff:169.254.169.254'])(
    'leave metadata closed (%s) unless they name it',
    async (address) => {
      const all = { allowPrivate: ['0.0.0.0/0', '::/0'], resolver: leadingTo(address) }
      expect(await verdict('http://meta.example.com/', all)).toBe('url_blocked')
      const named = { ...all, allowPrivate: [address] }
      expect(await verdict('http://meta.example.com/', named)).toBe(address)
    },
  )

  test('of a translator open no address that is closed by itself', async () => {
    const allowPrivate = ['64:ff9b::/96']
    expect(await verdict('http://[64:ff9b::808:808]/', { allowPrivate })).toBe('64:ff9b::808:808')
    expect(await verdict('http://[64:ff9b::a00:1]/', { allowPrivate })).toBe('url_blocked')
    expect(await verdict('http://[64:ff9b::a9fe:a9fe]/', { allowPrivate })).toBe('url_blocked')
    expect(await verdict('http://[64:ff9b::a00:1]/', { allowPrivate: [...allowPrivate, '10.0.0.0/8'] })).toBe(
      '64:ff9b::a00:1',
    )
  })

  test('open localhost, on that of its addresses which is open, without asking anybody', async () => {
    const resolver = async (): Promise<never> => {
      throw new Error('asked')
    }
    expect(await verdict('http://localhost:3000/', { allowPrivate: ['127.0.0.0/8'], resolver })).toBe('127.0.0.1')
    expect(await verdict('http://app.localhost:3000/', { allowPrivate: ['::1'], resolver })).toBe('::1')
    expect(await verdict('http://localhost:3000/', { allowPrivate: ['10.0.0.0/8'], resolver })).toBe('url_blocked')
  })
})

describe('a name', () => {
  test('gives its first address, and the others for when that one fails', async () => {
    const guard = createGuard({ resolver: leadingTo('2606:4700::1', '1.1.1.1', '1.0.0.1') })
    expect(await guard.resolve('example.com', 443, never)).toEqual({
      address: '2606:4700::1',
      family: 6,
      others: [at('1.1.1.1'), at('1.0.0.1')],
    })
  })

  test.each([
    ['one private among 500', [...Array.from({ length: 499 }, () => '1.1.1.1'), '10.0.0.1']],
    ['what is not an address', ['1.1.1.1', 'localhost']],
    ['an address with a zone', ['fe80::1%eth0']],
  ])('with %s in its answer is refused', async (_what, addresses) => {
    expect(await verdict('http://example.com/', { resolver: leadingTo(...addresses) })).toBe('url_blocked')
  })

  test('given in another notation of an address is looked at as that address', async () => {
    const guard = createGuard({ resolver: leadingTo('1.1.1.1') })
    for (const host of ['2130706433', '0x7f.1', '127.1', '::1', '[::1]', '１２７.0.0.1', 'LOCALHOST', 'fe80::1%eth0']) {
      await expect(guard.resolve(host, 80, never)).rejects.toMatchObject({ code: 'url_blocked' })
    }
  })

  test('without an address is a typed error, with the cause beside it', async () => {
    expect(await verdict('http://nobody.example.com/', { resolver: leadingTo() })).toBe('dns_failed')
    const cause = new Error('SERVFAIL from 10.0.0.2')
    const guard = createGuard({
      resolver: async () => {
        throw cause
      },
    })
    const error: unknown = await guard.resolve('nobody.example.com', 80, never).catch((caught: unknown) => caught)
    expect(EngineError.is(error) && [error.code, error.cause]).toEqual(['dns_failed', cause])
    expect(String(error)).not.toContain('10.0.0.2')
  })

  test('that can only be internal is refused alike, whether it exists or not', async () => {
    for (const host of ['wiki', 'db.local', 'git.corp', 'metadata.google.internal', 'printer.home.arpa']) {
      expect(await verdict(`http://${host}/`, { resolver: leadingTo() })).toBe('url_blocked')
      expect(await verdict(`http://${host}/`, { resolver: leadingTo('10.0.0.1') })).toBe('url_blocked')
    }
  })

  test('is not waited for once the signal is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const guard = createGuard({
      resolver: (_host, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('something else')))
        }),
    })
    const work = guard.resolve('slow.example.com', 80, controller.signal)
    controller.abort(reason)
    await expect(work).rejects.toBe(reason)
  })
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'ws://example.com/',
  'javascript:1',
  'data:,x',
  'blob:http://example.com/1',
])('another scheme is refused: %s', (text) => {
  expect(() => createGuard().checkUrl(new URL(text))).toThrow('http:// or https://')
})

test('a range that cannot be read is refused when the guard is made', () => {
  expect(() => createGuard({ allowPrivate: ['intranet'] })).toThrow('"intranet"')
})
