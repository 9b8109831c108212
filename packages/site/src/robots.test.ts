import { describe, expect, test } from 'vitest'

import { readRobots } from './robots.ts'

const host = 'https://example.com'

type Golden = readonly [name: string, file: string, allowed: readonly string[], forbidden: readonly string[]]

const lines = (...all: string[]): string => all.join('\n')

// What RFC 9309 says, and where it is silent what the large search engines do.
const golden: readonly Golden[] = [
  ['an empty file', '', ['/', '/a'], []],
  ['everything forbidden', 'User-agent: *\nDisallow: /', ['/robots.txt'], ['/', '/a', '/a?b', '/.well-known/x']],
  ['an empty Disallow', 'User-agent: *\nDisallow:', ['/', '/a'], []],
  [
    'a path as a prefix',
    'User-agent: *\nDisallow: /fish',
    ['/Fish', '/catfish', '/?id=fish'],
    ['/fish', '/fish.html', '/fishheads/yummy', '/fish.php?id=1'],
  ],
  [
    'a folder',
    'User-agent: *\nDisallow: /fish/',
    ['/fish', '/fish.html', '/animals/fish/'],
    ['/fish/', '/fish/salmon', '/fish/?id=1'],
  ],
  ['a star at the end', 'User-agent: *\nDisallow: /fish*', ['/Fish.asp'], ['/fish', '/fishheads']],
  [
    'a star inside',
    'User-agent: *\nDisallow: /*.php',
    ['/', '/windows.PHP'],
    ['/index.php', '/folder/any.php.file.html', '/a.php?x', '/x.php/'],
  ],
  [
    'a star and a dollar sign',
    'User-agent: *\nDisallow: /*.php$',
    ['/a.php?x', '/a.php/', '/a.php5'],
    ['/a.php', '/folder/a.php'],
  ],
  [
    'a star between two folders',
    'User-agent: *\nDisallow: /fish*.php',
    ['/Fish.PHP', '/fish.html'],
    ['/fish.php', '/fishheads/catfish.php?x'],
  ],
  ['a dollar sign alone', 'User-agent: *\nDisallow: /$', ['/page.htm', '/?a'], ['/']],
  ['a dollar sign in the middle', 'User-agent: *\nDisallow: /a$b', ['/a', '/a$'], ['/a$b']],
  ['the longer rule wins', lines('User-agent: *', 'Allow: /p', 'Disallow: /'), ['/page', '/p'], ['/', '/a']],
  ['the longer rule wins in any order', lines('User-agent: *', 'Disallow: /', 'Allow: /p'), ['/page'], ['/a']],
  [
    'of two equal ones the kinder wins',
    lines('User-agent: *', 'Disallow: /folder', 'Allow: /folder'),
    ['/folder/page'],
    [],
  ],
  [
    'a longer Disallow within an Allow',
    lines('User-agent: *', 'Allow: /a/', 'Disallow: /a/b/'),
    ['/a/', '/a/c'],
    ['/a/b/', '/a/b/c'],
  ],
  [
    'stars count to the length',
    lines('User-agent: *', 'Allow: /page', 'Disallow: /*.htm'),
    ['/page'],
    ['/page.htm', '/other.htm'],
  ],
  ['the home page only', lines('User-agent: *', 'Allow: /$', 'Disallow: /'), ['/'], ['/page.htm', '/?x']],
  [
    'our own group',
    lines('User-agent: *', 'Disallow: /', '', 'User-agent: Harvestman', 'Disallow: /x'),
    ['/', '/y'],
    ['/x'],
  ],
  [
    'our own group before the general one',
    lines('User-agent: harvestman', 'Allow: /', 'User-agent: *', 'Disallow: /'),
    ['/', '/y'],
    [],
  ],
  [
    'our own group without rules',
    lines('User-agent: Harvestman', 'Disallow:', '', 'User-agent: *', 'Disallow: /'),
    ['/'],
    [],
  ],
  ['our name in any case and with a version', lines('User-agent: HARVESTMAN/2.1 (x)', 'Disallow: /x'), ['/'], ['/x']],
  ['a longer name is another robot', lines('User-agent: Harvestman-News', 'Disallow: /'), ['/'], []],
  ['a shorter name is another robot', lines('User-agent: Harvest', 'Disallow: /'), ['/'], []],
  [
    'two groups of ours are one',
    lines(
      'User-agent: Harvestman',
      'Disallow: /a',
      'User-agent: x',
      'Disallow: /b',
      'User-agent: Harvestman',
      'Disallow: /c',
    ),
    ['/b'],
    ['/a', '/c'],
  ],
  [
    'two general groups are one',
    lines('User-agent: *', 'Disallow: /a', '', 'User-agent: *', 'Disallow: /c'),
    ['/b'],
    ['/a', '/c'],
  ],
  [
    'several names for one group',
    lines('User-agent: x', 'User-agent: Harvestman', 'User-agent: y', 'Disallow: /a'),
    ['/'],
    ['/a'],
  ],
  ['a blank line between name and rule', lines('User-agent: *', '', 'Disallow: /a'), ['/'], ['/a']],
  [
    'a sitemap between name and rule',
    lines('User-agent: *', 'Sitemap: https://example.com/s.xml', 'User-agent: x', 'Disallow: /a'),
    ['/'],
    ['/a'],
  ],
  ['rules before any name', lines('Disallow: /a', 'User-agent: *', 'Disallow: /b'), ['/a'], ['/b']],
  ['keys in any case, blanks anywhere', lines('  uSeR-aGeNt  :  *  ', '\tdisALLOW:\t/a \t'), ['/'], ['/a', '/ab']],
  ['comments', lines('# all', 'User-agent: * # everybody', 'Disallow: /a # not this', 'Disallow: #/b'), ['/b'], ['/a']],
  ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /a', ['/'], ['/a']],
  ['lines that end in CR', 'User-agent: *\rDisallow: /a\rDisallow: /b', ['/'], ['/a', '/b']],
  ['lines that end in CRLF', 'User-agent: *\r\nDisallow: /a\r\n', ['/'], ['/a']],
  [
    'letters that are not encoded',
    lines('User-agent: *', 'Disallow: /foo/ツ'),
    ['/foo/'],
    ['/foo/%E3%83%84', '/foo/%e3%83%84', '/foo/ツ'],
  ],
  [
    'letters that are encoded',
    lines('User-agent: *', 'Disallow: /foo/%E3%83%84'),
    ['/foo/'],
    ['/foo/%E3%83%84', '/foo/ツ'],
  ],
  [
    'letters that need not be encoded',
    lines('User-agent: *', 'Disallow: /bar/%62%61%7A'),
    ['/bar/'],
    ['/bar/baz', '/bar/%62az'],
  ],
  ['a slash that is encoded is none', lines('User-agent: *', 'Disallow: /a%2Fb'), ['/a/b'], ['/a%2Fb', '/a%2fb']],
  ['a star that is encoded is none', lines('User-agent: *', 'Disallow: /a%2Ab'), ['/axb'], ['/a%2ab']],
  [
    'the query belongs to the path',
    lines('User-agent: *', 'Disallow: /*?', 'Allow: /?page='),
    ['/a', '/?page=2'],
    ['/a?b', '/?b'],
  ],
  ['a path without a slash', lines('User-agent: *', 'Disallow: private'), ['/private'], []],
  ['lines that mean nothing', lines('<html>', 'User-agent *', 'Disallow /', 'Host: x', 'Noindex: /'), ['/', '/a'], []],
  ['a web page in place of the file', '<!doctype html><title>Not found</title><p>Disallow: /</p>', ['/', '/a'], []],
  [
    'a group that ends with its pace',
    lines('User-agent: x', 'Crawl-delay: 5', 'User-agent: *', 'Disallow: /a'),
    ['/'],
    ['/a'],
  ],
]

