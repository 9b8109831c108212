// Lists in the ways that sites divide them: each pattern is a page of its own, with a number of items that is known.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to divide a list. */
export interface ListPattern {
  readonly name: string
  /** How many items there are. */
  readonly items: number
  readonly page: (at: URL) => string
  /** Milliseconds that its answers take. */
  readonly delay?: number
}

const count = 47
const size = 10
const lastPage = Math.ceil(count / size)

const card = (n: number): string =>
  `<div class="card"><a class="name" href="/item/${n}">Thing number ${n}</a><span class="price">€ ${n},90</span><p>Words about thing ${n}.</p></div>`
const cards = (from: number, to: number, one = card): string =>
  Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, index) => one(from + index + 1)).join('\n')
const menu = `<header><nav><ul>${Array.from({ length: 12 }, (_, n) => `<li><a href="/c/${n}">Category ${n}</a></li>`).join('')}</ul></nav></header>`
const side = `<aside><h3>Brands</h3><ul><li>One</li><li>Two</li><li>Three</li></ul><button id="facets" onclick="this.previousElementSibling.innerHTML += '<li>Four</li>'">Show more</button></aside>`
const whole = (main: string, script = ''): string =>
  `<!doctype html><title>Things</title><style>.card{height:120px}</style>${menu}${side}<main><h1>Things</h1>${main}</main><footer><a href="/about">About us</a></footer><script>${script}</script>`

type Control = (page: number, href: (page: number) => string) => string

/** Pages that the server divides. */
function paged(
  name: string,
  control: Control,
  { param = 'page', first = 1, step = 1, said = '', one = card, extra = '', delay }: Paged = {},
): ListPattern {
  return {
    name,
    items: count,
    ...(delay !== undefined && { delay }),
    page: (at) => {
      const page = (Number(at.searchParams.get(param) ?? first) - first) / step
      const href = (to: number): string => `${at.pathname}?${param}=${first + to * step}`
      const list = cards(page * size, (page + 1) * size, one)
      return whole(`${said}<div class="grid">${extra}${list}</div>${control(page, href)}`)
    },
  }
}

interface Paged {
  readonly param?: string
  readonly first?: number
  readonly step?: number
  readonly said?: string
  readonly one?: (n: number) => string
  readonly extra?: string
  readonly delay?: number
}

const nextLink =
  (words: string, attributes = ''): Control =>
  (page, href) =>
    `<div class="pages">${page > 0 ? `<a href="${href(page - 1)}">‹</a> ` : ''}${page + 1 < lastPage ? `<a ${attributes} href="${href(page + 1)}">${words}</a>` : ''}</div>`

const numbers: Control = (page, href) =>
  `<ul class="pagination">${Array.from({ length: lastPage }, (_, n) => (n === page ? `<li class="active"><span>${n + 1}</span></li>` : `<li><a href="${href(n)}">${n + 1}</a></li>`)).join('')}</ul>`

const strongNumbers: Control = (page, href) =>
  `<p>Pages: ${Array.from({ length: lastPage }, (_, n) => (n === page ? `<strong>${n + 1}</strong>` : `<a href="${href(n)}">${n + 1}</a>`)).join(' ')}</p>`

const carousel = `<div class="carousel"><button aria-label="Next" onclick="window.turned = true">›</button></div>`

// What pages of scripts share: their items, and a grid to put them into.
const makers = `
const size = ${size}, count = ${count}
const card = (n) => '<div class="card"><a class="name" href="/item/' + n + '">Thing number ' + n + '</a><span class="price">€ ' + n + ',90</span><p>Words about thing ' + n + '.</p></div>'
const cards = (from, to) => Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, index) => card(from + index + 1)).join('')
const grid = document.querySelector('.grid')
let shown = 0
const later = (work, time) => setTimeout(work, time)
const more = () => { grid.insertAdjacentHTML('beforeend', cards(shown, shown + size)); shown += size }
const page = (n) => { grid.innerHTML = cards(n * size, (n + 1) * size) }
`

/** Pages that scripts make. */
function made(name: string, main: string, script: string, items = count): ListPattern {
  return { name, items, page: () => whole(main, makers + script) }
}

const grid = '<div class="grid"></div>'

function button(name: string, words: string, { time = 0, end = 'button.remove()' } = {}): ListPattern {
  const script = `const button = document.querySelector('.on'); more(); button.onclick = () => later(() => { more(); if (shown >= count) ${end} }, ${time})`
  return made(name, `${grid}<div class="foot"><button class="on">${words}</button></div>`, script)
}

