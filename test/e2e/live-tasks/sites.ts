// Five small sites as people meet them, on one server, and what their visitors have sent to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What may be another on a later day. */
export interface Changes {
  readonly formWithoutSize?: boolean
  readonly searchFindsNothing?: boolean
  readonly otherPassword?: boolean
  readonly fewerPages?: boolean
  readonly soldOut?: boolean
}

export interface Sites {
  readonly origin: string
  /** Forms that were received, in order. */
  readonly received: Record<string, string>[]
  change(changes: Changes): void
  close(): Promise<void>
}

interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly sent: Record<string, string>
  readonly cookie: string
  readonly changes: Changes
  readonly received: Record<string, string>[]
}

interface Answer {
  readonly body?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

type Site = (asked: Asked) => Answer

const seeOther = (location: string, headers = {}): Answer => ({ status: 303, headers: { location, ...headers } })
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const form: Site = ({ path, sent, changes, received }) => {
  if (path === '/form/send') {
    received.push(sent)
    return { body: `<title>Sent</title><h1>Thank you, ${escape(sent['name'] ?? '')}</h1>` }
  }
  return {
    body: `<title>Order a shirt</title><h1>Order a shirt</h1><form method=post action=/form/send>
      <label>Name <input name=name required></label>
      ${changes.formWithoutSize ? '' : '<label>Size <select name=size><option>Small<option>Large</select></label>'}
      <fieldset><legend>Colour</legend><label><input type=radio name=colour value=red> Red</label>
      <label><input type=radio name=colour value=blue> Blue</label></fieldset>
      <label>Note <textarea name=note></textarea></label>
      <label><input type=checkbox name=terms required> I agree</label><button>Send order</button></form>`,
  }
}

const goods = ['Green tea', 'Black tea', 'Tea pot', 'Coffee']

const search: Site = ({ path, query, changes }) => {
  const header =
    '<form action=/search/results><label>Search <input type=search name=q></label><button>Go</button></form>'
  if (path === '/search/item')
    return { body: `<title>Item</title><h1>${escape(query.get('name') ?? '')}</h1><p>Costs 12 coins.` }
  if (path !== '/search/results') return { body: `<title>Finder</title><h1>Finder</h1>${header}` }
  const found = goods.filter((one) => one.toLowerCase().includes((query.get('q') ?? '').toLowerCase()))
  const shown = changes.searchFindsNothing ? [] : found
  const list = shown.map((one) => `<li><a href="/search/item?name=${encodeURIComponent(one)}">${one}</a>`).join('')
  return { body: `<title>Results</title>${header}<h1>${shown.length} results</h1><ul>${list}</ul>` }
}

const login: Site = ({ path, sent, cookie, changes, received }) => {
  if (path === '/login/account')
    return cookie.includes('member=ann')
      ? { body: '<title>Account</title><h1>Hello, Ann</h1><p>Your balance is 48 coins.' }
      : seeOther('/login')
  if (path === '/login/enter') {
    received.push(sent)
    if (sent['password'] === (changes.otherPassword ? 'another' : 'hunter2!'))
      return seeOther('/login/account', { 'set-cookie': 'member=ann; Path=/login; HttpOnly' })
  }
  const wrong = path === '/login/enter' ? '<h2>Wrong name or password</h2>' : ''
  return {
    body: `<title>Log in</title><h1>Log in</h1>${wrong}<form method=post action=/login/enter>
      <label>Name <input name=name></label><label>Password <input type=password name=password></label><button>Log in</button></form>`,
  }
}

const pages: Site = ({ query, changes }) => {
  const page = Number(query.get('page') ?? 1)
  const most = changes.fewerPages ? 2 : 5
  const rows = Array.from({ length: 10 }, (_, index) => `<li>Beetle ${(page - 1) * 10 + index + 1}`).join('')
  const next = page < most ? `<a href="/pages?page=${page + 1}">Next page</a>` : ''
  const rare = page === 4 ? '<p>The rare beetle lives in Lima.' : ''
  return { body: `<title>Beetles</title><h1>Page ${page} of ${most}</h1><ul>${rows}</ul>${rare}${next}` }
}

// An application in one address: what is shown is made by scripts, some of it later.
const checkout: Site = ({ path, sent, changes, received }) => {
  if (path === '/checkout/order') {
    received.push(sent)
    return { body: JSON.stringify(changes.soldOut ? { error: 'Sold out' } : { order: 10_000 + received.length * 7 }) }
  }
  return {
    body: `<title>Tea shop</title><main></main><script>
      const main = document.querySelector('main')
      const show = (html) => { main.innerHTML = html }
      const later = (ms, work) => setTimeout(work, ms)
      const start = () => show('<h1>Green tea</h1><label>Amount <input id=amount type=number value=1></label><button onclick="cart(amount.value)">Add to cart</button>')
      const cart = (amount) => { show('<p>One moment</p>'); later(300, () => show('<h1>Cart</h1><p>' + amount + ' x Green tea</p><button onclick="address(' + Number(amount) + ')">Check out</button>')) }
      const address = (amount) => show('<h1>Address</h1><form onsubmit="event.preventDefault(); pay(' + amount + ', street.value, city.value)"><label>Street <input id=street></label><label>City <input id=city></label><button>Continue</button></form>')
      const pay = (amount, street, city) => { show('<h1>Payment</h1><button>Pay now</button>'); main.querySelector('button').onclick = () => order({ amount, street, city }) }
      const order = async (what) => {
        show('<p>One moment</p>')
        const answer = await (await fetch('/checkout/order', { method: 'POST', body: new URLSearchParams(what) })).json()
        show(answer.error ? '<h1>' + answer.error + '</h1>' : '<h1>Thank you</h1><p>Your order is ' + answer.order + '.</p>')
      }
      later(200, start)
    </script>`,
  }
}

const sites: Readonly<Record<string, Site>> = { form, search, login, pages, checkout }

export async function startSites(): Promise<Sites> {
  const received: Record<string, string>[] = []
  let changes: Changes = {}
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sites')
    const site = sites[pathname.split('/')[1] ?? '']
    const sent = Object.fromEntries(new URLSearchParams(await textOf(request)))
    const asked = { path: pathname, query: searchParams, sent, cookie: request.headers.cookie ?? '', changes, received }
    const { status = 200, headers, body = '' } = site?.(asked) ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    change: (next) => {
      changes = next
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
