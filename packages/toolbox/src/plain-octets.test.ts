import { expect, test } from 'vitest'

import { plainOctets } from './plain-octets.ts'

test.each([
  ['/plain/path?a=b', '/plain/path?a=b'],
  ['/caf\u00e9', '/caf%C3%A9'],
  ['/caf%c3%a9', '/caf%C3%A9'],
  ['/%61%7e%2Fb', '/a~%2Fb'],
  ['/a b', '/a%20b'],
  ['/100%', '/100%'],
  ['/\ud800', '/%EF%BF%BD'],
])('%s is normalized to %s', (text, expected) => expect(plainOctets(text)).toBe(expected))
