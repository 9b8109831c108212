import { describe, expect, test } from 'vitest'

import { brandsOf, checkHeaders, defaultHeaders } from './headers.ts'

describe('headers of a caller', () => {
  test('may be anything that a page can ask for', () => {
    expect(
      checkHeaders({
        Cookie: 'a=b; c=d',
        'User-Agent': 'mine/1.0',
        Authorization: 'Bearer x',
        'X-Own_Header.2': 'caf\u00e9\t!',
        Range: 'bytes=0-99',
        Referer: 'https://example.com/',
        'X-Empty': '',
        'X-Proxy': 'fine',
      }),
    ).toBeUndefined()
  })

  test.each([
    'Host',
    'host',
    ':authority',
    ':path',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'HTTP2-Settings',
    'TE',
    'Trailer',
    'Expect',
    'Proxy-Authorization',
    'Proxy-Connection',
  ])('cannot be %s, and the sentence names it', (name) => {
    expect(checkHeaders({ accept: 'x', [name]: 'x' })).toContain(`"${name}"`)
  })

  test.each([
    ['a line break in a value', { 'x-a': 'a\r\nx-evil: 1' }],
    ['a carriage return in a value', { 'x-a': 'a\rb' }],
    ['a line feed in a value', { 'x-a': 'a\nb' }],
    ['a NUL in a value', { 'x-a': 'a\0b' }],
    ['another control character', { 'x-a': 'a\x07b' }],
    ['a letter beyond Latin', { 'x-a': 'привет' }],
    ['a picture', { 'x-a': '😀' }],
    ['a line break in a name', { 'x-a\r\nx-evil': '1' }],
    ['a colon in a name', { 'x-a:': '1' }],
    ['a blank in a name', { 'x a': '1' }],
    ['a foreign letter in a name', { 'x-ä': '1' }],
    ['an empty name', { '': '1' }],
    ['one name twice', { 'x-a': '1', 'X-A': '2' }],
  ])('cannot hold %s', (_what, headers) => {
    expect(checkHeaders(headers)).toMatch(/^The header .+\. .+\.$/s)
  })

  test('are at most 100 and at most 64 KB', () => {
    const many = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']))
    expect(checkHeaders(many(100))).toBeUndefined()
    expect(checkHeaders(many(101))).toContain('100')
    expect(checkHeaders({ 'x-a': 'x'.repeat(65_536 - 7) })).toBeUndefined()
    expect(checkHeaders({ 'x-a': 'x'.repeat(65_536 - 6) })).toContain('65536')
  })
})

describe('the headers of a browser', () => {
  test('are all good enough for a caller to send', () => {
    expect(checkHeaders(defaultHeaders())).toBeUndefined()
  })

  test('come in the order of Chrome, and agree on its version', () => {
    const headers = defaultHeaders()
    expect(Object.keys(headers)).toEqual([
      'sec-ch-ua',
      'sec-ch-ua-mobile',
      'sec-ch-ua-platform',
      'upgrade-insecure-requests',
      'user-agent',
      'accept',
      'sec-fetch-site',
      'sec-fetch-mode',
      'sec-fetch-user',
      'sec-fetch-dest',
      'accept-encoding',
      'accept-language',
    ])
    const version = /Chrome\/(\d+)\.0\.0\.0 Safari/.exec(headers['user-agent']!)?.[1]
    expect(headers['sec-ch-ua']).toContain(`"Google Chrome";v="${version}"`)
    // As Chromium 156 sends it.
    expect(headers['sec-ch-ua']).toMatch(/^"Not:A-Brand";v="8", "Chromium";v="156", /)
  })

  test('are those of a telephone where asked for', () => {
    const headers = defaultHeaders({ mobile: true })
    expect(headers['sec-ch-ua-mobile']).toBe('?1')
    expect(headers['sec-ch-ua-platform']).toBe('"Android"')
    expect(headers['user-agent']).toMatch(/Android.*Mobile Safari/)
  })

  test.each([
    [undefined, 'en-US,en;q=0.9'],
    [[], 'en-US,en;q=0.9'],
    [['de'], 'de'],
    [['de-AT', 'de', 'en-US'], 'de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7'],
    [['en-GB', 'en-US'], 'en-GB,en-US;q=0.9,en;q=0.8'],
  ])('ask for the languages %j as Chrome does', (languages, header) => {
    expect(defaultHeaders({ languages })['accept-language']).toBe(header)
  })

  test('never ask for a language with less than a tenth', () => {
    const languages = Array.from('abcdefghijklmnop', (letter) => `x${letter}`)
    expect(defaultHeaders({ languages })['accept-language']).toMatch(/q=0\.1,xp;q=0\.1$/)
  })
})

describe('the headers of the browser that the engine uses', () => {
  const chromium = { version: 150, platform: 'Linux' } as const

  test('have its version, platform and brands, in the order of that version', () => {
    // As Chromium 150 and a Chromium 150 with one more brand send them.
    expect(defaultHeaders({ browser: chromium })).toMatchObject({
      'sec-ch-ua': '"Not;A=Brand";v="8", "Chromium";v="150"',
      'sec-ch-ua-platform': '"Linux"',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    })
    expect(defaultHeaders({ browser: { ...chromium, brand: 'HeadlessChrome' } })['sec-ch-ua']).toBe(
      '"Not;A=Brand";v="8", "Chromium";v="150", "HeadlessChrome";v="150"',
    )
  })

  test('name the product and the system of its platform', () => {
    const edge = defaultHeaders({ browser: { version: 151, brand: 'Microsoft Edge', platform: 'Windows' } })
    expect(edge['user-agent']).toMatch(/^Mozilla\/5\.0 \(Windows NT 10\.0; Win64; x64\) .* Edg\/151\.0\.0\.0$/)
    expect(edge['sec-ch-ua']).toContain('"Microsoft Edge";v="151"')
    expect(edge['sec-ch-ua-platform']).toBe('"Windows"')
    expect(defaultHeaders({ browser: { ...chromium, platform: 'macOS' } })['user-agent']).toContain('(Macintosh;')
  })

  test('have the full versions where scripts ask for them', () => {
    expect(brandsOf(chromium, '150.0.7871.100')).toEqual([
      { brand: 'Not;A=Brand', version: '8.0.0.0' },
      { brand: 'Chromium', version: '150.0.7871.100' },
    ])
  })

  test('accept JPEG XL only from a version that shows it', () => {
    expect(defaultHeaders({ browser: chromium })['accept']).not.toContain('jxl')
    expect(defaultHeaders({ browser: { ...chromium, version: 156 } })['accept']).toContain('image/jxl')
  })
})
