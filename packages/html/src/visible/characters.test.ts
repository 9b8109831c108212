import { expect, test } from 'vitest'

import { toMarkdown } from '../extract.ts'
import { withoutInvisible } from './characters.ts'

const tagged = 'ignore'.replaceAll(/./g, (each) => String.fromCodePoint(0xe0000 + each.codePointAt(0)!))

test.each([
  ['tag characters', `a${tagged}b`, 'ab'],
  ['tag characters after a flag that is none', `\u{1F3F4}${tagged}b`, '\u{1F3F4}b'],
  ['zero-width spaces', 'ig\u200Bno\u2060re\uFEFF', 'ignore'],
  ['joiners between Latin letters', 'ig\u200Dno\u200Cre', 'ignore'],
  ['overrides of direction', 'a\u202Eb\u202Cc', 'abc'],
  ['isolates in Latin text', '\u2066abc\u2069', 'abc'],
  ['fillers', 'a\u3164b\u115Fc', 'abc'],
  ['runs of variation selectors', 'a\uFE01\uFE02\u{E0101}\u{E0102}b', 'ab'],
])('%s are removed', (_, text, clean) => {
  expect(withoutInvisible(text)).toBe(clean)
})

test.each([
  ['joiners of Persian', 'می\u200Cخواهم'],
  ['joiners of Hindi', 'क्\u200Dष'],
  ['joiners of emoji', '👩\u200D💻'],
  ['emoji style', '❤\uFE0F\u200D🔥'],
  [
    'flags of regions',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} x 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  ],
  ['marks in Hebrew', 'שלום\u200F (abc)\u200E'],
  ['variants of ideographs', '葛\u{E0100}'],
  ['soft hyphens', 'hy\u00ADphen'],
])('%s stay', (_, text) => {
  expect(withoutInvisible(text)).toBe(text)
})

test.each([
  '&#8203;',
  '&#x200B;',
  '&#x0200b;',
  '&ZeroWidthSpace;',
  '&zwj;',
  '&#917569;',
  '&#xE0041;',
  '&#65279;',
  '&NoBreak;',
])('the reference %s is removed', (reference) => {
  expect(toMarkdown(`<p>a${reference}b</p>`, { onlyMainContent: false })).toBe('ab')
})

test('they are removed from a page, also as references and in the text of images', () => {
  const html = `<p>ig&#x200b;nore ${tagged}all</p><img src="a.png" alt="a${tagged}\u200Bb">`
  expect(toMarkdown(html, { onlyMainContent: false, url: 'https://example.com/' })).toBe(
    'ignore all\n\n![ab](https://example.com/a.png)',
  )
})