const rowHeight = 60
const virtual = (name: string, render: string, { outer = '' } = {}): ListPattern =>
  made(
    name,
    `${outer}<div id="scroller" style="height:400px;overflow-y:auto"><div class="grid" style="position:relative;height:${count * rowHeight}px"></div></div>`,
    `const scroller = document.querySelector('#scroller')
     const row = (n, attributes) => '<div class="row" ' + attributes + ' style="position:absolute;top:' + n * ${rowHeight} + 'px;height:${rowHeight}px"><a href="/item/' + (n + 1) + '">Thing number ' + (n + 1) + '</a><span>€ ' + (n + 1) + ',90</span></div>'
     const first = () => Math.max(0, Math.floor(scroller.scrollTop / ${rowHeight}) - 1)
     const window_ = () => Array.from({ length: Math.min(10, count - first()) }, (_, index) => first() + index)
     const render = () => { ${render} }
     scroller.addEventListener('scroll', () => requestAnimationFrame(render)); render()`,
  )

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
  paged('an offset', nextLink('Next'), { param: 'offset', first: 0, step: size }),
  paged('a total that the page says', nextLink('Next'), { said: `<p>1–10 of ${count} results</p>` }),
  paged('beside a carousel with a Next of its own', (page, href) => carousel + nextLink('Next')(page, href)),
  paged('a Next that is disabled at the end', (page, href) =>
    page + 1 < lastPage
      ? `<a class="next" href="${href(page + 1)}">Next</a>`
      : '<a class="next disabled" href="#" aria-disabled="true">Next</a>',
  ),
  paged(
    'a Next that leads to the last page again',
    (page, href) => `<a href="${href(Math.min(page + 1, lastPage - 1))}">Next</a>`,
  ),
  paged('an item that every page repeats', nextLink('Next'), { extra: card(1) }),
  paged('rows whose ids are places', nextLink('Next'), {
    one: (n) => `<div class="card" id="row-${(n - 1) % size}"><b>Thing number ${n}</b><i>€ ${n},90</i></div>`,
  }),
  paged('answers that take a second', nextLink('Next'), { delay: 1_000 }),
  made(
    'a Next button of a script',
    `${grid}<button aria-label="Go to next page">→</button>`,
    `let at = 0; page(0); const button = document.querySelector('main button'); button.onclick = () => { page(++at); if (at === ${lastPage - 1}) button.disabled = true }`,
  ),
  made(
    'a Next button of a script, answered late',
    `${grid}<button>Next</button>`,
    `let at = 0; page(0); const button = document.querySelector('main button'); button.onclick = () => { grid.innerHTML = '<p>Loading…</p>'; later(() => { page(++at); if (at === ${lastPage - 1}) button.remove() }, 1500) }`,
  ),
  made(
    'addresses with a hash',
    `${grid}<a class="on" href="#2">Next</a>`,
    `const link = document.querySelector('.on'); const show = () => { const at = Number(location.hash.slice(1) || 1); page(at - 1); link.href = '#' + (at + 1); link.hidden = at >= ${lastPage} }; addEventListener('hashchange', show); show()`,
  ),
  button('a button that says Load more', 'Load more'),
  button('a button that says Show 10 more items', 'Show 10 more items'),
  button('a button in German', 'Mehr anzeigen'),
  button('a button in Portuguese', 'Carregar mais'),
  button('a button that takes a second', 'Load more', { time: 1_000 }),
  button('a button that is hidden at the end', 'Load more', { end: `button.style.display = 'none'` }),
  made(
    'scrolling, by an observer',
    `${grid}<div class="sentinel" style="height:20px"></div>`,
    `more(); more(); new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting && shown < count) later(more, 100) }).observe(document.querySelector('.sentinel'))
     setInterval(() => { if (shown < count && document.querySelector('.sentinel').getBoundingClientRect().top < innerHeight) more() }, 200)`,
  ),
  made(
    'scrolling, by its event',
    grid,
    `more(); more(); addEventListener('scroll', () => { if (shown < count && innerHeight + scrollY > document.body.scrollHeight - 200) later(more, 50) })`,
  ),
  made(
    'scrolling, answered after a second',
    grid,
    `more(); more(); let isBusy = false; addEventListener('scroll', () => { if (!isBusy && shown < count && innerHeight + scrollY > document.body.scrollHeight - 200) { isBusy = true; later(() => { more(); isBusy = false }, 1000) } })`,
  ),
  made(
    'scrolling within a box',
    `<div id="box" style="height:400px;overflow-y:auto">${grid}</div>`,
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
  made('all on one page', grid, 'page(0); grid.innerHTML = cards(0, count)'),
]

/** Serves the patterns, each below its number. */
export async function serveListPatterns() {
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    urlOf: (pattern: ListPattern) => `${at}/${listPatterns.indexOf(pattern)}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const pattern = listPatterns[Number(/^\/(\d+)$/.exec(url.pathname)?.[1] ?? -1)]
  if (!pattern) return void response.writeHead(404).end()
  setTimeout(
    () => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pattern.page(url)),
    pattern.delay ?? 0,
  )
}
