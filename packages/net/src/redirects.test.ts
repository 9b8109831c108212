import { describe, expect, test } from 'vitest'

import { EngineError, type Fetcher, type WireRequest, type WireResponse } from '@harvestman/ports'
import { makeCookies } from './cookies.ts'
import { createGuard } from './guard/guard.ts'
import { fetchFollowing, type FollowRequest, type Followed, type FollowOptions } from './redirects.ts'

type Pages = Readonly<Record<string, Partial<Omit<WireResponse, 'body'>> & { readonly text?: string }>>

/** Answers by the table, and remembers what it was asked. */
function fakeWeb(pages: Pages): { readonly fetcher: Fetcher; readonly asked: WireRequest[] } {
  const asked: WireRequest[] = []
  return {
    asked,
    fetcher: {
      exchange: async (request) => {
        asked.push(request)
        const { status = 200, headers = [], text = '' } = pages[request.url.href] ?? { status: 404 }
        return { status, headers, body: Buffer.from(text) }
      },
      close: async () => undefined,
    },
  }
}

const to = (location: string, status = 302, ...more: (readonly [string, string])[]): Pages[string] => ({
  status,
  headers: [['location', location], ...more],
})
const guard = createGuard({ resolver: async () => [{ address: '93.184.215.14', family: 4 }] })
const never = new AbortController().signal

function follow(
  fetcher: Fetcher,
  url: string,
  more: Partial<FollowRequest> = {},
  options?: FollowOptions,
): Promise<Followed> {
  return fetchFollowing(
    fetcher,
    guard,
    { url: new URL(url), method: 'GET', headers: {}, maxBytes: 1_000, ...more },
    never,
    options,
  )
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const result: unknown = await work.catch((error: unknown) => error)
  return EngineError.is(result) ? result.code : 'no error'
}

