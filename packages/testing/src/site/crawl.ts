import { gzipSync } from 'node:zlib'

import { answer, answerPage, type Route, type Visit } from './route.ts'

// A tree: each page links to its parent, three children and its neighbours, so that every page is reachable in few steps and by
// several links.
const children = 3

function linksOf(number: number, pages: number): readonly number[] {
  const below = Array.from({ length: children }, (_, index) => number * children + index + 1)
  const around = [Math.floor((number - 1) / children), number - 1, number + 1]
  return [...new Set([...below, ...around])].filter((one) => one >= 0 && one < pages && one !== number)
}

const crawlPath = (number: number): string => (number === 0 ? '/crawl/' : `/crawl/page/${number}`)

/** Returns words that are unique to the page: pages that differ only in a number would count as duplicates. */
function ownWords(number: number): string {
  const wordOf = (from: number): string =>
    Array.from(String((number + 1) * 7919 + from * 104_729), (digit) => 'bcdfghjklm'[Number(digit)]).join('')
  return Array.from({ length: 24 }, (_, from) => wordOf(from)).join(' ')
}

function answerNumber(visit: Visit, number: number): void {
  const { pages } = visit.site
  if (!(Number.isInteger(number) && number >= 0 && number < pages))
    return answerPage(visit, 'No such page', '<p>There is no such page.</p>', { status: 404 })
  const links = linksOf(number, pages).map((to) => `<li><a href="${crawlPath(to)}">Page ${to}</a></li>`)
  answerPage(
    visit,
    `Page ${number} of ${pages}`,
    `<p>This is page number ${number}. It tells of harvestmen, number ${number} of them.</p><p>${ownWords(number)}</p><ul>${links.join('')}</ul>
     <p>Also <a href="${crawlPath(number)}#top">the top</a>, <a href="/private/page">a private page</a>,
     <a href="${visit.site.other()}/crawl/">another site</a>, <a href="mailto:a@example.com">a letter</a>.</p>`,
  )
}

const xml = 'application/xml; charset=utf-8'

function sitemap(visit: Visit, from: number, to: number): string {
  const origin = visit.site.originOf(visit.request)
  const rows = Array.from({ length: Math.max(to - from, 0) }, (_, index) => {
    const number = from + index
    const day = String((number % 28) + 1).padStart(2, '0')
    return `<url><loc>${origin}${crawlPath(number)}</loc><lastmod>2026-01-${day}</lastmod></url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('\n')}</urlset>`
}

export const crawlRoutes: readonly Route[] = [
  { path: '/crawl/', about: 'page 0 of a site for crawlers', handle: (visit) => answerNumber(visit, 0) },
  {
    path: '/crawl/page/:number',
    about: 'a page of it',
    handle: (visit) => answerNumber(visit, Number(visit.parts['number'])),
  },
  {
    path: '/private/page',
    about: 'a page that robots.txt forbids',
    handle: (visit) => answerPage(visit, 'Private', '<p>A crawler should not be here.</p>'),
  },
  {
    path: '/robots.txt',
    about: 'forbids /private/ to all and everything to one, and names the sitemap',
    handle: (visit) => {
      const origin = visit.site.originOf(visit.request)
      answer(
        visit,
        'text/plain',
        `User-agent: *\nDisallow: /private/\n\nUser-agent: Unwanted\nDisallow: /\n\nSitemap: ${origin}/sitemap.xml\n`,
      )
    },
  },
  {
    path: '/sitemap.xml',
    about: 'an index of two sitemaps, one of them packed, which hold all pages for crawlers',
    handle: (visit) => {
      const origin = visit.site.originOf(visit.request)
      const entries = ['/sitemap-1.xml', '/sitemap-2.xml.gz'].map(
        (path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`,
      )
      const body = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`
      answer(visit, xml, body)
    },
  },
  {
    path: '/sitemap-1.xml',
    about: 'the first half',
    handle: (visit) => answer(visit, xml, sitemap(visit, 0, visit.site.pages >> 1)),
  },
  {
    path: '/sitemap-2.xml.gz',
    about: 'the second half, as a gzip file',
    handle: (visit) =>
      answer(visit, 'application/gzip', gzipSync(sitemap(visit, visit.site.pages >> 1, visit.site.pages))),
  },
]
