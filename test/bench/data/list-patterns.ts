// Lists in the ways that sites divide them: each pattern is a page of its own, with a number of items that is known.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to divide a list. */
export interface ListPattern {
  readonly name: string
  /** Whether all of it can be had without a browser. */
  readonly isPlain: boolean
  readonly page: (at: URL, sizes: ListSizes) => string
  /** Answers what its scripts ask for below it. */
  readonly api?: (at: URL, sizes: ListSizes) => object
  /** Milliseconds that its answers take. */
  readonly delay?: number
}

/** How many items there are, and how many of them a page has. */
export interface ListSizes {
  readonly count: number
  readonly size: number
}

/** The sizes of lists that tests collect. */
export const usualSizes: ListSizes = { count: 47, size: 10 }

const card = (n: number): string =>
  `<div class="card"><a class="name" href="/item/${n}">Thing number ${n}</a><span class="price">€ ${n},90</span><p>Words about thing ${n}.</p></div>`
const cards = (from: number, to: number, one = card): string =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => one(from + index + 1)).join('\n')
const menu = `<header><nav><ul>${Array.from({ length: 12 }, (_, n) => `<li><a href="/c/${n}">Category ${n}</a></li>`).join('')}</ul></nav></header>`
const side = `<aside><h3>Brands</h3><ul><li>One</li><li>Two</li><li>Three</li></ul><button id="facets" onclick="this.previousElementSibling.innerHTML += '<li>Four</li>'">Show more</button></aside>`
const whole = (main: string, script = '', head = ''): string =>
  `<!doctype html><title>Things</title>${head}<style>.card{height:120px}</style>${menu}${side}<main><h1>Things</h1>${main}</main><footer><a href="/about">About us</a></footer><script>${script}</script>`

type Control = (page: number, href: (page: number) => string, last: number) => string

/** Pages that the server divides. */
function paged(
  name: string,
  control: Control,
  { said, around = grid, extra = '', delay, ...more }: Paged = {},
): ListPattern {
  const { param = 'page', first = 1, step = () => 1, one = card, token = String, head = () => '' } = more
  return {
    name,
    isPlain: true,
    ...(delay !== undefined && { delay }),
    page: (at, { count, size }) => {
      const by = step(size)
      const asked = at.searchParams.get(param)
      const pages = Array.from({ length: Math.ceil(count / size) }, (_, n) => token(first + n * by))
      const page = asked === null ? 0 : pages.indexOf(asked)
      const href = (to: number): string => `${at.pathname}?${param}=${encodeURIComponent(pages[to] ?? '')}`
      const [from, to] = [page * size, Math.min(count, (page + 1) * size)]
      const list = around(extra + cards(from, to, one))
      return whole(
        `${said?.(count) ?? ''}${list}${control(page, href, pages.length)}`,
        '',
        head({ from, to, page, last: pages.length, href }),
      )
    },
  }
}

interface Shown {
  readonly from: number
  readonly to: number
  readonly page: number
  readonly last: number
  readonly href: (page: number) => string
}

interface Paged {
  readonly param?: string
  readonly first?: number
  readonly step?: (size: number) => number
  /** How a page is named in its address. */
  readonly token?: (place: number) => string
  readonly said?: (count: number) => string
  readonly one?: (n: number) => string
  readonly around?: (list: string) => string
  readonly extra?: string
  /** What stands before the page. */
  readonly head?: (shown: Shown) => string
  readonly delay?: number
}

const grid = (list = ''): string => `<div class="grid">${list}</div>`

const nextLink =
  (words: string, attributes = ''): Control =>
  (page, href, lastPage) =>
    `<div class="pages">${page > 0 ? `<a href="${href(page - 1)}">‹</a> ` : ''}${page + 1 < lastPage ? `<a ${attributes} href="${href(page + 1)}">${words}</a>` : ''}</div>`

const numbers: Control = (page, href, lastPage) =>
  `<ul class="pagination">${Array.from({ length: lastPage }, (_, n) => (n === page ? `<li class="active"><span>${n + 1}</span></li>` : `<li><a href="${href(n)}">${n + 1}</a></li>`)).join('')}</ul>`

const strongNumbers: Control = (page, href, lastPage) =>
  `<p>Pages: ${Array.from({ length: lastPage }, (_, n) => (n === page ? `<strong>${n + 1}</strong>` : `<a href="${href(n)}">${n + 1}</a>`)).join(' ')}</p>`

const carousel = `<div class="carousel"><button aria-label="Next" onclick="window.turned = true">›</button></div>`

