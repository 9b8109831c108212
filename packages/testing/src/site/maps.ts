import { gzipSync } from 'node:zlib'

import { answer, html, page, type Route, type Visit } from './route.ts'

/** A site with a certain structure, and the expected result of mapping it. */
export interface MapShape {
  readonly name: string
  readonly routes: readonly Route[]
  /** Path where a visitor begins. */
  readonly start: string
  /** Paths found with sitemaps, without them, and with nothing else. An absent list means that none are found. */
  readonly include: readonly string[]
  readonly skip: readonly string[]
  readonly only: readonly string[]
}

type Body = string | Uint8Array
interface Answer {
  readonly status?: number
  readonly location?: string
  readonly type?: string
  readonly body?: (origin: string, visit: Visit) => Body
}
type Table = Readonly<Record<string, Answer>>

const xml = 'application/xml'

function routesOf(table: Table): Route[] {
  // The test site has a sitemap of its own, which must not apply to these sites.
  const without: Table = { '/robots.txt': notFound, '/sitemap.xml': notFound }
  return Object.entries({ ...without, ...table }).map(([path, { status = 200, location, type = html, body }]) => ({
    path,
    about: 'a page of a shape for maps',
    handle: (visit) => {
      const bytes = body?.(visit.site.originOf(visit.request), visit) ?? page('Nothing', '<p>Nothing is here.</p>')
      answer(visit, type, bytes, { status, ...(location !== undefined && { headers: { location } }) })
    },
  }))
}

const notFound: Answer = { status: 404 }
const words = '<p>Harvestmen are arachnids with eight long legs, and this page tells of them in a sentence or two.</p>'

function linking(...paths: readonly string[]): Answer {
  const links = paths.map((path) => `<li><a href="${path}">About ${path.replaceAll('"', '')}</a></li>`)
  return { body: () => page('A page with links', `${words}<ul>${links.join('')}</ul>`) }
}

const plain: Answer = { body: () => page('A page', words) }