describe('a robots.txt with', () => {
  test.each(golden)('%s', (_name, file, allowed, forbidden) => {
    const rules = readRobots(file, 'Harvestman')
    expect(allowed.filter((path) => !rules.allows(host + path))).toEqual([])
    expect(forbidden.filter((path) => rules.allows(host + path))).toEqual([])
  })
})

test('an address is judged by its path, whatever its host, port and fragment are', () => {
  const { allows } = readRobots('User-agent: *\nDisallow: /a', 'Harvestman')
  expect(allows('http://example.com:8080/a#b')).toBe(false)
  expect(allows('http://example.com/b#/a')).toBe(true)
  expect(allows('http://example.com')).toBe(true)
  expect(allows('http://example.com?/a')).toBe(true)
})

test('the first word of a user agent names the robot', () => {
  const file = 'User-agent: shop-bot\nDisallow: /a'
  expect(readRobots(file, 'Shop-Bot/1.0 (+https://example.com)').allows(`${host}/a`)).toBe(false)
  expect(readRobots(file, 'Harvestman').allows(`${host}/a`)).toBe(true)
})

test('sitemaps are told to all, in their order', () => {
  const file = 'Sitemap: https://a.example/1.xml\nUser-agent: x\nDisallow: /\nsitemap:/2.xml\nSitemap:'
  expect(readRobots(file, 'Harvestman').sitemaps).toEqual(['https://a.example/1.xml', '/2.xml'])
})

describe('the pace', () => {
  test.each([
    ['5', 5_000],
    ['0.5', 500],
    ['10 # slowly', 10_000],
    ['0', 0],
    ['soon', undefined],
    ['-1', undefined],
  ])('%s is %s milliseconds', (said, pace) => {
    expect(readRobots(`User-agent: *\nCrawl-delay: ${said}`, 'Harvestman').crawlDelay).toBe(pace)
  })

  test('of our own group counts, and not that of others', () => {
    const file = 'User-agent: *\nCrawl-delay: 5\n\nUser-agent: Harvestman\nDisallow: /a'
    expect(readRobots(file, 'Harvestman').crawlDelay).toBeUndefined()
    expect(readRobots(file, 'Other').crawlDelay).toBe(5_000)
  })
})

test('a pattern of many stars does not take more steps than the path is long', () => {
  const { allows } = readRobots(`User-agent: *\nDisallow: /${'*a'.repeat(5_000)}b$`, 'Harvestman')
  expect(allows(`${host}/${'a'.repeat(50_000)}`)).toBe(true)
})