// What pages of scripts share: their items, and a grid to put them into.
const makers = ({ count, size }: ListSizes): string => `
const size = ${size}, count = ${count}, last = ${Math.ceil(count / size)}
const card = (n) => '<div class="card"><a class="name" href="/item/' + n + '">Thing number ' + n + '</a><span class="price">€ ' + n + ',90</span><p>Words about thing ' + n + '.</p></div>'
const cards = (from, to) => Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, index) => card(from + index + 1)).join('')
const grid = document.querySelector('.grid')
let shown = 0
const later = (work, time) => setTimeout(work, time)
const more = () => { grid.insertAdjacentHTML('beforeend', cards(shown, shown + size)); shown += size }
const page = (n) => { grid.innerHTML = cards(n * size, (n + 1) * size) }
`

/** Pages that scripts make. */
function made(name: string, main: string, script: string): ListPattern {
  return { name, isPlain: false, page: (_, sizes) => whole(main, makers(sizes) + script) }
}

function button(name: string, words: string, { time = 0, end = 'button.remove()' } = {}): ListPattern {
  const script = `const button = document.querySelector('.on'); more(); button.onclick = () => later(() => { more(); if (shown >= count) ${end} }, ${time})`
  return made(name, `${grid()}<div class="foot"><button class="on">${words}</button></div>`, script)
}

const rowHeight = 60
const virtual = (name: string, render: string, { outer = '' } = {}): ListPattern =>
  made(
    name,
    `${outer}<div id="scroller" style="height:400px;overflow-y:auto"><div class="grid" style="position:relative"></div></div>`,
    `grid.style.height = count * ${rowHeight} + 'px'
     const scroller = document.querySelector('#scroller')
     const row = (n, attributes) => '<div class="row" ' + attributes + ' style="position:absolute;top:' + n * ${rowHeight} + 'px;height:${rowHeight}px"><a href="/item/' + (n + 1) + '">Thing number ' + (n + 1) + '</a><span>€ ' + (n + 1) + ',90</span></div>'
     const first = () => Math.max(0, Math.floor(scroller.scrollTop / ${rowHeight}) - 1)
     const window_ = () => Array.from({ length: Math.min(10, count - first()) }, (_, index) => first() + index)
     const render = () => { ${render} }
     scroller.addEventListener('scroll', () => requestAnimationFrame(render)); render()`,
  )

/** The first pages, those around the current one, and the last. */
const gapped: Control = (page, href, lastPage) => {
  const shown = [...new Set([0, page - 1, page, page + 1, lastPage - 1])].filter((n) => n >= 0 && n < lastPage)
  const link = (n: number): string =>
    n === page ? `<em class="current">${n + 1}</em>` : `<a href="${href(n)}">${n + 1}</a>`
  return `<nav class="pager">${shown.map(link).join(' <span>…</span> ')}</nav>`
}

const things = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const n = from + index + 1
    return { name: `Thing number ${n}`, url: `/item/${n}`, cents: n * 100 + 90, sku: `T-${n}`, stock: n % 7 }
  })

const state = (id: string, list: unknown): string =>
  `<script id="${id}" type="application/json">${JSON.stringify({ props: { pageProps: { list } } })}</script>`

/** Pages that show the first items alone, and have all of them for their scripts. */
function inView(name: string, write: (list: readonly unknown[]) => string): ListPattern {
  const page: ListPattern['page'] = (_, { count }) =>
    whole(grid(cards(0, Math.min(count, 20))), '', write(things(0, count)))
  return { name, isPlain: true, page }
}

const fetched = (name: string, api: NonNullable<ListPattern['api']>, query: string, next: string): ListPattern => ({
  name,
  isPlain: false,
  api,
  page: (_, sizes) =>
    whole(
      `${grid()}<button class="on">Load more</button>`,
      `${makers(sizes)}
       let query = ${query}
       const ask = async () => {
         const answer = await (await fetch(location.pathname + '/api?' + query)).json()
         grid.insertAdjacentHTML('beforeend', answer.data.items.map(({ n }) => card(n)).join(''))
         query = ${next}
         if (!query) document.querySelector('.on').remove()
       }
       document.querySelector('.on').onclick = ask; ask()`,
    ),
})

/** Some of the things, as a script asks for them. */
const thingsOf = (from: number, { count, size }: ListSizes) =>
  things(from, Math.min(count, from + size)).map((thing, index) => ({ ...thing, n: from + index + 1 }))

