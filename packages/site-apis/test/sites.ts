// Fifteen sites on loopback whose lists come over HTTP in the usual ways, and a server that counts and checks requests.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

const names = 'Amber Basalt Cobalt Dolomite Emerald Feldspar Garnet Hematite Jasper Kyanite Larimar Malachite'.split(
  ' ',
)
const perPage = 4
const stone = (name: string, id: number) => ({ id: id + 1, name: `${name} lamp`, price: 10 + id })
const all = names.map(stone)

const list = `<!doctype html><title>Lamps</title><ul id="list"></ul><script>
const show = (items) => { for (const { name, price } of items) {
  const row = document.createElement('li'); row.textContent = name + ' for ' + price; document.querySelector('#list').append(row) } }`
const page = (script: string, head = ''): string => `${head}${list}\n;(async () => { ${script} })()</script>`

/** A request to a site, with its body. */
export interface Asked {
  readonly url: URL
  readonly request: IncomingMessage
  readonly body: string
  readonly cookie: string
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A site: its page, and what it does with other requests. */
export interface Site {
  readonly page: (origin: string) => Reply
  readonly reply: (asked: Asked) => Reply
  /** Whether the page loads its list with a POST request that is not a GraphQL query. */
  readonly isPost?: boolean
  /** Whether a recipe is expected, and how the list continues. */
  readonly expected: { readonly learned: boolean; readonly paging?: 'number' | 'cursor' | 'next' | 'link' }
}

const html = (body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  headers: { 'content-type': 'text/html', ...headers },
  body,
})
const denied = (reason: string): Reply => ({ status: 403, body: { error: reason } })
const from = (start: number) => all.slice(start, start + perPage)
const numberOf = (url: URL, name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise)

