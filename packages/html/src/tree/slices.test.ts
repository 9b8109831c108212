import { expect, test } from 'vitest'

import { Slices } from './slices.ts'
import { readHtml } from '../readings/read.ts'

test('a text is its slices in their order, however many', () => {
  for (const count of [0, 1, 4_095, 4_096, 4_097, 100_000]) {
    const slices = new Slices()
    for (let number = 0; number < count; number += 1) slices.add(`${number} `)
    expect(slices.join()).toBe(Array.from({ length: count }, (_, number) => `${number} `).join(''))
  }
})

test.each(['a\r\nb', '\r\r\n\n', 'a\r', '\rb', '漢\r\n😀'])('line ends of any kind are line feeds: %j', (text) => {
  const { values } = readHtml(
    { html: `<pre>x${text}y`, url: 'https://a.example/' },
    { onlyMainContent: false, includeTags: [], excludeTags: [] },
    [{ name: 'html' }],
  )
  expect(values['html']).toContain(`x${text.replaceAll(/\r\n?/g, '\n')}y`)
})

test.each([
  ['lines of dashes', '\r\n-', ' -'],
  ['lines of words', 'a \n\t b', 'a b'],
  ['lines of a script without spaces', '漢\n', '漢'],
])('%s are written without their breaks, however many they are', (_, line, written) => {
  const { values } = readHtml(
    { html: `<p>x${line.repeat(60_000)}`, url: 'https://a.example/' },
    { onlyMainContent: false, includeTags: [], excludeTags: [] },
    [{ name: 'markdown' }],
  )
  expect(values['markdown']).toBe(`x${written.repeat(60_000)}`.trim())
})