/** The patterns. */
export const listPatterns: readonly ListPattern[] = [
  paged('a link with rel=next', nextLink('Onward', 'rel="next"')),
  paged('a link that says Next', nextLink('Next')),
  paged('a link that says Next page ›', nextLink('Next page ›')),
  paged('a link in German', nextLink('Weiter »')),
  paged('a link in French', nextLink('Suivant')),
  paged('a link in Spanish', nextLink('Siguiente →')),
  paged('a link in Japanese', nextLink('次へ')),
  paged('a sign alone', nextLink('›')),
  paged(
    'a label on a picture',
    nextLink('<svg width="20" height="20"><path d="M0 0h9"/></svg>', 'aria-label="Next page"'),
  ),
  paged('Older posts of a blog', nextLink('Older posts')),
  paged('numbers in a list', numbers),
  paged('numbers, the current one in bold', strongNumbers),
  paged('an offset', nextLink('Next'), { param: 'offset', first: 0, step: (size) => size }),
  paged('a total that the page says', nextLink('Next'), { said: (count) => `<p>1–10 of ${count} results</p>` }),
  paged('beside a carousel with a Next of its own', (...at) => carousel + nextLink('Next')(...at)),
  paged('a Next that is disabled at the end', (page, href, lastPage) =>
    page + 1 < lastPage
      ? `<a class="next" href="${href(page + 1)}">Next</a>`
      : '<a class="next disabled" href="#" aria-disabled="true">Next</a>',
  ),
  paged(
    'a Next that leads to the last page again',
    (page, href, lastPage) => `<a href="${href(Math.min(page + 1, lastPage - 1))}">Next</a>`,
  ),
  paged('an item that every page repeats', nextLink('Next'), { extra: card(1) }),
  paged('rows whose ids are places', nextLink('Next'), {
    one: (n) => `<div class="card" id="row-${(n - 1) % 10}"><b>Thing number ${n}</b><i>€ ${n},90</i></div>`,
  }),
  paged('answers that take a second', nextLink('Next'), { delay: 1_000 }),
  made(
    'a Next button of a script',
    `${grid()}<button aria-label="Go to next page">→</button>`,
    `let at = 0; page(0); const button = document.querySelector('main button'); button.onclick = () => { page(++at); if (at === last - 1) button.disabled = true }`,
  ),
  made(
    'a Next button of a script, answered late',
    `${grid()}<button>Next</button>`,
    `let at = 0; page(0); const button = document.querySelector('main button'); button.onclick = () => { grid.innerHTML = '<p>Loading…</p>'; later(() => { page(++at); if (at === last - 1) button.remove() }, 1500) }`,
  ),
  made(
    'addresses with a hash',
    `${grid()}<a class="on" href="#2">Next</a>`,
    `const link = document.querySelector('.on'); const show = () => { const at = Number(location.hash.slice(1) || 1); page(at - 1); link.href = '#' + (at + 1); link.hidden = at >= last }; addEventListener('hashchange', show); show()`,
  ),
  button('a button that says Load more', 'Load more'),
  button('a button that says Show 10 more items', 'Show 10 more items'),
  button('a button in German', 'Mehr anzeigen'),
  button('a button in Portuguese', 'Carregar mais'),
  button('a button that takes a second', 'Load more', { time: 1_000 }),
  button('a button that is hidden at the end', 'Load more', { end: `button.style.display = 'none'` }),
  made(
    'scrolling, by an observer',
    `${grid()}<div class="sentinel" style="height:20px"></div>`,
    `more(); more(); new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting && shown < count) later(more, 100) }).observe(document.querySelector('.sentinel'))
     setInterval(() => { if (shown < count && document.querySelector('.sentinel').getBoundingClientRect().top < innerHeight) more() }, 200)`,
  ),
  made(
    'scrolling, by its event',
    grid(),
    `more(); more(); addEventListener('scroll', () => { if (shown < count && innerHeight + scrollY > document.body.scrollHeight - 200) later(more, 50) })`,
  ),
  made(
    'scrolling, answered after a second',
    grid(),
    `more(); more(); let isBusy = false; addEventListener('scroll', () => { if (!isBusy && shown < count && innerHeight + scrollY > document.body.scrollHeight - 200) { isBusy = true; later(() => { more(); isBusy = false }, 1000) } })`,
  ),
  made(
    'scrolling within a box',
    `<div id="box" style="height:400px;overflow-y:auto">${grid()}</div>`,
    `const box = document.querySelector('#box'); more(); box.addEventListener('scroll', () => { if (shown < count && box.scrollTop + box.clientHeight > box.scrollHeight - 100) more() })`,
  ),
  virtual('a virtual list that is drawn anew', `grid.innerHTML = window_().map((n) => row(n, '')).join('')`),
  virtual(
    'a virtual list whose nodes are used again',
    `const all = window_(); all.forEach((n) => { const slot = n % 10; const old = grid.children[slot]; const html = row(n, 'id="slot-' + slot + '"'); if (!old) grid.insertAdjacentHTML('beforeend', html); else if (old.dataset.n !== String(n)) { old.outerHTML = html; grid.children[slot].dataset.n = n } })`,
  ),
  virtual('a virtual list below other things', `grid.innerHTML = window_().map((n) => row(n, '')).join('')`, {
    outer: '<p style="height:900px">A long introduction.</p>',
  }),
  made('all on one page', grid(), 'page(0); grid.innerHTML = cards(0, count)'),
  paged('a next page that the head names', () => '', {
    head: ({ page, last, href }) => (page + 1 < last ? `<link rel="next" href="${href(page + 1)}">` : ''),
  }),
  paged('a link that says Load more', nextLink('Load more')),
  paged('a cursor', nextLink('Next'), {
    param: 'after',
    token: (place) => Buffer.from(`cursor:${place}`).toString('base64'),
  }),
  paged('numbers with a gap', gapped),
  paged('a table', nextLink('Next'), {
    one: (n) =>
      `<tr><td><a href="/item/${n}">Thing number ${n}</a></td><td>€ ${n},90</td><td>Words about thing ${n}.</td></tr>`,
    around: (list) => `<table><tr><th>Name</th><th>Price</th><th>About</th></tr>${list}</table>`,
  }),
  paged('an ARIA grid', nextLink('Next'), {
    one: (n) =>
      `<div role="row" class="ag-row"><div role="gridcell"><a href="/item/${n}">Thing number ${n}</a></div><div role="gridcell">€ ${n},90</div></div>`,
    around: (list) => `<div role="grid">${list}</div>`,
  }),
  paged('a list of links', nextLink('Next'), {
    one: (n) => `<li><a href="/item/${n}">Thing number ${n}</a></li>`,
    around: (list) => `<ul class="results">${list}</ul>`,
  }),
  paged('state with more fields on each page', nextLink('Next'), {
    head: ({ from, to }) => state('__NEXT_DATA__', things(from, to)),
  }),
  paged('an ItemList of schema.org on each page', numbers, {
    head: ({ from, to }) => {
      const itemListElement = things(from, to).map((item, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        item,
      }))
      return `<script type="application/ld+json">${JSON.stringify({ '@type': 'ItemList', itemListElement })}</script>`
    },
  }),
  fetched(
    'a list that a script asks for by offset',
    (at, sizes) => ({ data: { items: thingsOf(Number(at.searchParams.get('offset')), sizes), total: sizes.count } }),
    `'offset=0&limit=' + size`,
    `(shown += size) < count ? 'offset=' + shown + '&limit=' + size : ''`,
  ),
  fetched(
    'a list that a script asks for by cursor',
    (at, sizes) => {
      const from = Number(at.searchParams.get('cursor')?.slice(1) ?? 0)
      const nextCursor = from + sizes.size < sizes.count ? `c${from + sizes.size}` : null
      return { data: { items: thingsOf(from, sizes), nextCursor } }
    },
    `'cursor=c0'`,
    `answer.data.nextCursor && 'cursor=' + answer.data.nextCursor`,
  ),
  inView('a virtual list with all items in __NEXT_DATA__', (list) => state('__NEXT_DATA__', list)),
  inView(
    'the beginning of a list, the rest in __INITIAL_STATE__',
    (list) => `<script>window.__INITIAL_STATE__ = ${JSON.stringify({ shop: { list } })}</script>`,
  ),
  inView(
    'the beginning of a list, the rest in application/json',
    (list) => `<script type="application/json">${JSON.stringify([{ kind: 'menu' }, { kind: 'grid', list }])}</script>`,
  ),
]

/** Where the patterns are served. */
export interface ServedPatterns {
  urlOf(pattern: ListPattern): string
  close(): void
}

/** Serves the patterns, each below its number. */
export async function serveListPatterns(sizes: ListSizes = usualSizes): Promise<ServedPatterns> {
  const server = createServer((request, response) => answer(request, response, sizes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    urlOf: (pattern) => `${at}/${listPatterns.indexOf(pattern)}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

function answer(request: IncomingMessage, response: ServerResponse, sizes: ListSizes): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, place, api] = /^\/(\d+)(\/api)?$/.exec(url.pathname) ?? []
  const pattern = listPatterns[Number(place ?? -1)]
  if (!pattern) return void response.writeHead(404).end()
  const [type, body] =
    api === undefined
      ? ['text/html', pattern.page(url, sizes)]
      : ['application/json', JSON.stringify(pattern.api?.(url, sizes))]
  setTimeout(() => response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body), pattern.delay ?? 0)
}
