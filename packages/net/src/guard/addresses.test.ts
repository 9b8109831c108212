import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { addressKind, embeddedIpv4, parseRanges, type AddressKind } from './addresses.ts'

describe('the kind of an address', () => {
  const rows: readonly (readonly [address: string, kind: AddressKind])[] = [
    ['8.8.8.8', 'public'],
    ['1.0.0.0', 'public'],
    ['223.255.255.255', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['2a00:1450:4001:81c::200e', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['0.0.0.0', 'reserved'],
    ['0.255.255.255', 'reserved'],
    ['10.0.0.0', 'private'],
    ['100.64.0.0', 'private'],
    ['100.127.255.255', 'private'],
    ['127.255.255.255', 'loopback'],
    ['169.254.1.1', 'link-local'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['192.88.99.1', 'reserved'],
    ['192.168.0.0', 'private'],
    ['198.18.0.0', 'reserved'],
    ['198.19.255.255', 'reserved'],
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'multicast'],
    ['::', 'reserved'],
    ['::1', 'loopback'],
    ['::2', 'transition'],
    ['::7f00:1', 'transition'],
    ['::8.8.8.8', 'transition'],
    ['::127.0.0.1', 'transition'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:a00:1', 'private'],
    ['::ffff:0:808:808', 'transition'],
    ['64:ff9b::808:808', 'transition'],
    ['64:ff9b:1::1', 'transition'],
    ['100::1', 'reserved'],
    ['2001::1', 'transition'],
    ['2001:2::1', 'reserved'],
    ['2001:10::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['2002:808:808::', 'transition'],
    ['2606:4700::5efe:808:808', 'transition'],
    ['2620:4f:8000::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'private'],
    ['ff02::1', 'multicast'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['FD00:0EC2:0::0254', 'metadata'],
    ['127.1', 'invalid'],
    ['0x7f.0.0.1', 'invalid'],
    ['010.0.0.1', 'invalid'],
    ['2130706433', 'invalid'],
    ['1.2.3.256', 'invalid'],
    ['1.2.3.4.5', 'invalid'],
    ['fe80::1%eth0', 'invalid'],
    ['2606:4700::1%1', 'invalid'],
    ['[::1]', 'invalid'],
    ['example.com', 'invalid'],
    ['', 'invalid'],
  ]

  test.each(rows)('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })

  test('is public nowhere outside of what was given out to the public', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(address.split(':')[0] || '0', 16)
        const isOutside = first < 0x2000 || first > 0x3fff
        // A mapped address is one of IPv4.
        const isMapped = /^(?:0*:){0,5}:?0*:?ffff:/i.test(address)
        expect(addressKind(address) === 'public' && isOutside && !isMapped).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  ['::7f00:1', '127.0.0.1'],
  ['::ffff:0:a00:1', '10.0.0.1'],
  ['64:ff9b::a9fe:a9fe', '169.254.169.254'],
  ['2002:a9fe:a9fe::1', '169.254.169.254'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.0.2.45'],
  ['2606:4700::200:5efe:a00:1', '10.0.0.1'],
  ['2606:4700::1111', undefined],
  ['10.0.0.1', undefined],
])('%s embeds %s', (address, inner) => {
  expect(embeddedIpv4(address)).toBe(inner)
})

describe('an opened range', () => {
  const rows: readonly (readonly [entry: string, inside: string, outside: string, port: number | undefined])[] = [
    ['10.1.0.0/16', '10.1.255.255', '10.2.0.0', undefined],
    ['10.1.2.3/16', '10.1.9.9', '10.2.0.0', undefined],
    ['10.1.2.3', '10.1.2.3', '10.1.2.4', undefined],
    ['127.0.0.1/32:4400', '127.0.0.1', '127.0.0.2', 4400],
    ['127.0.0.1:4400', '127.0.0.1', '127.0.0.2', 4400],
    ['::1', '::1', '::2', undefined],
    ['::1/128:4400', '0:0:0:0:0:0:0:1', '127.0.0.1', 4400],
    ['[::1]:80', '::1', '::2', 80],
    ['[fd00::]/8:443', 'fdff::1', 'fc00::1', 443],
    ['fd00::/8', 'fd12::1', 'fe00::1', undefined],
    ['::ffff:10.0.0.0/104', '10.9.9.9', '11.0.0.0', undefined],
    ['10.0.0.0/8', '::ffff:10.1.1.1', '::a01:101', undefined],
    ['0.0.0.0/0', '192.168.0.1', '::1', undefined],
    [' 10.0.0.0/8 ', '10.1.1.1', '9.0.0.0', undefined],
  ]

  test.each(rows)('%s holds %s and not %s', (entry, inside, outside, port) => {
    const [range] = parseRanges([entry])
    expect([range?.includes(inside), range?.includes(outside), range?.port]).toEqual([true, false, port])
  })

  test.each([
    ['10.0.0.1', true],
    ['10.0.0.1/32', true],
    ['::1/128:80', true],
    ['10.0.0.0/31', false],
    ['::/127', false],
    ['::ffff:10.0.0.1', true],
  ])('%s names one address: %s', (entry, isSingle) => {
    expect(parseRanges([entry])[0]?.isSingle).toBe(isSingle)
  })

  test.each([
    '',
    'localhost',
    'example.com/32',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0',
    '10.0.0.0/8/8',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.1:http',
    'fd00::/8:',
    '::ffff:0:0/80',
    'fe80::1%eth0',
    '*',
  ])('is refused by name when it is none: %j', (entry) => {
    const error = (() => {
      try {
        return parseRanges(['10.0.0.0/8', entry])
      } catch (caught) {
        return caught
      }
    })()
    expect(EngineError.is(error) && error.code).toBe('invalid_request')
    expect(String(error)).toContain(`"${entry}"`)
  })
})