const issued = new Set<string>()
const issue = (): string => {
  const token = `t0${randomBytes(12).toString('hex')}`
  issued.add(token)
  return token
}
const cookieOf = (cookie: string, name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(cookie)?.[1]
const sign = (time: string) => createHmac('sha256', 'only in the wasm').update(time).digest('hex')

/** The sites by name. */
export const sites: Readonly<Record<string, Site>> = {
  rest: {
    page: () => html(page(`show(await (await fetch('/rest/api')).json())`)),
    reply: () => ({ body: all }),
    expected: { learned: true },
  },
  graphql: {
    page: () =>
      html(
        page(`const query = 'query Lamps($first: Int, $after: String) { lamps(first: $first, after: $after) { nodes { name } } }'
        const response = await fetch('/graphql/api', { method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables: { first: 4, after: null } }) })
        show((await response.json()).data.lamps.nodes)`),
      ),
    reply: ({ body }) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables: { after: string | null } }
      const start = Number(variables.after?.slice(1) ?? 0)
      const end = start + perPage
      const pageInfo = { hasNextPage: end < all.length, endCursor: end < all.length ? `c${end}` : null }
      if (!query.includes('lamps')) return { body: { errors: [] } }
      return { body: { data: { lamps: { nodes: from(start), pageInfo } } } }
    },
    expected: { learned: true, paging: 'cursor' },
  },
  cursor: {
    page: () => html(page(`show((await (await fetch('/cursor/api?limit=4')).json()).items)`)),
    reply: ({ url }) => {
      const start = Number((url.searchParams.get('cursor') ?? 'at0').slice(2))
      const end = start + perPage
      return { body: { items: from(start), next_cursor: end < all.length ? `at${end}` : null } }
    },
    expected: { learned: true, paging: 'cursor' },
  },
  offset: {
    page: () => html(page(`show((await (await fetch('/offset/api?offset=0&limit=4')).json()).rows)`)),
    reply: ({ url }) => ({ body: { rows: from(numberOf(url, 'offset', 0)), total: all.length } }),
    expected: { learned: true, paging: 'number' },
  },
  number: {
    page: () => html(page(`show((await (await fetch('/number/api?page=1')).json()).results)`)),
    reply: ({ url }) => ({ body: { results: from((numberOf(url, 'page', 1) - 1) * perPage) } }),
    expected: { learned: true, paging: 'number' },
  },
  link: {
    page: () => html(page(`show(await (await fetch('/link/api?start_at=0')).json())`)),
    reply: ({ url }) => {
      const end = numberOf(url, 'start_at', 0) + perPage
      const headers = end < all.length ? { link: `</link/api?start_at=${end}>; rel="next"` } : {}
      return { headers, body: from(end - perPage) }
    },
    expected: { learned: true, paging: 'link' },
  },
  pageToken: {
    page: () => {
      const token = issue()
      return html(
        page(
          `const token = document.querySelector('meta[name=api-token]').content
          show(await (await fetch('/pageToken/api', { headers: { 'x-api-token': token } })).json())`,
          `<meta name="api-token" content="${token}">`,
        ),
      )
    },
    reply: ({ request }) =>
      issued.has(String(request.headers['x-api-token'])) ? { body: all } : denied('The token is not valid.'),
    expected: { learned: true },
  },
  callToken: {
    page: () =>
      html(
        page(`const { token } = await (await fetch('/callToken/session')).json()
        show(await (await fetch('/callToken/api', { headers: { authorization: 'Bearer ' + token } })).json())`),
      ),
    reply: ({ url, request }) => {
      if (url.pathname.endsWith('/session')) return { body: { token: issue(), expires: 60 } }
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      return issued.has(token) ? { body: all } : denied('The token is not valid.')
    },
    expected: { learned: true },
  },
  csrf: {
    isPost: true,
    page: () =>
      html(
        page(`const [, token] = document.cookie.match(/csrf=([^;]+)/)
        const response = await fetch('/csrf/api', { method: 'POST', headers: { 'x-csrf-token': token, 'content-type': 'application/json' }, body: '{"kind":"lamps"}' })
        show(await response.json())`),
        { 'set-cookie': `csrf=${issue()}; Path=/csrf` },
      ),
    reply: ({ request, cookie }) => {
      const token = cookieOf(cookie, 'csrf')
      return token !== undefined && issued.has(token) && request.headers['x-csrf-token'] === token
        ? { body: all }
        : denied('The CSRF token is not valid.')
    },
    expected: { learned: true },
  },
  signed: {
    page: () => {
      const time = String(Date.now())
      // The signature is in no response: it stands for one that compiled code computes.
      const halves = Array.from(sign(time)).map((letter) => letter.charCodeAt(0) + 1)
      return html(
        page(`const signature = ${JSON.stringify(halves)}.map((code) => String.fromCharCode(code - 1)).join('')
        show(await (await fetch('/signed/api?time=${time}&signature=' + signature)).json())`),
      )
    },
    reply: ({ url }) =>
      url.searchParams.get('signature') === sign(url.searchParams.get('time') ?? '')
        ? { body: all }
        : denied('The signature is not valid.'),
    expected: { learned: false },
  },
  postJson: {
    isPost: true,
    page: () =>
      html(
        page(`const response = await fetch('/postJson/api', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ filter: { kind: 'lamp' }, page: 0 }) })
        show((await response.json()).hits)`),
      ),
    reply: ({ body }) => {
      const { filter, page } = JSON.parse(body) as { filter?: { kind?: string }; page: number }
      return filter?.kind === 'lamp' ? { body: { hits: from(page * perPage) } } : denied('A filter is required.')
    },
    expected: { learned: true, paging: 'number' },
  },
  postForm: {
    isPost: true,
    page: () =>
      html(
        page(`const response = await fetch('/postForm/api', { method: 'POST', body: new URLSearchParams({ action: 'lamps', paged: '1', p: '1' }) })
        show((await response.json()).posts)`),
      ),
    reply: ({ body }) => {
      const form = new URLSearchParams(body)
      if (form.get('action') !== 'lamps') return denied('An action is required.')
      return { body: { posts: from((Number(form.get('p')) - 1) * perPage) } }
    },
    expected: { learned: true, paging: 'number' },
  },
  fragment: {
    page: () =>
      html(
        `<!doctype html><title>Lamps</title><div id="list"></div><script>(async () => {
        document.querySelector('#list').innerHTML = await (await fetch('/fragment/part?page=1')).text() })()</script>`,
      ),
    reply: ({ url }) => {
      const cards = from((numberOf(url, 'page', 1) - 1) * perPage).map(
        ({ id, name, price }) =>
          `<article class="card"><h3 class="name">${name}</h3><p class="price">${price} euros</p><a href="/lamp/${id}">More</a></article>`,
      )
      return html(cards.join('\n'))
    },
    expected: { learned: true, paging: 'number' },
  },
  script: {
    page: () =>
      html(
        page(
          `show(JSON.parse(document.querySelector('#state').textContent).props.lamps)`,
          `<script type="application/json" id="state">${JSON.stringify({ props: { lamps: all } })}</script>`,
        ),
      ),
    reply: () => ({ status: 404, body: {} }),
    expected: { learned: true },
  },
  socket: {
    page: (origin) =>
      html(
        page(`const socket = new WebSocket('${origin.replace('http', 'ws')}/socket/live')
        socket.onmessage = ({ data }) => show(JSON.parse(data))
        await new Promise((resolve) => { socket.onclose = resolve; setTimeout(resolve, 2000) })`),
      ),
    reply: () => ({ status: 404, body: {} }),
    expected: { learned: false },
  },
}

