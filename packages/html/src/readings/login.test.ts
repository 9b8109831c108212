import { describe, expect, test } from 'vitest'

import type { LoginMarker, LoginState } from './login.ts'
import { readHtml } from './read.ts'

const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
const login = (html: string, marker?: LoginMarker): LoginState => {
  const { values } = readHtml({ html, url: 'https://a.example/' }, scope, [
    { name: 'login', ...(marker && { options: { marker } }) },
  ])
  return values['login'] as LoginState
}
const formOf = (html: string): LoginState['form'] => login(html).form

const sentences = 'A sentence of an article that says something about its subject to its readers. '.repeat(12)
const box = '<form><input name=user><input type=password name=password><button>Go</button></form>'

describe('a form to log in', () => {
  test.each([
    ['a page with little else', `<h1>Welcome back</h1>${box}<p>No account? Register.</p>`],
    ['a page with a long menu and footer', `<nav>${sentences}</nav><main>${box}</main><footer>${sentences}</footer>`],
    ['a page titled so, with a paragraph about the product', `<title>Sign in</title><p>${sentences}</p>${box}`],
    ['a page without a form element', '<main><input name=user><input type=PASSWORD><button>Go</button></main>'],
    ['a page of another language', `<title>Anmelden – Laden</title><p>${sentences}</p>${box}`],
  ])('is the main part of %s', (_, html) => {
    expect(formOf(html)).toBe('main')
  })

  test.each([
    ['in the header of a short page', `<header>${box}</header><p>Hello.</p>`],
    ['in an element of the class navbar', `<div class="navbar dark">${box}</div><p>Hello.</p>`],
    ['in an aside', `<aside>${box}</aside><p>Hello.</p>`],
    ['beside an article', `<article>${sentences}</article>${box}`],
  ])('is a part of its page %s', (_, html) => {
    expect(formOf(html)).toBe('part')
  })

  test.each([
    ['a page without fields', `<p>${sentences}</p>`],
    ['a form to change a password', '<form><input type=password><input type=password><input type=password></form>'],
    ['a form to register', '<form><input name=mail><input type=password autocomplete=new-password></form>'],
    ['a form that is not displayed', `<div style="display:none">${box}</div><p>Hello.</p>`],
    [
      'a closed dialog',
      `<button aria-controls=log>Log in</button><dialog id=log><p>Log in</p>${box}</dialog><p>Hello.</p>`,
    ],
    ['a newsletter form', '<form><input type=email name=email><button>Subscribe</button></form>'],
    ['a disabled field', '<form><input type=password disabled></form>'],
  ])('is not on %s', (_, html) => {
    expect(formOf(html)).toBe('none')
  })

  test('may first ask only for the name', () => {
    expect(formOf('<form><input type=email autocomplete="username webauthn"><button>Next</button></form>')).toBe('name')
    expect(formOf('<form><input name=identifier></form>')).toBe('name')
  })
})

describe('a marker', () => {
  const page = `<header><span class=user>Ann  Lee</span><a href=/out>Log
    out</a></header><script>var text = 'In a script'</script><p style="display:none" id=no>Not shown</p><p>${sentences}</p>`

  test.each<[boolean, LoginMarker]>([
    [true, { selector: '.user' }],
    [true, { text: 'log out' }],
    [true, { selector: '.user', text: 'Ann Lee' }],
    [false, { selector: '.user', text: 'Bob' }],
    [false, { selector: '.owner', text: 'Ann Lee' }],
    [false, { text: 'In a script' }],
    [false, { text: 'Not shown' }],
    [false, { selector: '#no' }],
  ])('is found (%s) only where a visitor sees it: %o', (isFound, marker) => {
    expect(login(page, marker).hasMarker).toBe(isFound)
  })

  test('is found if elements or white space divide it otherwise', () => {
    expect(login('<p>Hello, <b>Ann</b>!</p>', { text: 'Hello, Ann!' }).hasMarker).toBe(true)
    expect(login('<p>Hello, <b>Bob</b>!</p>', { text: 'Hello, Ann!' }).hasMarker).toBe(false)
  })

  test('is found in a menu that a button opens', () => {
    const menu = `<button aria-controls=menu aria-expanded=false>Account</button>
      <ul id=menu style="display:none"><li>Log out</li></ul><p>${sentences}</p>`
    expect(login(menu, { text: 'Log out' }).hasMarker).toBe(true)
  })
})
