import { expect, test } from 'vitest'

import { draftsOf } from './drafts.ts'
import type { Exchange } from './exchanges.ts'
import type { RecipeRequest } from './recipe.ts'

const page: Exchange = {
  ...{ method: 'GET', url: 'https://a.example/lamps', headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map(), text: '' },
}

function draftOf(query: RecipeRequest['query'], url: string) {
  const template: RecipeRequest = { method: 'GET', url: 'https://a.example/api', query, headers: {} }
  const sources = { page, earlier: [], trusted: [], cookies: '' }
  const { drafts } = draftsOf({ template, headers: new Map(), sources, url })
  return { query: drafts[0]?.request.query, parameters: drafts[0]?.parameters }
}

test.each([
  ['sort=name', ['fields', 'name'], 'name'],
  ['sort=name', ['sort', 'name'], '{{page.sort}}'],
  ['page=2', ['page', '2'], '{{page.page}}'],
  ['q=cobalt', ['query', 'cobalt'], '{{page.q}}'],
  ['q=amber', ['query', 'amber'], 'amber'],
])('for the page ?%s, the value of %j becomes %s', (search, pair, value) => {
  const { query, parameters } = draftOf([[pair[0] ?? '', pair[1] ?? '']], `https://a.example/lamps?${search}`)
  expect(query).toEqual([[pair[0], value]])
  expect(parameters).toEqual(value.includes('{{') ? [search.split('=')[0]] : [])
})

test('of more than 10 tokens, the first 10 get an origin, and no response is searched for the others', () => {
  const values = Array.from({ length: 12 }, (_, at) => `a1b2c3d4e5f6${'x'.repeat(at + 1)}9`)
  let searches = 0
  const text = values.map((value, at) => `<meta name="token-${at}-of-the-page" content="${value}">`).join('\n')
  const pairs = values.map((value, at): [string, string] => [`t${at}`, value])
  const template: RecipeRequest = { method: 'GET', url: 'https://a.example/api', query: pairs, headers: {} }
  const sources = {
    page: {
      ...page,
      get text() {
        searches += 1
        return text
      },
    },
    ...{ earlier: [], trusted: [] },
    cookies: '',
  }
  const { drafts, unknown } = draftsOf({ template, headers: new Map(), sources, url: page.url })
  expect(drafts[0]?.tokens).toHaveLength(10)
  expect(unknown).toEqual(['t10', 't11'])
  expect(searches).toBe(10)
})

test('values with the placeholder of a secret, and passwords, are omitted', () => {
  const query: RecipeRequest['query'] = [
    ['filter', 'kind:left-out'],
    ['password', 'amber'],
    ['kind', 'floor'],
  ]
  const template: RecipeRequest = { method: 'GET', url: 'https://a.example/api', query, headers: {} }
  const sources = { page, earlier: [], trusted: [], cookies: '', redacted: 'left-out' }
  const headers = new Map([
    ['user-agent', 'left-out'],
    ['accept', 'application/json'],
    ['x-filter', 'a left-out b'],
  ])
  const { drafts, unknown } = draftsOf({ template, headers, sources, url: page.url })
  expect(drafts.at(-1)?.request).toMatchObject({ query: [['kind', 'floor']], headers: { accept: 'application/json' } })
  expect(JSON.stringify(drafts)).not.toMatch(/left-out|amber/)
  expect(unknown).toEqual(['filter', 'password', 'x-filter'])
})

test('passwords in the body are omitted if they are numbers, in lists, or in an object with such a name', () => {
  const value = { pin: 4711, kind: 'floor', credentials: ['amber', { user: 'ann' }], keyCount: 3, loginpwd: 'lamp' }
  const url = 'https://a.example/api'
  const template: RecipeRequest = { method: 'POST', url, query: [], headers: {}, body: { as: 'json', value } }
  const sources = { page, earlier: [], trusted: [], cookies: '' }
  const { drafts } = draftsOf({ template, headers: new Map([['x-userpwd', 'amberlamp']]), sources, url: page.url })
  const kept = JSON.stringify(drafts)
  expect(['4711', 'amber', 'ann', 'lamp"'].filter((secret) => kept.includes(secret))).toEqual([])
  expect(kept).toContain('"floor"')
  expect(kept).toContain('"keyCount":3')
})

test('a parameter with a secret in its JSON is omitted, and one without is kept', () => {
  const secret = JSON.stringify({ first: 12, accessToken: 'abc123def456ghi789' })
  const query: RecipeRequest['query'] = [
    ['variables', secret],
    ['filter', '{"kind":"floor"}'],
  ]
  const template: RecipeRequest = { method: 'GET', url: 'https://a.example/graphql', query, headers: {} }
  const sources = { page, earlier: [], trusted: [], cookies: '' }
  const { drafts, unknown } = draftsOf({ template, headers: new Map(), sources, url: page.url })
  expect(drafts.map(({ request }) => request.query)).toEqual(drafts.map(() => [['filter', '{"kind":"floor"}']]))
  expect(unknown).toEqual(['variables'])
})

test('a secret after many other values is omitted', () => {
  const value = { kinds: Array.from({ length: 300 }, () => 'floor'), last: { token: 'word' } }
  const url = 'https://a.example/api'
  const template: RecipeRequest = { method: 'POST', url, query: [], headers: {}, body: { as: 'json', value } }
  const sources = { page, earlier: [], trusted: [], cookies: '' }
  const { unknown } = draftsOf({ template, headers: new Map(), sources, url: page.url })
  expect(unknown).toEqual(['token'])
})
