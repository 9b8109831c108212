import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { runHere } from './fixtures/run-here.ts'
import { learnRecipe } from './learn.ts'
import type { RecipeRequest } from './recipe.ts'
import type { Work } from './work.ts'

const names = ['Amber lamp', 'Basalt lamp']
const exchange = (url: string, type: string, text: string): Exchange => ({
  ...{ method: 'GET', url, headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map([['content-type', type]]), text },
})
const page = exchange('https://a.example/lamps', 'text/html', '<ul></ul>')
const api = exchange('https://a.example/api', 'application/json', JSON.stringify(names.map((name) => ({ name }))))

function learn(work: Work) {
  return learnRecipe({
    ...{ url: new URL(page.url), exchanges: [page, api], shown: names.join('\n'), cookies: '', repeatPosts: false },
    makeSender: () => ({
      send: async () => ({ status: 200, headers: new Map(), text: api.text }),
      cookie: () => undefined,
      count: () => 1,
    }),
    work,
  })
}

test('a recipe is learned from the response with the list', async () => {
  const { learned, refused } = await learn(runHere)
  expect(refused).toEqual([])
  expect(learned?.recipe.request).toMatchObject({ method: 'GET', url: api.url })
})

test.each(['findLists', 'draftsOf', 'readPage', 'countShown'])(
  'when %s takes too much time, learning is refused with the reason',
  async (slow) => {
    const message = 'The responses could not be read within 10 ms.'
    const { learned, refused } = await learn(async (name, input) => {
      if (name === slow) throw new EngineError('page_too_complex', message)
      return await runHere(name, input)
    })
    expect(learned).toBeUndefined()
    expect(refused).toMatchObject([{ reason: expect.stringContaining(message) }])
  },
)

/** Learns from a page that redirects, and whose API requires a token of the page. */
async function learnAfterRedirect(from: string, to: string) {
  const token = 'a1b2c3d4e5f6a7b8'
  const document = exchange(to, 'text/html', `<meta name="api" content="${token}">`)
  const send = async ({ url, query, headers }: RecipeRequest) => {
    const full = `${url}${query.length > 0 ? `?${new URLSearchParams(query).toString()}` : ''}`
    const isAllowed = full === to || (full === api.url && headers['x-api-token'] === token)
    return { status: isAllowed ? 200 : 302, headers: new Map(), text: full === to ? document.text : api.text }
  }
  const { learned } = await learnRecipe({
    ...{ url: new URL(from), shown: names.join('\n'), cookies: '', repeatPosts: false, work: runHere },
    exchanges: [document, { ...api, headers: new Map([['x-api-token', token]]) }],
    makeSender: () => ({ send, cookie: () => undefined, count: () => 1 }),
  })
  return learned?.recipe
}

test('the recipe of a page that redirects has the URL after the redirect', async () => {
  const recipe = await learnAfterRedirect(
    'https://a.example/lamps?kind=floor',
    'https://www.a.example/l?kind=floor&a=1',
  )
  expect(recipe).toMatchObject({
    page: 'https://a.example/lamps?kind=floor',
    document: {
      url: 'https://www.a.example/l',
      query: [
        ['kind', 'floor'],
        ['a', '1'],
      ],
    },
  })
})

test.each(['/lamps?session=word', '/lamps?x=a9b8c7d6e5f4a3', '/s/a9b8c7d6e5f4a3'])(
  'a URL after a redirect that may contain a secret is not stored: %s',
  async (to) => {
    expect(await learnAfterRedirect('https://a.example/lamps', `https://a.example${to}`)).toBeUndefined()
  },
)
