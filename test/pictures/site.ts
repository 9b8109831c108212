// A small site whose pages show what a page of the world may: long titles, other scripts, failures, changes.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const words = 'Harvestmen walk on long thin legs, and each sentence here has enough words to count as content. '

interface Page {
  readonly title: string
  readonly lang?: string
  readonly body?: string
  readonly status?: number
}

const arabic = 'الحصادون يمشون على أرجل طويلة ورفيعة، وهذه صفحة من اليمين إلى اليسار. '

const pages: Readonly<Record<string, Page>> = {
  '/': { title: 'Harvestmen of the world' },
  '/care': { title: 'How to care for a harvestman' },
  '/arabic/مرحبا': { title: 'مرحبا بالعالم: الحصادون', lang: 'ar', body: arabic.repeat(6) },
  '/hebrew': { title: 'קוצרים ארוכי רגליים', lang: 'he', body: 'דף מימין לשמאל עם מילים רבות. '.repeat(12) },
  '/japanese/ザトウムシ': {
    title: 'ザトウムシの世界',
    lang: 'ja',
    body: '細長い脚で歩くザトウムシの仲間です。'.repeat(12),
  },
  '/long': { title: `A title that goes on ${'and on '.repeat(40)}` },
  [`/deep/${'folder-with-a-long-name/'.repeat(9)}end`]: { title: 'Far down' },
  '/unbroken': { title: `Opiliones${'phalangiidae'.repeat(20)}` },
  '/gone': { title: 'Not found', status: 404 },
  '/broken': { title: 'Server error', status: 500 },
  '/empty': { title: '' },
}

/** Paths of the site, in the order in which they are shown. */
export const paths: readonly string[] = Object.keys(pages)

export interface PictureSite extends AsyncDisposable {
  readonly url: string
  /** The page `/price` says another price from now on. */
  change(): void
}

export async function startPictureSite(): Promise<PictureSite> {
  let price = 10
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)
    const found =
      path === '/price' ? { title: 'Price', body: `It costs ${price} euros. ${words.repeat(4)}` } : pages[path]
    const { title, lang = 'en', body = words.repeat(6), status = 200 } = found ?? { title: 'Not found', status: 404 }
    const dir = lang === 'ar' || lang === 'he' ? 'rtl' : 'ltr'
    const links = paths.map((to) => `<a href="${encodeURI(to)}">${to}</a>`).join(' ')
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="${lang}" dir="${dir}"><title>${title}</title><main><h1>${title}</h1><p>${body}</p></main><nav>${links}</nav></html>`,
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    change: () => void (price += 2),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
