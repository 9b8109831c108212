import { answer, answerPage, type Route } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { crawlOf, here, openEngine, openSite, outcomeOf } from './bench.ts'

const page =
  (html: string): Route['handle'] =>
  (visit) =>
    answer(visit, 'text/html', html)

describe('an address', () => {
  test('that is written in many ways is visited once', async () => {
    const ways = [
      '/same/page',
      '/same/page/',
      '/same/page#top',
      '/same/./page',
      '/same/x/../page',
      '/same/%70age',
      '/same/page?',
      '/same/page/index.html',
      '/same/page?utm_source=a',
      '/same/page?fbclid=b',
    ]
    const other = ['/same/list?a=1&b=2', '/same/list?b=2&a=1', '/same/Page']
    let host = ''
    const routes: Route[] = [
      {
        path: '/same/',
        about: 'many ways',
        handle: (visit) =>
          page(
            [...ways, ...other, `HTTP://${host.toUpperCase()}/same/page`]
              .map((way) => `<a href="${way}">x</a>`)
              .join(''),
          )(visit),
      },
      { path: '/same/page', about: 'the page', handle: page('The page') },
      { path: '/same/list', about: 'a list', handle: page('The list') },
      { path: '/same/Page', about: 'another page', handle: page('Another') },
    ]
    const site = await openSite({ routes })
    host = new URL(site.url).host
    const { urls } = await crawlOf({ url: `${site.url}/same/` })
    expect(urls.map((url) => url.slice(site.url.length))).toEqual([
      '/same/',
      '/same/Page',
      '/same/list?a=1&b=2',
      '/same/page',
    ])
    expect(site.hits('/same/page')).toBe(1)
  })

  test('that redirects to one that was visited brings no second page', async () => {
    const routes: Route[] = [
      { path: '/twice/', about: 'two links', handle: page('<a href="/twice/old">old</a><a href="/twice/new">new</a>') },
      {
        path: '/twice/old',
        about: 'moved',
        handle: (visit) => answer(visit, 'text/plain', '', { status: 301, headers: { location: '/twice/new' } }),
      },
      { path: '/twice/new', about: 'the page', handle: page('The page') },
    ]
    const site = await openSite({ routes })
    const { status, urls } = await crawlOf({ url: `${site.url}/twice/` })
    expect(urls.map((url) => url.slice(site.url.length))).toEqual(['/twice/', '/twice/new'])
    expect(status).toMatchObject({ completed: 2, total: 2 })
  })
})

test('links are found in odd places, and what is no link is not taken for one', async () => {
  const html = `<!doctype html><html><head><base href="/odd/base/"><link rel="canonical" href="/odd/canonical"><link rel="next" href="/odd/next"></head><body>
    <a href="relative">relative to the base</a><a href="  /odd/blanks
      ">blanks and a line end</a><a href="/odd/two words">words</a><a rel="nofollow" href="/odd/nofollow">nofollow</a>
    <map><area href="/odd/area" alt=""></map><a href="/odd/entity?a=1&amp;b=2">entity</a><a href="//HOST/odd/no-scheme">no scheme</a>
    <a href="javascript:void(0)">script</a><a href="mailto:a@example.com">letter</a><a href="tel:1">call</a><a href="/odd/picture.png">picture</a>
    <!-- <a href="/odd/comment">comment</a> --><script>"<a href='/odd/script'>"</script><a>nothing</a></body></html>`
  let host = ''
  const site = await openSite({
    routes: [
      { path: '/odd/', about: 'odd links', handle: (visit) => page(html.replaceAll('HOST', host))(visit) },
      { path: '/odd/:name', about: 'a page', handle: (visit) => answerPage(visit, 'Page', visit.url.pathname) },
      { path: '/odd/base/:name', about: 'a page', handle: (visit) => answerPage(visit, 'Page', visit.url.pathname) },
    ],
  })
  host = new URL(site.url).host
  const { urls } = await crawlOf({ url: `${site.url}/odd/` })
  const paths = urls.map((url) => url.slice(site.url.length))
  for (const path of [
    '/odd/base/relative',
    '/odd/blanks',
    '/odd/two%20words',
    '/odd/nofollow',
    '/odd/area',
    '/odd/entity?a=1&b=2',
    '/odd/no-scheme',
  ])
    expect(paths).toContain(path)
  for (const path of ['/odd/picture.png', '/odd/comment', '/odd/script']) expect(paths).not.toContain(path)
})

describe('other hosts', () => {
  const names = [
    'sub.start.example',
    'www.start.example',
    'start.example.evil.com',
    'evilstart.example',
    'xn--strt-loa.example',
    'start.example.org',
    'other.example',
  ]
  const routes: Route[] = [
    {
      path: '/hosts/',
      about: 'links to all of them',
      handle: (visit) => {
        const [, port = ''] = (visit.request.headers.host ?? '').split(':')
        answerPage(
          visit,
          'Hosts',
          names.map((name) => `<a href="http://${name}:${port}/hosts/${name}">${name}</a>`).join(' '),
        )
      },
    },
    {
      path: '/hosts/:name',
      about: 'a page',
      handle: (visit) => answerPage(visit, 'Page', visit.request.headers.host ?? ''),
    },
  ]
  const visited = async (request: object): Promise<string[]> => {
    const site = await openSite({ routes })
    const engine = openEngine({ resolver: here })
    const { port } = new URL(site.url)
    const url = `http://start.example:${port}/hosts/`
    const { urls } = await outcomeOf(await engine.crawl({ url, sitemap: 'skip', ...request }))
    return [...new Set(urls.map((found) => new URL(found).hostname))].sort()
  }

  test('are not visited: only the one of the start, with and without www', async () => {
    expect(await visited({})).toEqual(['start.example', 'www.start.example'])
  })

  test('below the same domain are visited when subdomains are allowed, and no look-alike is', async () => {
    expect(await visited({ allowSubdomains: true })).toEqual([
      'start.example',
      'sub.start.example',
      'www.start.example',
    ])
  })

  test('are visited one hop far when external links are allowed', async () => {
    expect(await visited({ allowExternalLinks: true })).toEqual([
      'evilstart.example',
      'other.example',
      'start.example',
      'start.example.evil.com',
      'start.example.org',
      'www.start.example',
      'xn--strt-loa.example',
    ])
  })
})
