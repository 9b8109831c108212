import { describe, expect, test } from 'vitest'

import { zipOf } from '../fixtures/files.ts'
import { defaultLimits } from '../limits.ts'
import { decodeXml, openZip, packZip } from './zip.ts'

const reasonOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return (error as { details?: { reason?: unknown } }).details?.reason
  }
  return 'opened'
}

describe('the door to archives', () => {
  test('finds parts whatever their case, and nothing where there is none', () => {
    const zip = openZip(zipOf({ 'Word/Document.xml': 'a' }), defaultLimits)
    expect(zip.text('word/document.xml')).toBe('a')
    expect(zip.text('word/other.xml')).toBeUndefined()
  })

  test('opens an archive with something before it', () => {
    const bytes = Buffer.concat([Buffer.from('#!/bin/sh\n'), zipOf({ a: 'text' })])
    expect(openZip(bytes, defaultLimits).text('a')).toBe('text')
  })

  test('opens an archive that lists its parts in the long form', () => {
    const plain = Buffer.from(packZip({ a: Buffer.from('text') }))
    const start = plain.indexOf('PK\x01\x02', 0, 'latin1')
    const end = plain.indexOf('PK\x05\x06', 0, 'latin1')
    const extra = Buffer.alloc(28)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    for (const at of [4, 12]) extra.writeBigUInt64LE(4n, at)
    const header = Buffer.from(plain.subarray(start, end))
    for (const at of [20, 24, 42]) header.writeUInt32LE(0xffffffff, at)
    header.writeUInt16LE(28, 30)
    const record = Buffer.alloc(56)
    record.writeUInt32LE(0x06064b50, 0)
    record.writeBigUInt64LE(1n, 32)
    record.writeBigUInt64LE(BigInt(header.length + 28), 40)
    record.writeBigUInt64LE(BigInt(start), 48)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(start + header.length + 28), 8)
    const last = Buffer.from(plain.subarray(end))
    last.fill(0xff, 10, 20)
    const long = Buffer.concat([plain.subarray(0, start), header, extra, record, locator, last])
    expect(openZip(long, defaultLimits).text('a')).toBe('text')
  })

  test('counts what all parts unpack to together, whatever they say', () => {
    const bytes = Buffer.from(zipOf({ a: 'x'.repeat(600), b: 'y'.repeat(600) }))
    for (
      let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
      at >= 0;
      at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')
    ) {
      bytes.writeUInt32LE(1, at + 24)
    }
    const zip = openZip(bytes, { ...defaultLimits, unpackedBytes: 1_000 })
    expect(zip.bytes('a')).toHaveLength(600)
    expect(reasonOf(() => zip.bytes('b'))).toBe('too-large')
  })

  test('refuses a part that is larger than packed by more than the limit, though not a small one', () => {
    const bytes = zipOf({ small: 'x'.repeat(900_000), large: 'x'.repeat(1_100_000) })
    const zip = openZip(bytes, { ...defaultLimits, ratio: 2 })
    expect(zip.bytes('small')).toHaveLength(900_000)
    expect(reasonOf(() => zip.bytes('large'))).toBe('too-large')
  })

  test('refuses more parts than the limit before it looks at any', () => {
    expect(reasonOf(() => openZip(zipOf({ a: '', b: '', c: '' }), { ...defaultLimits, entries: 2 }))).toBe('too-large')
  })

  test.each(['../a', '/a', 'C:\\a', 'a/../../b', 'a\0b', 'folder/'])('has no part named %j', (name) => {
    const zip = openZip(zipOf({ [name]: 'x', good: 'y' }), defaultLimits)
    expect(zip.names).toEqual(['good'])
    expect(zip.has(name)).toBe(false)
  })

  test('refuses a part whose bytes do not match their checksum, packed or not', () => {
    for (const level of [0, 6] as const) {
      const bytes = Buffer.from(zipOf({ a: 'the text', b: 'other' }, level))
      const crc = bytes.indexOf('PK\x01\x02', 0, 'latin1') + 16
      bytes.writeUInt32LE((bytes.readUInt32LE(crc) ^ 1) >>> 0, crc)
      const zip = openZip(bytes, defaultLimits)
      expect(reasonOf(() => zip.bytes('a'))).toBe('damaged')
      expect(zip.text('b')).toBe('other')
    }
  })

  test('refuses a directory that lost an entry, or names a part otherwise than the part does', () => {
    const lost = Buffer.from(zipOf({ a: 'x', b: 'y' }))
    lost.write('XX', lost.lastIndexOf('PK\x01\x02', undefined, 'latin1'), 'latin1')
    expect(reasonOf(() => openZip(lost, defaultLimits))).toBe('damaged')
    const renamed = Buffer.from(zipOf({ 'a.xml': 'x' }))
    renamed.write('b.xml', renamed.lastIndexOf('a.xml'))
    expect(reasonOf(() => openZip(renamed, defaultLimits))).toBe('damaged')
  })

  test('refuses whatever it is cut to', () => {
    const whole = zipOf({ a: 'text'.repeat(50), b: 'more' })
    for (let length = 0; length < whole.length - 1; length++) {
      expect(reasonOf(() => openZip(whole.subarray(0, length), defaultLimits))).toBe('damaged')
    }
  })

  test('reads XML in the letters that it says it has', () => {
    expect(decodeXml(Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', 'latin1'))).toContain('é')
    expect(decodeXml(Buffer.from('\ufeff<a>é</a>', 'utf16le'))).toBe('<a>é</a>')
    expect(decodeXml(Buffer.from('<?xml version="1.0" encoding="nonsense"?><a>é</a>'))).toContain('é')
  })
})