describe('a redirect', () => {
  test.each([
    ['https://b.example.com/x', 'https://b.example.com/x'],
    ['//b.example.com/x', 'https://b.example.com/x'],
    ['/x', 'https://a.example.com/x'],
    ['x?y=1', 'https://a.example.com/dir/x?y=1'],
    ['../x', 'https://a.example.com/x'],
    ['?y=1', 'https://a.example.com/dir/page?y=1'],
    ['HTTPS://B.example.com', 'https://b.example.com/'],
    ['\\\\b.example.com\\x', 'https://b.example.com/x'],
    ['/\\b.example.com/x', 'https://b.example.com/x'],
    ['https:\\\\b.example.com/x', 'https://b.example.com/x'],
    ['https://user:word@b.example.com/x', 'https://b.example.com/x'],
    ['/caf\u00c3\u00a9', 'https://a.example.com/caf%C3%A9'],
    ['/caf\u00e9', 'https://a.example.com/caf%C3%A9'],
    ['/a b', 'https://a.example.com/a%20b'],
    ['/x%0d%0aX-Evil: 1', 'https://a.example.com/x%0d%0aX-Evil:%201'],
  ])('to %j leads to %s', async (location, target) => {
    const web = fakeWeb({ 'https://a.example.com/dir/page': to(location), [target]: { text: 'here' } })
    const answer = await follow(web.fetcher, 'https://a.example.com/dir/page')
    expect(Buffer.from(answer.body).toString()).toBe('here')
    expect(answer.url.href).toBe(target)
    expect(web.asked.map(({ url }) => url.href)).toEqual(['https://a.example.com/dir/page', target])
  })

  test.each([
    ['a line break', '/x\r\nX-Evil: 1'],
    ['a NUL', '/x\0y'],
    ['a tab', 'https://b.exa\tmple.com/'],
    ['64 KiB', `/${'x'.repeat(65_536)}`],
    ['no address', 'https://[nonsense'],
    ['a bad port', 'https://b.example.com:99999/'],
  ])('with %s in it is refused', async (_what, location) => {
    const web = fakeWeb({ 'https://a.example.com/': to(location) })
    expect(await codeOf(follow(web.fetcher, 'https://a.example.com/'))).toBe('bad_response')
    expect(web.asked).toHaveLength(1)
  })

  test('to two addresses at once is refused, to one said twice is followed', async () => {
    const web = fakeWeb({
      'https://a.example.com/1': to('/2', 302, ['location', '/3']),
      'https://a.example.com/4': to('/5', 302, ['location', '/5']),
      'https://a.example.com/5': { text: 'here' },
    })
    expect(await codeOf(follow(web.fetcher, 'https://a.example.com/1'))).toBe('bad_response')
    expect((await follow(web.fetcher, 'https://a.example.com/4')).status).toBe(200)
  })

  test.each([
    'file:///etc/passwd',
    'ftp://b.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ws://b.example.com/',
  ])('to another scheme is refused: %s', async (location) => {
    const web = fakeWeb({ 'https://a.example.com/': to(location) })
    expect(await codeOf(follow(web.fetcher, 'https://a.example.com/'))).toBe('url_blocked')
  })

  test('is seen by the guard before it is followed', async () => {
    const web = fakeWeb({ 'https://a.example.com/': to('http://169.254.169.254/latest') })
    expect(await codeOf(follow(web.fetcher, 'https://a.example.com/'))).toBe('url_blocked')
    expect(web.asked).toHaveLength(1)
  })

  test.each([200, 201, 300, 304, 305, 306, 404, 500])('is not what status %i says', async (status) => {
    const web = fakeWeb({ 'https://a.example.com/': to('/x', status) })
    expect(await follow(web.fetcher, 'https://a.example.com/')).toMatchObject({ status })
    expect(web.asked).toHaveLength(1)
  })

  test.each([[[]], [[['location', ''] as const]]])('without an address is the answer: %j', async (headers) => {
    const web = fakeWeb({ 'https://a.example.com/': { status: 302, headers, text: 'moved' } })
    expect(await follow(web.fetcher, 'https://a.example.com/')).toMatchObject({ status: 302 })
    expect(web.asked).toHaveLength(1)
  })

  test('is not followed from a Refresh header', async () => {
    const web = fakeWeb({ 'https://a.example.com/': { headers: [['refresh', '0; url=/x']] } })
    expect((await follow(web.fetcher, 'https://a.example.com/')).url.pathname).toBe('/')
  })

  test('keeps the fragment unless it brings its own', async () => {
    const web = fakeWeb({
      'https://a.example.com/1#part': to('/2'),
      'https://a.example.com/2#part': to('/3#other'),
      'https://a.example.com/3#other': { text: 'here' },
    })
    expect((await follow(web.fetcher, 'https://a.example.com/1#part')).url.href).toBe('https://a.example.com/3#other')
  })

  test('is counted: the limit is followed, one more is not', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`https://a.example.com/${index}`, to(`/${index + 1}`)]),
    )
    const web = fakeWeb({ ...pages, 'https://a.example.com/20': { text: 'here' } })
    expect((await follow(web.fetcher, 'https://a.example.com/0')).url.pathname).toBe('/20')
    expect(web.asked).toHaveLength(21)
    expect(await codeOf(follow(fakeWeb(pages).fetcher, 'https://a.example.com/0'))).toBe('too_many_redirects')
    expect(await codeOf(follow(web.fetcher, 'https://a.example.com/0', {}, { limit: 19 }))).toBe('too_many_redirects')
    expect((await follow(web.fetcher, 'https://a.example.com/20', {}, { limit: 0 })).status).toBe(200)
  })
})

describe('the method', () => {
  const body = Buffer.from('a=1')
  const post = { method: 'POST' as const, body, headers: { 'content-type': 'text/x', accept: '*/*' } }

  test.each([301, 302, 303])('POST becomes GET without a body after %i', async (status) => {
    const web = fakeWeb({ 'https://a.example.com/': to('/x', status) })
    await follow(web.fetcher, 'https://a.example.com/', post)
    expect(web.asked[1]).toMatchObject({ method: 'GET', headers: { accept: '*/*' } })
    expect(web.asked[1]).not.toHaveProperty('body')
    expect(web.asked[1]?.headers).not.toHaveProperty('content-type')
  })

  test.each([307, 308])('POST stays, with its body, after %i', async (status) => {
    const web = fakeWeb({ 'https://a.example.com/': to('/x', status) })
    await follow(web.fetcher, 'https://a.example.com/', post)
    expect(web.asked[1]).toMatchObject({ method: 'POST', body, headers: { 'content-type': 'text/x' } })
  })

  test.each([301, 302, 303, 307, 308])('HEAD stays after %i', async (status) => {
    const web = fakeWeb({ 'https://a.example.com/': to('/x', status) })
    await follow(web.fetcher, 'https://a.example.com/', { method: 'HEAD' })
    expect(web.asked[1]?.method).toBe('HEAD')
  })
})

