// The site that the recipes of the cookbook are run against.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const page = (title: string, body: string): string => `<!doctype html><title>${title}</title>${body}`
const sentence = 'Harvestmen have eight long legs and no waist, and are no spiders at all.'

const product = (name: string, price: string): string =>
  page(
    name,
    `<main><h1>${name}</h1><p>${sentence}</p></main><script type="application/ld+json">
     {"@context":"https://schema.org","@type":"Product","name":"${name}",
      "offers":{"@type":"Offer","price":"${price}","priceCurrency":"EUR"}}</script>`,
  )

const docs = (title: string, links: readonly string[]): string =>
  page(
    title,
    `<main><h1>${title}</h1><p>${title}: ${sentence}</p><h2>More of ${title}</h2>
     <ul>${links.map((link) => `<li><a href="${link}">${link}</a></li>`).join('')}</ul></main>`,
  )

const list = `<ul id="list"><li>1</li></ul><button id="more">Load more</button><script>
  let next = 2
  document.querySelector('#more').addEventListener('click', () => {
    document.querySelector('#list').insertAdjacentHTML('beforeend', '<li>' + next++ + '</li>')
  })</script>`

const login = `<form action="/account"><input type="password" name="password"><button>Log in</button></form>`

const pdf = (): string => {
  const text = 'BT /F1 24 Tf 72 720 Td (A yearly report) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return `%PDF-1.4\n${body}trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF`
}

export interface RecipeSite {
  readonly url: string
  /** What the page `/news` says from now on. */
  news(sentence: string): void
  close(): Promise<void>
}

export async function startRecipeSite(): Promise<RecipeSite> {
  let news = 'Nothing yet.'
  const pages: Readonly<Record<string, (origin: string) => string>> = {
    '/': () =>
      page('Home', `<main><h1>Home</h1><p>${sentence}</p></main><a href="/docs/">Docs</a> <a href="/gone">Gone</a>`),
    '/kettle': () => product('Kettle', '29.50'),
    '/pot': () => product('Pot', '12'),
    '/list': () => page('List', list),
    '/login': () => page('Log in', login),
    '/account?password=swordfish': () => page('Account', `<main id="account"><p>Welcome back.</p></main>`),
    '/news': () => page('News', `<main><h1>News</h1><p>${sentence}</p><p>${news}</p></main>`),
    '/docs/': () => docs('Docs', ['/docs/legs', '/docs/eyes', '/docs/old/web']),
    '/docs/legs': () => docs('Legs', ['/docs/eyes']),
    '/docs/eyes': () => docs('Eyes', ['/docs/']),
    '/docs/old/web': () => docs('Web', []),
    '/sitemap.xml': (origin) =>
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/kettle</loc></url><url><loc>${origin}/pot</loc></url></urlset>`,
  }
  const server: Server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    const path = request.url === '/docs' ? '/docs/' : (request.url ?? '/')
    if (path === '/slow') return
    if (path === '/report.pdf') return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf())
    const body = pages[path]?.(origin)
    const type = path.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body ?? page('Not found', ''))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    news: (text) => {
      news = text
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}
