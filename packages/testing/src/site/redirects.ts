import { answer, answerPage, html, numberOf, type Route, type Visit } from './route.ts'

function redirect({ response }: Visit, to: string, status = 302): void {
  response.writeHead(status, { location: to, 'content-length': 0 }).end()
}

// Malformed locations. Node refuses to send some of them unchanged.
const oddLocations: Readonly<Record<string, (other: string) => string>> = {
  credentials: (other) => `${other.replace('://', '://user:secret@')}/echo`,
  backslash: (other) => `\\\\${new URL(other).host}\\echo`,
  'not-ascii': () => '/redirect/end?name=größe',
  long: () => `/redirect/end?long=${'x'.repeat(65_536)}`,
  file: () => 'file:///etc/passwd',
  javascript: () => 'javascript:alert(1)',
  data: () => 'data:text/html,<h1>data</h1>',
  empty: () => '',
  'not-a-url': () => 'http://',
  fragment: () => '/redirect/end#part',
}

const refreshPage = (seconds: number, to: string) =>
  `<!doctype html><title>Moved</title><meta http-equiv="refresh" content="${seconds}; url=${to}"><p>This page has moved.</p>`

export const redirectRoutes: readonly Route[] = [
  {
    path: '/redirect/end',
    about: 'where most redirects lead',
    handle: (visit) => answerPage(visit, 'The end of the way', '<p>You have arrived.</p>'),
  },
  {
    path: '/redirect/chain/:left',
    about: 'as many redirects as the path says, with `status` (302)',
    handle: (visit) => {
      const left = Number(visit.parts['left'])
      const query = visit.url.search
      redirect(
        visit,
        left > 1 ? `/redirect/chain/${left - 1}${query}` : '/redirect/end',
        numberOf(visit, 'status', 302),
      )
    },
  },
  { path: '/redirect/loop', about: 'a redirect to itself', handle: (visit) => redirect(visit, '/redirect/loop') },
  { path: '/redirect/ping', about: 'one half of a loop of two', handle: (visit) => redirect(visit, '/redirect/pong') },
  { path: '/redirect/pong', about: 'the other half', handle: (visit) => redirect(visit, '/redirect/ping') },
  { path: '/redirect/relative', about: 'a location without a slash', handle: (visit) => redirect(visit, 'end') },
  {
    path: '/redirect/protocol-relative',
    about: 'a location that begins with two slashes',
    handle: (visit) => redirect(visit, `${visit.site.originOf(visit.request).replace('http:', '')}/redirect/end`),
  },
  {
    path: '/redirect/to',
    about: 'a redirect to `url`, with `status` (302)',
    handle: (visit) =>
      redirect(visit, visit.url.searchParams.get('url') ?? '/redirect/end', numberOf(visit, 'status', 302)),
  },
  {
    path: '/redirect/other',
    about: 'a redirect to the other origin, which echoes the headers it gets; `status` (302)',
    handle: (visit) => redirect(visit, `${visit.site.other()}/echo`, numberOf(visit, 'status', 302)),
  },
  {
    path: '/redirect/none',
    about: 'a redirect that does not say where to',
    handle: (visit) => answer(visit, html, '<p>Moved, but where?</p>', { status: 302 }),
  },
  {
    path: '/redirect/odd/:kind',
    about: `a location that is ${Object.keys(oddLocations).join(', ')}`,
    handle: (visit) => {
      const location = oddLocations[visit.parts['kind'] ?? '']?.(visit.site.other()) ?? '/redirect/end'
      visit.response.socket?.end(
        `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      )
    },
  },
  {
    path: '/redirect/meta/:left',
    about: 'as many pages that move on by a meta element as the path says, after `seconds` (0)',
    handle: (visit) => {
      const left = Number(visit.parts['left'])
      const to = left > 1 ? `/redirect/meta/${left - 1}${visit.url.search}` : '/redirect/end'
      answer(visit, html, refreshPage(numberOf(visit, 'seconds', 0), to))
    },
  },
  {
    path: '/redirect/meta-loop',
    about: 'a page that moves on to itself by a meta element, for ever',
    handle: (visit) => answer(visit, html, refreshPage(0, '/redirect/meta-loop')),
  },
  {
    path: '/redirect/refresh',
    about: 'a page that moves on by a Refresh header',
    handle: (visit) => answerPage(visit, 'Moved', '<p>Moved.</p>', { headers: { refresh: '0; url=/redirect/end' } }),
  },
]