describe('what a caller gave', () => {
  const secrets = {
    authorization: 'Bearer s',
    cookie: 'session=s',
    'proxy-authorization': 's',
    'x-api-key': 's',
    referer: 's',
  }
  const harmless = { accept: 'text/html', 'accept-language': 'de', 'user-agent': 'mine', 'sec-ch-ua': 'x' }
  const headers = { ...secrets, ...harmless }
  const ownHeaders = ['Authorization', 'cookie', 'proxy-authorization', 'X-Api-Key', 'referer', 'User-Agent']

  test.each([
    ['another host', 'https://b.example.com/'],
    ['a host below it', 'https://sub.a.example.com/'],
    ['another scheme', 'http://a.example.com/'],
    ['another port', 'https://a.example.com:8443/'],
  ])('is not sent to %s', async (_what, target) => {
    const web = fakeWeb({ 'https://a.example.com/': to(target), [target]: to(`${target}2`) })
    await follow(web.fetcher, 'https://a.example.com/', { headers, ownHeaders })
    expect(web.asked[0]?.headers).toEqual(headers)
    expect(web.asked[1]?.headers).toEqual(harmless)
    expect(web.asked[2]?.headers).toEqual(harmless)
  })

  test('is not sent from http to https of the same host', async () => {
    const web = fakeWeb({ 'http://a.example.com/': to('https://a.example.com/') })
    await follow(web.fetcher, 'http://a.example.com/', { headers, ownHeaders })
    expect(web.asked[1]?.headers).toEqual(harmless)
  })

  test('is sent on within the same origin', async () => {
    const web = fakeWeb({
      'https://a.example.com/': to('/2', 307),
      'https://a.example.com/2': to('https://a.example.com:443/3'),
    })
    await follow(web.fetcher, 'https://a.example.com/', { headers, ownHeaders })
    expect(web.asked.map((request) => request.headers)).toEqual([headers, headers, headers])
  })

  test('does not come back, save cookies, when the chain does', async () => {
    const web = fakeWeb({
      'https://a.example.com/': to('https://b.example.com/'),
      'https://b.example.com/': to('https://a.example.com/back'),
    })
    await follow(web.fetcher, 'https://a.example.com/', { headers, ownHeaders })
    expect(web.asked[2]?.headers).toEqual({ ...harmless, cookie: 'session=s' })
  })

  test('is all of it when the headers are not named', async () => {
    const web = fakeWeb({ 'https://a.example.com/': to('https://b.example.com/') })
    await follow(web.fetcher, 'https://a.example.com/', { headers: { ...headers, 'x-default': '1' } })
    expect(web.asked[1]?.headers).toEqual(harmless)
  })

  test('as user and password in the address goes into a header, and is not shown', async () => {
    const web = fakeWeb({ 'https://a.example.com/': to('https://b.example.com/') })
    await follow(web.fetcher, 'https://us%40er:w%C3%B6rd@a.example.com/', { ownHeaders: [] })
    const credentials = Buffer.from('us@er:wörd').toString('base64')
    expect(web.asked[0]?.headers['authorization']).toBe(`Basic ${credentials}`)
    expect(web.asked[0]?.url.href).toBe('https://a.example.com/')
    expect(web.asked[1]?.headers).toEqual({})
  })

  test('as a header comes before user and password in the address', async () => {
    const web = fakeWeb({})
    await follow(web.fetcher, 'https://u:p@a.example.com/', { headers: { authorization: 'Bearer s' } })
    expect(web.asked[0]?.headers).toEqual({ authorization: 'Bearer s' })
  })
})

