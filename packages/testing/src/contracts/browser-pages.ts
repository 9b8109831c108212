import type { FakePage, FakePages, FakeScripts, FakeVisit } from '../fakes/fake-page.ts'
import { titleOf } from '../fakes/start-tags.ts'
import { answer, html, type Route, type Visit } from '../site/route.ts'

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`

const bump = (name: string) => `document.body.dataset.${name} = Number(document.body.dataset.${name} ?? 0) + 1`

/** The pages that the browser contract visits: served to a real browser, passed to a fake one. */
export const contractPages: FakePages = {
  '/plain': page('Plain', '<h1 id="there">A plain page</h1><p>Grüße, 日本語</p>'),
  '/missing': { status: 404, html: page('Missing', '<h1>It is not here</h1>') },
  '/moved': { redirect: '/moved/again' },
  '/moved/again': { redirect: '/plain' },
  '/to-refused': { redirect: '/refused' },
  '/refused': page('Refused', '<h1>You may not see this</h1>'),
  '/with-refused': page(
    'Parts',
    '<h1 id="there">Parts</h1><img src="/refused.png"><script src="/refused.js"></script>',
  ),
  '/silent': { trouble: 'silent' },
  '/broken': { trouble: 'broken' },
  '/late': {
    html: page('Late', `<script>setTimeout(() => { document.body.innerHTML = '<p id="late">Here</p>' }, 60)</script>`),
    later: page('Late', '<p id="late">Here</p>'),
  },
  '/links': page('Links', '<a id="go" href="/plain">Go</a>'),
  '/partly-hidden': page(
    'Partly hidden',
    `<p title="a > b">Seen</p><p style="display:none">Secret</p><!-- > --><noscript><img src="/none.png"></noscript>
     <p>Seen</p><div hidden data-a='"<p>"'>Secret</div>`,
  ),
  '/form': page(
    'Form',
    `<input id="name" onkeydown="document.body.dataset.key = event.key">
     <button id="more" onclick="${bump('clicks')}">More</button>
     <ul>${'<li class="item">'
       .concat('Item</li>')
       .repeat(3)
       .replaceAll('<li ', `<li onclick="${bump('clicks')}" `)}</ul>`,
  ),
  '/tall': page('Tall', '<div id="box" style="height: 20000px">Tall</div>'),
  '/cookie/give': { html: page('Given', '<h1>Given</h1>'), setCookies: { visitor: 'known' } },
  '/cookie/tell': ({ cookies }) => page('Cookies', `<p>Cookie: ${cookies['visitor'] ?? 'none'}.</p>`),
  '/header/tell': ({ headers }) => page('Header', `<p>Header: ${headers['x-profile'] ?? 'none'}.</p>`),
}

/** The scripts that the contract runs: a real browser executes them, a fake one returns these results. */
export const contractScripts: FakeScripts = {
  '1 + 1': () => 2,
  '({ list: [1, "ü", null], yes: true })': () => ({ list: [1, 'ü', null], yes: true }),
  'Promise.resolve("later")': () => 'later',
  'new Promise(() => {})': () => new Promise(() => {}),
  '(() => { throw new Error("no") })()': () => {
    throw new Error('no')
  },
  'document.title': ({ html }) => titleOf(html),
  'document.querySelector("#name").value': ({ typed }) => typed['#name'] ?? '',
  'document.body.dataset.key': ({ pressed }) => pressed.at(-1),
  'Number(document.body.dataset.clicks ?? 0)': ({ clicks }) => clicks,
  'window.scrollY > 0': ({ scrolled }) => scrolled > 0,
  'localStorage.setItem("kept", "yes")': ({ storage }) => void (storage['kept'] = 'yes'),
  'localStorage.getItem("kept")': ({ storage }) => storage['kept'] ?? null,
}

/** The same pages as routes of the test site. */
export const contractRoutes: readonly Route[] = Object.entries(contractPages).map(([path, made]) => ({
  path,
  about: 'a page of the browser contract',
  handle: (visit) => serve(visit, typeof made === 'function' ? made(visitOf(visit)) : made),
}))

function visitOf({ request, url }: Visit): FakeVisit {
  const cookies = Object.fromEntries((request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=')))
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  return {
    url,
    cookies: cookies as Record<string, string>,
    headers: Object.fromEntries(headers) as Record<string, string>,
  }
}

function serve(visit: Visit, made: string | FakePage): void {
  const page: FakePage = typeof made === 'string' ? { html: made } : made
  if (page.trouble === 'silent') return
  if (page.trouble === 'broken') return void visit.response.socket?.resetAndDestroy()
  const cookies = Object.entries(page.setCookies ?? {}).map(([name, value]) => `${name}=${value}; Path=/`)
  const headers = { ...page.headers, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) }
  if (page.redirect !== undefined) visit.response.writeHead(302, { ...headers, location: page.redirect }).end()
  else answer(visit, html, page.html ?? '', { status: page.status ?? 200, headers })
}
