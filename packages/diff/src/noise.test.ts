import { describe, expect, test } from 'vitest'

import { compilePatterns, type Patterns } from '@harvestman/json-schema'
import { linesOf, contentKey, normalizeLine } from './noise.ts'

describe('what changes without anything having changed is not compared', () => {
  test.each([
    ['whitespace', 'A  price\u00a0list ', 'A price list'],
    ['signs without width', 'Pr\u00adice\u200b', 'Price'],
    ['versions of files', '![](https://a.test/app.js?v=81&x=1)', '![](https://a.test/app.js?v=82&x=1)'],
    ['hashes in the names of files', '![](/static/main.3f2a9c1b.css)', '![](/static/main.77aa01de.css)'],
    ['sessions in links', '[a](/cart;jsessionid=AA1?x=1)', '[a](/cart;jsessionid=BB2?x=1)'],
    ['campaigns in links', '[a](https://a.test/?utm_source=x&b=1)', '[a](https://a.test/?b=1&utm_medium=y)'],
    [
      'ids in links',
      '[a](/r/0b0c5a3e-4f4f-4a8e-9d7c-2b1a3c4d5e6f/x)',
      '[a](/r/9b0c5a3e-4f4f-4a8e-9d7c-2b1a3c4d5e60/x)',
    ],
    ['pictures within the page', '![](data:image/png;base64,AAAA)', '![](data:image/png;base64,BBBB)'],
    ['views', 'Lamp · 1,234 views', 'Lamp · 1,301 views'],
    ['likes', '12 likes and 3 comments', '14 likes and 4 comments'],
    ['counters with a letter', '3.4k followers', '3.5k followers'],
    ['counters after their name', 'Comments (12)', 'Comments (13)'],
    ['visitors', '5 people are viewing this', '9 people are viewing this'],
    ['German counters', '12 Kommentare', '15 Kommentare'],
    ['French counters', '12 vues', '15 vues'],
    ['Chinese counters', '12 评论', '15 评论'],
    ['times from now', 'Posted 3 minutes ago', 'Posted 2 hours ago'],
    ['an hour ago', 'Posted an hour ago', 'Posted 3 hours ago'],
    ['short times', 'Ann 3h ago', 'Ann 4h ago'],
    ['yesterday', 'Posted yesterday at 10:15', 'Posted 2 days ago'],
    ['German times', 'vor 3 Minuten', 'vor einer Stunde'],
    ['French times', 'il y a 3 minutes', 'il y a 2 heures'],
    ['Spanish times', 'hace 3 minutos', 'hace 2 horas'],
    ['Japanese times', '3分前', '2時間前'],
    ['how long a page took', 'Page generated in 0.123 seconds', 'Page generated in 0.087 seconds'],
    ['when it was made', 'Generated at 2026-11-22 10:00:01', 'Generated at 2026-11-23 09:12:44'],
    ['builds', 'Build 4711', 'Build 4712'],
    ['commits', 'commit: 3f2a9c1', 'commit: 77aa01d'],
    ['requests', 'Ray ID: 8c1f3a2b4d', 'Ray ID: 9a2b4c6d8e'],
    ['the year of the copyright', '© 2025 Acme', '© 2026 Acme'],
  ])('%s', (_, one, other) => {
    expect(normalizeLine(one)).toBe(normalizeLine(other))
  })
})

describe('what says something is compared', () => {
  test.each([
    ['prices', 'EUR 12.50', 'EUR 13.50'],
    ['numbers without a counter', '12 seats', '13 seats'],
    ['versions', 'Version 2.1 is out', 'Version 2.2 is out'],
    ['dates', 'Updated on 22 November 2026', 'Updated on 23 November 2026'],
    ['other links', '[a](/b?id=1)', '[a](/b?id=2)'],
    ['other pictures', '![](/lamp-red.png)', '![](/lamp-green.png)'],
    ['points in a text', 'The three points', 'The four points'],
    ['words', 'In stock', 'Sold out'],
    ['times that stay', 'Opens at 9', 'Opens at 10'],
    ['durations', 'Takes 3 minutes', 'Takes 4 minutes'],
  ])('%s', (_, one, other) => {
    expect(normalizeLine(one)).not.toBe(normalizeLine(other))
  })
})

describe('a page', () => {
  const same = (one: string, other: string, ignored?: Parameters<typeof linesOf>[1]): boolean =>
    contentKey(linesOf(one, ignored)) === contentKey(linesOf(other, ignored))

  test('is the same when its blocks stand in another order', () => {
    expect(same('# Shop\n\nLamp\n\nChair', '# Shop\n\nChair\n\nLamp\n')).toBe(true)
    expect(same('# Shop\n\nLamp\n\nLamp', '# Shop\n\nLamp')).toBe(false)
  })

  test('is the same when what was named is all that changed', () => {
    const patterns = compilePatterns(['^Weather']) as Patterns
    expect(same('A\nWeather: sun', 'A\nWeather: rain', { texts: [], patterns })).toBe(true)
    expect(same('A\n**Ad:** [Buy](/x)', 'A', { texts: ['Ad: Buy'], patterns })).toBe(true)
    expect(same('A\nB', 'A', { texts: ['Ad: Buy'], patterns })).toBe(false)
  })

  test('of any size and shape is read in time', () => {
    linesOf('1 '.repeat(500_000))
    linesOf(`${'9'.repeat(100_000)} views`)
    linesOf('a\n'.repeat(200_000))
    linesOf(`[${'['.repeat(20_000)}`)
    linesOf(`generated in 1${' a'.repeat(20_000)}`)
  })
})
