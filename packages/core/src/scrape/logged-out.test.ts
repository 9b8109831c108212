import { describe, expect, test } from 'vitest'

import { whyLoggedOut, type LoginFacts } from './logged-out.ts'

type Changes = Partial<Omit<LoginFacts, 'requested' | 'url'>> & { readonly from?: string; readonly to?: string }

const why = ({ from = '/orders', to = from, ...more }: Changes): string | undefined => {
  const at = (path: string): URL => new URL(path, 'https://shop.example/')
  const facts = { status: 200, login: { form: 'none' }, marker: undefined, knowsHost: false } as const
  return whyLoggedOut({ ...facts, ...more, requested: at(from), url: at(to) })
}
const main = { form: 'main' } as const
const part = { form: 'part' } as const
const factor = { form: 'none', prompt: 'second_factor' } as const

describe('a profile is logged out', () => {
  test.each<[string, Changes]>([
    ['redirected to https://shop.example/login,', { to: '/login?next=/orders', login: part }],
    ['redirected to https://id.shop.example/,', { to: 'https://id.shop.example/', login: { form: 'name' } }],
    ['redirected to https://shop.example/users/sign_in,', { to: '/users/sign_in', login: main }],
    ['redirected to https://shop.example/welcome,', { to: '/welcome', login: main }],
    ['responded with 401 and a form', { status: 401, login: part }],
    ['responded with 403 and a form', { status: 403, login: main }],
    ['/orders shows a form to log in', { login: main, knowsHost: true }],
    ['/orders shows a form for a second factor', { login: factor, knowsHost: true }],
    ['which has a form for a second factor', { to: '/verify', login: factor }],
    [
      '/orders does not have an element .user and the text "Ann"',
      { login: { form: 'none', hasMarker: false }, marker: { selector: '.user', text: 'Ann' } },
    ],
  ])('%s', (reason, changes) => {
    expect(why(changes)?.replace('?next=/orders', '')).toContain(reason)
  })
})

describe('a profile is not logged out', () => {
  test.each<[string, Changes]>([
    ['on a page with a small form', { login: part, knowsHost: true }],
    ['on a page with a form of a host that it has nothing of', { login: main }],
    ['on the requested page to log in', { from: '/login', login: main, knowsHost: true }],
    ['after a redirect from one page to log in to another', { from: '/login', to: '/login/2', login: main }],
    ['after a redirect to an ordinary page with a small form', { to: '/welcome', login: part, knowsHost: true }],
    ['after a redirect to a language host with a small form', { to: 'https://id.shop.example/orders', login: part }],
    ['after a redirect to a page to log in without a form', { to: '/login' }],
    [
      'after the same page with another scheme and a slash',
      { from: 'http://www.shop.example/a', to: '/a/', login: main },
    ],
    ['on a page with its marker and a second factor', { login: { ...factor, hasMarker: true }, knowsHost: true }],
    ['on a page that only needs a confirmation', { login: { form: 'none', prompt: 'confirmation' }, knowsHost: true }],
    ['on a file', { login: undefined, knowsHost: true, marker: { text: 'Ann' } }],
    ['on a refused page without a form', { status: 403, knowsHost: true }],
    ['on a missing page', { status: 404, login: { form: 'main', hasMarker: false }, marker: { text: 'Ann' } }],
    ['on a page with its marker, whatever form it has', { to: '/login', login: { form: 'main', hasMarker: true } }],
  ])('%s', (_, changes) => {
    expect(why(changes)).toBeUndefined()
  })
})
