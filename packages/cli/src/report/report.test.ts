import { describe, expect, test } from 'vitest'

import type { ReportData, ReportPage } from './data.ts'
import { foldersOf } from './folders.ts'
import { percentile, roundUp } from './numbers.ts'
import { doubling } from './plots.ts'
import { reportHtml } from './report.ts'

const statuses = [200, 200, 200, 200, 200, 200, 301, 404, 500]

function page(index: number, more: Partial<ReportPage> = {}): ReportPage {
  return {
    url: `https://docs.example.com/guides/section-${index % 40}/a-page-with-a-usual-name-${index}`,
    status: statuses[index % statuses.length] ?? 200,
    title: `A page with a title of a usual length, as they are: number ${index}`,
    bytes: 1_000 + ((index * 7_919) % 200_000),
    ms: 20 + ((index * 104_729) % 5_000),
    depth: index % 5,
    at: index * 13,
    ...more,
  }
}

function data(pages: readonly ReportPage[], more: Partial<ReportData> = {}): ReportData {
  return {
    kind: 'crawl',
    id: '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
    status: 'completed',
    startedAt: '2026-01-02T03:04:05.678Z',
    took: 61_000,
    credits: pages.length,
    request: { url: 'https://docs.example.com/' },
    pages,
    failures: [],
    left: [],
    ...more,
  }
}

describe('The report of a job', () => {
  test('of 1,000 pages is at most 300 KB, names each of them, and loads nothing', () => {
    const pages = Array.from({ length: 1_000 }, (_, index) => page(index))
    const text = reportHtml(data(pages))
    expect(Buffer.byteLength(text)).toBeLessThan(300_000)
    for (const { url } of pages) expect(text).toContain(new URL(url).pathname)
    expect(text).not.toMatch(/<(?:img|link|iframe|object|embed)|src=|@import|url\(/)
    expect(text).toContain('default-src &#39;none&#39;')
  })

  test('names failures whose code is that of a server', () => {
    const url = 'https://a.test/'
    const failures = [{ url, code: 'SCRAPE_SITE_ERROR', error: 'The site closed the connection.' }]
    expect(reportHtml(data([], { failures }))).toMatch(/1 × SCRAPE_SITE_ERROR[^]*The site closed the connection\./)
  })

  test('shows what strangers wrote as text, wherever it stands', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&\u202e`
    const text = reportHtml(
      data([page(1, { title: evil, url: `https://a.test/${evil}`, status: 404 })], {
        message: evil,
        request: { url: evil },
        failures: [{ url: evil, code: 'dns_failed', error: evil }],
        left: [{ sentence: evil, urls: [evil] }],
      }),
    )
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).not.toMatch(/<img|\u202e/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test('links no address but those of the web', () => {
    const text = reportHtml(data([page(1, { url: 'javascript:alert(1)', status: 404 })]))
    expect(text).not.toMatch(/href="javascript/)
    expect(reportHtml(data([page(7)]))).toMatch(/<a href="https:\/\/docs\.example\.com[^"]+">/)
  })

  test('says what failed, why, and what was left out', () => {
    const text = reportHtml(
      data([page(1)], {
        failures: [
          { url: 'https://a.test/1', code: 'dns_failed', error: 'No such host.' },
          { url: 'https://a.test/2', code: 'timeout', error: 'Too slow.' },
          { url: 'https://a.test/3', code: 'timeout', error: 'Too slow.' },
        ],
        left: [{ sentence: 'Robots are asked not to.', urls: ['https://a.test/private'] }],
      }),
    )
    expect(text.indexOf('2 × timeout')).toBeLessThan(text.indexOf('1 × dns_failed'))
    for (const words of ['No such host.', 'Robots are asked not to.', 'https://a.test/private'])
      expect(text).toContain(words)
  })

  test('of a job without pages says so and shows no plot', () => {
    const text = reportHtml(data([], { status: 'failed', message: 'The start could not be loaded.' }))
    expect(text).toContain('The start could not be loaded.')
    expect(text).not.toContain('<table class="pages"')
  })
})

test('Folders count the pages below them by what became of them', () => {
  const root = foldersOf(
    ['a/x', 'a/y', 'b/c/z', ''].map((path, index) =>
      page(index, { url: `https://a.test/${path}`, status: index === 1 ? 500 : 200 }),
    ),
  )
  expect([root.name, root.pages, root.shares.broken]).toEqual(['a.test', 4, 1])
  expect([...root.folders.values()].map(({ name, pages, shares }) => [name, pages, shares.broken])).toEqual([
    ['a', 2, 1],
    ['b', 1, 0],
  ])
})

test('A histogram has a bin for each doubling, and marks stand at their place among them', () => {
  const { bars, place } = doubling([1, 2, 3, 9], String)
  expect(bars.map(({ label, parts }) => [label, parts['series']])).toEqual([
    ['≥ 1', 1],
    ['≥ 2', 2],
    ['≥ 4', 0],
    ['≥ 8', 1],
  ])
  expect(place(4)).toBe(2)
})

test.each([
  [[5, 1, 3], 0.5, 3],
  [[1, 2, 3, 4], 0.95, 4],
  [[7], 0.5, 7],
  [[], 0.5, 0],
])('Of %j no more than the share %d is above %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected)
})

test.each([
  [1, 1],
  [3, 4],
  [61, 80],
  [100, 100],
  [101, 200],
])('An axis for %d ends at %d', (value, expected) => {
  expect(roundUp(value)).toBe(expected)
})
