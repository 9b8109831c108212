import { describe, expect, test } from 'vitest'

import { dataUrl, fileType } from './file-type.ts'

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

describe('the type of a file is that of its first bytes', () => {
  test.each([
    ['89504e470d0a', 'image/png'],
    ['ffd8ffe0', 'image/jpeg'],
    ['5249464600000000', 'image/webp'],
    ['255044462d312e37', 'application/pdf'],
    ['3c68746d6c3e', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('%s is %s', (hex, type) => {
    expect(fileType(bytesOf(hex))).toBe(type)
  })
})

test('an address holds the whole file, also when it is a part of a larger piece of memory', () => {
  const whole = bytesOf('0000ffd8ffe01234')
  expect(dataUrl(whole.subarray(2))).toBe(
    `data:image/jpeg;base64,${Buffer.from('ffd8ffe01234', 'hex').toString('base64')}`,
  )
})