/** A site with a search, for which no row of the table is needed. */
const search: Pick<Site, 'page' | 'reply'> = {
  page: () =>
    html(
      page(`const word = new URLSearchParams(location.search).get('q')
      show(await (await fetch('/search/api?query=' + word)).json())`),
    ),
  reply: ({ url }) => {
    const word = url.searchParams.get('query') ?? ''
    return { body: ['floor', 'table'].map((kind, at) => ({ name: `${word} ${kind} lamp`, price: at })) }
  },
}

/** A site whose page redirects, with a token in the page after the redirect. */
const moved: Pick<Site, 'page' | 'reply'> = {
  page: () => ({ status: 302, headers: { location: '/moved/lamps?kind=lamps' }, body: '' }),
  reply: ({ url, ...asked }) =>
    url.pathname.endsWith('/lamps')
      ? html(sites['pageToken']?.page('').body?.toString().replaceAll('/pageToken/', '/moved/') ?? '')
      : (sites['pageToken']?.reply({ url, ...asked }) ?? denied('There is no such site.')),
}

const others: Readonly<Record<string, Pick<Site, 'page' | 'reply'>>> = { search, moved }

/** A running server with all sites. */
export interface Served {
  readonly origin: string
  /** Requests since the last call, as method and path with query. */
  take(): readonly string[]
  /** Replaces what the API of a site returns. */
  change(site: string, reply: ((asked: Asked) => Reply) | undefined): void
  /** Lines of robots.txt. */
  setRobots(lines: string): void
  close(): Promise<void>
}

/** Starts the server on loopback. */
export async function serveSites(): Promise<Served> {
  const asked: string[] = []
  const changes = new Map<string, (asked: Asked) => Reply>()
  let robots = ''
  const answer = async (request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> => {
    const url = new URL(request.url ?? '/', origin)
    const [, name = '', ...rest] = url.pathname.split('/')
    if (name === 'favicon.ico') return void response.writeHead(404).end()
    if (name === 'robots.txt') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(robots)
    asked.push(`${request.method} ${url.pathname}${url.search}`)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const site = sites[name] ?? others[name]
    const reply = changes.get(name) ?? site?.reply
    const isPage = rest.join('') === ''
    const given = isPage ? site?.page(origin) : reply?.({ url, request, body, cookie: request.headers.cookie ?? '' })
    const { status = 200, headers = {}, body: sent } = given ?? { status: 404, body: {} }
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
  let origin = ''
  const server: Server = createServer((request, response) => void answer(request, response, origin))
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket) => {
    upgraded.add(socket)
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${key.digest('base64')}\r\n\r\n`)
    const data = Buffer.from(JSON.stringify(all))
    socket.write(Buffer.concat([Buffer.from([0x81, 126, data.length >> 8, data.length & 255]), data]))
    socket.on('error', () => undefined)
    setTimeout(() => socket.end(), 500)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    take: () => asked.splice(0),
    change: (site, reply) => void (reply ? changes.set(site, reply) : changes.delete(site)),
    setRobots: (lines) => {
      robots = lines
    },
    close: async () => {
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

/** Names of all items, in order. */
export const itemNames: readonly string[] = all.map(({ name }) => name)
