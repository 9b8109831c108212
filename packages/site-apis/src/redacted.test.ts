import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { probableOrigin } from './redacted.ts'

const exchange = (url: string, text: string): Exchange => ({
  ...{ method: 'GET', url, headers: new Map(), sent: undefined, status: 200, received: new Map(), text },
})
const token = 'a1b2c3d4e5f6a7b8'
const sources = (page: string, session = '', isTrusted = true) => {
  const earlier = [exchange('https://a.example/session', session)]
  const trusted = isTrusted ? earlier : []
  return { page: exchange('https://a.example/lamps', page), earlier, trusted, cookies: '' }
}

test('a CSRF token comes from the element meta of the document', () => {
  const found = probableOrigin(
    'x-csrf-token',
    sources(`<title>Lamps</title><meta name="csrf-token" content="${token}">`),
  )
  expect(found).toMatchObject({ in: 'page' })
})

test('other tokens come from a property in an earlier response, before the document', () => {
  const both = sources(`<script>{"token":"b1b2c3d4e5f6a7b8"}</script>`, `{"user":{"accessToken": "${token}"}}`)
  expect(probableOrigin('authorization', both)).toMatchObject({ in: 'response', url: 'https://a.example/session' })
})

test('without such an element or property there is no origin', () => {
  expect(probableOrigin('x-csrf-token', sources('<p>csrf</p>'))).toBeUndefined()
  expect(probableOrigin('authorization', sources('{"token":1}', '{"key":"short"}'))).toBeUndefined()
})

test('a response of another site is no origin', () => {
  const text = `{"accessToken": "${token}"}`
  expect(probableOrigin('authorization', sources('', text, false))).toBeUndefined()
  expect(probableOrigin('authorization', sources(`<script>${text}</script>`, text, false))).toMatchObject({
    in: 'page',
  })
})
