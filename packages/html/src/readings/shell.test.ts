import { expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import { whyShell, type ShellReason } from './shell.ts'

const reasonFor = (html: string): ShellReason | null => whyShell(parseHtml(html).root)
const isShell = (html: string): boolean => reasonFor(html) !== null
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

test('a page whose content is still a skeleton is one, however long its navigation is', () => {
  const menu = `<nav>${words}</nav><header><p>${words}</p></header>`
  const script = '<script src="/app.js"></script>'
  expect(reasonFor(`${menu}<div id="root"></div>${script}`)).toBe('scripts')
  expect(reasonFor(`${menu}<section aria-busy="true"></section>${script}`)).toBe('scripts')
  expect(reasonFor(`${menu}<div class="card skeleton-text"></div>${script}`)).toBe('scripts')
  expect(reasonFor(`${menu}<p>Short, but complete.</p>${script}`)).toBe(null)
  expect(reasonFor(`${menu}<div id="root"></div>`)).toBe(null)
})

test('a page that says that it loads is one, in many languages', () => {
  const says = (text: string): ShellReason | null =>
    reasonFor(`<header>${words}</header><p>${text}</p><script src="/app.js"></script>`)
  for (const text of [
    'Loading…',
    'Loading your orders ...',
    'Wird geladen …',
    'Bitte warten',
    'Chargement...',
    'Cargando…',
    '読み込み中...',
    '加载中',
    'Загрузка…',
    '잠시만 기다려 주세요…',
    'Redirecting to the login page',
  ])
    expect([text, says(text)]).toEqual([text, 'scripts'])
  for (const text of [
    'Loading and unloading is allowed.',
    'Loading docks',
    'Moment of truth',
    'The connection was lost.',
  ])
    expect([text, says(text)]).toEqual([text, null])
})

test('a page whose content is in frames is one; small, hidden and written ones do not count', () => {
  expect(reasonFor('<h1>Portal</h1><iframe src="/inside.html" width="800"></iframe>')).toBe('frames')
  expect(reasonFor(`<p>${words}</p><iframe src="/inside.html"></iframe>`)).toBe(null)
  for (const frame of [
    'src="/a" width="1" height="1"',
    'src="/a" hidden',
    'src="/a" style="display:none"',
    'srcdoc="<p>x</p>"',
    'src="about:blank"',
    '',
  ])
    expect([frame, reasonFor(`<h1>Portal</h1><iframe ${frame}></iframe>`)]).toEqual([frame, null])
})