function urlset(origin: string, ...paths: readonly string[]): string {
  const rows = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('')}</urlset>`
}

function sitemap(...paths: readonly string[]): Answer {
  return { type: xml, body: (origin) => urlset(origin, ...paths) }
}

function sitemapIndex(...paths: readonly string[]): Answer {
  const row = (origin: string) => (path: string) => `<sitemap><loc>${origin}${path}</loc></sitemap>`
  return { type: xml, body: (origin) => `<sitemapindex>${paths.map(row(origin)).join('')}</sitemapindex>` }
}

const robots = (text: (origin: string, visit: Visit) => string): Answer => ({ type: 'text/plain', body: text })

interface Found {
  readonly sitemap?: readonly string[]
  readonly links?: readonly string[]
  readonly start?: string
}

function shape(name: string, table: Table, { sitemap = [], links = [], start = '/' }: Found): MapShape {
  return { name, routes: routesOf(table), start, include: [...sitemap, ...links], skip: links, only: sitemap }
}

/** Common structures of sites. */
export const mapShapes: readonly MapShape[] = [
  shape(
    'links and a sitemap',
    { '/': linking('/a', '/b'), '/sitemap.xml': sitemap('/b', '/c') },
    { sitemap: ['/b', '/c'], links: ['/a', '/b'] },
  ),
  shape(
    'a sitemap, and a first page that leads nowhere',
    { '/': plain, '/sitemap.xml': sitemap('/a', '/b') },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'an index of sitemaps',
    {
      '/': plain,
      '/sitemap.xml': sitemapIndex('/s1.xml', '/s2.xml'),
      '/s1.xml': sitemap('/a'),
      '/s2.xml': sitemap('/b'),
    },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'a packed sitemap',
    {
      '/': plain,
      '/sitemap.xml': sitemapIndex('/s.xml.gz'),
      '/s.xml.gz': { type: 'application/gzip', body: (origin) => gzipSync(urlset(origin, '/a', '/b')) },
    },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'a sitemap that only robots.txt knows',
    {
      '/': plain,
      '/robots.txt': robots((origin) => `Sitemap: ${origin}/deep/pages.xml`),
      '/deep/pages.xml': sitemap('/a', '/b'),
    },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'a sitemap on another host',
    {
      '/': plain,
      '/robots.txt': robots((origin, visit) => `Sitemap: ${visit.site.other()}/cdn.xml?of=${origin}`),
      '/cdn.xml': { type: xml, body: (_origin, visit) => urlset(visit.url.searchParams.get('of') ?? '', '/a') },
    },
    { sitemap: ['/a'] },
  ),
  shape('no sitemap', { '/': linking('/a', '/b') }, { links: ['/a', '/b'] }),
  shape(
    'a sitemap that is forbidden',
    { '/': linking('/a', '/b'), '/sitemap.xml': { status: 403 } },
    { links: ['/a', '/b'] },
  ),
  shape(
    'a web page in place of the sitemap',
    { '/': linking('/a'), '/sitemap.xml': linking('/not-this') },
    { links: ['/a'] },
  ),
  shape(
    'a sitemap that breaks off',
    {
      '/': plain,
      '/sitemap.xml': { type: xml, body: (origin) => urlset(origin, '/a', '/b', '/c').slice(0, -30) },
    },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'a sitemap in UTF-16',
    {
      '/': plain,
      '/sitemap.xml': { type: xml, body: (origin) => Buffer.from(`\ufeff${urlset(origin, '/a')}`, 'utf16le') },
    },
    { sitemap: ['/a'] },
  ),
  shape(
    'a list of addresses',
    { '/': plain, '/sitemap.txt': { type: 'text/plain', body: (origin) => `${origin}/a\n${origin}/b\n` } },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'a feed in place of the sitemap',
    {
      '/': plain,
      '/sitemap.xml': {
        type: 'application/rss+xml',
        body: (origin) => `<rss><channel><item><title>A</title><link>${origin}/a</link></item></channel></rss>`,
      },
    },
    { sitemap: ['/a'] },
  ),
  shape(
    'a first page that redirects to a language',
    { '/': { status: 302, location: '/en/' }, '/en/': linking('/en/a', '/de/a') },
    { links: ['/en', '/en/a', '/de/a'] },
  ),
  shape(
    'a splash page',
    { '/': linking('/home'), '/home': linking('/a', '/b'), '/a': linking('/a/deep') },
    { links: ['/home', '/a', '/b', '/a/deep'] },
  ),
  shape(
    'links in the frame of the page only',
    {
      '/': {
        body: () =>
          `<html><body><nav><a href="/a">A</a></nav><main><h1>Home</h1>${words}</main><footer><a href="/imprint">Imprint</a></footer></body></html>`,
      },
    },
    { links: ['/a', '/imprint'] },
  ),
  shape(
    'a base address',
    {
      '/': {
        body: () =>
          `<html><head><base href="/folder/"><title>B</title></head><body>${words}<a href="a">A</a><a href="../b">B</a></body></html>`,
      },
    },
    { links: ['/folder/a', '/b'] },
  ),
  shape(
    'frames and a map of areas',
    {
      '/': {
        body: () =>
          `<html><body>${words}<iframe src="/menu.html"></iframe><map name="m"><area href="/part" alt="Part"></map></body></html>`,
      },
      '/menu.html': linking('/a'),
    },
    { links: ['/menu.html', '/part', '/a'] },
  ),
  shape(
    'a first page that is gone',
    { '/': { ...linking('/a'), status: 404 }, '/sitemap.xml': sitemap('/b') },
    { links: ['/a'], sitemap: ['/b'] },
  ),
  shape(
    'a first page that fails',
    { '/': { status: 503 }, '/sitemap.xml': sitemap('/a', '/b') },
    { sitemap: ['/a', '/b'] },
  ),
  shape(
    'robots.txt that forbids everything',
    {
      '/': linking('/a', '/b'),
      '/robots.txt': robots(() => 'User-agent: *\nDisallow: /'),
      '/a': linking('/never-asked'),
    },
    { links: ['/a', '/b'] },
  ),
  shape(
    'pages of lists',
    { '/': linking('/list?page=2', '/list'), '/list': linking('/item/1', '/item/2?from=list') },
    { links: ['/list', '/item/1', '/item/2'] },
  ),
  shape(
    'addresses with blanks and letters of all kinds',
    { '/': linking('/a b', '/größe', '/日本') },
    { links: ['/a%20b', '/gr%C3%B6%C3%9Fe', '/%E6%97%A5%E6%9C%AC'] },
  ),
  shape(
    'a part of a site',
    {
      '/docs/': linking('/docs/a', '/docs/b', '/blog/c'),
      '/sitemap.xml': sitemap('/docs/d', '/blog/e'),
    },
    { start: '/docs/', links: ['/docs', '/docs/a', '/docs/b'], sitemap: ['/docs/d'] },
  ),
  shape(
    'noscript links of a page that is drawn by scripts',
    {
      '/': {
        body: () =>
          '<html><head><title>App</title><script src="/app.js"></script></head><body><div id="root"></div><noscript><a href="/a">A</a></noscript></body></html>',
      },
    },
    { links: ['/a'] },
  ),
]
