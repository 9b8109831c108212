import { expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import { isScriptShell } from './shell.ts'

const isShell = (html: string): boolean => isScriptShell(parseHtml(html).root)
const words = 'A sentence of a page that has something to say. '.repeat(6)

test('an empty app root with scripts is a shell', () => {
  expect(isShell('<div id="root"></div><script src="/app.js"></script>')).toBe(true)
  expect(isShell('<app-root></app-root><script>start()</script>')).toBe(true)
})

test('a page that asks for scripts is a shell', () => {
  expect(
    isShell(
      '<p>Please enable JavaScript to use this site, it needs it for everything.</p><script src="a.js"></script>',
    ),
  ).toBe(true)
})

test('a page with words is none, whatever scripts it has', () => {
  expect(isShell(`<div id="root"></div><p>${words}</p><script src="/app.js"></script>`)).toBe(false)
})

test('a short page without scripts is none, nor is one whose words stand in noscript', () => {
  expect(isShell('<p>Gone.</p>')).toBe(false)
  expect(isShell(`<div id="root"></div><noscript><p>${words}</p></noscript><script src="/app.js"></script>`)).toBe(
    false,
  )
})
