import { answer, answerJson, answerPage, numberOf, type Route, type Visit } from './route.ts'

const cookiesOf = ({ request }: Visit): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (request.headers.cookie ?? '')
      .split('; ')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

async function bodyOf({ request }: Visit): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString('utf8')
}

const pairs = (raw: readonly string[]) =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2]?.toLowerCase(), raw[index * 2 + 1]])

export const statusRoutes: readonly Route[] = [
  {
    path: '/status/:code',
    about: 'a page with this status, with `retry-after` where it is given',
    handle: (visit) => {
      const status = Number(visit.parts['code'])
      const after = visit.url.searchParams.get('retry-after')
      if (status < 200) return visit.response.writeContinue()
      const headers = { ...(after === null ? {} : { 'retry-after': after }) }
      if (status === 204 || status === 304) return void visit.response.writeHead(status, headers).end()
      answerPage(visit, `Status ${status}`, `<p>This page has the status ${status}.</p>`, { status, headers })
    },
  },
  {
    path: '/flaky',
    about: 'fails `times` (2) with `status` (503) for each `name`, then answers',
    handle: (visit) => {
      const count = visit.site.count(`flaky ${visit.url.searchParams.get('name') ?? ''}`)
      if (count > numberOf(visit, 'times', 2)) return answerPage(visit, 'It works now', `<p>This is try ${count}.</p>`)
      const headers = { 'retry-after': '1' }
      answerPage(visit, 'Not now', '<p>Try again.</p>', { status: numberOf(visit, 'status', 503), headers })
    },
  },
]

export const cookieRoutes: readonly Route[] = [
  {
    path: '/cookie/set',
    about: 'sets a cookie and redirects to a page that needs it; `visitor` (known)',
    handle: ({ response, url }) => {
      const visitor = encodeURIComponent(url.searchParams.get('visitor') ?? 'known')
      const headers = { location: '/cookie/need', 'set-cookie': `visitor=${visitor}; Path=/; HttpOnly` }
      response.writeHead(302, headers).end()
    },
  },
  {
    path: '/cookie/need',
    about: 'redirects to `/cookie/set` without the cookie, for ever',
    handle: (visit) => {
      const { visitor } = cookiesOf(visit)
      if (visitor) answerPage(visit, 'Welcome back', `<p>You are ${visitor}.</p>`)
      else visit.response.writeHead(302, { location: '/cookie/set' }).end()
    },
  },
  {
    path: '/cookie/many',
    about: 'sets cookies of many kinds: for a path, for another host, expired, without a value, two times',
    handle: (visit) =>
      answerPage(visit, 'Many cookies', '<p>Here they are.</p>', {
        headers: {
          'set-cookie': [
            'plain=1',
            'twice=1; Path=/',
            'twice=2; Path=/',
            'path=1; Path=/cookie/deep',
            'foreign=1; Domain=example.com',
            'expired=1; Max-Age=0',
            'empty=; Path=/',
            'secure=1; Secure',
          ],
        },
      }),
  },
  { path: '/cookie/show', about: 'the cookies that came', handle: (visit) => answerJson(visit, cookiesOf(visit)) },
  { path: '/cookie/deep/show', about: 'the same, deeper', handle: (visit) => answerJson(visit, cookiesOf(visit)) },
]

export const echoRoutes: readonly Route[] = [
  {
    path: '/echo',
    about: 'what came: method, address, headers in their order, body',
    handle: async (visit) => {
      const { method, url, rawHeaders } = visit.request
      answerJson(visit, { method, url, headers: pairs(rawHeaders), body: await bodyOf(visit) })
    },
  },
  {
    path: '/auth/basic',
    about: 'wants the name `user` and the word `pass`',
    handle: (visit) => {
      const wanted = `Basic ${Buffer.from('user:pass').toString('base64')}`
      if (visit.request.headers.authorization === wanted) return answerPage(visit, 'Inside', '<p>You may.</p>')
      const headers = { 'www-authenticate': 'Basic realm="site"' }
      answerPage(visit, 'Who are you?', '<p>Say who you are.</p>', { status: 401, headers })
    },
  },
  {
    path: '/auth/bearer',
    about: 'wants the token `token`',
    handle: (visit) => {
      if (visit.request.headers.authorization === 'Bearer token') return answerPage(visit, 'Inside', '<p>You may.</p>')
      const headers = { 'www-authenticate': 'Bearer' }
      answerPage(visit, 'Who are you?', '<p>Say who you are.</p>', { status: 401, headers })
    },
  },
]

export const changingRoutes: readonly Route[] = [
  {
    path: '/changing',
    about: 'another text at each visit, for each `name`',
    handle: (visit) => {
      const count = visit.site.count(`changing ${visit.url.searchParams.get('name') ?? ''}`)
      answerPage(visit, 'A changing page', `<p>This always stays.</p><p>This is visit ${count}.</p>`)
    },
  },
  {
    path: '/cache/etag',
    about: 'has an ETag, and answers 304 to who has it',
    handle: (visit) => {
      const headers = { etag: '"v1"', 'cache-control': 'no-cache' }
      if (visit.request.headers['if-none-match'] === '"v1"') return void visit.response.writeHead(304, headers).end()
      answerPage(visit, 'A page with a tag', '<p>It does not change.</p>', { headers })
    },
  },
  {
    path: '/cache/age/:seconds',
    about: 'may be kept for as many seconds, and says which visit this is',
    handle: (visit) => {
      const headers = { 'cache-control': `max-age=${Number(visit.parts['seconds'])}` }
      const visits = visit.site.count(`cache ${visit.url.pathname}`)
      answerPage(visit, 'A page to keep', `<p>This is visit ${visits}.</p>`, { headers })
    },
  },
  {
    path: '/cache/vary',
    about: 'says the language that was asked for',
    handle: (visit) => {
      const language = visit.request.headers['accept-language'] ?? 'none'
      const headers = { vary: 'accept-language', 'cache-control': 'max-age=60' }
      answer(visit, 'text/plain; charset=utf-8', `language: ${language}`, { headers })
    },
  },
]