describe('cookies', () => {
  const cookiesOf = (request: WireRequest | undefined): string | undefined => request?.headers['cookie']

  test('that a host sets are sent to it along the way', async () => {
    const web = fakeWeb({
      'https://a.example.com/': to('/2', 302, ['set-cookie', 'a=1; Path=/'], ['set-cookie', 'b=2; Path=/; HttpOnly']),
      'https://a.example.com/2': to('/3', 302, ['set-cookie', 'a=3; Path=/']),
    })
    await follow(web.fetcher, 'https://a.example.com/')
    expect(web.asked.map(cookiesOf)).toEqual([undefined, 'a=1; b=2', 'a=3; b=2'])
  })

  test('replace those of the same name that the caller brought', async () => {
    const web = fakeWeb({ 'https://a.example.com/': to('/2', 302, ['set-cookie', 'session=new']) })
    await follow(web.fetcher, 'https://a.example.com/', { headers: { cookie: 'session=old; theme=dark' } })
    expect(web.asked.map(cookiesOf)).toEqual(['session=old; theme=dark', 'theme=dark; session=new'])
  })

  test('stay with their host, their path and their scheme', async () => {
    const web = fakeWeb({
      'https://a.example.com/in/1': to(
        '/out',
        302,
        ['set-cookie', 'deep=1'],
        ['set-cookie', 'safe=1; Path=/; Secure'],
        ['set-cookie', 'wide=1; Domain=example.com; Path=/'],
      ),
      'https://a.example.com/out': to('https://b.example.com/'),
      'https://b.example.com/': to('http://b.example.com/'),
      'http://b.example.com/': to('https://example.org/'),
    })
    await follow(web.fetcher, 'https://a.example.com/in/1')
    expect(web.asked.map(cookiesOf)).toEqual([undefined, 'safe=1; wide=1', 'wide=1', 'wide=1', undefined])
  })

  test.each([
    ['for a whole top-level domain', 'x=1; Domain=com'],
    ['for a public suffix', 'x=1; Domain=co.uk'],
    ['for another host', 'x=1; Domain=b.example.com'],
    ['with a prefix it does not deserve', '__Host-x=1; Domain=example.com'],
    ['of more than 4 KB', `x=${'1'.repeat(5_000)}`],
    ['that has expired', 'x=1; Max-Age=0'],
    ['without sense', ';;;'],
  ])('%s are left out', async (_what, cookie) => {
    const web = fakeWeb({ 'https://a.example.com/': to('/2', 302, ['set-cookie', cookie]) })
    await follow(web.fetcher, 'https://a.example.com/')
    expect(cookiesOf(web.asked[1])).toBeUndefined()
  })

  test('are kept in no greater number than 150', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ['set-cookie', `c${index}=1`] as const)
    const web = fakeWeb({ 'https://a.example.com/': to('/2', 302, ...many) })
    await follow(web.fetcher, 'https://a.example.com/')
    expect(cookiesOf(web.asked[1])?.split('; ')).toHaveLength(150)
  })

  test('are forgotten with the scrape, unless it goes on', async () => {
    const pages = { 'https://a.example.com/': { headers: [['set-cookie', 'a=1']] } } as const
    const web = fakeWeb(pages)
    await follow(web.fetcher, 'https://a.example.com/')
    await follow(web.fetcher, 'https://a.example.com/')
    expect(web.asked.map(cookiesOf)).toEqual([undefined, undefined])
    const cookies = makeCookies()
    await follow(web.fetcher, 'https://a.example.com/', {}, { cookies })
    await follow(web.fetcher, 'https://a.example.com/', {}, { cookies })
    expect(cookiesOf(web.asked[3])).toBe('a=1')
  })
})

describe('a refresh that acts as a redirect', () => {
  const start = 'https://a.example.com/dir/page'
  const tag = (content: string, more = ''): string =>
    `<head><meta http-equiv="Refresh" content="${content}"></head>${more}`
  const endOf = async (text: string, pages: Pages = {}, options: FollowOptions = { followsRefresh: true }) => {
    const { fetcher, asked } = fakeWeb({ [start]: { text }, 'https://a.example.com/next': { text: 'next' }, ...pages })
    const { url } = await follow(fetcher, start, { headers: { authorization: 'secret' } }, options)
    return { url: url.href, asked }
  }

  test.each([
    ['0; url=/next', ''],
    ["0;URL='/next'", ''],
    ['2, /next', 'Words '.repeat(100)],
    ['5; url=/next', 'You will be redirected.'],
  ])('is followed: %s', async (content, text) => {
    expect((await endOf(tag(content, text))).url).toBe('https://a.example.com/next')
  })

  test.each([
    ['a page that only reloads itself', tag('0')],
    ['a page that leads to itself', tag('0; url=page#part')],
    ['a late one', tag('300; url=/next')],
    ['one of a page that says something', tag('5; url=/next', 'Words of the page. '.repeat(20))],
    ['one for readers without scripts', `<noscript>${tag('0; url=/next')}</noscript>`],
    ['one in a comment or a script', `<!-- ${tag('0; url=/next')} --><script>"${tag('0; url=/next')}"</script>`],
    ['one that is no web address', tag('0; url=javascript:alert(1)')],
  ])('is not followed: %s', async (_, html) => {
    expect((await endOf(html)).url).toBe(start)
  })

  test('is not followed unless the caller wants it', async () => {
    expect((await endOf(tag('0; url=/next'), {}, {})).url).toBe(start)
  })

  test('passes the guard, takes no secrets to other hosts, and ends where it goes in a circle', async () => {
    expect(await codeOf(endOf(tag('0; url=http://10.0.0.1/')))).toBe('url_blocked')
    const other = 'https://b.example.com/'
    const { url, asked } = await endOf(tag(`0; url=${other}`), { [other]: { text: tag(`0; url=${start}`) } })
    expect(url).toBe(other)
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual(['secret', undefined])
  })
})
